package web_test

import (
	"context"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/entwine-go/entwine/kit/problem"
	"github.com/entwine-go/entwine/kit/web"
)

func TestTheGateLetsWaitAndRefuses(t *testing.T) {
	g := &web.Gate{Least: 2, Most: 2, Wait: time.Hour}
	for range 2 {
		if err := g.Enter(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	waited := make(chan error)
	go func() { waited <- g.Enter(t.Context()) }()
	gone, leave := context.WithCancel(t.Context())
	go func() { waited <- g.Enter(gone) }()
	for waiting := 0; waiting < 2; _, _, waiting = g.Figures() {
	}
	if err := g.Enter(t.Context()); problem.KindOf(err) != problem.Unavailable || problem.As(err).RetryAfter == 0 {
		t.Errorf("behind a queue as long as the room: %v", err)
	}
	leave()
	if err := <-waited; !errors.Is(err, context.Canceled) {
		t.Errorf("who left got %v", err)
	}
	g.Leave(time.Millisecond)
	if err := <-waited; err != nil {
		t.Errorf("who waited got %v", err)
	}
	g.Wait = time.Nanosecond
	if err := g.Enter(t.Context()); problem.KindOf(err) != problem.Unavailable {
		t.Errorf("who waited in vain got %v", err)
	}
	if room, in, waiting := g.Figures(); room != 2 || in != 2 || waiting != 0 {
		t.Errorf("room for %d, %d in flight, %d wait", room, in, waiting)
	}
}

// A service that can do so many things at a time is asked for more: requests
// take longer in proportion. The cap finds it, and finds back.
func TestTheCapFollowsTheLatency(t *testing.T) {
	now := time.Date(2026, 5, 1, 12, 0, 0, 0, time.UTC)
	g := &web.Gate{Least: 10, Most: 1000, Wait: time.Nanosecond, Now: func() time.Time { return now }}
	const capacity, alone = 100, 10 * time.Millisecond
	round := func(slower int) (room int) {
		in := 0
		for g.Enter(t.Context()) == nil {
			in++
		}
		took := alone * time.Duration(slower) * time.Duration(max(capacity, in)) / capacity
		now = now.Add(max(took, 150*time.Millisecond))
		for range in {
			g.Leave(took)
		}
		room, _, _ = g.Figures()
		return room
	}
	settle := func(slower int) (room int) {
		for range 300 {
			room = round(slower)
		}
		return room
	}
	if got := settle(1); got < capacity || got > 4*capacity {
		t.Errorf("the cap is %d for a capacity of %d", got, capacity)
	}
	before, _, _ := g.Figures()
	var after int
	for range 10 {
		after = round(10)
	}
	if after > before*2/3 {
		t.Errorf("the cap was %d, and is %d when everything is ten times slower", before, after)
	}
}

// The gate says that it refuses requests, and that those inside hang; neither
// for longer than it is so.
func TestTheGateTellsHowItIs(t *testing.T) {
	now := time.Date(2026, 5, 1, 12, 0, 0, 0, time.UTC)
	g := &web.Gate{Least: 1, Most: 1, Wait: time.Nanosecond, Now: func() time.Time { return now }}
	tells := func(when string, overloaded, stuck bool) {
		t.Helper()
		if o, s := g.Overloaded(t.Context()), g.Stuck(t.Context()); (o != nil) != overloaded || (s != nil) != stuck {
			t.Errorf("%s: overloaded %v, want %v; stuck %v, want %v", when, o, overloaded, s, stuck)
		}
	}
	refused := func() {
		t.Helper()
		if err := g.Enter(t.Context()); problem.KindOf(err) != problem.Unavailable {
			t.Fatal(err)
		}
	}
	tells("at first", false, false)
	if err := g.Enter(t.Context()); err != nil {
		t.Fatal(err)
	}
	tells("while it is full", false, false)
	refused()
	tells("when one is refused", true, false)
	now = now.Add(time.Minute)
	tells("when nobody asks any more", false, false)
	refused()
	tells("when none was answered for a minute", true, true)
	g.Leave(time.Second)
	tells("when one was answered", true, false)
}

// held returns an edge with room for one, and what its handler waits for.
func held() (h http.Handler, entered, leave chan struct{}) {
	edge, _ := newEdge()
	edge.Gate = &web.Gate{Least: 1, Most: 1, Wait: time.Nanosecond}
	entered, leave = make(chan struct{}), make(chan struct{})
	return edge.Handler(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if _, err := io.ReadAll(r.Body); err != nil {
			writeError(w, r, err)
			return
		}
		switch r.URL.Path {
		case "/stream":
			w.(http.Flusher).Flush()
		case "/large":
			_, _ = w.Write(make([]byte, 65<<10))
		case "/quick":
			return
		}
		entered <- struct{}{}
		<-leave
	})), entered, leave
}

