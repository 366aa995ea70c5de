package store

import (
	"context"
	"net"
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
}

// grace is the time that the server has beyond a limit to say so itself.
const grace = 2 * time.Second

// within bounds the waits for the statement by its context's deadline.
func (w *wire) within(ctx context.Context) {
	until, ok := ctx.Deadline()
	if ok {
		until = until.Add(grace)
	}
	w.until = until
}

// Read waits for the server.
func (w *wire) Read(b []byte) (int, error) {
	if err := w.SetReadDeadline(w.deadline()); err != nil {
		return 0, err
	}
	return w.Conn.Read(b)
}

// Write waits for the network.
func (w *wire) Write(b []byte) (int, error) {
	if err := w.SetWriteDeadline(w.deadline()); err != nil {
		return 0, err
	}
	return w.Conn.Write(b)
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
	last     atomic.Pointer[wire]
}

var _ pq.DialerContext = (*dialer)(nil)

// DialContext connects. lib/pq also calls it to cancel a statement.
func (d *dialer) DialContext(ctx context.Context, network, address string) (net.Conn, error) {
	c, err := d.Dialer.DialContext(ctx, network, address)
	if err != nil {
		return nil, err
	}
	w := &wire{Conn: c, patience: d.patience}
	d.last.Store(w)
	return w, nil
}

// DialTimeout connects. lib/pq prefers DialContext.
func (d *dialer) DialTimeout(network, address string, timeout time.Duration) (net.Conn, error) {
	ctx, cancel := context.WithTimeout(context.Background(), timeout)
	defer cancel()
	return d.DialContext(ctx, network, address)
}
