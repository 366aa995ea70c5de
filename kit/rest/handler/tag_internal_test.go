package handler

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/entwine-go/entwine/kit/rest/negotiate"
)

// A tag is found among others in every condition, a weak one never allows a write, and a
// condition with neither the tag nor * matches nothing.
func FuzzConditions(f *testing.F) {
	for _, header := range []string{"", "*", `"a"`, `W/"a"`, `"a", "b"`, `"a,b"`, `"a`, `,,`, "W/", `"x" "y"`, "\t*\t", `a"b"c`} {
		f.Add(header, "Sat, 21 Nov 2026 08:00:00 GMT")
	}
	f.Add("", "yesterday")
	body := []byte(`{"status":"success","data":{"id":1}}`)
	tag := entityTag(12, body, negotiate.JSON)
	modified := time.Date(2026, 11, 21, 8, 0, 0, 1000, time.UTC)
	f.Fuzz(func(t *testing.T, header, since string) {
		names := header == "*" || strings.Contains(header, "*") || strings.Contains(header, "12")
		if !names && (current([]string{header}, 12, body) || conditional("If-None-Match", header).fresh(http.Header{}, tag, modified)) {
			t.Fatalf("%q matches %s", header, tag)
		}
		if strings.Count(header, `"`)%2 == 0 && !strings.Contains(header, `"W/`) {
			with := `"other", ` + tag + `, ` + header
			if !current([]string{with}, 12, body) || !conditional("If-None-Match", with).fresh(http.Header{}, tag, modified) {
				t.Fatalf("%q misses %s", with, tag)
			}
		}
		if current([]string{"W/" + tag}, 12, body) {
			t.Fatal("a weak tag allows a write")
		}
		at, err := http.ParseTime(since)
		if got := conditional("If-Modified-Since", since).fresh(http.Header{}, tag, modified); got != (err == nil && !modified.Truncate(time.Second).After(at)) {
			t.Fatalf("If-Modified-Since: %q is %v", since, got)
		}
	})
}

// conditional is an exchange of a GET with the header.
func conditional(name, value string) *Exchange {
	r := httptest.NewRequest(http.MethodGet, "/", http.NoBody)
	r.Header[name] = []string{value}
	return &Exchange{Request: r}
}
