//go:build unix

package restarts_test

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"net/http"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/coder/websocket"

	"github.com/entwine-go/entwine/internal/trial"
	"github.com/entwine-go/entwine/kit/gid"
	"github.com/entwine-go/entwine/migrate/migratetest"
)

// How much TestEventRun does: make faults says 10,000 and 100.
var (
	eventCount      = flag.Int("events", 400, "how many events are written")
	subscriberCount = flag.Int("subscribers", 20, "how many subscribers hear them")
)

// heard are the events of one connection, to its end.
type heard struct {
	ids  []int64
	code websocket.StatusCode // -1 where it went on to the last event
	from int64                // when it knew that it was accepted
}

// audience is subscribers, each of whom comes back when its connection is closed.
type audience struct {
	*testing.T
	url  string
	last atomic.Int64 // the first post after all others, once it is known

	clock atomic.Int64 // only counts

	mu    sync.Mutex
	heard []heard
	wrote map[int64]span // by the post's id
}

// span is from before the request that wrote a post until after it was answered.
type span struct{ from, to int64 }

// follow subscribes again and again, until the last event has been heard.
func (a *audience) follow(ctx context.Context, accepted func()) {
	for ctx.Err() == nil {
		h := a.hear(ctx, accepted)
		accepted = func() {}
		a.mu.Lock()
		a.heard = append(a.heard, h)
		a.mu.Unlock()
		if h.code == -1 {
			return
		}
	}
}

// hear subscribes once.
func (a *audience) hear(ctx context.Context, accepted func()) (h heard) {
	ws, _, err := websocket.Dial(ctx, strings.Replace(a.url, "http", "ws", 1)+"/graphql", &websocket.DialOptions{Subprotocols: []string{"graphql-transport-ws"}})
	if err != nil {
		return heard{code: websocket.CloseStatus(err)}
	}
	defer ws.CloseNow()
	for _, text := range []string{
		`{"type":"connection_init"}`,
		`{"id":"1","type":"subscribe","payload":{"query":"subscription { newPost { id } }"}}`,
		`{"type":"ping"}`,
	} {
		if err := ws.Write(ctx, websocket.MessageText, []byte(text)); err != nil {
			return heard{code: 1006}
		}
	}
	for {
		_, text, err := ws.Read(ctx)
		if err != nil {
			if h.code = websocket.CloseStatus(err); h.code == -1 {
				a.Errorf("a connection broke without a code: %v", err)
				h.code = 1006
			}
			return h
		}
		var m struct {
			Type    string
			Payload struct {
				Data struct{ NewPost struct{ ID string } }
			}
		}
		if err := json.Unmarshal(text, &m); err != nil {
			a.Errorf("%v: %s", err, text)
		}
		switch m.Type {
		case "pong":
			h.from = a.clock.Add(1)
			accepted()
		case "next":
			_, row, err := gid.Decode(m.Payload.Data.NewPost.ID)
			id := row.Int()
			if err != nil {
				a.Errorf("%v: %s", err, text)
			}
			h.ids = append(h.ids, id)
			if last := a.last.Load(); last > 0 && id >= last {
				h.code = -1
				return h
			}
		}
	}
}

// check compares what was heard with all that happened: each connection has heard
// what was written after it had been accepted and before the last that it heard,
// without a gap, nothing twice, and nothing before what had been written earlier. Of
// what was committed while it was being accepted it may have heard any part.
func (a *audience) check() (complete, closed int) {
	for i, h := range a.heard {
		switch h.code {
		case -1:
			complete++
		case 1012, 1013:
			closed++
		default:
			a.Errorf("connection %d ended with %d", i, h.code)
		}
		saw := make(map[int64]bool)
		var latest int64 // when the writing of the latest that it heard of began
		for _, id := range h.ids {
			s, written := a.wrote[id]
			if saw[id] || !written || s.to < latest {
				a.Errorf("connection %d heard of post %d twice or out of order", i, id)
			}
			saw[id] = true
			latest = max(latest, s.from)
		}
		for id, s := range a.wrote {
			if h.from > 0 && s.from > h.from && s.to < latest && !saw[id] {
				a.Errorf("connection %d has missed post %d", i, id)
			}
		}
	}
	return complete, closed
}

