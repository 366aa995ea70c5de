package stream

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"maps"
	"net"
	"runtime/debug"
	"slices"
	"sync"
	"time"

	"github.com/coder/websocket"

	"github.com/entwine-go/entwine/kit/viewer"
)

// phase is how far a connection has come.
type phase uint8

const (
	waiting phase = iota // for connection_init
	open
	closed
)

// conn is a WebSocket. Messages of a client are handled in the order in which they
// arrive: a pong says that all messages before its ping have been handled, and
// that their subscriptions have been accepted.
type conn struct {
	*Server
	ws      *websocket.Conn
	net     net.Conn
	dialect *dialect
	ctx     context.Context
	cancel  context.CancelFunc
	out     outbox
	running sync.WaitGroup // operations

	mu         sync.Mutex
	phase      phase
	viewer     *viewer.Viewer
	caller     string // as which it is counted; empty before it is
	operations map[string]*operation
	timers     []*time.Timer
}

// run serves the connection to its end.
func (c *conn) run() {
	defer c.recover()
	if c.dialect == nil {
		c.end(ending{codeNoSubprotocol, "Subprotocol not acceptable"})
		return
	}
	c.after(initTime, func() {
		if c.in(waiting) {
			c.end(ending{codeInitTimeout, "Connection initialisation timeout"})
		}
	})
	c.after(beatTime, c.beat)
	c.end(c.read())
	c.running.Wait()
	c.out.idle.Wait()
	for _, op := range c.left() {
		c.remove(op)
	}
	if c.caller != "" {
		c.callers.exit(c.caller)
	}
}

// left are the operations that ended with the connection.
func (c *conn) left() []*operation {
	c.mu.Lock()
	defer c.mu.Unlock()
	return slices.Collect(maps.Values(c.operations))
}

// refuse ends a connection that never began.
func (c *conn) refuse(e ending) {
	defer c.recover()
	c.end(e)
}

// gone ends a connection of which nothing can be heard or said any more.
var gone = ending{}

// read handles messages until the connection ends, and returns how.
func (c *conn) read() ending {
	for {
		kind, text, err := c.ws.Read(context.Background()) // end interrupts it
		switch {
		case err == nil && c.in(closed):
			continue // until the client has heard it
		case err == nil && kind != websocket.MessageText:
			c.end(invalid(errors.New("it is no text")))
		case err == nil:
			c.handle(text)
		case errors.Is(err, websocket.ErrMessageTooBig):
			return endf(codeTooBig, "Message larger than %d bytes", maxMessage)
		case isGone(err):
			return gone
		default:
			return endf(codeProtocol, "%v", err)
		}
	}
}

// handle handles a message, and returns when it has. It runs in a goroutine of its own,
// since the stack that an operation needs to begin would otherwise stay with the connection.
func (c *conn) handle(text []byte) {
	handled := make(chan struct{})
	go func() {
		defer close(handled)
		defer c.recover()
		c.receive(text)
	}()
	<-handled
}

// isGone reports whether an error says that the client is gone.
func isGone(err error) bool {
	_, network := errors.AsType[net.Error](err)
	return network || websocket.CloseStatus(err) >= 0 || errors.Is(err, net.ErrClosed) ||
		errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, io.ErrClosedPipe)
}

// end closes the connection, once: operations are ended, what waits is
// dropped, and the client gets the reason if it still reads.
func (c *conn) end(e ending) {
	c.mu.Lock()
	if c.phase == closed {
		c.mu.Unlock()
		return
	}
	c.phase = closed
	for _, t := range c.timers {
		t.Stop()
	}
	c.timers = nil
	c.mu.Unlock()
	c.out.close()
	c.cancel()
	_ = c.net.SetDeadline(time.Now().Add(writeTime)) // to say it, and to hear that it was heard
	if e == gone {
		_ = c.ws.CloseNow() // it is closed whatever that says
		return
	}
	_ = c.ws.Close(e.code, e.reason)
}

// in reports whether the connection is in the phase.
func (c *conn) in(p phase) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.phase == p
}

// after does something later, unless the connection has ended by then.
func (c *conn) after(d time.Duration, do func()) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.phase == closed {
		return
	}
	c.timers = append(c.timers, time.AfterFunc(d, func() {
		defer c.recover()
		do()
	}))
	if len(c.timers) > 8 { // those that have fired
		c.timers = append(c.timers[:0], c.timers[len(c.timers)-4:]...)
	}
}

// write writes a message, while the client takes it in time.
func (c *conn) write(text []byte) error {
	_ = c.net.SetWriteDeadline(time.Now().Add(writeTime))
	err := c.ws.Write(context.Background(), websocket.MessageText, text)
	if err == nil {
		_ = c.net.SetWriteDeadline(time.Time{}) // or pings would fail by it
	} else {
		go c.end(ending{codeTryLater, "The client is too slow"}) // it waits for this very write
	}
	return err
}

// beat asks whether the client is still there.
func (c *conn) beat() {
	if c.dialect.legacy && c.in(open) {
		c.out.put([]byte(keepAlive))
	}
	// The context is not c.ctx: cancelling it while the ping is being written
	// would break the connection off before end has written the close frame.
	ctx, cancel := context.WithTimeout(context.Background(), beatTime)
	defer cancel()
	if c.ws.Ping(ctx) != nil {
		c.end(gone)
		return
	}
	c.after(beatTime, c.beat)
}

// recover ends the connection after a panic.
func (c *conn) recover() {
	if r := recover(); r != nil {
		c.Log.ErrorContext(c.ctx, "panic", slog.String("err", fmt.Sprint(r)), slog.String("stack", string(debug.Stack())))
		c.end(ending{codeInternal, "Internal server error"})
	}
}
