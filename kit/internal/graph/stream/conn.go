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
	"github.com/entwine-go/entwine/kit/web"
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
	net     socket
	dialect *dialect
	exit    func() // the server no longer counts it
	ctx     context.Context
	cancel  context.CancelFunc
	out     outbox
	running sync.WaitGroup // operations

	// Of the goroutine that reads: it waits for a message, and it has to wait for each by reading.
	between, blocks bool

	mu         sync.Mutex
	rests      func() // ends that the server waits for the client; nil while a goroutine reads
	phase      phase
	viewer     *viewer.Viewer
	caller     string // as which it is counted; empty before it is
	operations map[string]*operation
	timers     []*time.Timer
}

// run serves the connection.
func (c *conn) run() {
	if c.dialect == nil {
		c.end(ending{codeNoSubprotocol, "Subprotocol not acceptable"})
		c.windUp()
		return
	}
	c.after(initTime, func() {
		if c.in(waiting) {
			c.end(ending{codeInitTimeout, "Connection initialisation timeout"})
		}
	})
	c.after(beatTime, c.beat)
	if c.net.ahead || !c.rest() {
		c.listen()
	}
}

// listen handles messages until nothing more has arrived. The server waits for the client then,
// because a goroutine that does would keep its stack. Otherwise it returns once the connection has
// ended.
func (c *conn) listen() {
	over := true
	defer func() {
		if over {
			c.windUp()
		}
	}()
	defer c.recover()
	for {
		if e, ended := c.read(); ended {
			c.end(e)
			return
		}
		if c.rest() {
			over = false
			return
		}
	}
}

// rest leaves it to the server to wait for the client, if that can be, and reports whether it does:
// [conn.wake] goes on.
func (c *conn) rest() bool {
	if c.blocks || c.net.read.Buffered() > 0 {
		return false
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.phase == closed {
		return false
	}
	c.rests = web.Await(c.net.Conn, c.wake)
	c.blocks = c.rests == nil
	return !c.blocks
}

// wake is called once the client has sent something or has left.
func (c *conn) wake() {
	c.mu.Lock()
	rested := c.rests != nil
	c.rests = nil
	c.mu.Unlock()
	if rested { // else the connection has been ended
		c.listen()
	}
}

// settles is called while a ping or a pong is handled. Where nothing follows the read that waits for
// a message fails, so that the server waits. The end of the connection has to be read.
func (c *conn) settles() {
	if !c.in(closed) && c.between && !c.blocks && c.net.read.Buffered() == 0 {
		c.net.paused = true
	}
}

// windUp waits for what the connection has begun, once it has ended.
func (c *conn) windUp() {
	defer c.exit()
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

// read handles a message, and returns how the connection has ended, if it has.
func (c *conn) read() (e ending, ended bool) {
	kind, text, err := c.message()
	switch {
	case errors.Is(err, errPaused):
	case err == nil && c.in(closed): // until the client has heard it
	case err == nil && kind != websocket.MessageText:
		c.end(invalid(errors.New("it is no text")))
	case err == nil:
		c.handle(text)
	case errors.Is(err, websocket.ErrMessageTooBig):
		return endf(codeTooBig, "Message larger than %d bytes", maxMessage), true
	case isGone(err):
		return gone, true
	default:
		return endf(codeProtocol, "%v", err), true
	}
	return ending{}, false
}

// message reads the next message. [conn.end] interrupts it.
func (c *conn) message() (websocket.MessageType, []byte, error) {
	c.between = true
	kind, from, err := c.ws.Reader(context.Background())
	c.between = false
	if err != nil {
		return 0, nil, err
	}
	text, err := io.ReadAll(from)
	return kind, text, err
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
	rested := c.rests
	c.rests = nil
	c.mu.Unlock()
	if rested != nil { // no goroutine reads: there is none that would notice the end
		rested()
		defer func() { go c.windUp() }() // which may wait for the caller
	}
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
