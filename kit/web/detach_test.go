package web_test

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/entwine-go/entwine/kit/web"
)

// A stream goes on once its handler has returned, over HTTP/1.0 and 1.1: the client reads
// all parts and the end, sees a cut as such, and its leaving is noticed.
func TestAStreamGoesOnWithoutItsHandler(t *testing.T) {
	site, health := newSite()
	streams, answered := make(chan *web.Detached, 1), make(chan struct{}, 1)
	site.REST = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/event-stream")
		_, _ = fmt.Fprintln(w, "begun")
		_ = http.NewResponseController(w).Flush()
		streams <- web.Detach(w, r)
	})
	handler := site.Handler()
	l := listen(t)
	server := &web.Server{Health: health, Log: site.Edge.Log, Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		handler.ServeHTTP(w, r)
		answered <- struct{}{}
	})}
	ctx, stop := context.WithCancel(t.Context())
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		_ = server.Serve(ctx, l)
	}()
	t.Cleanup(func() { stop(); <-ended })

	begin := func(version string) (net.Conn, *http.Response, *web.Detached) {
		t.Helper()
		c, err := net.Dial("tcp", l.Addr().String())
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = c.Close() })
		_, _ = fmt.Fprintf(c, "GET /api/v1/stream HTTP/%s\r\nHost: example.com\r\nAccept: text/event-stream\r\n\r\n", version)
		res, err := http.ReadResponse(bufio.NewReader(c), nil)
		if err != nil {
			t.Fatal(err)
		}
		d := <-streams
		if d == nil {
			t.Fatalf("a stream over HTTP/%s is its handler's", version)
		}
		<-answered
		return c, res, d
	}
	parts := []string{"one\n", strings.Repeat("two ", 50_000) + "\n", "three\n"}
	for _, c := range []struct {
		version string
		end     func(d *web.Detached)
		err     error
	}{
		{"1.1", func(d *web.Detached) { d.End(time.Minute) }, nil},
		{"1.0", func(d *web.Detached) { d.End(time.Minute) }, nil},
		{"1.1", (*web.Detached).Cut, io.ErrUnexpectedEOF},
	} {
		_, res, d := begin(c.version)
		go func() {
			for _, part := range parts {
				if err := d.Write([]byte(part), time.Minute); err != nil {
					t.Error(err)
				}
			}
			c.end(d)
		}()
		text, err := io.ReadAll(res.Body)
		if want := "begun\n" + strings.Join(parts, ""); string(text) != want || !errors.Is(err, c.err) {
			t.Errorf("over HTTP/%s the client has %d bytes and %v, want %d and %v", c.version, len(text), err, len(want), c.err)
		}
	}

	conn, _, d := begin("1.1")
	left := make(chan struct{})
	d.Left(func() { close(left) })
	_ = conn.Close()
	<-left
	d.Cut()

	conn, _, d = begin("1.1")
	d.Left(func() { t.Error("a client that sends something has left") })
	_, _ = conn.Write([]byte("more"))
	if err := d.Write([]byte("four"), time.Minute); err != nil {
		t.Error(err)
	}
	d.Cut()
}

// A stream whose connection belongs to no server stays its handler's.
func TestAStreamThatStaysItsHandlers(t *testing.T) {
	site, _ := newSite()
	site.REST = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if d := web.Detach(w, r); d != nil {
			t.Error("there is no connection to be detached")
		}
		_, _ = fmt.Fprint(w, "text")
	})
	if res := do(site.Handler(), get("/api/v1/posts")); res.Code != http.StatusOK {
		t.Errorf("answered %d", res.Code)
	}
}
