package gql_test

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/entwine-go/entwine/kit/events"
	"github.com/entwine-go/entwine/kit/graph"
	"github.com/entwine-go/entwine/kit/pubsub"
	"github.com/entwine-go/entwine/kit/ratelimit"
	"github.com/entwine-go/entwine/kit/viewer"
)

// witness is an observer that remembers.
type witness struct {
	mu   sync.Mutex
	seen []string
}

type namedKey struct{}

func (o *witness) Begin(ctx context.Context, _, name string) context.Context {
	return context.WithValue(ctx, namedKey{}, name)
}

func (o *witness) End(ctx context.Context, kind, outcome string, cost int, _ time.Duration) {
	name, _ := ctx.Value(namedKey{}).(string)
	o.note(fmt.Sprintf("%s %q %s %d", kind, name, outcome, cost))
}

func (o *witness) Refused(outcome string) { o.note(outcome) }

func (o *witness) note(text string) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.seen = append(o.seen, text)
}

// till is a purse for several goroutines.
type till struct {
	mu sync.Mutex
	purse
}

func (l *till) Charge(ctx context.Context, n int) (ratelimit.Result, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.purse.Charge(ctx, n)
}

func (l *till) Return(ctx context.Context, charged ratelimit.Result, n int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.purse.Return(ctx, charged, n)
}

func (l *till) lowest() int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.purse.lowest()
}

func (l *till) Left() int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.purse.Left()
}

// An operation is observed and charged for once over every transport: a connection that
// stays open counts each operation as a request of its own.
func TestOperationsAreObservedAndChargedOverAnything(t *testing.T) {
	each(t, func(w *world) {
		bus, seen, left := new(pubsub.Memory), new(witness), &till{purse: purse{left: 8, low: 8}}
		w.db.OnWrite(func() { bus.Wake(events.Topic) })
		tailer := events.NewTailer(w.db, bus, slog.New(slog.DiscardHandler))
		api := over(w, w.db, graph.Options{Events: tailer, Logger: slog.New(slog.DiscardHandler), Observer: seen})
		server := httptest.NewServer(http.HandlerFunc(func(to http.ResponseWriter, r *http.Request) {
			api.ServeHTTP(to, r.WithContext(ratelimit.WithAccount(viewer.With(r.Context(), w.viewers["ada"]), left)))
		}))
		w.Cleanup(func() {
			api.Drain(context.Background())
			tailer.Close()
			server.Close()
		})
		const dear = "users(limit: 99) { id name }" // 199, which is 1 more
		post := func(query, accept string) string {
			body, _ := json.Marshal(map[string]string{"query": query})
			r := httptest.NewRequest("POST", "/graphql", strings.NewReader(string(body)))
			r.Header.Set("Content-Type", "application/json")
			r.Header.Set("Accept", accept)
			answer := httptest.NewRecorder()
			api.ServeHTTP(answer, r.WithContext(ratelimit.WithAccount(viewer.With(w.Context(), w.viewers["ada"]), left)))
			return answer.Body.String()
		}
		spent := func(what string, low, want int) {
			w.Helper()
			if got, was := left.Left(), left.lowest(); got != want || was != low {
				w.Errorf("after %s %d are left and were %d, want %d and %d", what, got, was, want, low)
			}
		}
		post("query Many { "+dear+" }", "application/json")
		spent("a request", 7, 8)
		post("query Events { "+dear+" }", "text/event-stream")
		spent("a stream of events", 7, 8)
		post("{ nothing }", "application/json")
		post(`{ user(id: "99") { id } order(id: "x") { id } }`, "application/json")
		spent("what is cheap", 8, 8)

		e := (&stage{world: w, url: server.URL}).hear("ada").accepted()
		send := func(id, query string) {
			payload, _ := json.Marshal(map[string]string{"query": query})
			e.say(fmt.Sprintf(`{"id":%q,"type":"subscribe","payload":%s}`, id, payload))
			e.say(`{"type":"ping"}`)
		}
		send("a", "subscription Posts { newPost { author { posts(first: 100) { id } } } }")
		e.accepted()
		spent("a subscription", 6, 6)
		for i := 0; left.Left() > 0; i++ {
			send(fmt.Sprint("s", i), "subscription { newPost { author { posts(first: 100) { id } } } }")
			e.accepted()
		}
		send("z", "subscription { newPost { id } }")
		if _, text, err := e.ws.Read(w.Context()); err != nil || !strings.Contains(string(text), `"RATE_LIMIT_EXCEEDED"`) {
			w.Errorf("a subscription beyond the limit: %s, %v", text, err)
		}

		seen.mu.Lock()
		defer seen.mu.Unlock()
		for _, want := range []string{`query "Many" ok 199`, `query "Events" ok 199`, "refused", `subscription "Posts" ok 103`} {
			if !slices.Contains(seen.seen, want) {
				w.Errorf("%s was not observed: %q", want, seen.seen)
			}
		}
	})
}
