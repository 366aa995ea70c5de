package web_test

import (
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/netip"
	"os"
	"runtime"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/entwine-go/entwine/kit/web"
)

// writing is a server whose answers are as large as the path says, with a
// place for one request. It says when writing an answer has failed.
type writing struct {
	at     string
	stall  *web.Stall
	failed chan error
}

func startWriting(t testing.TB, l net.Listener, stall *web.Stall) *writing {
	t.Helper()
	s := &writing{stall: stall, failed: make(chan error, 100)}
	site, health := newSite()
	site.Edge.Gate = &web.Gate{Least: 1, Most: 1, Wait: time.Nanosecond}
	site.REST = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var size int
		_, _ = fmt.Sscanf(r.URL.Path, "/api/%d", &size)
		if _, err := w.Write(make([]byte, size)); err != nil {
			s.failed <- err
		}
	})
	server := &web.Server{Handler: site.Handler(), Health: health, Log: site.Edge.Log, Stall: stall}
	ctx, stop := context.WithCancel(t.Context())
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		_ = server.Serve(ctx, l) // what still hangs is cut off
	}()
	t.Cleanup(func() { stop(); <-ended })
	s.at = l.Addr().String()
	return s
}

func listen(t *testing.T) net.Listener {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	return l
}

// ignore asks so many times for an answer and reads nothing.
func (s *writing) ignore(t *testing.T, size, times int) {
	t.Helper()
	c, err := net.Dial("tcp", s.at)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = c.Close() })
	if err := c.(*net.TCPConn).SetReadBuffer(4 << 10); err != nil {
		t.Fatal(err)
	}
	go func() { // the server may stop reading, too
		_, _ = io.WriteString(c, strings.Repeat(fmt.Sprintf("GET /api/%d HTTP/1.1\r\nHost: x\r\n\r\n", size), times))
	}()
}

// until waits until so many connections are blocked, and stalled.
func (s *writing) until(t *testing.T, blocked, stalled int) {
	t.Helper()
	for t.Context().Err() == nil {
		if b, n := s.stall.Figures(); b == blocked && n == stalled {
			return
		}
		runtime.Gosched()
	}
}

func TestWhoDoesNotReadKeepsNoPlace(t *testing.T) {
	for name, c := range map[string]struct{ size, times int }{
		"one large answer":   {16 << 20, 1},
		"many small answers": {32 << 10, 1000},
	} {
		t.Run(name, func(t *testing.T) {
			s := startWriting(t, listen(t), &web.Stall{Time: time.Hour, Notice: time.Hour})
			for n := range 3 {
				s.ignore(t, c.size, c.times)
				s.until(t, n+1, 0)
			}
			// A write that was blocked may go on for a moment, while the kernel makes its
			// buffer larger, and takes a place until it is blocked again.
			status := 0
			for try := 0; status != 200 && try < 50; try++ {
				res, err := http.Get("http://" + s.at + "/api/1")
				if err != nil {
					t.Fatal(err)
				}
				_ = res.Body.Close()
				status = res.StatusCode
			}
			if status != 200 {
				t.Errorf("another is answered %d while clients don't read", status)
			}
		})
	}
}

func TestAnAddressHasSoManyStalledConnections(t *testing.T) {
	s := startWriting(t, listen(t), &web.Stall{Time: time.Hour, Most: 2, Notice: time.Millisecond})
	const clients = 5
	for n := range clients {
		s.ignore(t, 16<<20, 1)
		if n < 2 {
			s.until(t, n+1, n+1)
			continue
		}
		if err := <-s.failed; err == nil {
			t.Error("a connection too many is not closed")
		}
	}
	s.until(t, 2, 2)
}

func TestAProxyHasManyStalledConnections(t *testing.T) {
	s := startWriting(t, listen(t), &web.Stall{
		Time: time.Hour, Most: 2, Notice: time.Millisecond, Proxies: []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")},
	})
	const clients = 5
	for n := range clients {
		s.ignore(t, 16<<20, 1)
		s.until(t, n+1, n+1)
	}
}

// pipes is a listener whose connections have no buffer, and no time but the
// bubble's.
type pipes struct {
	made   chan net.Conn
	closed chan struct{}
	once   sync.Once
}

func (p *pipes) Accept() (net.Conn, error) {
	select {
	case c := <-p.made:
		return c, nil
	case <-p.closed:
		return nil, net.ErrClosed
	}
}

func (p *pipes) Close() error   { p.once.Do(func() { close(p.closed) }); return nil }
func (p *pipes) Addr() net.Addr { return &net.TCPAddr{} }

// A client may take as long as it wants while it takes something, and so long
// to take nothing.
func TestAClientMayBeSlow(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := &pipes{made: make(chan net.Conn), closed: make(chan struct{})}
		s := startWriting(t, l, &web.Stall{Time: 10 * time.Second})
		client, server := net.Pipe()
		defer client.Close()
		l.made <- server
		if _, err := io.WriteString(client, "GET /api/100000 HTTP/1.1\r\nHost: x\r\n\r\n"); err != nil {
			t.Fatal(err)
		}
		for range 100 {
			time.Sleep(9 * time.Second) // in the bubble, where it takes none
			if _, err := io.ReadFull(client, make([]byte, 10)); err != nil {
				t.Fatalf("a client that reads slowly: %v", err)
			}
		}
		since := time.Now()
		if err := <-s.failed; !os.IsTimeout(err) {
			t.Errorf("a client that no longer reads: %v", err)
		}
		if took := time.Since(since); took < 9*time.Second || took > 11*time.Second {
			t.Errorf("it is given up after %v", took)
		}
	})
}
