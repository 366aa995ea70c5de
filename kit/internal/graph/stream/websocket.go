package stream

import (
	"bufio"
	"context"
	"errors"
	"net"
	"net/http"

	"github.com/coder/websocket"

	"github.com/entwine-go/entwine/kit/internal/graph/deferral"
	"github.com/entwine-go/entwine/kit/viewer"
)

// ServeWebSocket upgrades the request and returns; the connection goes on. Its
// caller and its origin have been judged before.
func (s *Server) ServeWebSocket(w http.ResponseWriter, r *http.Request) {
	c := &conn{Server: s, operations: make(map[string]*operation)}
	ws, err := websocket.Accept(&hijacked{w, &c.net}, r, &websocket.AcceptOptions{
		Subprotocols:       subprotocols,
		InsecureSkipVerify: true, // package web has compared origins
		OnPingReceived:     func(context.Context, []byte) bool { c.settles(); return true },
		OnPongReceived:     func(context.Context, []byte) { c.settles() },
	})
	if err != nil {
		return // it has been answered
	}
	ws.SetReadLimit(maxMessage)
	// The request ends here: nothing of it but its values is kept.
	ctx, cancel := context.WithCancel(context.WithValue(context.WithoutCancel(r.Context()), socketKey{}, true))
	spoken := dialects[ws.Subprotocol()]
	if spoken != nil && !spoken.legacy {
		ctx = withParts(ctx, r)
	}
	c.ws, c.ctx, c.cancel, c.dialect, c.viewer = ws, ctx, cancel, spoken, viewer.From(ctx)
	c.out.write = c.write
	exit, ok := s.enter(func() { c.end(ending{codeRestart, reasonRestart}) })
	if !ok {
		go c.refuse(ending{codeRestart, reasonRestart})
		return
	}
	c.exit = exit
	go c.run()
}

// hijacked remembers the connection that was taken over.
type hijacked struct {
	http.ResponseWriter
	taken *socket
}

// socket is the connection of a WebSocket.
type socket struct {
	net.Conn
	read *bufio.Reader // has what was read
	// ahead is set where the client sent more with its request, which is not in read yet.
	ahead bool
	// paused has the next read fail: see [conn.settles].
	paused bool
}

// errPaused is the error of a read that would wait between two messages.
var errPaused = errors.New("nothing more has arrived")

// Read implements net.Conn.
func (s *socket) Read(p []byte) (int, error) {
	if s.paused {
		s.paused = false
		return 0, errPaused
	}
	return s.Conn.Read(p)
}

// The sizes of a connection's buffers, which are kept while it is open. Longer frames
// bypass them.
const (
	readBuffer  = 512
	writeBuffer = 1 << 10
)

// Hijack implements http.Hijacker.
func (h *hijacked) Hijack() (net.Conn, *bufio.ReadWriter, error) {
	conn, rw, err := http.NewResponseController(h.ResponseWriter).Hijack()
	if err != nil {
		return conn, rw, err
	}
	rw.Writer = bufio.NewWriterSize(conn, writeBuffer)
	ahead := rw.Reader.Buffered() > 0
	if !ahead {
		rw.Reader = bufio.NewReaderSize(conn, readBuffer)
	}
	*h.taken = socket{Conn: conn, read: rw.Reader, ahead: ahead}
	return h.taken, rw, nil
}

type partsKey struct{}

// withParts says that a client takes a response in parts, and in which format:
// in the older one unless its Accept asks for the other. Clients of the older
// protocol have never heard of parts.
func withParts(ctx context.Context, r *http.Request) context.Context {
	format := deferral.Accepted(r.Header["Accept"], mediaEvents, "multipart/mixed")
	if format == deferral.Whole {
		format = deferral.Paths
	}
	return context.WithValue(ctx, partsKey{}, format)
}

// Parts is the format in which the client of an operation takes what it defers,
// in messages of their own.
func Parts(ctx context.Context) deferral.Format {
	format, _ := ctx.Value(partsKey{}).(deferral.Format)
	return format
}

type socketKey struct{}

// OnSocket reports whether an operation came over a WebSocket, where no
// request has brought it.
func OnSocket(ctx context.Context) bool { return ctx.Value(socketKey{}) != nil }
