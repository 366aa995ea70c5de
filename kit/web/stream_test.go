package web_test

import (
	"bufio"
	"context"
	"fmt"
	"net/http"
	"testing"
	"time"

	"github.com/entwine-go/entwine/kit/web"
)

// hearing is an observer that hears of streams.
type hearing struct {
	web.Observer
	streams chan<- struct{}
}

// Streams implements [web.Observer].
func (h hearing) Streams(ctx context.Context) {
	h.streams <- struct{}{}
	h.Observer.Streams(ctx)
}

// A stream of REST goes on for longer than a request may take, on connections of a
// [web.Server] and elsewhere. Its client's leaving ends it.
func TestAStreamOfRESTHasNoBudget(t *testing.T) {
	site, health := newSite()
	site.Edge.Limit.RequestTime = 50 * time.Millisecond
	streams := make(chan struct{}, 10)
	site.Edge.Observer = hearing{counting(), streams}
	release, left := make(chan struct{}), make(chan error, 1)
	site.REST = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/api/v1/slow" {
			<-r.Context().Done()
			return
		}
		ctx, done := web.Stream(r.Context(), w)
		defer done()
		_, _ = fmt.Fprintln(w, "begun")
		_ = http.NewResponseController(w).Flush()
		if r.URL.Path == "/api/v1/left" {
			<-ctx.Done()
			left <- ctx.Err()
			return
		}
		<-release
		_, _ = fmt.Fprintln(w, ctx.Err())
	})
	l := listen(t)
	server := &web.Server{Handler: site.Handler(), Health: health, Log: site.Edge.Log}
	ctx, stop := context.WithCancel(t.Context())
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		_ = server.Serve(ctx, l)
	}()
	t.Cleanup(func() { stop(); <-ended })

	begin := func(path string) (lines *bufio.Scanner, leave func()) {
		t.Helper()
		res, err := http.Get("http://" + l.Addr().String() + path)
		if err != nil {
			t.Fatal(err)
		}
		lines = bufio.NewScanner(res.Body)
		if !lines.Scan() || lines.Text() != "begun" {
			t.Fatalf("%s begins with %q: %v", path, lines.Text(), lines.Err())
		}
		return lines, func() { _ = res.Body.Close() }
	}
	lines, leave := begin("/api/v1/stream")
	defer leave()
	if len(streams) != 1 {
		t.Errorf("the observer hears of %d streams, want 1", len(streams))
	}
	for range 3 { // each takes as long as a request may
		res, err := http.Get("http://" + l.Addr().String() + "/api/v1/slow")
		if err != nil {
			t.Fatal(err)
		}
		_ = res.Body.Close()
	}
	close(release)
	if !lines.Scan() || lines.Text() != "<nil>" {
		t.Errorf("after its budget the stream has %q: %v", lines.Text(), lines.Err())
	}
	_, leave = begin("/api/v1/left")
	leave()
	if err := <-left; err == nil {
		t.Error("a stream whose client has left goes on")
	}

	site.Edge.Limit.RequestTime = time.Nanosecond
	handler := site.Edge.Handler(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		<-r.Context().Done()
		ctx, done := web.Stream(r.Context(), w)
		defer done()
		if _, limited := ctx.Deadline(); limited || ctx.Err() != nil {
			t.Errorf("elsewhere a stream has a budget: %v", ctx.Err())
		}
	}))
	do(handler, get("/api/v1/posts"))
}