// Sixteen writers, and subscribers whose servers are restarted meanwhile: each
// connection hears every event from when it was accepted until it is closed
// with a code, once and in the order of commits.
func TestEventRun(t *testing.T) {
	t.Parallel()
	t.Run("sqlite", func(t *testing.T) {
		t.Parallel()
		file := filepath.Join(t.TempDir(), "entwine.db")
		eventRun(t, "sqlite://"+file)
	})
	t.Run("postgres", func(t *testing.T) {
		t.Parallel()
		eventRun(t, migratetest.Schema(t).PostgresURL(t))
	})
}

func eventRun(t *testing.T, database string) {
	t.Helper()
	c := startChain(t, "ENTWINE_DATABASE_URL="+database, "ENTWINE_CONNECTIONS=10000")
	auth := (&trial.Service{URL: c.url}).SignUp(t)
	a := &audience{T: t, url: c.url, wrote: make(map[int64]span)}
	var following, accepted sync.WaitGroup
	for range *subscriberCount {
		accepted.Add(1)
		following.Go(func() { a.follow(t.Context(), sync.OnceFunc(accepted.Done)) })
	}
	accepted.Wait()

	written := make(chan struct{}, *eventCount)
	var left atomic.Int64
	left.Store(int64(*eventCount))
	var writing sync.WaitGroup
	for range 16 {
		writing.Go(func() {
			client := &http.Transport{}
			defer client.CloseIdleConnections()
			for left.Add(-1) >= 0 {
				a.publish(client, auth[1])
				written <- struct{}{}
			}
		})
	}
	for range 3 {
		for range *eventCount / 4 {
			<-written
		}
		c.restart(t)
	}
	writing.Wait()
	all := make(chan struct{})
	go func() {
		defer close(all)
		following.Wait()
	}()
	a.finish(auth[1], all)
	complete, closed := a.check()
	c.stop(t)
	if complete != *subscriberCount {
		t.Errorf("%d of %d subscribers heard the last event", complete, *subscriberCount)
	}
	t.Logf("%d events, %d subscribers, %d connections closed with a code and taken up again", *eventCount, complete, closed)
}

// publish writes a post, and when that was.
func (a *audience) publish(client *http.Transport, token string) int64 {
	began := a.clock.Add(1)
	id, err := publishPost(client, a.url, token)
	if err != nil {
		a.Errorf("write: %v", err)
	}
	ended := a.clock.Add(1)
	a.mu.Lock()
	defer a.mu.Unlock()
	a.wrote[id] = span{began, ended}
	return id
}

// finish writes last events until everyone has heard one: who is just coming
// back misses some.
func (a *audience) finish(token string, all <-chan struct{}) {
	a.Helper()
	client := &http.Transport{}
	defer client.CloseIdleConnections()
	for !a.Failed() {
		a.last.CompareAndSwap(0, a.publish(client, token))
		select {
		case <-all:
			return
		default:
		}
	}
	a.FailNow()
}

// publishPost writes a post that everyone can read, and returns its id.
func publishPost(client *http.Transport, url, token string) (int64, error) {
	r, err := http.NewRequest("POST", url+"/api/v1/posts", strings.NewReader(`{"title":"On Engines","content":"…","published":true}`))
	if err != nil {
		return 0, err
	}
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Authorization", token)
	res, err := client.RoundTrip(r)
	if err != nil {
		return 0, err
	}
	defer res.Body.Close()
	text, err := io.ReadAll(res.Body)
	var made struct{ Data struct{ ID int64 } }
	if err := errors.Join(err, json.Unmarshal(text, &made)); err != nil || res.StatusCode != http.StatusCreated {
		return 0, fmt.Errorf("answered %d %s: %w", res.StatusCode, text, err)
	}
	return made.Data.ID, nil
}
