package stream_test

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/99designs/gqlgen/graphql"
	"github.com/coder/websocket"
	"github.com/vektah/gqlparser/v2/gqlerror"

	"github.com/entwine-go/entwine/kit/internal/graph/stream"
	"github.com/entwine-go/entwine/kit/problem"
	"github.com/entwine-go/entwine/kit/viewer"
	"github.com/entwine-go/entwine/kit/web"
)

// world is a server over connections in memory, inside a bubble whose clock
// goes on when everyone waits.
type world struct {
	*testing.T
	*stream.Server
	pipes   pipes
	address string // of a server that is none of a bubble

	mu      sync.Mutex
	revoked bool
	is      *viewer.Viewer // what Still returns, where it is set
	err     error
	feeds   []*feed
}

// inBubble runs a test in a world of its own.
func inBubble(t *testing.T, test func(w *world)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		w := &world{T: t, pipes: pipes{conns: make(chan net.Conn), closed: make(chan struct{})}}
		w.Server = &stream.Server{Executor: w, Auth: w, Log: slog.New(slog.DiscardHandler), MaxConnections: 3}
		server := &http.Server{Handler: http.HandlerFunc(w.serve)}
		go server.Serve(&w.pipes)
		defer func() { // also where the test gives up
			w.pipes.hangUp()
			w.Drain(context.Background())
			_ = server.Close()
		}()
		test(w)
	})
}

func (w *world) serve(to http.ResponseWriter, r *http.Request) {
	v := viewer.Anonymous()
	if r.Header.Get("Authorization") != "" {
		v, _ = w.Token(r.Context(), r.Header.Get("Authorization"))
	}
	r = r.WithContext(viewer.With(r.Context(), v))
	if web.IsWebSocket(r) {
		w.ServeWebSocket(to, r)
		return
	}
	p := &graphql.RawParams{Query: r.URL.Query().Get("query")}
	w.ServeEvents(to, r, p, func(errs gqlerror.List) { http.Error(to, errs.Error(), http.StatusBadRequest) },
		func(err error) { http.Error(to, err.Error(), http.StatusServiceUnavailable) })
}

// Token implements stream.Authenticator: a token is a user's number, perhaps
// with the seconds until it expires.
func (w *world) Token(_ context.Context, token string) (*viewer.Viewer, error) {
	v := &viewer.Viewer{Role: "user"}
	var seconds int
	switch n, _ := fmt.Sscanf(token, "%d/%d", &v.UserID, &seconds); n {
	case 0:
		return nil, problem.New(problem.TokenInvalid, "token invalid")
	case 2:
		v.Expires = time.Now().Add(time.Duration(seconds) * time.Second)
	}
	return v, nil
}

// APIKey implements stream.Authenticator.
func (w *world) APIKey(_ context.Context, key string) (*viewer.Viewer, error) {
	if key != "ek_1" {
		return nil, problem.New(problem.TokenInvalid, "API key invalid")
	}
	return &viewer.Viewer{KeyID: 1}, nil
}

// Still implements stream.Authenticator.
func (w *world) Still(_ context.Context, was *viewer.Viewer) (*viewer.Viewer, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	switch {
	case w.revoked:
		return nil, problem.New(problem.TokenInvalid, "token invalid")
	case !was.Expires.IsZero() && !time.Now().Before(was.Expires):
		return nil, problem.New(problem.TokenExpired, "token expired")
	case w.is != nil || w.err != nil:
		return w.is, w.err
	}
	return was, nil
}

// become has Still return something else from now on.
func (w *world) become(is *viewer.Viewer, err error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.is, w.err = is, err
}

// Start implements stream.Executor. The query says what comes:
//
//	who         who asks
//	feed        the messages given to send, until the end is given
//	flood       messages of 16 KiB without end
//	bad         is refused
//	panic       does
func (w *world) Start(ctx context.Context, p *graphql.RawParams) (stream.Results, gqlerror.List) {
	f := &feed{next: make(chan string, 1), end: make(chan error, 1), gone: make(chan struct{})}
	switch p.Query {
	case "bad":
		return nil, gqlerror.List{gqlerror.Errorf("bad")}
	case "panic":
		f.panics = true
	case "flood":
		f.flood = true
	case "who":
		v := viewer.From(ctx)
		f.next <- fmt.Sprintf(`{"data":"%d %d"}`, v.UserID, v.KeyID)
		f.once = true
	default:
		w.mu.Lock()
		w.feeds = append(w.feeds, f)
		w.mu.Unlock()
	}
	return f, nil
}

// Refusal implements stream.Executor.
func (w *world) Refusal(_ context.Context, err error) []byte {
	return []byte(`{"errors":"` + err.Error() + `"}`)
}

// feed is an operation that runs.
type feed struct {
	next   chan string
	end    chan error
	once   bool
	closed atomic.Bool
	gone   chan struct{} // closed then
	flood  bool
	panics bool
}

