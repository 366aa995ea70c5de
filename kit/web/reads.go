package web

import (
	"errors"
	"net"
	"os"
	"sync"
	"time"

	"github.com/entwine-go/entwine/kit/internal/fastpath"
)

// reads are the deadlines of a connection's reads. net/http sets seven of them
// for each request, and all but one or two have been replaced by the time that a
// read blocks. So a deadline is set on the socket only where a read could outlast it.
// The socket's own may be earlier: a read that it ends too early begins again.
// That saves half a microsecond in each request.
type reads struct {
	mu      sync.Mutex
	until   time.Time // the deadline that the user has set, zero for none
	armed   time.Time // the socket's
	over    bool      // the socket's has passed
	running int       // reads
	stop    bool      // reads end, whatever the deadline
}

// set sets the deadline, also of a read that is running.
func (r *reads) set(c net.Conn, t time.Time) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.until = t
	switch {
	case fastpath.Off():
		r.armed, r.over = t, false
		return c.SetReadDeadline(t)
	case r.running > 0:
		return r.arm(c)
	}
	return nil
}

// begin is called before a read.
func (r *reads) begin(c net.Conn) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.running++
	_ = r.arm(c) // a connection that is closed says so to the read
}

// arm has the socket end reads in time.
func (r *reads) arm(c net.Conn) error {
	if r.stop || !r.over && (r.until.IsZero() || !r.armed.IsZero() && !r.until.Before(r.armed)) {
		return nil
	}
	r.armed, r.over = r.until, false
	return c.SetReadDeadline(r.until)
}

// end is called after a read, with its error, and reports whether it ended too
// early.
func (r *reads) end(err error) (again bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.running--
	if err == nil || !errors.Is(err, os.ErrDeadlineExceeded) {
		return false
	}
	r.over = true
	return !r.stop && (r.until.IsZero() || time.Now().Before(r.until))
}

// interrupt ends the read that is running, and returns when done is closed.
func (r *reads) interrupt(c net.Conn, done <-chan struct{}) {
	r.mu.Lock()
	r.stop = true
	r.armed = time.Unix(1, 0)
	_ = c.SetReadDeadline(r.armed) // a closed connection reads nothing
	r.mu.Unlock()
	<-done
	r.mu.Lock()
	r.stop, r.over = false, true
	r.mu.Unlock()
}

// Read implements net.Conn.
func (c *conn) Read(b []byte) (int, error) {
	if c.putOff(b) {
		return 0, nil
	}
	for {
		c.reads.begin(c.Conn)
		n, err := c.Conn.Read(b)
		if c.reads.end(err) {
			continue
		}
		if err != nil {
			c.lost()
		}
		if n > 0 && (c.unread.Load() || len(b) == 1) { // one byte has room beside a handler: the next request's first
			c.head.add(b[:n])
		}
		return n, err
	}
}

// SetReadDeadline implements net.Conn.
func (c *conn) SetReadDeadline(t time.Time) error { return c.reads.set(c.Conn, t) }
