package fuzz_test

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"time"
)

// listen serves on a port of its own what arrives as bytes.
func (f *fuzzer) listen() {
	l, err := new(net.ListenConfig).Listen(f.Context(), "tcp", "127.0.0.1:0")
	f.Must(err)
	ctx, stop := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- f.Server.Serve(ctx, l) }()
	f.Cleanup(func() {
		stop()
		if err := <-ended; err != nil {
			f.Error(err)
		}
	})
	f.address = l.Addr().String()
}

// beginnings are the first bytes of a connection to a port that speaks HTTP/1.1.
var beginnings = []string{
	"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", "\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03", "GET / HTTP/0.9\r\n\r\n", "GET /api/v1/posts\r\n", "\r\n\r\n\r\n",
	"GET /api/v1/posts HTTP/9.9\r\nHost: a\r\n\r\n", "GET * HTTP/1.1\r\nHost: a\r\n\r\n", "CONNECT a:80 HTTP/1.1\r\nHost: a:80\r\n\r\n", "OPTIONS * HTTP/1.1\r\nHost: a\r\n\r\n",
	"GET http://other/api/v1/posts HTTP/1.1\r\nHost: a\r\n\r\n", "GET //api/v1/posts HTTP/1.1\r\nHost: a\r\n\r\n", "GET /api/v1/../../posts HTTP/1.1\r\nHost: a\r\n\r\n",
	"\x00\x00\x00\x00", "HELO a\r\n", "{}", "\x04\x01\x00\x50",
}

// wires are lines that confuse who is in between.
var wires = []string{
	"Content-Length: 3", "Content-Length: -1", "Content-Length: 99999999999999999999", "Content-Length: 3, 3", "Content-Length: +3", "Content-Length : 3", "Transfer-Encoding: chunked", "Transfer-Encoding: chunked, gzip",
	"Transfer-Encoding: xchunked", "Transfer-Encoding:\tchunked", " folded", "Host: b", "Host:", "Host: a b", "Expect: 100-continue", "Expect: nonsense", "Connection: close, Host", "Upgrade: websocket", "Upgrade: h2c",
	"Connection: Upgrade", "Trailer: Authorization", "X: a\x00b", "X: a\rb", ": empty", "X", "Range: bytes=0-", "Authorization: Bearer", "Authorization: Bearer a.b.c", "Authorization: Basic YTpi", "Cookie: access_token=a; session=b",
	"X-Forwarded-For: a, b", "X-Forwarded-For: 10.0.0.1", "Accept-Encoding: gzip;q=0", "Sec-WebSocket-Version: 13", "Sec-WebSocket-Key: x", "Sec-WebSocket-Protocol: graphql-transport-ws", strings.Repeat("X: y\r\n", 400) + "X: z",
}

// bodies are those of requests that are sent in chunks, or are said to be.
var chunks = []string{
	"0\r\n\r\n", "5\r\nhello\r\n0\r\n\r\n", "ffffffffffffffff\r\n", "-1\r\n", "5;a=b\r\nhello\r\n0\r\nAuthorization: x\r\n\r\n", "zz\r\n", "5\r\nhel", `{"query":"{ __typename }"}`,
	`{"query":"{ posts { id title } }"}GET /api/v1/users HTTP/1.1` + "\r\nHost: a\r\n\r\n",
}

// wire makes bytes that arrive at the port, of no user.
func (g *gun) wire() []byte {
	if g.once(4) {
		text := []byte(pick(g, beginnings))
		for range g.IntN(3) {
			text = g.scrambled(text)
		}
		return text
	}
	target := "/graphql?query=%7Bposts%7Bid%7D%7D"
	if !g.once(4) {
		target = "/api/v1" + g.Path(g.op.path, "")
	}
	method := pick(g, []string{"GET", "GET", "HEAD", "OPTIONS", "POST", "TRACE", "G\tET", "get", ""})
	if method == "POST" {
		target = "/graphql"
	}
	lines := []string{method + " " + target + " " + pick(g, []string{"HTTP/1.1", "HTTP/1.1", "HTTP/1.1", "HTTP/1.0", "HTTP/2.0", "http/1.1", "HTTP/1.1 "}), "Host: localhost", "Content-Type: application/json"}
	for range g.IntN(4) {
		lines = slices.Insert(lines, 1+g.IntN(len(lines)), pick(g, wires))
	}
	text := []byte(strings.Join(lines, pick(g, []string{"\r\n", "\r\n", "\r\n", "\n", "\r"})) + "\r\n\r\n")
	if g.once(2) {
		text = append(text, pick(g, chunks)...)
	}
	if g.once(3) {
		text = g.scrambled(text)
	}
	return text
}

var statusLine = regexp.MustCompile(`HTTP/1\.[01] (\d{3})`)

// send sends the bytes and returns what is wrong with what comes back: the
// server's own refusals of transfer codings (501) and versions (505) are right,
// and so is 503: net/http takes the end of what a client sends for its going
// away, and cancels the statement that is under way.
func (f *fuzzer) send(text []byte) (answer []byte, wrong []string) {
	c, err := new(net.Dialer).DialContext(f.Context(), "tcp", f.address)
	if err != nil {
		return nil, []string{err.Error()}
	}
	defer c.Close()
	tcp := c.(*net.TCPConn)
	f.Must(tcp.SetLinger(0))
	f.Must(tcp.SetDeadline(time.Now().Add(30 * time.Second)))
	_, _ = tcp.Write(text) // it may hear enough before the end
	_ = tcp.CloseWrite()
	answer, err = io.ReadAll(io.LimitReader(tcp, 4<<20))
	if timeout, ok := err.(net.Error); ok && timeout.Timeout() { //nolint:errorlint // io returns it unwrapped
		wrong = append(wrong, "it is not answered")
	}
	for _, found := range statusLine.FindAllSubmatch(answer, -1) {
		if code := string(found[1]); code >= "500" && code != "501" && code != "503" && code != "505" {
			wrong = append(wrong, "the service fails: "+code)
		}
	}
	if len(answer) > 0 && !bytes.HasPrefix(answer, []byte("HTTP/1.")) {
		wrong = append(wrong, fmt.Sprintf("the answer is no HTTP: %q", short(string(answer))))
	}
	return answer, append(wrong, f.judge.matrix.leaks(&shot{who: "anonymous", method: http.MethodGet, target: string(text)}, answer)...)
}
