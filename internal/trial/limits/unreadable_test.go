package limits_test

import (
	"bufio"
	"encoding/json"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"

	"github.com/entwine-go/entwine/internal/trial"
)

// net/http refuses what it can't read as a request before any handler sees it.
func TestWhatCannotBeReadIsAnsweredInTheEnvelope(t *testing.T) {
	t.Parallel()
	s := trial.Start(t)
	address := strings.TrimPrefix(s.URL, "http://")
	for name, c := range map[string]struct {
		sent   string
		status int
		holds  string
	}{
		"a malformed escape in the path": {"GET /api/v1/posts/%zz HTTP/1.1\r\nHost: x\r\n\r\n", 400, "a percent sign stands before two"},
		"no request at all":              {"hello\r\n\r\n", 400, "VALIDATION_ERROR"},
		"no host":                        {"GET /api/v1/posts HTTP/1.1\r\n\r\n", 400, "missing required Host header"},
		"an unknown transfer coding":     {"POST /api/v1/posts HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: identity\r\n\r\n", 400, "Transfer-Encoding must be chunked"},
		"a transfer coding twice":        {"POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n\r\n", 400, "Transfer-Encoding must be chunked"},
		"two transfer codings":           {"POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: gzip, chunked\r\n\r\n", 400, "Transfer-Encoding must be chunked"},
		"a version of HTTP of its own":   {"GET / HTTP/3.1\r\nHost: x\r\n\r\n", 400, "unsupported protocol version"},
		"an unknown expectation":         {"POST /api/v1/posts HTTP/1.1\r\nHost: x\r\nExpect: payment\r\nContent-Length: 2\r\n\r\n{}", 400, "Expect must be 100-continue"},
		"a header that is none":          {"GET / HTTP/1.1\r\nHost: x\r\nnone\r\n\r\n", 400, "VALIDATION_ERROR"},
		"headers without end":            {"GET / HTTP/1.1\r\nHost: x\r\nA: " + strings.Repeat("a", 1<<17) + "\r\n\r\n", 431, "HEADERS_TOO_LARGE"},
		"the second of two": {
			"GET /healthz HTTP/1.1\r\nHost: x\r\n\r\nGET /%zz HTTP/1.1\r\nHost: x\r\n\r\n", 400, "VALIDATION_ERROR",
		},
	} {
		conn, err := net.Dial("tcp", address)
		if err != nil {
			t.Fatal(err)
		}
		go func() { _, _ = io.WriteString(conn, c.sent) }() // it may be cut off
		r := bufio.NewReader(conn)
		if strings.Contains(c.sent, "/healthz") {
			if first, err := http.ReadResponse(r, nil); err != nil || first.StatusCode != 200 {
				t.Fatalf("%s: %v %v", name, first, err)
			} else if _, err := io.Copy(io.Discard, first.Body); err != nil {
				t.Fatal(err)
			}
		}
		a, err := http.ReadResponse(r, nil)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		var body struct {
			Status string
			Error  struct {
				Code, Message string
				RequestID     string `json:"request_id"`
			}
		}
		text, err := io.ReadAll(a.Body)
		if err != nil || json.Unmarshal(text, &body) != nil || a.StatusCode != c.status || body.Status != "error" || !strings.Contains(string(text), c.holds) {
			t.Errorf("%s: %d %s %v", name, a.StatusCode, text, err)
		}
		if id := a.Header.Get("X-Request-Id"); id == "" || id != body.Error.RequestID || !a.Close ||
			a.Header.Get("Content-Type") != "application/json" || a.Header.Get("X-Content-Type-Options") != "nosniff" {
			t.Errorf("%s: %v", name, a.Header)
		}
		_ = conn.Close()
	}
	// The envelope is that of the version and of the API that the request begins with.
	long := strings.Repeat("a", 1<<17)
	for name, c := range map[string]struct {
		sent   string
		status int
		begins string
	}{
		"a malformed escape in version 2": {"GET /api/v2/posts/%zz HTTP/1.1\r\nHost: x\r\n\r\n", 400, `{"status":"fail","message":`},
		"headers without end":             {"GET /api/v2/posts HTTP/1.1\r\nHost: x\r\nA: " + long, 431, `{"status":"fail","message":"the headers`},
		"a path without end":              {"GET /api/v2/posts/" + long, 414, `{"status":"fail","message":"the path and the query`},
		"a version by header":             {"GET /api/posts HTTP/1.1\r\nX-API-Version: 2\r\nHost: x\r\nA: " + long, 431, `{"status":"fail"`},
		"a version by host":               {"GET /api/posts HTTP/1.1\r\nHost: V2.example.com\r\nA: " + long, 431, `{"status":"fail"`},
		"version 1":                       {"GET /api/posts/%zz HTTP/1.1\r\nHost: x\r\n\r\n", 400, `{"status":"error"`},
		"GraphQL":                         {"GET /graphql?query=" + long, 414, `{"data":null,"errors":[`},
	} {
		res, body := raw(t, s, c.sent)
		if res.StatusCode != c.status || !strings.HasPrefix(body, c.begins) {
			t.Errorf("%s: answered %d %s, want %d %s", name, res.StatusCode, body, c.status, c.begins)
		}
	}
	// A browser at a malformed path is shown the page of other wrong paths.
	for path, want := range map[string]int{"/%zz": 404, "/api/v1/%zz": 404, "/nothing": 404} {
		if res, body := raw(t, s, "GET "+path+" HTTP/1.1\r\nHost: x\r\nAccept: text/html,*/*;q=0.8\r\nConnection: close\r\n\r\n"); res.StatusCode != want || !strings.Contains(body, "<title>Not found</title>") {
			t.Errorf("a browser at %s: %d %s", path, res.StatusCode, body)
		}
	}
	// A handler's own answer is not rewritten.
	text := `HTTP/1.1 400 Bad Request\r\nContent-Type: text/plain; charset=utf-8\r\nConnection: close\r\n\r\n`
	s.Ask(t, "POST", "/graphql", `{"query":"{ users(limit: 1, page: `+text+`) }"}`).Want(t, 200)
	s.Ask(t, "GET", "/api/v1/posts", "").Want(t, 200)
}

