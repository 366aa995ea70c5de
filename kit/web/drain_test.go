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
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/entwine-go/entwine/kit/web"
)

// dial returns a client of the listener, nil where that is closed.
func (p *pipes) dial() *pipe {
	ours, theirs := net.Pipe()
	select {
	case p.made <- theirs:
		return &pipe{ours, bufio.NewReader(ours)}
	case <-p.closed:
		return nil
	}
}

type pipe struct {
	net.Conn
	answers *bufio.Reader
}

// post sends a request, and reports whether the answer closes the connection.
func (p *pipe) post(t *testing.T) (closes bool) {
	t.Helper()
	_, err := io.WriteString(p, "POST /api HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n{}")
	if err != nil {
		t.Fatal(err)
	}
	res, err := http.ReadResponse(p.answers, nil)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := io.Copy(io.Discard, res.Body); err != nil || res.StatusCode != 200 {
		t.Errorf("answered %s, %v", res.Status, err)
	}
	return res.Close
}

// While a process drains it accepts connections. Each connection, also one that is idle
// for long, is closed by the next answer and not before. Where all have been, the
// process does not wait for more.
func TestDrainingClosesConnectionsWithTheirAnswers(t *testing.T) {
	t.Parallel()
	for name, cause := range map[string]error{"told to stop": nil, "taken over": web.ErrTakenOver} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				site, health := newSite()
				site.REST = http.HandlerFunc(func(http.ResponseWriter, *http.Request) {})
				server := &web.Server{Handler: site.Handler(), Health: health, Log: site.Edge.Log, Drain: 5 * time.Second, Shutdown: time.Minute}
				ctx, stop := context.WithCancelCause(t.Context())
				l, ended := &pipes{made: make(chan net.Conn), closed: make(chan struct{})}, make(chan error, 1)
				go func() { ended <- server.Serve(ctx, l) }()
				used, late := l.dial(), l.dial()
				for _, c := range []*pipe{used, late} {
					if c.post(t) {
						t.Fatal("a connection is closed before the process drains")
					}
				}
				began := time.Now()
				stop(cause)
				synctest.Wait()
				time.Sleep(4900 * time.Millisecond)
				if !used.post(t) {
					t.Error("an answer while it drains does not close its connection")
				}
				if fresh := l.dial(); cause == nil && (fresh == nil || !fresh.post(t)) {
					t.Error("a new connection while it drains is refused, or is not closed by its answer")
				}
				if cause == nil {
					time.Sleep(1050 * time.Millisecond) // it lingers
					if l.dial() != nil {
						t.Error("a connection is accepted after the drain")
					}
				}
				if !late.post(t) {
					t.Error("the last answer does not close its connection")
				}
				if err := <-ended; err != nil {
					t.Error(err)
				}
				if took := time.Since(began); took > 6*time.Second {
					t.Errorf("it ended after %v, with nothing to wait for", took)
				}
			})
		})
	}
}

// A client that has connected gets its answer, whenever it does: one connection for
// each request meets the end of the listener as often as can be.
func TestNoConnectionIsResetByTheEnd(t *testing.T) {
	t.Parallel()
	for range 3 {
		site, health := newSite()
		site.REST = http.HandlerFunc(func(http.ResponseWriter, *http.Request) {})
		var config net.ListenConfig
		config.SetMultipathTCP(false)
		l, err := config.Listen(t.Context(), "tcp", "127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		server := &web.Server{Handler: site.Handler(), Health: health, Log: site.Edge.Log, Drain: 20 * time.Millisecond, Shutdown: time.Minute}
		ctx, stop := context.WithCancel(t.Context())
		ended := make(chan error, 1)
		go func() { ended <- server.Serve(ctx, l) }()
		var clients sync.WaitGroup
		var answered atomic.Int64
		for range 8 {
			clients.Go(func() {
				for {
					again, err := once(t.Context(), l.Addr().String())
					if err != nil {
						t.Errorf("a connection that was made: %v", err)
					}
					if !again {
						return
					}
					if answered.Add(1) == 200 {
						stop()
					}
				}
			})
		}
		clients.Wait()
		stop()
		if err := <-ended; err != nil {
			t.Error(err)
		}
	}
}

// once sends a request over a connection of its own. It reports whether there is
// anybody to connect to, and what failed after that.
func once(ctx context.Context, address string) (connected bool, err error) {
	c, err := new(net.Dialer).DialContext(ctx, "tcp", address)
	if err != nil {
		return false, nil // it is refused, and may go elsewhere
	}
	defer c.Close()
	if _, err := io.WriteString(c, "GET /api HTTP/1.1\r\nHost: a\r\n\r\n"); err != nil {
		return true, err
	}
	text, err := bufio.NewReader(c).ReadString('\n')
	if err != nil || !strings.Contains(text, "200") {
		return true, errors.Join(fmt.Errorf("answered %q", text), err)
	}
	return true, nil
}
