package store

import (
	"context"
	"errors"
	"net"
	"os"
	"sync/atomic"
	"time"

	"github.com/lib/pq"
)

// wire is a connection to PostgreSQL that doesn't wait for ever: the server
// ends a statement in time, so one that is silent for longer is gone or
// stopped, and asking it to cancel would only wait again.
type wire struct {
	net.Conn
	patience time.Duration // 0: for ever
	until    time.Time     // of the statement's context, zero if it has none

	// ahead has bytes that have been read and not been asked for: lib/pq asks for 4 KB
	// at a time, of a page of rows that the server sends at once.
	ahead    []byte
	from, to int
	heard    time.Time // when the server was last heard of

	// plain says that nothing is encrypted, so that messages can be parsed, and
	// rows be taken by the sieve.
	plain bool
	sieve sieve
	// watched is the context that the statement ends with, nil where lib/pq sees
	// to that, or nothing does.
	watched context.Context //nolint:containedctx // it is the statement's
}

// readAhead is twice what PostgreSQL sends at once.
const readAhead = 16 << 10

// lately is how long ago a connection was heard of that needs no look before it
// is used: the server can end it between a look and a statement as well.
const lately = time.Millisecond

const (
	// grace is the time that the server has beyond a limit of its own to say so itself.
	grace = 2 * time.Second
	// cancelGrace is the time that it has to end a statement whose context has.
	cancelGrace = 250 * time.Millisecond
	// endGrace is the time for what must be tried when a request's time is over.
	endGrace = time.Second
)

// within bounds the waits for the statement by its context's deadline, or by
// the one that the context outlives.
func (w *wire) within(ctx context.Context) {
	w.watched = nil
	if until, ok := ctx.Deadline(); ok {
		w.until = until.Add(cancelGrace)
		return
	}
	w.until = time.Time{}
	if until, ok := ctx.Value(outlivedKey{}).(time.Time); ok {
		w.until = latest(until.Add(cancelGrace), time.Now().Add(endGrace))
	}
}

type outlivedKey struct{}

// outliving returns a context that does not end with ctx, for what can't be
// cut off: how a transaction begins and ends. A server that hangs is waited
// for no longer than ctx lasts, or for a moment.
func outliving(ctx context.Context) context.Context {
	until, ok := ctx.Deadline()
	ctx = context.WithoutCancel(ctx)
	if !ok {
		return ctx
	}
	return context.WithValue(ctx, outlivedKey{}, until)
}

// Afterwards returns a context for what is written down when a request has
// been answered, or its client has left. It has until a second after ctx's
// deadline, so that a database that hangs does not keep the request.
func Afterwards(ctx context.Context) (context.Context, context.CancelFunc) {
	until, ok := ctx.Deadline()
	ctx = context.WithoutCancel(ctx)
	if !ok {
		return context.WithCancel(ctx)
	}
	return context.WithDeadline(ctx, latest(until, time.Now()).Add(endGrace))
}

func latest(a, b time.Time) time.Time {
	if a.After(b) {
		return a
	}
	return b
}

// Read waits for the server, where there is nothing left of what it has said.
func (w *wire) Read(b []byte) (int, error) {
	if w.sieve.row != nil {
		return w.sift(b)
	}
	if err := w.fill(1); err != nil {
		return 0, err
	}
	return w.give(b, len(b)), nil
}

// listen waits for more, behind what has come.
func (w *wire) listen() error {
	n, err := w.hear(w.ahead[w.to:])
	if w.to += n; n > 0 {
		w.heard = time.Now()
		return nil // an error comes again
	}
	return w.given(err)
}

// quiet reports whether the server has not closed an idle connection.
func (w *wire) quiet() bool {
	if w.from < w.to {
		return false // no caller reads what it says
	}
	return time.Since(w.heard) < lately || w.alive()
}

// Write waits for the network.
func (w *wire) Write(b []byte) (int, error) {
	if err := w.SetWriteDeadline(w.deadline()); err != nil {
		return 0, err
	}
	n, err := w.Conn.Write(b)
	return n, w.given(err)
}

// given closes a connection that has been given up, so that what follows, such
// as a ROLLBACK, does not wait again.
func (w *wire) given(err error) error {
	if errors.Is(err, os.ErrDeadlineExceeded) {
		_ = w.Close()
	}
	return err
}

func (w *wire) deadline() time.Time {
	if w.patience == 0 {
		return w.until
	}
	at := time.Now().Add(w.patience)
	if !w.until.IsZero() && w.until.Before(at) {
		return w.until
	}
	return at
}

// dialer makes wires and remembers the last.
type dialer struct {
	net.Dialer
	patience time.Duration
	plain    bool
	last     atomic.Pointer[wire]
	// connected says that the connection is made: who dials again wants to
	// cancel a statement.
	connected atomic.Bool
}

var _ pq.DialerContext = (*dialer)(nil)

// DialContext connects. lib/pq also calls it to cancel a statement, and a
// prepared one does not return before that is done or has failed: a server that
// hangs must not be waited for as long as for a connection.
func (d *dialer) DialContext(ctx context.Context, network, address string) (net.Conn, error) {
	if d.connected.Load() {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, cancelGrace)
		defer cancel()
	}
	c, err := d.Dialer.DialContext(ctx, network, address)
	if err != nil {
		return nil, err
	}
	w := &wire{Conn: c, patience: d.patience, plain: d.plain}
	w.within(ctx) // which has the time for connecting
	d.last.Store(w)
	return w, nil
}

// DialTimeout connects. lib/pq prefers DialContext.
func (d *dialer) DialTimeout(network, address string, timeout time.Duration) (net.Conn, error) {
	ctx, cancel := context.WithTimeout(context.Background(), timeout)
	defer cancel()
	return d.DialContext(ctx, network, address)
}