// Errors have the media type that the request asks for, whichever layer refuses it.
func TestRefusalsHaveTheVersionsMediaType(t *testing.T) {
	t.Parallel()
	s := trial.Start(t)
	for _, media := range []string{"application/vnd.entwine.v1+json", "application/vnd.entwine.v2+json", "application/vnd.entwine+json"} {
		for name, c := range map[string]struct {
			sent   string
			status int
		}{
			"a bad token":         {"GET /api/posts HTTP/1.1\r\nAuthorization: Bearer x\r\n", 401},
			"a compressed body":   {"POST /api/auth/login HTTP/1.1\r\nContent-Encoding: gzip\r\nTransfer-Encoding: chunked\r\n", 415},
			"a long header":       {"GET /api/posts HTTP/1.1\r\nA: " + strings.Repeat("a", 40<<10) + "\r\n", 431},
			"a path of none":      {"GET /api HTTP/1.1\r\n", 404},
			"a malformed path":    {"GET /api/%zz HTTP/1.1\r\n", 400},
			"nothing at the path": {"GET /api/nothing HTTP/1.1\r\n", 404},
		} {
			line, rest, _ := strings.Cut(c.sent, "\r\n")
			res, body := raw(t, s, line+"\r\nHost: x\r\nAccept: "+media+"\r\nConnection: close\r\n"+rest+"\r\n")
			if res.StatusCode != c.status || res.Header.Get("Content-Type") != media || !strings.HasPrefix(body, `{"status":`) {
				t.Errorf("%s as %s: %d %s %s, want %d", name, media, res.StatusCode, res.Header.Get("Content-Type"), body, c.status)
			}
		}
	}
	// A long header that net/http refuses.
	if res, body := raw(t, s, "GET /api/posts HTTP/1.1\r\nAccept: application/vnd.entwine.v2+json\r\nHost: x\r\nA: "+strings.Repeat("a", 1<<17)); res.StatusCode != 431 || res.Header.Get("Content-Type") != "application/vnd.entwine.v2+json" {
		t.Errorf("answered %d %v %s", res.StatusCode, res.Header, body)
	}
}

// Below the pages, too, a path where there is nothing is answered with the page of other
// wrong paths in a browser, and to other clients with the envelope.
func TestNothingBelowAPageIsAnsweredInPlainText(t *testing.T) {
	t.Parallel()
	s := trial.Start(t)
	for _, path := range []string{"/graphiql/", "/graphiql/x", "/graphql/", "/console/assets/x", "/.well-known/x", "/nothing"} {
		s.Ask(t, "GET", path, "").Want(t, 404, `"code":"RESOURCE_NOT_FOUND"`)
		page := s.Ask(t, "GET", path, "", "Accept", "text/html").Want(t, 404, "<title>Not found</title>", `href="/api/v1/docs"`)
		if policy := page.Header.Get("Content-Security-Policy"); !strings.Contains(policy, "style-src 'sha256-") {
			t.Errorf("%s: %s", path, policy)
		}
	}
	s.Ask(t, "POST", "/graphiql", "").Want(t, 405, `"code":"METHOD_NOT_ALLOWED"`)
}