func TestWhoHasAPlace(t *testing.T) {
	for name, c := range map[string]struct {
		first, second *http.Request
		want          int
	}{
		"a second one is refused":    {get("/slow"), get("/quick"), 503},
		"with a body, too":           {get("/slow"), request("POST", "/quick", "x"), 503},
		"a stream keeps none":        {get("/stream"), get("/quick"), 200},
		"a large answer keeps none":  {get("/large"), get("/quick"), 200},
		"a socket has none":          {get(web.GraphQLPath, "Upgrade", "websocket"), get("/quick"), 200},
		"a slow sender keeps nobody": {slowRequest(), get("/quick"), 200},
	} {
		t.Run(name, func(t *testing.T) {
			h, entered, leave := held()
			done := make(chan struct{})
			go func() {
				defer close(done)
				do(h, c.first)
			}()
			slow, isSlow := c.first.Body.(*slowBody)
			if isSlow {
				<-slow.reading
			} else {
				<-entered
			}
			if got := do(h, c.second); got.Code != c.want {
				t.Errorf("answered %d, want %d", got.Code, c.want)
			}
			if isSlow {
				close(slow.more)
				<-entered
			}
			leave <- struct{}{}
			<-done
			if got := do(h, get("/quick")); got.Code != 200 {
				t.Errorf("afterwards answered %d", got.Code)
			}
		})
	}
}

// A sign-in that waits has no place meanwhile, and takes one again.
func TestASignInThatWaitsHasNoPlace(t *testing.T) {
	edge, _ := newEdge()
	g := &web.Gate{Least: 1, Most: 1, Wait: time.Nanosecond}
	edge.Gate = g
	entered := make(chan struct{})
	h := edge.Handler(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/quick" {
			return
		}
		if r.Method == http.MethodGet {
			close(entered)
			if err := web.Pause(r.Context(), time.Hour); !errors.Is(err, context.Canceled) {
				t.Errorf("who left waited: %v", err)
			}
			return
		}
		_, _ = io.ReadAll(r.Body) // with its body a request takes its place
		if err := web.Pause(r.Context(), time.Nanosecond); err != nil {
			t.Errorf("who waited got %v", err)
		}
		if _, in, _ := g.Figures(); in != 1 {
			t.Errorf("%d in flight after the wait, want 1", in)
		}
	}))
	ctx, leave := context.WithCancel(t.Context())
	done := make(chan struct{})
	go func() {
		defer close(done)
		do(h, get("/api/v1/auth/login").WithContext(ctx))
	}()
	<-entered
	for in := 1; in > 0; _, in, _ = g.Figures() {
	}
	if got := do(h, get("/quick")); got.Code != 200 {
		t.Errorf("another is answered %d", got.Code)
	}
	do(h, request("POST", "/api/v1/auth/login", "x"))
	leave()
	<-done
	if _, in, _ := g.Figures(); in != 0 {
		t.Errorf("%d in flight at the end", in)
	}
}

// slowBody is a body that has not arrived yet.
type slowBody struct{ reading, more chan struct{} }

func slowRequest() *http.Request {
	r := request("POST", "/slow", "x")
	r.Body = &slowBody{make(chan struct{}), make(chan struct{})}
	return r
}

func (b *slowBody) Read([]byte) (int, error) {
	close(b.reading)
	<-b.more
	return 0, io.EOF
}

func (*slowBody) Close() error { return nil }

func TestLargeHeaders(t *testing.T) {
	edge, _ := newEdge()
	h := edge.Handler(whoami)
	for name, c := range map[string]struct {
		header string
		want   int
	}{
		"as large as allowed": {strings.Repeat("x", 32<<10-100), 200},
		"too large":           {strings.Repeat("x", 32<<10), 431},
	} {
		if got := do(h, get("/", "X-Large", c.header)); got.Code != c.want {
			t.Errorf("%s: answered %d, want %d", name, got.Code, c.want)
		}
	}
}

// A part of an answer is sent when it is flushed, and the request that makes the rest
// still has a place.
func TestAPartIsSentWhileTheRestIsMade(t *testing.T) {
	edge, _ := newEdge()
	edge.Gate = &web.Gate{Least: 1, Most: 1, Wait: time.Nanosecond}
	rest := make(chan struct{})
	server := httptest.NewServer(edge.Handler(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		_, _ = io.WriteString(w, "first")
		web.FlushPart(w)
		<-rest
		_, _ = io.WriteString(w, "rest")
	})))
	defer server.Close()
	answer, err := http.Get(server.URL)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = answer.Body.Close() }()
	first := make([]byte, len("first"))
	if _, err := io.ReadFull(answer.Body, first); err != nil {
		t.Fatal(err)
	}
	if _, in, _ := edge.Gate.Figures(); in != 1 {
		t.Errorf("%d requests are in flight, want the one that is not done", in)
	}
	close(rest)
	if more, err := io.ReadAll(answer.Body); err != nil || string(more) != "rest" {
		t.Errorf("then came %q, %v", more, err)
	}
}
