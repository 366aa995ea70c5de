package web

import (
	"bufio"
	"context"
	"io"
	"net"
	"net/http"
	"sync"
	"time"

	"github.com/entwine-go/entwine/kit/internal/compress"
	"github.com/entwine-go/entwine/kit/viewer"
)

// exchange is the response writer that the layers share: it knows what has
// been answered and holds what the log wants to know. It is used again for
// other requests, so no layer keeps one.
type exchange struct {
	http.ResponseWriter
	conn    *conn  // nil where it is none of a [Server]'s, or not of HTTP/1
	scope   *scope // the request's context, nil where there is no conn
	status  int    // 0 until something is written
	bytes   int64
	viewer  *viewer.Viewer
	route   string          // which the request has taken; empty where no router said
	asked   context.Context // the request's without its budget, nil where scope has that
	streams bool            // the answer is a stream: see [Stream]
	// observer is the one that has begun with the request, nil where there is none.
	observer Observer
	// detached is set once the rest of the answer is none of net/http's: see [Detach].
	detached bool

	coding   compress.Coding // that the client likes best
	harmless bool            // no secret is in what is not stored
	parts    bool            // its length is not known: see [CompressParts]
	packing  bool            // the answer is compressed
	packed   packed

	account account
	body    *body // nil where there is none
	gate    *Gate // nil while the request has no place
	entered time.Time
	unusual bool // takes long by design: nothing to learn from

	known  bool              // the caller has proven who they are
	settle func(http.Header) // adds what the caller has seen, nil where that is all or done
}

var exchanges = sync.Pool{New: func() any { return new(exchange) }}

func newExchange(w http.ResponseWriter, r *http.Request) *exchange {
	x := exchanges.Get().(*exchange)
	*x = exchange{ResponseWriter: w, viewer: viewer.Anonymous()}
	if accept := r.Header["Accept-Encoding"]; accept != nil {
		x.coding = compress.Choose(accept, compress.Gzip, compress.Zstd)
	}
	return x
}

// release gives the exchange back, unless the connection goes on without its handler:
// then the request's context, and with it the account, goes on being used.
func (x *exchange) release() {
	if x.status == http.StatusSwitchingProtocols || x.detached {
		x.ResponseWriter, x.conn, x.scope, x.asked, x.body, x.settle, x.packed = nil, nil, nil, nil, nil, nil, packed{}
		return
	}
	*x = exchange{}
	exchanges.Put(x)
}

// WriteHeader writes the status. Informational ones (1xx) may come before it.
func (x *exchange) WriteHeader(status int) {
	if x.status == 0 && (status >= 200 || status == http.StatusSwitchingProtocols) {
		x.status = status
		if x.settle != nil {
			x.settle(x.Header())
			x.settle = nil
		}
		if x.compresses(status) {
			x.packing, x.packed.status = true, status // until there is something to compress
			return
		}
	}
	x.ResponseWriter.WriteHeader(status)
}

// Write writes a part of the body.
func (x *exchange) Write(b []byte) (int, error) {
	if x.status == 0 {
		x.WriteHeader(http.StatusOK)
	}
	if x.packing {
		return x.pack(b)
	}
	return x.raw(b)
}

// raw writes a part of the body without compression.
func (x *exchange) raw(b []byte) (int, error) {
	x.begin(len(b))
	if x.conn != nil && len(b) > buffered {
		x.conn.longer.Store(true)
		defer x.conn.longer.Store(false)
	}
	n, err := x.ResponseWriter.Write(b)
	x.bytes += int64(n)
	return n, err
}

// WriteString writes a part of the body.
func (x *exchange) WriteString(s string) (int, error) {
	if x.status == 0 || x.packing {
		return x.Write([]byte(s))
	}
	x.begin(len(s))
	n, err := io.WriteString(x.ResponseWriter, s)
	x.bytes += int64(n)
	return n, err
}

// Flush sends what has been written.
func (x *exchange) Flush() {
	x.push()
	x.begin(0)
	x.leave()
	_ = http.NewResponseController(x.ResponseWriter).Flush() // http.Flusher has no error
}

// FlushPart sends what has been written of an answer that is not complete, such as the
// parts of @defer. The request goes on counting as one in flight, which a stream of
// events does not.
func FlushPart(w http.ResponseWriter) {
	for at := w; ; {
		if x, ok := at.(*exchange); ok {
			x.begin(0)
			at = x.ResponseWriter
		}
		inner, ok := at.(interface{ Unwrap() http.ResponseWriter })
		if !ok {
			_ = http.NewResponseController(at).Flush() // what can't flush sends all in the end
			return
		}
		at = inner.Unwrap()
	}
}

// Inform sends an interim answer with the headers that are set: a status of 1xx. Where
// something has been answered it does nothing.
func Inform(w http.ResponseWriter, status int) {
	if x := exchangeOf(w); x != nil && x.status == 0 {
		x.WriteHeader(status)
	}
}

// Hijack hands the connection over.
func (x *exchange) Hijack() (net.Conn, *bufio.ReadWriter, error) {
	if x.conn != nil {
		x.conn.take()
	}
	conn, rw, err := http.NewResponseController(x.ResponseWriter).Hijack()
	if err == nil {
		x.status = http.StatusSwitchingProtocols
	}
	return conn, rw, err
}

// Unwrap is for http.ResponseController.
func (x *exchange) Unwrap() http.ResponseWriter { return x.ResponseWriter }

// enter takes a place among the requests in flight.
func (x *exchange) enter(ctx context.Context, g *Gate) error {
	if err := g.Enter(ctx); err != nil {
		return err
	}
	x.gate, x.entered = g, g.now()
	return nil
}

// leave gives the place back, the first time that it is called.
func (x *exchange) leave() {
	if x.gate == nil {
		return
	}
	now := x.gate.now()
	took := now.Sub(x.entered)
	if x.unusual {
		took = 0
	}
	x.gate.leave(now, took)
	x.gate = nil
}

// streamed is how much of an answer makes it a stream: its client takes it at
// its own pace, and has had its place for long enough. Of less than that too
// the place is given back where the client does not take it: see [conn].
const streamed = 64 << 10

// begin is called before n bytes are written, which may block.
func (x *exchange) begin(n int) {
	if x.status == 0 {
		x.status = http.StatusOK
	}
	if x.bytes+int64(n) > streamed {
		x.leave()
	}
}
