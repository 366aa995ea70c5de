package stream_test

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"log/slog"
	"maps"
	"net"
	"net/http"
	"runtime"
	"testing"

	"github.com/coder/websocket"

	"github.com/entwine-go/entwine/kit/internal/graph/stream"
)

// frame is a frame of a client, whose mask is zero.
func frame(first byte, text string) string {
	return string([]byte{first, 0x80 | byte(len(text)), 0, 0, 0, 0}) + text
}

// Messages, pings and pongs reach a connection whose client the server waits for, in whatever pieces
// they arrive, and also between the parts of a message.
func TestFramesArriveInPieces(t *testing.T) {
	t.Parallel()
	const text, more, last, ping, pong = 0x81, 0x01, 0x80, 0x89, 0x8a
	says := `{"type":"ping","payload":{"n":1}}`
	sent := frame(text, `{"type":"connection_init","payload":{"token":"7"}}`) + frame(ping, "1") + frame(pong, "none") + frame(text, says) +
		frame(more, says[:5]) + frame(ping, "2") + frame(pong, "") + frame(last, says[5:]) + frame(ping, "3") + frame(pong, "") + frame(text, `{"type":"ping"}`)
	answer := `{"type":"pong","payload":{"n":1}} `
	want := map[byte]string{text: `{"type":"connection_ack"} ` + answer + answer + `{"type":"pong"} `, pong: "1 2 3 "} // each in its order
	for _, size := range []int{0, 1, 2, 3, 7, 64, len(sent)} {                                                         // 0 are with the request
		t.Run(fmt.Sprint(size), func(t *testing.T) {
			t.Parallel()
			w := &world{T: t}
			w.Server = &stream.Server{Executor: w, Auth: w, Log: slog.New(slog.DiscardHandler), MaxConnections: 3}
			w.listens()
			c, err := net.Dial("tcp", w.address)
			if err != nil {
				t.Fatal(err)
			}
			defer c.Close()
			left := []byte(sent)
			with := ""
			if size == 0 {
				left, with = nil, sent
			}
			_, _ = fmt.Fprint(c, "GET /graphql HTTP/1.1\r\nHost: example.com\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"+
				"Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\nSec-WebSocket-Protocol: "+current+"\r\n\r\n"+with)
			from := bufio.NewReader(c)
			res, err := http.ReadResponse(from, nil)
			if err != nil || res.StatusCode != http.StatusSwitchingProtocols {
				t.Fatalf("%v, %v", res, err)
			}
			for ; len(left) > 0; left = left[min(size, len(left)):] {
				if _, err := c.Write(left[:min(size, len(left))]); err != nil {
					t.Fatal(err)
				}
				runtime.Gosched()
			}
			got := map[byte]string{}
			for len(got[text]) < len(want[text]) || len(got[pong]) < len(want[pong]) {
				var head [2]byte
				_, err := io.ReadFull(from, head[:])
				said := make([]byte, head[1])
				if err == nil {
					_, err = io.ReadFull(from, said)
				}
				if err != nil {
					t.Fatalf("after %q: %v", got, err)
				}
				got[head[0]] += string(said) + " "
			}
			if !maps.Equal(got, want) {
				t.Errorf("it was answered %q, want %q", got, want)
			}
			_, _ = c.Write([]byte(frame(0x88, "\x03\xe8")))
			if text, err := io.ReadAll(from); err != nil || string(text) != "\x88\x02\x03\xe8" {
				t.Errorf("it was closed with %q and %v", text, err)
			}
			w.Drain(context.Background())
		})
	}
}

// A connection without a goroutine that reads ends as any other does.
func TestAConnectionAtRestEnds(t *testing.T) {
	t.Parallel()
	for name, end := range map[string]func(w *world, c *client){
		"with the process": func(w *world, c *client) {
			go w.Drain(context.Background())
			c.isClosed(1012, "Service restart")
		},
		"with the operation's error": func(w *world, c *client) {
			w.feeds[0].end <- io.ErrClosedPipe
			c.isClosed(websocket.StatusInternalError, "Internal server error")
		},
		"with its client":              func(_ *world, c *client) { _ = c.ws.CloseNow() },
		"with a goodbye of its client": func(_ *world, c *client) { _ = c.ws.Close(websocket.StatusNormalClosure, "") },
		"with a message that is no text": func(_ *world, c *client) {
			_ = c.ws.Write(c.Context(), websocket.MessageBinary, []byte("?"))
			c.isClosed(4400, "Invalid message")
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := &world{T: t}
			w.Server = &stream.Server{Executor: w, Auth: w, Log: slog.New(slog.DiscardHandler), MaxConnections: 3}
			w.listens()
			ws, _, err := websocket.Dial(t.Context(), "ws://"+w.address+"/graphql", &websocket.DialOptions{Subprotocols: []string{current}})
			if err != nil {
				t.Fatal(err)
			}
			c := &client{w, ws}
			c.send(`{"type":"connection_init","payload":{"token":"7"}}`)
			c.hears(`{"type":"connection_ack"}`)
			c.send(subscribe("a", "feed"))
			c.send(`{"type":"ping"}`)
			c.hears(`{"type":"pong"}`)
			end(w, c)
			<-w.feeds[0].gone
			w.Drain(context.Background())
			if w.Connections() != 0 {
				t.Error("the connection is counted")
			}
		})
	}
}
