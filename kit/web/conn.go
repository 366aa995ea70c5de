package web

import (
	"context"
	"errors"
	"net"
	"net/netip"
	"os"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/entwine-go/entwine/kit/internal/fastpath"
)

// conn is a connection of the server that knows when its client does not read.
// A write that would block gives back the place of its request in the [Gate],
// and fails once the client has taken nothing for as long as [Stall.Time].
type conn struct {
	net.Conn
	raw     syscall.RawConn // nil where writes can't be tried
	stall   *Stall
	network netip.Addr // of the client

	watch watch
	reads reads

	running atomic.Pointer[exchange] // the request that is answered now
	// refuse makes the answer to a request that net/http can't read. Nil: net/http's own.
	refuse func(begun []byte, err error) []byte
	head   head        // of the request that is read
	unread atomic.Bool // a request has arrived, and is not answered yet
	// longer is set while a piece of an answer is written that net/http can't
	// hold. It then passes on one full buffer, and has more.
	longer atomic.Bool

	writing sync.Mutex // held by Write
	try     attempt
	stalled bool // counted by stall

	deadlines sync.Mutex
	until     time.Time // the deadline that its user has set, zero for none
}

// buffered is how much of an answer net/http collects before it writes.
const buffered = 4 << 10

type connKey struct{}

// connOf returns the connection of a request, nil where the server is not a [Server].
func connOf(ctx context.Context) *conn {
	c, _ := ctx.Value(connKey{}).(*conn)
	return c
}

// begin is called before a request is answered.
func (c *conn) begin(x *exchange) {
	if c == nil {
		return
	}
	_ = c.SetWriteDeadline(time.Time{}) // the last request's
	c.unread.Store(false)
	c.head.reset()
	c.running.Store(x)
}

// end is called when nothing more may happen to the exchange.
func (c *conn) end() {
	if c != nil {
		c.running.Store(nil)
		c.shut()
	}
}

// Write writes all of b. A write that fits into the socket's buffer costs no more
// than without a wrapper.
func (c *conn) Write(b []byte) (int, error) {
	c.writing.Lock()
	defer c.writing.Unlock()
	if c.refuse != nil && c.unread.Load() {
		if err := refused(b, &c.head); err != nil {
			b = c.refuse(c.head.begun, err)
		}
	}
	n := c.try.write(c.raw, b, len(b) == buffered && c.longer.Load() && !fastpath.Off())
	if n == len(b) {
		return n, nil
	}
	if x := c.running.Load(); x != nil {
		x.leave()
	}
	err := c.slowly(func() (int, error) {
		m, err := c.Conn.Write(b[n:])
		n += m
		return m, err
	})
	if err != nil {
		c.lost()
	}
	return n, err
}

// slowly calls write, which goes on with what the call before has not written, while it is interrupted
// by the deadline of the socket. That is near, so that a client that takes nothing is noticed.
func (c *conn) slowly(write func() (int, error)) error {
	defer func() {
		c.flows()
		_ = c.limit(time.Time{})
	}()
	c.stall.blocked.Add(1)
	defer c.stall.blocked.Add(-1)
	for since := time.Now(); ; {
		if err := c.limit(time.Now().Add(min(c.stall.notice(), c.stall.Time))); err != nil {
			return err
		}
		m, err := write()
		now := time.Now()
		switch {
		case !errors.Is(err, os.ErrDeadlineExceeded), c.overdue(now):
			return err
		case m > 0:
			since = now
			c.flows()
		case now.Sub(since) >= c.stall.Time, !c.stalls():
			c.reset()
			return err
		}
	}
}

// stalls counts the connection as stalled, and reports whether it may be.
func (c *conn) stalls() bool {
	if !c.stalled {
		c.stalled = c.stall.enter(c.network)
	}
	return c.stalled
}

// flows says that the client reads, or that there is nothing to be read.
func (c *conn) flows() {
	if c.stalled {
		c.stalled = false
		c.stall.exit(c.network)
	}
}

// reset has the next Close drop what was not sent, which the kernel would go
// on offering to the client.
func (c *conn) reset() {
	if t, ok := c.Conn.(*net.TCPConn); ok {
		_ = t.SetLinger(0)
	}
}

// SetDeadline implements net.Conn.
func (c *conn) SetDeadline(t time.Time) error {
	return errors.Join(c.SetReadDeadline(t), c.SetWriteDeadline(t))
}

// SetWriteDeadline implements net.Conn. It also ends a write that is running.
func (c *conn) SetWriteDeadline(t time.Time) error {
	c.deadlines.Lock()
	defer c.deadlines.Unlock()
	if t.IsZero() && c.until.IsZero() {
		return nil // net/http's own answer
	}
	c.until = t
	return c.Conn.SetWriteDeadline(t)
}

// limit sets the socket's deadline to t, or to the user's where that is earlier.
func (c *conn) limit(t time.Time) error {
	c.deadlines.Lock()
	defer c.deadlines.Unlock()
	if t.IsZero() || !c.until.IsZero() && c.until.Before(t) {
		t = c.until
	}
	return c.Conn.SetWriteDeadline(t)
}

// overdue reports whether the user's deadline is over.
func (c *conn) overdue(now time.Time) bool {
	c.deadlines.Lock()
	defer c.deadlines.Unlock()
	return !c.until.IsZero() && !now.Before(c.until)
}

// CloseWrite lets the client read the last answer before the connection is
// closed: net/http asks for it.
func (c *conn) CloseWrite() error {
	if t, ok := c.Conn.(interface{ CloseWrite() error }); ok {
		return t.CloseWrite()
	}
	return nil
}
