package bench

import (
	"context"
	"fmt"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/coder/websocket"
	"golang.org/x/sync/errgroup"
)

// listens has many connections hear of new posts.
func (s *scaled) listens(f *figures, n int) {
	s.Helper()
	before := resident(s, s.entwine.pid)
	all := make([]*websocket.Conn, n)
	var joining errgroup.Group
	for part := range slices.Chunk(all, max(1, n/8)) {
		joining.Go(func() error {
			for i := range part {
				ws, err := s.join(s.Context())
				if err != nil {
					return err
				}
				part[i] = ws
			}
			return nil
		})
	}
	if err := joining.Wait(); err != nil {
		s.Fatal(err)
	}
	f.row("a subscriber", "memory of the process", fmt.Sprintf("%d KB", (resident(s, s.entwine.pid)-before)/n), "")
	const events = 10
	var heard []time.Duration
	spent := s.spent(func() {
		for i := range events {
			heard = append(heard, s.announce(all, i)...)
		}
	})
	f.row("an event", fmt.Sprintf("heard by %d connections, p50, p99", n), quantiles(heard), "")
	f.row("an event", "statements, the write's included", fmt.Sprintf("%.1f", float64(spent.calls)/events), "50")
	for _, ws := range all {
		_ = ws.CloseNow()
	}
}

// join subscribes to new posts.
func (s *scaled) join(ctx context.Context) (*websocket.Conn, error) {
	ws, _, err := websocket.Dial(ctx, strings.Replace(s.entwine.url, "http", "ws", 1)+"/graphql", &websocket.DialOptions{Subprotocols: []string{"graphql-transport-ws"}})
	if err != nil {
		return nil, err
	}
	for _, text := range []string{
		`{"type":"connection_init"}`,
		`{"id":"1","type":"subscribe","payload":{"query":"subscription { newPost { id title author { name } } }"}}`, `{"type":"ping"}`,
	} {
		if err := ws.Write(ctx, websocket.MessageText, []byte(text)); err != nil {
			return nil, err
		}
	}
	for _, want := range []string{"connection_ack", "pong"} {
		if _, text, err := ws.Read(ctx); err != nil || !strings.Contains(string(text), want) {
			return nil, fmt.Errorf("heard %s, %w, want %s", text, err, want)
		}
	}
	return ws, nil
}

// announce publishes a post, and returns when each connection heard of it after it was
// asked for.
func (s *scaled) announce(all []*websocket.Conn, i int) []time.Duration {
	s.Helper()
	heard := make([]time.Duration, len(all))
	var hearing sync.WaitGroup
	title := fmt.Sprintf("Announced %d", i)
	began := time.Now()
	for n, ws := range all {
		hearing.Go(func() {
			for {
				_, text, err := ws.Read(s.Context())
				if err != nil {
					s.Error(err)
					return
				}
				if strings.Contains(string(text), title) {
					heard[n] = time.Since(began)
					return
				}
			}
		})
	}
	s.entwine.fetch(s, call{method: "POST", path: "/api/v1/posts", body: `{"title":"` + title + `","content":"…","published":true}`, token: s.token, status: 201})
	hearing.Wait()
	return heard
}

// resident is how many kB of memory the process has.
func resident(t testing.TB, pid int) (kb int) {
	t.Helper()
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	if err != nil {
		t.Fatal(err)
	}
	_, rest, _ := strings.Cut(string(text), "VmRSS:")
	if _, err := fmt.Sscanf(rest, "%d", &kb); err != nil {
		t.Fatal(err)
	}
	return kb
}
