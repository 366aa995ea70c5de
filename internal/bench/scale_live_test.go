package bench

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"
)

// Figures of live lists: of as many connections, each with a list of its own, while
// rows of some of them are written. No figure fails the test.
func TestScaleOfLiveLists(t *testing.T) {
	if *scale == "" || *part != "" && *part != "lives" {
		t.Skip("it seeds large tables: make scale does it")
	}
	f, w := &figures{}, newScaled(t, scales[*scale].size)
	for _, n := range []int{500, 5_000} {
		w.follows(f, n)
	}
	f.print(*scale + ", live lists")
}

const (
	liveChanges = 500 // in all
	liveRate    = 50  // a second
	liveIdle    = 10 * time.Second
)

// follows has n connections follow the comments of a post each.
func (s *scaled) follows(f *figures, n int) {
	s.Helper()
	of := fmt.Sprintf("%d live lists", n)
	ctx, stop := context.WithCancel(s.Context())
	defer stop()
	before := resident(s, s.entwine.pid)
	heard := make(chan string, liveChanges)
	var opened, ended sync.WaitGroup
	places := make(chan struct{}, 16) // that are opened at a time
	began := time.Now()
	for i := range n {
		opened.Add(1)
		ended.Go(func() {
			places <- struct{}{}
			err := s.follow(ctx, i, heard, sync.OnceFunc(func() { <-places; opened.Done() }))
			if err != nil && ctx.Err() == nil {
				s.Error(err)
			}
		})
	}
	opened.Wait()
	f.row(of, "to open them all", since(began), "")
	f.row(of, "memory of the process for each", fmt.Sprintf("%d KB", (resident(s, s.entwine.pid)-before)/n), "")
	idle, _ := s.entwine.cpu(s)
	nothing := s.spent(func() { time.Sleep(liveIdle) })
	idled, _ := s.entwine.cpu(s)
	f.row(of, "statements a second where nothing is written", fmt.Sprintf("%.1f", float64(nothing.calls)/liveIdle.Seconds()), "")
	f.row(of, "of a core then", fmt.Sprintf("%.1f%%", 100*float64(idled-idle)/float64(liveIdle)), "")
	var took []time.Duration
	spent := s.spent(func() { took = s.changes(n, heard) })
	f.row(of, fmt.Sprintf("from the request of a write to its list, %d a second, p50, p99", liveRate), quantiles(took), "250 ms")
	f.row(of, "statements for each write, its own among them", fmt.Sprintf("%.1f", float64(spent.calls)/float64(len(took))), "")
	stop()
	ended.Wait()
}

// follow takes the events of the comments of a post, and sends the texts that it hears.
func (s *scaled) follow(ctx context.Context, i int, heard chan<- string, opened func()) error {
	defer opened()
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, fmt.Sprintf("%s/api/v1/comments?post_id=%d&sort=-created_at&limit=10&fields=id,text", s.entwine.url, i+1), nil)
	if err != nil {
		return err
	}
	r.Header.Set("Accept", "text/event-stream")
	r.Header.Set("X-Forwarded-For", from(i))
	res, err := http.DefaultTransport.RoundTrip(r)
	if err != nil {
		return err
	}
	defer res.Body.Close()
	if res.StatusCode != http.StatusOK {
		text, _ := io.ReadAll(io.LimitReader(res.Body, 300))
		return fmt.Errorf("list %d is answered %s: %s", i, res.Status, text)
	}
	lines := bufio.NewScanner(res.Body)
	for lines.Scan() {
		text, ok := strings.CutPrefix(lines.Text(), "data: ")
		if !ok {
			continue
		}
		opened()
		if _, after, changed := strings.Cut(text, `"text":"change `); changed && !strings.HasPrefix(text, `{"rows"`) {
			text, _, _ = strings.Cut(after, `"`)
			heard <- text
		}
	}
	return lines.Err()
}

// from is the address of a caller.
func from(i int) string { return fmt.Sprintf("10.%d.%d.%d", i>>16, i>>8&255, i&255) }

// changes writes comments below the posts that are followed, and returns how long after
// its request each was heard of.
func (s *scaled) changes(n int, heard <-chan string) (took []time.Duration) {
	s.Helper()
	began := make([]time.Time, liveChanges)
	var writing sync.WaitGroup
	var mu sync.Mutex
	pace := time.NewTicker(time.Second / liveRate)
	defer pace.Stop()
	all := make(chan struct{})
	go func() {
		defer close(all)
		for range liveChanges {
			text := <-heard
			var i int
			_, _ = fmt.Sscanf(text, "%d", &i)
			mu.Lock()
			took = append(took, time.Since(began[i]))
			mu.Unlock()
		}
	}()
	for i := range liveChanges {
		<-pace.C
		mu.Lock()
		began[i] = time.Now()
		mu.Unlock()
		writing.Go(func() {
			s.entwine.fetch(s, call{method: "POST", path: "/api/v1/comments", body: fmt.Sprintf(`{"post_id":%d,"text":"change %d of %d"}`, 1+i*7%n, i, n), token: s.token, status: 201})
		})
	}
	writing.Wait()
	select {
	case <-all:
	case <-time.After(time.Minute):
		s.Error("not all changes were heard of")
	}
	mu.Lock()
	defer mu.Unlock()
	return took
}
