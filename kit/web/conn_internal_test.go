package web

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"strconv"
	"testing"
	"time"
)

// recorder is a connection that notes which of its writes are said to be
// followed by more.
type recorder struct {
	net.Conn
	of     *conn
	more   bool // of the last write
	joined int
}

func (r *recorder) Write(b []byte) (int, error) {
	if r.more = len(b) == buffered && r.of.longer.Load(); r.more {
		r.joined++
	}
	return r.Conn.Write(b)
}

type recorders struct {
	net.Listener
	last *recorder
}

func (l *recorders) Accept() (net.Conn, error) {
	inner, err := l.Listener.Accept()
	if err != nil {
		return nil, err
	}
	l.last = &recorder{Conn: inner}
	l.last.of = &conn{Conn: l.last, stall: &Stall{Time: time.Minute}}
	return l.last.of, nil
}

// The kernel waits for what is said to follow, so that the last write of an
// answer must never be one that more follows, however the answer fills the
// buffer of net/http.
func TestTheLastPieceIsSent(t *testing.T) {
	t.Parallel()
	inner, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	l := &recorders{Listener: inner}
	server := &http.Server{
		ConnContext: func(ctx context.Context, c net.Conn) context.Context {
			return context.WithValue(ctx, connKey{}, c)
		},
		Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			x := newExchange(w, r)
			x.conn = connOf(r.Context())
			n, _ := strconv.Atoi(r.URL.Path[1:])
			if r.URL.RawQuery != "" {
				w.Header().Set("Content-Length", strconv.Itoa(n))
			}
			_, _ = x.Write(make([]byte, n))
			x.release()
		}),
	}
	go func() { _ = server.Serve(l) }()
	t.Cleanup(func() { _ = server.Close() })
	c, err := net.Dial("tcp", inner.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = c.Close() })
	answers := bufio.NewReader(c)
	for _, around := range []int{buffered, 2 * buffered, 3 * buffered} {
		for n := around - 300; n < around+10; n++ {
			for _, query := range []string{"", "?length"} {
				fmt.Fprintf(c, "GET /%d%s HTTP/1.1\r\nHost: x\r\n\r\n", n, query)
				answer, err := http.ReadResponse(answers, nil)
				if err != nil {
					t.Fatal(err)
				}
				if m, err := io.Copy(io.Discard, answer.Body); err != nil || m != int64(n) {
					t.Fatalf("%d of %d bytes: %v", m, n, err)
				}
				if l.last.more {
					t.Fatalf("the last write of an answer of %d bytes says that more follows", n)
				}
			}
		}
	}
	if l.last.joined == 0 {
		t.Error("no write says that more follows")
	}
}
