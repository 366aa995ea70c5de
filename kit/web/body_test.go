package web_test

import (
	"bufio"
	"errors"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"
)

func TestBodyLimits(t *testing.T) {
	edge, _ := newEdge()
	h := edge.Handler(whoami)
	for name, c := range map[string]struct {
		path    string
		size    int
		chunked bool
		want    int
	}{
		"as large as allowed":           {"/api/v1/users", 100, false, 200},
		"one byte more":                 {"/api/v1/users", 101, false, 413},
		"as large, of unknown size":     {"/api/v1/users", 100, true, 200},
		"one more, of unknown size":     {"/api/v1/users", 101, true, 413},
		"less under auth":               {"/api/v1/auth/login", 11, false, 413},
		"less under auth without a v1":  {"/api/auth/login", 11, true, 413},
		"more in bulk":                  {"/api/v1/users/bulk", 1000, false, 200},
		"too much in bulk":              {"/api/v1/users/bulk", 1001, true, 413},
		"as ever where auth is no path": {"/api/v1/authors", 100, false, 200},
	} {
		t.Run(name, func(t *testing.T) {
			r := request("POST", c.path, strings.Repeat("x", c.size))
			if c.chunked {
				r.ContentLength = -1
			}
			w := do(h, r)
			if w.Code != c.want {
				t.Errorf("%d bytes are answered %d, want %d", c.size, w.Code, c.want)
			}
			if closes := w.Header().Get("Connection") == "close"; closes != (c.want == 413) {
				t.Errorf("the connection closes: %v", closes)
			}
		})
	}
}

func TestTheLimitIsAlsoNetHTTPs(t *testing.T) {
	edge, _ := newEdge()
	var err error
	do(edge.Handler(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		_, err = io.ReadAll(r.Body)
	})), func() *http.Request {
		r := request("POST", "/", strings.Repeat("x", 200))
		r.ContentLength = -1
		return r
	}())
	var most *http.MaxBytesError
	if !errors.As(err, &most) || most.Limit != 100 {
		t.Errorf("reading returned %v, want an http.MaxBytesError of 100", err)
	}
}

func TestCompressedBodiesAreRefused(t *testing.T) {
	edge, _ := newEdge()
	h := edge.Handler(whoami)
	if w := do(h, request("POST", "/", "x", "Content-Encoding", "gzip")); w.Code != 415 {
		t.Errorf("gzip is answered %d, want 415", w.Code)
	}
	for _, method := range []string{"GET", "HEAD"} { // where a body has no meaning
		if w := do(h, request(method, "/", strings.Repeat("x", 200), "Content-Encoding", "gzip")); w.Code != 200 {
			t.Errorf("%s with a body is answered %d", method, w.Code)
		}
	}
	if w := do(h, request("POST", "/", "x", "Content-Encoding", "identity")); w.Code != 200 {
		t.Errorf("identity is answered %d, want 200", w.Code)
	}
}

// talk sends raw text to a server and returns the first answer.
func talk(t *testing.T, s *httptest.Server, text string) *http.Response {
	t.Helper()
	conn, err := net.Dial("tcp", s.Listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = conn.Close() })
	if _, err := io.WriteString(conn, text); err != nil {
		t.Fatal(err)
	}
	res, err := http.ReadResponse(bufio.NewReader(conn), nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = res.Body.Close() })
	return res
}

func TestASlowBodyIs408(t *testing.T) {
	edge, _ := newEdge()
	edge.Limit.BodyTime = 20 * time.Millisecond
	s := httptest.NewServer(edge.Handler(whoami))
	defer s.Close()
	res := talk(t, s, "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 50\r\n\r\nhalf")
	if res.StatusCode != 408 || !res.Close {
		t.Errorf("answered %d, closes %v; want 408 and true", res.StatusCode, res.Close)
	}
}

func TestTheDeadlineEndsWithTheBody(t *testing.T) {
	edge, _ := newEdge()
	edge.Limit.BodyTime = 30 * time.Millisecond
	passed := make(chan struct{})
	s := httptest.NewServer(edge.Handler(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		select {
		case <-r.Context().Done():
			http.Error(w, "the deadline for the body ended the answer", http.StatusInternalServerError)
		case <-passed:
		}
	})))
	defer s.Close()
	time.AfterFunc(100*time.Millisecond, func() { close(passed) })
	if res := talk(t, s, "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 4\r\n\r\nbody"); res.StatusCode != 200 {
		t.Errorf("answered %d, want 200", res.StatusCode)
	}
}