func (f *feed) Next(ctx context.Context) ([]byte, error) {
	switch {
	case f.panics:
		panic("!")
	case f.flood:
		return []byte(`"` + strings.Repeat("x", 16<<10) + `"`), ctx.Err()
	}
	select {
	case text := <-f.next:
		if f.once {
			f.end <- io.EOF
		}
		return []byte(text), nil
	case err := <-f.end:
		return nil, err
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

func (f *feed) Close() {
	if !f.closed.Swap(true) {
		close(f.gone)
	}
}

// feed returns the nth feed that was started.
func (w *world) feed(n int) *feed {
	w.Helper()
	synctest.Wait()
	w.mu.Lock()
	defer w.mu.Unlock()
	if n >= len(w.feeds) {
		w.Fatalf("%d feeds have been started", len(w.feeds))
	}
	return w.feeds[n]
}

// pipes is a listener in memory.
type pipes struct {
	conns  chan net.Conn
	once   sync.Once
	closed chan struct{}

	mu   sync.Mutex
	ends []net.Conn // the clients'
}

// hangUp breaks every connection.
func (p *pipes) hangUp() {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, c := range p.ends {
		_ = c.Close()
	}
}

func (p *pipes) Accept() (net.Conn, error) {
	select {
	case c := <-p.conns:
		return c, nil
	case <-p.closed:
		return nil, net.ErrClosed
	}
}

func (p *pipes) Close() error {
	p.once.Do(func() { close(p.closed) })
	return nil
}

func (p *pipes) Addr() net.Addr { return &net.TCPAddr{} }

func (p *pipes) dial(context.Context, string, string) (net.Conn, error) {
	near, far := net.Pipe()
	select {
	case p.conns <- far:
		near = buffered(near)
		p.mu.Lock()
		p.ends = append(p.ends, near)
		p.mu.Unlock()
		return near, nil
	case <-p.closed:
		return nil, net.ErrClosed
	}
}

// client is a WebSocket's other end.
type client struct {
	*world
	ws *websocket.Conn
}

// dial opens a WebSocket without saying anything.
func (w *world) dial(protocol string, header ...string) *client {
	w.Helper()
	options := &websocket.DialOptions{HTTPClient: &http.Client{Transport: &http.Transport{DialContext: w.pipes.dial}}, HTTPHeader: http.Header{}}
	if protocol != "" {
		options.Subprotocols = []string{protocol}
	}
	for i := 0; i < len(header); i += 2 {
		options.HTTPHeader.Set(header[i], header[i+1])
	}
	ws, _, err := websocket.Dial(w.Context(), "ws://entwine/graphql", options)
	if err != nil {
		w.Fatal(err)
	}
	ws.SetReadLimit(-1)
	return &client{w, ws}
}

// open opens a WebSocket and has it acknowledged.
func (w *world) open(protocol, payload string) *client {
	w.Helper()
	c := w.dial(protocol)
	c.send(`{"type":"connection_init","payload":` + payload + `}`)
	c.hears(`{"type":"connection_ack"}`)
	if protocol == legacy {
		c.hears(`{"type":"ka"}`)
	}
	return c
}

const (
	current = "graphql-transport-ws"
	legacy  = "graphql-ws"
)

func (c *client) send(text string) {
	c.Helper()
	if err := c.ws.Write(c.Context(), websocket.MessageText, []byte(text)); err != nil {
		c.Fatalf("send %.80s: %v", text, err)
	}
}

// heard returns the next message.
func (c *client) heard() string {
	c.Helper()
	_, got, err := c.ws.Read(c.Context())
	if err != nil {
		c.Fatalf("heard %s (%v)", got, err)
	}
	return string(got)
}

// hears requires that the next message is the text.
func (c *client) hears(text string) {
	c.Helper()
	if got := c.heard(); got != text {
		c.Fatalf("heard %s, want %s", got, text)
	}
}

// isClosed requires that the connection is closed next, with the code.
func (c *client) isClosed(code websocket.StatusCode, reason string) {
	c.Helper()
	_, text, err := c.ws.Read(c.Context())
	var closed websocket.CloseError
	if !errors.As(err, &closed) || closed.Code != code || !strings.HasPrefix(closed.Reason, reason) {
		c.Errorf("heard %s, %v, want %d %s", text, err, code, reason)
	}
	_ = c.ws.CloseNow()
}

// buffered is a connection whose writes do not wait for a reader, as those of
// a network do not.
func buffered(c net.Conn) net.Conn {
	b := &bufferedConn{Conn: c, more: make(chan struct{}, 1), closed: make(chan struct{})}
	go b.run()
	return b
}

type bufferedConn struct {
	net.Conn
	mu     sync.Mutex
	text   bytes.Buffer
	more   chan struct{}
	once   sync.Once
	closed chan struct{}
}

func (b *bufferedConn) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.text.Write(p)
	select {
	case b.more <- struct{}{}:
	default:
	}
	return len(p), nil
}

func (b *bufferedConn) Close() error {
	b.once.Do(func() { close(b.closed) })
	return b.Conn.Close()
}

func (b *bufferedConn) run() {
	for {
		select {
		case <-b.closed:
			return
		case <-b.more:
		}
		b.mu.Lock()
		text := bytes.Clone(b.text.Bytes())
		b.text.Reset()
		b.mu.Unlock()
		if _, err := b.Conn.Write(text); err != nil {
			return
		}
	}
}

// events asks for an event stream.
func (w *world) events(query string, header ...string) (*http.Response, *bufio.Reader) {
	w.Helper()
	r, err := http.NewRequestWithContext(w.Context(), http.MethodGet, "http://entwine/graphql?query="+query, nil)
	if err != nil {
		w.Fatal(err)
	}
	r.Header.Set("Accept", "text/event-stream")
	for i := 0; i < len(header); i += 2 {
		r.Header.Set(header[i], header[i+1])
	}
	res, err := (&http.Transport{DialContext: w.pipes.dial, DisableKeepAlives: true}).RoundTrip(r)
	if err != nil {
		w.Fatal(err)
	}
	return res, bufio.NewReader(res.Body)
}

// reads requires that the stream goes on with the text.
func (w *world) reads(from *bufio.Reader, text string) {
	w.Helper()
	got := make([]byte, len(text))
	if n, err := io.ReadFull(from, got); err != nil || string(got) != text {
		w.Errorf("read %q (%v), want %q", got[:n], err, text)
	}
}

func quoted(text string) string {
	b, _ := json.Marshal(text)
	return string(b)
}
