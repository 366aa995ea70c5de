package web

import (
	"context"
	"errors"
	"os"
	"sync"
	"time"

	"github.com/entwine-go/entwine/kit/internal/fastpath"
)

// watch ends the [scope] of the request that a connection answers, at its
// deadline or when its client has left.
//
// Neither happens to most requests, which take less than a millisecond. So one
// timer that serves all requests of a connection looks at what is running, and is
// not set anew for each. And net/http's own watch, a goroutine that reads while
// the handler runs and has to be woken when it ends, is put off: a client's
// leaving is looked for once a request has been seen twice. Both together were
// about 4 µs of a request. A request that takes less time is answered whether or
// not its client is still there.
type watch struct {
	mu      sync.Mutex
	active  bool   // a request has been read, and is not answered yet
	scope   *scope // of that, nil before its handler runs
	quiet   bool   // net/http has asked to hear of the client, and was put off
	taken   bool   // by a handler, who reads from then on
	timer   *time.Timer
	ticking bool
	peeking chan struct{} // closed when the connection is not looked at any more
}

// glance is how long it takes until a request is looked at, or looked at again.
const glance = 50 * time.Millisecond

// act is called when a request has been read, and when it has been answered.
func (c *conn) act(active bool) {
	c.watch.mu.Lock()
	defer c.watch.mu.Unlock()
	c.watch.active, c.watch.quiet = active, false
}

// open begins to watch over a request.
func (c *conn) open(s *scope) {
	w := &c.watch
	w.mu.Lock()
	defer w.mu.Unlock()
	w.scope, w.taken = s, false
	if !w.ticking {
		c.tickIn(glance)
	}
}

// bind gives the request some time from now on.
func (c *conn) bind(s *scope, d time.Duration) {
	w := &c.watch
	w.mu.Lock()
	defer w.mu.Unlock()
	s.until = time.Now().Add(d)
	if d < glance {
		c.tickIn(d)
	}
}

// unbind gives the request as much time as it takes.
func (c *conn) unbind(s *scope) {
	c.watch.mu.Lock()
	defer c.watch.mu.Unlock()
	s.until = time.Time{}
}

// shut ends the request's scope.
func (c *conn) shut() {
	w := &c.watch
	w.mu.Lock()
	s := w.scope
	w.scope, w.quiet, w.active = nil, false, false
	if s != nil && s.late { // the next one is looked at sooner
		w.timer.Stop()
		w.ticking = false
	}
	w.mu.Unlock()
	if s != nil {
		s.end(context.Canceled)
	}
	c.unwatch()
}

// lost ends the scope because the client can't be reached any more.
func (c *conn) lost() {
	w := &c.watch
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.scope != nil && !w.taken {
		w.scope.end(context.Canceled)
	}
}

// take leaves all reads to a handler that takes the connection.
func (c *conn) take() {
	c.watch.mu.Lock()
	c.watch.taken = true
	c.watch.mu.Unlock()
	c.unwatch()
	c.head.forget()
}

// putOff reports whether net/http's read beside the handler is put off. It has
// room for one byte and begins when the body, if there is one, has been read.
func (c *conn) putOff(b []byte) bool {
	if len(b) != 1 || c.raw == nil || !peeks || fastpath.Off() {
		return false
	}
	w := &c.watch
	w.mu.Lock()
	defer w.mu.Unlock()
	if !w.active || w.taken || w.scope != nil && w.scope.late {
		return false
	}
	w.quiet = true
	return true
}

func (c *conn) tickIn(d time.Duration) {
	w := &c.watch
	w.ticking = true
	if w.timer == nil {
		w.timer = time.AfterFunc(d, c.tick)
		return
	}
	w.timer.Reset(d)
}

// tick looks at the request that is running, if there is one.
func (c *conn) tick() {
	w := &c.watch
	w.mu.Lock()
	defer w.mu.Unlock()
	w.ticking = false
	s := w.scope
	if s == nil {
		return
	}
	s.late, s.seen = s.seen, true
	next := glance
	if !s.until.IsZero() {
		left := time.Until(s.until)
		if left <= 0 {
			s.end(context.DeadlineExceeded)
			return
		}
		if next = min(next, left); s.late {
			next = left
		}
	}
	if s.late && w.quiet && w.peeking == nil && !w.taken {
		w.peeking = make(chan struct{})
		go c.peek(w.peeking)
	}
	if !s.late || !s.until.IsZero() {
		c.tickIn(next)
	}
}

// peek waits until the client has left, or sends its next request, and takes
// nothing from it.
func (c *conn) peek(done chan struct{}) {
	defer close(done)
	if n, err := c.awaits(); n <= 0 && !errors.Is(err, os.ErrDeadlineExceeded) {
		c.lost()
	}
}

// awaits waits until the client has left or has sent something, and takes nothing from
// it. It returns 0 without an error where the client has closed its side.
func (c *conn) awaits() (n int, err error) {
	for {
		c.reads.begin(c.Conn)
		n, err := peek(c.raw)
		if !c.reads.end(err) {
			return n, err
		}
	}
}

// unwatch returns when the connection is not looked at any more.
func (c *conn) unwatch() {
	c.watch.mu.Lock()
	peeking := c.watch.peeking
	c.watch.peeking = nil
	c.watch.mu.Unlock()
	if peeking != nil {
		c.reads.interrupt(c.Conn, peeking)
	}
}
