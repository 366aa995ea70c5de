package web_test

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/entwine-go/entwine/kit/web"
)

// A connection is closed by the answer to a request that a proxy may read to another
// end than the service, and stays open after any other.
func TestAConnectionIsClosedWhereItsNextRequestIsUncertain(t *testing.T) {
	t.Parallel()
	site, health := newSite()
	site.REST = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		n, _ := io.Copy(io.Discard, r.Body)
		_, _ = fmt.Fprint(w, n)
	})
	l := listen(t)
	server := &web.Server{Handler: site.Handler(), Health: health, Log: site.Edge.Log, Shutdown: time.Minute}
	ctx, stop := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- server.Serve(ctx, l) }()
	t.Cleanup(func() { stop(); <-ended })

	const chunked = "Transfer-Encoding: chunked\r\n"
	post := func(version, headers, body string) string {
		return "POST /api/v1/posts HTTP/" + version + "\r\nHost: x\r\n" + headers + "\r\n" + body
	}
	plain := post("1.1", chunked, "2\r\n{}\r\n0\r\n\r\n")
	for name, c := range map[string]struct {
		sent   []string // each is answered before the next is sent
		closes bool
	}{
		"chunks":                     {[]string{plain, plain, plain}, false},
		"a length":                   {[]string{post("1.1", "Content-Length: 2\r\n", "{}"), plain}, false},
		"a length before chunks":     {[]string{post("1.1", "Content-Length: 12\r\n"+chunked, "2\r\n{}\r\n0\r\n\r\n")}, true},
		"a length behind chunks":     {[]string{plain, post("1.1", chunked+"content-length: 2\r\n", "2\r\n{}\r\n0\r\n\r\n")}, true},
		"a length among others":      {[]string{post("1.1", chunked+"X-Content-Length: 2\r\nX: Content-Length: 2\r\n", "2\r\n{}\r\n0\r\n\r\n")}, false},
		"a length in the body":       {[]string{post("1.1", chunked, "17\r\nContent-Length: 3\r\n\r\n{}\r\n0\r\n\r\n")}, false},
		"headers that are not kept":  {[]string{post("1.1", "X-Long: "+strings.Repeat("x", 3000)+"\r\n"+chunked, "2\r\n{}\r\n0\r\n\r\n")}, true},
		"trailers":                   {[]string{post("1.1", chunked+"Trailer: X\r\n", "2\r\n{}\r\n0\r\nX: 1\r\n\r\n")}, true},
		"a head in two parts":        {[]string{plain + "POST /api/v1/posts HTTP/1.1\r\nContent-Length: 12\r\nX: ", plain}, true},
		"a head in two equal parts":  {[]string{plain + "POST /api/v1/posts HTTP/1.1\r\nX: 1\r\nContent-Length: 12\r\nX: ", post("1.1", "X: 1\r\n"+chunked, "2\r\n{}\r\n0\r\n\r\n")}, true},
		"HTTP/1.0 that stays":        {[]string{post("1.0", "Connection: keep-alive\r\nContent-Length: 2\r\n", "{}")}, false},
		"HTTP/1.0 that stays chunks": {[]string{post("1.0", "Connection: keep-alive\r\nContent-Length: 2\r\n"+chunked, "{}")}, true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			conn, err := net.Dial("tcp", l.Addr().String())
			if err != nil {
				t.Fatal(err)
			}
			defer conn.Close()
			answers := bufio.NewReader(conn)
			for i, text := range c.sent {
				if _, err := io.WriteString(conn, text); err != nil {
					t.Fatal(err)
				}
				res, err := http.ReadResponse(answers, nil)
				if err != nil {
					t.Fatal(err)
				}
				_, _ = io.Copy(io.Discard, res.Body)
				if closes := c.closes && i == len(c.sent)-1; res.StatusCode != 200 || res.Close != closes {
					t.Errorf("request %d is answered %d, closes %v, want %v", i, res.StatusCode, res.Close, closes)
				}
			}
			if c.closes {
				if _, err := answers.ReadByte(); err != io.EOF {
					t.Errorf("behind its last answer the connection has %v", err)
				}
			}
		})
	}
}
