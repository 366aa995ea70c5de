package web_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
)

func TestPagesOfOtherOrigins(t *testing.T) {
	edge, _ := newEdge()
	edge.Origins = []string{"https://app.example.com"}
	h := edge.Handler(whoami)
	for _, path := range []string{"/api/v1/posts", "/graphql"} {
		for origin, shared := range map[string]bool{
			"https://app.example.com": true, "http://app.example.com": false, "https://app.example.com.evil.example": false,
			"https://app.example.com:8443": false, "null": false, "": false,
		} {
			r := get(path)
			if origin != "" {
				r.Header.Set("Origin", origin)
			}
			w := do(h, r)
			got, credentials := w.Header().Get("Access-Control-Allow-Origin"), w.Header().Get("Access-Control-Allow-Credentials")
			if shared && (got != origin || credentials != "true" || !strings.Contains(w.Header().Get("Access-Control-Expose-Headers"), "X-Ratelimit-Remaining")) ||
				!shared && got+credentials+w.Header().Get("Access-Control-Expose-Headers") != "" {
				t.Errorf("%s from %q: %v", path, origin, w.Header())
			}
			if !strings.Contains(strings.Join(w.Header()["Vary"], ","), "Origin") {
				t.Errorf("%s from %q is cached for all: %v", path, origin, w.Header())
			}
		}
	}
}

func TestAPreflightNeedsNoCredentials(t *testing.T) {
	edge, _ := newEdge()
	edge.Origins = []string{"https://app.example.com"}
	h := edge.Handler(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { t.Error("it reached the API") }))
	for origin, allowed := range map[string]string{"https://app.example.com": "PATCH", "https://evil.example": ""} {
		r := request("OPTIONS", "/api/v1/posts/1", "", "Origin", origin,
			"Access-Control-Request-Method", "PATCH", "Access-Control-Request-Headers", "authorization,content-type,if-match")
		w := do(h, r)
		if w.Code != http.StatusNoContent || w.Header().Get("Access-Control-Allow-Methods") != allowed {
			t.Errorf("from %s: %d %v", origin, w.Code, w.Header())
		}
	}
}

// The headers that common clients send by themselves are allowed, and those that a setting
// adds.
func TestHeadersThatPagesMaySend(t *testing.T) {
	edge, _ := newEdge()
	edge.Origins, edge.Headers = []string{"https://app.example.com"}, []string{"X-Client-Build"}
	h := edge.Handler(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { t.Error("it reached the API") }))
	for headers, allowed := range map[string]bool{
		"apollographql-client-name,apollographql-client-version,content-type": true,
		"baggage,sentry-trace": true, "traceparent,tracestate": true, "cache-control,last-event-id": true,
		"authorization,x-client-build": true, "x-client-other": false,
		"content-type,tus-resumable,upload-checksum,upload-defer-length,upload-length,upload-metadata,upload-offset,x-request-id":          true,
		"content-digest,content-type,idempotency-key,repr-digest,upload-complete,upload-draft-interop-version,upload-length,upload-offset": true,
	} {
		w := do(h, request("OPTIONS", "/graphql", "", "Origin", "https://app.example.com",
			"Access-Control-Request-Method", "POST", "Access-Control-Request-Headers", headers))
		if got := w.Header().Get("Access-Control-Allow-Headers"); (got == headers) != allowed {
			t.Errorf("%s: %q is allowed, want %v", headers, got, allowed)
		}
	}
}

// The names that a preflight asks for are allowed in any order, with any blanks.
func TestAPreflightInAnyForm(t *testing.T) {
	edge, _ := newEdge()
	edge.Origins = []string{"https://app.example.com"}
	h := edge.Handler(whoami)
	for headers, allowed := range map[string]bool{
		"upload-offset,content-type,authorization": true, "Upload-Offset,  Content-Type ,,\tcontent-type": true, "upload-offset, x-client-other": false,
	} {
		w := do(h, request("OPTIONS", "/api/v1/files", "", "Origin", "https://app.example.com",
			"Access-Control-Request-Method", "PATCH", "Access-Control-Request-Headers", headers))
		if got := w.Header().Get("Access-Control-Allow-Headers"); strings.HasSuffix(got, "content-type,upload-offset") != allowed {
			t.Errorf("%s: %q is allowed, want %v", headers, got, allowed)
		}
	}
}

// In development pages on this machine may call, with cookies, whatever their
// port; those of others may not.
func TestPagesOnThisMachine(t *testing.T) {
	for _, local := range []bool{true, false} {
		edge, _ := newEdge()
		edge.LocalOrigins = local
		h := edge.Handler(whoami)
		for origin, is := range map[string]bool{
			"http://localhost:5173": true, "http://localhost": true, "https://localhost:3000": true, "http://127.0.0.1:8081": true, "http://[::1]:3000": true,
			"http://localhost.evil.example": false, "http://evil.example:5173": false, "http://127.0.0.2": false, "null": false, "file://": false,
			"http://localhost:5173@evil.example": false,
		} {
			w := do(h, request("POST", "/api/v1/posts", "", "Origin", origin, "Sec-Fetch-Site", "same-site", "Cookie", "token=good"))
			got := w.Header().Get("Access-Control-Allow-Origin")
			if may := local && is; may && (w.Code != 200 || got != origin) || !may && (w.Code != 403 || got != "") {
				t.Errorf("local %v, from %s: %d %q", local, origin, w.Code, got)
			}
		}
	}
}

// The log says why a browser withholds the answers from a front end, once for each origin;
// no caller can fill the log.
func TestARefusedOriginIsLoggedOnce(t *testing.T) {
	edge, log := newEdge()
	edge.Origins = []string{"https://app.example.com"}
	h := edge.Handler(whoami)
	ask := func(origin string) {
		r := get("http://api.example.com/api/v1/posts")
		r.Header.Set("Origin", origin)
		do(h, r)
	}
	told := func() int { return strings.Count(log.String(), "ENTWINE_CORS_ORIGINS") }
	ask("https://app.example.com")
	ask("http://api.example.com")
	if told() != 0 {
		t.Errorf("origins that may call were logged:\n%s", log)
	}
	ask("http://localhost:5173")
	ask("http://localhost:5173")
	if told() != 1 || !strings.Contains(log.String(), `"origin":"http://localhost:5173"`) {
		t.Errorf("logged %d times:\n%s", told(), log)
	}
	for i := range 100 {
		ask(fmt.Sprintf("https://%d.evil.example", i))
	}
	if told() != 16 {
		t.Errorf("logged %d origins, want 16", told())
	}
}
