package web

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"os"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/entwine-go/entwine/kit/config"
	"github.com/entwine-go/entwine/kit/internal/fastpath"
	"github.com/entwine-go/entwine/kit/ratelimit"
	"github.com/entwine-go/entwine/kit/requestid"
	"github.com/entwine-go/entwine/kit/viewer"
)

// watched serves handlers by the path of the request, within so much time, and
// returns a connection to it.
func watched(t *testing.T, limit time.Duration, handlers map[string]http.HandlerFunc) net.Conn {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	e := &Edge{Log: slog.New(slog.DiscardHandler), Limit: config.Limit{RequestTime: limit, Body: 1 << 20, BodyTime: time.Minute}}
	s := &Server{Handler: e.identify(e.bound(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		ctx, cancel := e.budget(w, r, Page{})
		defer cancel()
		handlers[r.URL.Path](w, r.WithContext(ctx))
	}), Page{})), Health: &Health{}, Log: e.Log, Shutdown: time.Minute}
	ctx, stop := context.WithCancel(t.Context())
	ended := make(chan error)
	go func() { ended <- s.Serve(ctx, l) }()
	t.Cleanup(func() {
		stop()
		if err := <-ended; err != nil {
			t.Error(err)
		}
	})
	c, err := net.Dial("tcp", l.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = c.Close() })
	return c
}

const getWatched, postWatched = "GET %s HTTP/1.1\r\nHost: x\r\n\r\n", "POST %s HTTP/1.1\r\nHost: x\r\nContent-Length: 4\r\n\r\nbody"

// answered reads an answer, and returns its body.
func answered(t *testing.T, from *bufio.Reader) string {
	t.Helper()
	answer, err := http.ReadResponse(from, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	body, err := io.ReadAll(answer.Body)
	if err != nil {
		t.Fatal(err)
	}
	return string(body)
}

// quick answers at once, once it has read the body.
func quick(w http.ResponseWriter, r *http.Request) {
	_, _ = io.Copy(w, r.Body)
	_, _ = io.WriteString(w, "quick")
}

// looked returns once the client of the request is looked at, with what is closed
// when it is no longer.
func looked(r *http.Request) <-chan struct{} {
	c := connOf(r.Context())
	for {
		c.watch.mu.Lock()
		peeking := c.watch.peeking
		c.watch.mu.Unlock()
		if peeking != nil {
			return peeking
		}
		runtime.Gosched()
	}
}

func TestARequestEndsWhenItsClientLeaves(t *testing.T) {
	t.Parallel()
	for name, request := range map[string]string{"get": getWatched, "post": postWatched} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			began, ended := make(chan struct{}), make(chan error, 1)
			c := watched(t, time.Hour, map[string]http.HandlerFunc{"/quick": quick, "/slow": func(_ http.ResponseWriter, r *http.Request) {
				_, _ = io.Copy(io.Discard, r.Body)
				derived, cancel := context.WithCancel(r.Context())
				defer cancel()
				close(began)
				<-derived.Done()
				ended <- context.Cause(r.Context())
			}})
			answers := bufio.NewReader(c)
			for range 3 {
				fmt.Fprintf(c, request, "/quick")
				if body := answered(t, answers); !strings.HasSuffix(body, "quick") {
					t.Fatal(body)
				}
			}
			fmt.Fprintf(c, request, "/slow")
			<-began
			_ = c.Close()
			if err := <-ended; !errors.Is(err, context.Canceled) {
				t.Errorf("the context ends with %v", err)
			}
		})
	}
}

func TestARequestEndsAtItsDeadline(t *testing.T) {
	t.Parallel()
	for _, limit := range []time.Duration{time.Millisecond, glance, 3 * glance} {
		t.Run(limit.String(), func(t *testing.T) {
			t.Parallel()
			c := watched(t, limit, map[string]http.HandlerFunc{"/": func(w http.ResponseWriter, r *http.Request) {
				<-r.Context().Done()
				if until, ok := r.Context().Deadline(); !ok || time.Now().Before(until) {
					t.Errorf("it has ended before %v", until)
				}
				fmt.Fprint(w, r.Context().Err())
			}})
			answers := bufio.NewReader(c)
			for range 3 { // one after the other, and then two at once
				fmt.Fprintf(c, getWatched, "/")
				if body := answered(t, answers); body != context.DeadlineExceeded.Error() {
					t.Fatal(body)
				}
			}
			fmt.Fprintf(c, getWatched+getWatched, "/", "/")
			for range 2 {
				if body := answered(t, answers); body != context.DeadlineExceeded.Error() {
					t.Fatal(body)
				}
			}
		})
	}
}

