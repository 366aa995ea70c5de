package stream

import (
	"bufio"
	"context"
	"net"
	"net/http"

	"github.com/coder/websocket"

	"github.com/entwine-go/entwine/kit/internal/graph/deferral"
	"github.com/entwine-go/entwine/kit/viewer"
)

// ServeWebSocket upgrades the request and returns; the connection goes on. Its
// caller and its origin have been judged before.
func (s *Server) ServeWebSocket(w http.ResponseWriter, r *http.Request) {
	taken := &hijacked{ResponseWriter: w}
	ws, err := websocket.Accept(taken, r, &websocket.AcceptOptions{
		Subprotocols:       subprotocols,
		InsecureSkipVerify: true, // package web has compared origins
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
	c := &conn{
		Server: s, ws: ws, net: taken.conn, ctx: ctx, cancel: cancel,
		dialect: spoken, viewer: viewer.From(ctx),
		operations: make(map[string]*operation),
	}
	c.out.write = c.write
	exit, ok := s.enter(func() { c.end(ending{codeRestart, reasonRestart}) })
	if !ok {
		go c.refuse(ending{codeRestart, reasonRestart})
		return
	}
	go func() {
		defer exit()
		c.run()
	}()
}

// hijacked remembers the connection that was taken over, for its deadlines.
type hijacked struct {
	http.ResponseWriter
	conn net.Conn
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
	if h.conn = conn; err != nil {
		return conn, rw, err
	}
	if rw.Writer = bufio.NewWriterSize(conn, writeBuffer); rw.Reader.Buffered() == 0 { // else the client has sent more already
		rw.Reader = bufio.NewReaderSize(conn, readBuffer)
	}
	return conn, rw, nil
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
