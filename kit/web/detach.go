package web

import (
	"bytes"
	"net"
	"net/http"
	"strconv"
	"sync/atomic"
	"time"
)

// Detached is a stream whose handler has returned: the rest of its answer is written to
// the connection itself. A handler that runs holds 30 KB and more: its stack with the
// layers of the edge, and the buffers of net/http.
type Detached struct {
	conn    *conn
	chunked bool   // as HTTP/1.1 has answers without a length
	deaf    func() // ends that the client's leaving is heard of
	cut     atomic.Bool
}

// Detach takes the connection of a stream from net/http, after a flush. It returns nil where that can't be done: the connection belongs to no
// [Server] or speaks HTTP/2, or the answer has a length. The handler returns then,
// and neither its response writer nor its context is used any more.
func Detach(w http.ResponseWriter, r *http.Request) *Detached {
	x := exchangeOf(w)
	if x == nil || x.conn == nil || x.conn.raw == nil || !peeks || x.packing || x.Header()["Content-Length"] != nil {
		return nil
	}
	c := x.conn
	c.take()
	if _, _, err := http.NewResponseController(x.ResponseWriter).Hijack(); err != nil {
		return nil
	}
	x.detached = true
	return &Detached{conn: c, chunked: r.ProtoAtLeast(1, 1), deaf: func() {}}
}

// Write writes and sends a part of the answer, while the client takes it in time.
func (d *Detached) Write(text []byte, within time.Duration) error {
	if len(text) == 0 {
		return nil // which would be the end
	}
	if d.chunked {
		var b bytes.Buffer
		b.Grow(len(text) + 20)
		b.WriteString(strconv.FormatInt(int64(len(text)), 16))
		b.WriteString("\r\n")
		b.Write(text)
		b.WriteString("\r\n")
		text = b.Bytes()
	}
	if err := d.conn.SetWriteDeadline(time.Now().Add(within)); err != nil {
		return err
	}
	_, err := d.conn.Write(text)
	return err
}

// Left calls left once the client has closed the connection, and not after [Detached.Cut].
// It is not noticed of a client that has sent more than its request, until a write fails.
func (d *Detached) Left(left func()) {
	heard := func() {
		if n, _ := d.conn.awaits(); n <= 0 && !d.cut.Load() {
			left()
		}
	}
	if d.deaf = d.conn.stall.idle.await(d.conn.raw, heard); d.deaf == nil {
		d.deaf = func() {}
		go heard()
	}
}

// End ends the answer, which is complete, and closes the connection.
func (d *Detached) End(within time.Duration) {
	if d.chunked && d.conn.SetWriteDeadline(time.Now().Add(within)) == nil {
		_, _ = d.conn.Write([]byte("0\r\n\r\n")) // the client may be gone
	}
	d.Cut()
}

// Cut closes the connection: the client sees that the answer is not complete.
func (d *Detached) Cut() {
	d.cut.Store(true)
	d.deaf()
	_ = d.conn.Close()
}

// Await calls heard, once and in a goroutine of its own, when the client of a connection that a
// handler has taken over has sent something or has left, unless stop is called before. It returns
// nil where that can't be noticed without reading: then a goroutine has to read.
func Await(taken net.Conn, heard func()) (stop func()) {
	c, ok := taken.(*conn)
	if !ok || c.raw == nil {
		return nil
	}
	return c.stall.idle.await(c.raw, heard)
}
