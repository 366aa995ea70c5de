package stream_test

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/entwine-go/entwine/kit/events"
	"github.com/entwine-go/entwine/kit/internal/graph/stream"
	"github.com/entwine-go/entwine/kit/web"
)

// An event stream goes on once its handler has returned, and ends as it does before.
func TestAnEventStreamWithoutItsHandler(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name string
		end  func(w *world, client net.Conn)
		text string
		err  error
	}{
		{"with the operation", func(w *world, _ net.Conn) { w.feeds[0].end <- io.EOF }, "event: complete\ndata: \n\n", nil},
		{"with the process", func(w *world, _ net.Conn) { w.Drain(context.Background()) }, "", io.ErrUnexpectedEOF},
		{"with the events", func(w *world, _ net.Conn) { w.feeds[0].end <- events.ErrClosed }, "", io.ErrUnexpectedEOF},
		{"with the credentials", func(*world, net.Conn) {}, "event: next\ndata: {\"errors\":\"token expired\"}\n\nevent: complete\ndata: \n\n", nil},
		{"with the client", func(_ *world, client net.Conn) { _ = client.Close() }, "", net.ErrClosed},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			w := &world{T: t}
			w.Server = &stream.Server{Executor: w, Auth: w, Log: slog.New(slog.DiscardHandler), MaxConnections: 3}
			returned := w.listens()
			token := "7"
			if c.name == "with the credentials" {
				token = "7/3"
			}
			client, err := net.Dial("tcp", w.address)
			if err != nil {
				t.Fatal(err)
			}
			defer client.Close()
			_, _ = fmt.Fprintf(client, "GET /graphql?query=feed HTTP/1.1\r\nHost: example.com\r\nAuthorization: %s\r\n\r\n", token)
			res, err := http.ReadResponse(bufio.NewReader(client), nil)
			if err != nil {
				t.Fatal(err)
			}
			<-returned
			w.feeds[0].next <- `{"data":1}`
			body, want := bufio.NewReader(res.Body), ":\n\nevent: next\ndata: {\"data\":1}\n\n"
			w.reads(body, want)
			c.end(w, client)
			text, err := io.ReadAll(body)
			if !errors.Is(err, c.err) || strings.TrimPrefix(string(text), ":\n\n") != c.text {
				t.Errorf("it ended with %q and %v, want %q and %v", text, err, c.text, c.err)
			}
			<-w.feeds[0].gone
			w.Drain(context.Background())
			if w.Connections() != 0 {
				t.Error("the connection is counted")
			}
		})
	}
}

// listens has the server of the process serve, and returns what receives when a handler
// has returned.
func (w *world) listens() (returned <-chan struct{}) {
	w.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		w.Fatal(err)
	}
	w.address = l.Addr().String()
	edge := &web.Edge{Log: slog.New(slog.DiscardHandler)}
	handled := make(chan struct{}, 1)
	page := edge.Open(http.HandlerFunc(w.serve))
	server := &web.Server{Health: &web.Health{Log: edge.Log}, Log: edge.Log, Shutdown: time.Minute, Handler: http.HandlerFunc(func(to http.ResponseWriter, r *http.Request) {
		page.ServeHTTP(to, r)
		handled <- struct{}{}
	})}
	ctx, stop := context.WithCancel(context.Background())
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		_ = server.Serve(ctx, l)
	}()
	w.Cleanup(func() { stop(); <-ended })
	return handled
}