// A look at the client takes nothing from what it sends next, and holds up
// nothing: not the next request, and no handler that takes the connection.
func TestALookAtAClientTakesNothing(t *testing.T) {
	t.Parallel()
	if fastpath.Off() {
		t.Skip("net/http itself reads beside the handler: fast paths are off")
	}
	sent, taken := make(chan struct{}), make(chan struct{})
	c := watched(t, time.Hour, map[string]http.HandlerFunc{
		"/quick": quick,
		"/slow":  func(w http.ResponseWriter, r *http.Request) { _, _ = io.Copy(w, r.Body); looked(r); quick(w, r) },
		"/sent": func(w http.ResponseWriter, r *http.Request) {
			peeking := looked(r)
			close(sent)
			<-peeking // the client has sent its next request
			if err := r.Context().Err(); err != nil {
				t.Error(err)
			}
			quick(w, r)
		},
		"/taken": func(w http.ResponseWriter, r *http.Request) {
			looked(r)
			own, buffered, err := http.NewResponseController(w).Hijack()
			if err != nil {
				t.Error(err)
				return
			}
			defer own.Close()
			close(taken)
			one := make([]byte, 1)
			for range 3 { // one byte, as net/http asks for
				if _, err := io.ReadFull(own, one); err != nil {
					t.Error(err)
				}
				_, _ = buffered.Write(one)
				_ = buffered.Flush()
			}
		},
	})
	answers := bufio.NewReader(c)
	for _, path := range []string{"/slow", "/quick", "/slow", "/slow", "/quick"} {
		fmt.Fprintf(c, postWatched, path)
		if body := answered(t, answers); body != "bodyquick" && body != "quick" {
			t.Fatal(body)
		}
	}
	fmt.Fprintf(c, getWatched, "/sent")
	<-sent
	fmt.Fprintf(c, getWatched, "/quick")
	for range 2 {
		if body := answered(t, answers); body != "quick" {
			t.Fatal(body)
		}
	}
	fmt.Fprintf(c, getWatched, "/taken")
	<-taken
	for _, one := range "abc" {
		fmt.Fprint(c, string(one))
		if got, err := answers.ReadByte(); err != nil || got != byte(one) {
			t.Fatalf("%q, %v", got, err)
		}
	}
}

// The deadline of a read is the one that was set last, whatever the socket's own
// deadline is.
func TestReadsEndAtTheirDeadline(t *testing.T) {
	t.Parallel()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	client, err := net.Dial("tcp", l.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	defer client.Close()
	inner, err := l.Accept()
	if err != nil {
		t.Fatal(err)
	}
	defer inner.Close()
	c, room := &conn{Conn: inner}, make([]byte, 4)
	ends := func() {
		t.Helper()
		if n, err := c.Read(room); n > 0 || !errors.Is(err, os.ErrDeadlineExceeded) {
			t.Fatalf("%d, %v", n, err)
		}
	}
	read := func() {
		t.Helper()
		fmt.Fprint(client, "a")
		if n, err := c.Read(room); n != 1 || err != nil {
			t.Fatalf("%d, %v", n, err)
		}
	}
	set := func(at time.Time) { _ = c.SetReadDeadline(at) }
	read()
	set(time.Now().Add(time.Hour))
	set(time.Now().Add(time.Millisecond))
	ends()
	ends()
	set(time.Time{}) // the socket's has passed
	read()
	set(time.Now().Add(time.Millisecond))
	ends()
	set(time.Now().Add(time.Hour))
	read()
	for _, before := range []time.Time{{}, time.Now().Add(time.Hour)} {
		set(before)
		go func() {
			for c.waits() == 0 {
				runtime.Gosched()
			}
			set(time.Unix(1, 0)) // as net/http ends a read
		}()
		ends()
	}
	set(time.Time{})
	read()
}

func (c *conn) waits() int {
	c.reads.mu.Lock()
	defer c.reads.mu.Unlock()
	return c.reads.running
}

// proves says whom a token belongs to by its length.
type proves struct{ Authenticator }

func (proves) Token(_ context.Context, token string) (*viewer.Viewer, error) {
	return &viewer.Viewer{UserID: int64(len(token))}, nil
}

// Requests of one connection have nothing of each other: a proxy sends those of
// many clients.
func TestRequestsOfAConnectionAreApart(t *testing.T) {
	t.Parallel()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	limit := config.Limit{RequestTime: time.Minute, Body: 1 << 20, BodyTime: time.Minute, Rate: config.Rate{Count: 100, Window: time.Hour, Algorithm: ratelimit.Fixed}}
	e := &Edge{Log: slog.New(slog.DiscardHandler), Limit: limit, Auth: proves{}, Limiter: new(ratelimit.Memory), LocalOrigins: true}
	handler := e.Handler(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		left, counted := ratelimit.Left(r.Context())
		fmt.Fprintf(w, "user %d, %d left %t, from %q, %s, %s", viewer.From(r.Context()).UserID, left, counted, ClientOf(r.Context()).Agent,
			requestid.From(r.Context()), w.Header().Values("Vary"))
	}))
	s := &Server{Handler: handler, Health: &Health{}, Log: e.Log, Shutdown: time.Minute}
	ctx, stop := context.WithCancel(t.Context())
	ended := make(chan error)
	go func() { ended <- s.Serve(ctx, l) }()
	defer func() { stop(); <-ended }()
	c, err := net.Dial("tcp", l.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	answers := bufio.NewReader(c)
	for _, one := range []struct{ path, headers, want string }{
		{"/api/v1/posts", "Authorization: Bearer abc\r\nX-Request-Id: a\r\n", `user 3, 99 left true, from "", a, [Origin]`},
		{"/api/v1/posts", "X-Request-Id: b\r\n", `user 0, 99 left true, from "", b, [Origin]`},
		{GraphQLPath, "Authorization: Bearer abcd\r\nX-Request-Id: c\r\nUser-Agent: x\r\nOrigin: http://localhost:1\r\n", `user 4, 99 left true, from "x", c, [Origin]`},
		{"/api/v1/posts", "X-Request-Id: d\r\n", `user 0, 98 left true, from "", d, [Origin]`},
	} {
		fmt.Fprintf(c, "GET %s HTTP/1.1\r\nHost: x\r\n%s\r\n", one.path, one.headers)
		if got := answered(t, answers); got != one.want {
			t.Errorf("%s %q: %s, want %s", one.path, one.headers, got, one.want)
		}
	}
}
