package web_test

import (
	"context"
	"net/http"
	"os"
	"testing"
	"time"

	"github.com/entwine-go/entwine/kit/web"
)

// A server that has ended waits for no client of a stream any more: neither the descriptor that it
// waited with is left, nor the goroutine.
func TestNothingWaitsOnceTheServerHasEnded(t *testing.T) { //nolint:paralleltest // counts the descriptors of the process
	l := listen(t) // Go's own poller is there from now on
	before := polls(t)
	site, health := newSite()
	streams := make(chan *web.Detached, 1)
	site.REST = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_ = http.NewResponseController(w).Flush()
		streams <- web.Detach(w, r)
	})
	server := &web.Server{Health: health, Log: site.Edge.Log, Handler: site.Handler()}
	ctx, stop := context.WithCancel(t.Context())
	ended := make(chan error)
	go func() { ended <- server.Serve(ctx, l) }()
	res, err := http.Get("http://" + l.Addr().String() + "/api/v1/stream") // ends with the server
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = res.Body.Close() }()
	d := <-streams
	d.Left(func() {})
	if n := polls(t); n != before+1 {
		t.Errorf("while a stream is open there are %d descriptors to wait with, want one more than %d", n, before)
	}
	d.End(time.Minute)
	stop()
	if err := <-ended; err != nil {
		t.Error(err)
	}
	if n := polls(t); n != before {
		t.Errorf("after the end there are %d descriptors to wait with, want %d", n, before)
	}
}

// polls counts the descriptors of the process that are made to wait for others.
func polls(t *testing.T) (n int) {
	t.Helper()
	all, err := os.ReadDir("/proc/self/fd")
	if err != nil {
		t.Skip("no /proc")
	}
	for _, fd := range all {
		if to, _ := os.Readlink("/proc/self/fd/" + fd.Name()); to == "anon_inode:[eventpoll]" {
			n++
		}
	}
	return n
}
