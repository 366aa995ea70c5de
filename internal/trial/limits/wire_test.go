package limits_test

import (
	"bufio"
	"io"
	"net"
	"net/http"
	"strconv"
	"strings"
	"testing"

	"github.com/entwine-go/entwine/internal/trial"
)

// TestWhatTheWireBrings sends bytes that no client library would.
func TestWhatTheWireBrings(t *testing.T) {
	t.Parallel()
	s := trial.Start(t, "ENTWINE_ACCESS_TOKEN_TIME=2h", "ENTWINE_BODY_TIME=200ms", "ENTWINE_ADMIN_PASSWORD="+trial.AdminPassword)
	token := "Authorization: Bearer " + s.SignIn(t) + "\r\n"
	large := strings.Repeat("x", 1<<20+1)
	post := func(path, headers, body string) string {
		return "POST " + path + " HTTP/1.1\r\nHost: x\r\n" + token + "Content-Type: application/json\r\n" + headers + "\r\n" + body
	}
	sized := func(path, body string) string {
		return post(path, "Content-Length: "+length(body)+"\r\n", body)
	}
	chunked := func(path, body string) string {
		const part = 32 << 10
		var b strings.Builder
		for len(body) > 0 {
			n := min(part, len(body))
			b.WriteString(hex(n) + "\r\n" + body[:n] + "\r\n")
			body = body[n:]
		}
		return post(path, "Transfer-Encoding: chunked\r\n", b.String()+"0\r\n\r\n")
	}
	const posts, graphql = "/api/v1/posts", "/graphql"
	for name, c := range map[string]struct {
		request string
		status  int
		code    string
		closes  bool
	}{
		"large headers":                   {"GET " + posts + " HTTP/1.1\r\nHost: x\r\nX-Large: " + large[:33<<10] + "\r\n\r\n", 431, "HEADERS_TOO_LARGE", false},
		"large headers to GraphQL":        {"GET " + graphql + " HTTP/1.1\r\nHost: x\r\nX-Large: " + large[:33<<10] + "\r\n\r\n", 431, "HEADERS_TOO_LARGE", false},
		"a long path":                     {"GET " + posts + "/" + large[:33<<10] + " HTTP/1.1\r\nHost: x\r\n\r\n", 414, "URI_TOO_LONG", false},
		"a path of 9,000 bytes":           {"GET " + posts + "/" + large[:9000] + " HTTP/1.1\r\nHost: x\r\n\r\n", 414, "URI_TOO_LONG", false},
		"such a path of version 2":        {"GET /api/v2/" + large[:9000] + " HTTP/1.1\r\nHost: x\r\n\r\n", 414, `errors":{},"code":"URI_TOO_LONG`, false},
		"such a path of no API":           {"GET /" + large[:9000] + " HTTP/1.1\r\nHost: x\r\n\r\n", 414, "URI_TOO_LONG", false},
		"a long query":                    {"GET " + posts + "?search=" + large[:33<<10] + " HTTP/1.1\r\nHost: x\r\n\r\n", 414, "URI_TOO_LONG", false},
		"a long query to GraphQL":         {"GET " + graphql + "?query=" + large[:33<<10] + " HTTP/1.1\r\nHost: x\r\n\r\n", 414, "URI_TOO_LONG", false},
		"many headers":                    {"GET " + posts + " HTTP/1.1\r\nHost: x\r\n" + strings.Repeat("X-Many: 1234567890\r\n", 1700) + "\r\n", 431, "HEADERS_TOO_LARGE", false},
		"a large body":                    {sized(posts, large), 413, "PAYLOAD_TOO_LARGE", true},
		"a large chunked body":            {chunked(posts, large), 413, "PAYLOAD_TOO_LARGE", true},
		"a large body to GraphQL":         {sized(graphql, large), 413, "PAYLOAD_TOO_LARGE", true},
		"a large chunked body to GraphQL": {chunked(graphql, large), 413, "PAYLOAD_TOO_LARGE", true},
		"a large body to auth":            {sized("/api/v1/auth/login", large[:17<<10]), 413, "PAYLOAD_TOO_LARGE", true},
		"a large chunked body to auth":    {chunked("/api/v1/auth/login", large[:17<<10]), 413, "PAYLOAD_TOO_LARGE", true},
		"a slow body":                     {post(posts, "Content-Length: 100\r\n", `{"title": `), 408, "REQUEST_TIMEOUT", true},
		"a slow chunked body":             {post(posts, "Transfer-Encoding: chunked\r\n", "5\r\n{\"tit"), 408, "REQUEST_TIMEOUT", true},
		"a slow body to GraphQL":          {post(graphql, "Content-Length: 100\r\n", `{"query": `), 408, "REQUEST_TIMEOUT", true},
		"malformed chunks":                {post(posts, "Transfer-Encoding: chunked\r\n", "zz\r\n{}\r\n0\r\n\r\n"), 400, "VALIDATION_ERROR", true},
		"malformed chunks to GraphQL":     {post(graphql, "Transfer-Encoding: chunked\r\n", "zz\r\n{}\r\n0\r\n\r\n"), 400, "BAD_USER_INPUT", true},
		"a compressed body":               {post(posts, "Content-Encoding: gzip\r\nContent-Length: 2\r\n", "{}"), 415, "UNSUPPORTED_MEDIA_TYPE", true},
		"deep JSON":                       {sized(posts, strings.Repeat("[", 33)+strings.Repeat("]", 33)), 400, "INVALID_JSON", false},
		"a name twice":                    {sized(posts, `{"title": "a", "title": "b"}`), 400, "INVALID_JSON", false},
		"trailing data":                   {sized(posts, `{"title": "a"} {}`), 400, "INVALID_JSON", false},
		"NUL":                             {sized(posts, `{"title": "a\u0000"}`), 400, "INVALID_JSON", false},
		"invalid UTF-8":                   {sized(posts, "{\"title\": \"\xff\"}"), 400, "INVALID_JSON", false},
		"deep JSON to GraphQL":            {sized(graphql, strings.Repeat("[", 33)+strings.Repeat("]", 33)), 400, "BAD_USER_INPUT", false},
		"a name twice to GraphQL":         {sized(graphql, `{"query": "{a}", "query": "{b}"}`), 400, "BAD_USER_INPUT", false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			res, body := raw(t, s, c.request)
			if res.StatusCode != c.status || !strings.Contains(body, `"`+c.code+`"`) || res.Close != c.closes {
				t.Errorf("answered %d, closes %v: %s; want %d %s, %v", res.StatusCode, res.Close, body, c.status, c.code, c.closes)
			}
			if res.Header.Get("X-RateLimit-Remaining") == "" || res.Header.Get("X-Request-Id") == "" {
				t.Errorf("the answer lacks headers: %v", res.Header)
			}
		})
	}
}

// raw sends text to the service and returns the first answer. The service may close before
// all of it is sent.
func raw(t *testing.T, s *trial.Service, text string) (*http.Response, string) {
	t.Helper()
	conn, err := net.Dial("tcp", strings.TrimPrefix(s.URL, "http://"))
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	go func() { _, _ = io.WriteString(conn, text) }()
	res, err := http.ReadResponse(bufio.NewReader(conn), nil)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	body, err := io.ReadAll(res.Body)
	if err != nil {
		t.Fatal(err)
	}
	return res, string(body)
}

func length(text string) string { return strconv.Itoa(len(text)) }

func hex(n int) string { return strconv.FormatInt(int64(n), 16) }
