package web_test

import (
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
