package graphiql_test

import (
	"bytes"
	"compress/gzip"
	"io"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"testing"

	"github.com/entwine-go/entwine/kit/internal/graph/graphiql"
)

func get(t *testing.T, path string, headers ...string) *httptest.ResponseRecorder {
	t.Helper()
	r := httptest.NewRequest(http.MethodGet, path, nil)
	for i := 0; i < len(headers); i += 2 {
		r.Header.Set(headers[i], headers[i+1])
	}
	w := httptest.NewRecorder()
	graphiql.Page{Name: "Notes & more", Accounts: true, Example: `query { notes(title: "a") { id } }`, Errors: func(w http.ResponseWriter, _ *http.Request, err error) {
		http.Error(w, err.Error(), http.StatusNotFound)
	}}.Handler().ServeHTTP(w, r)
	return w
}

// All files of the page are served, with and without compression, and none comes from
// another host.
func TestThePageIsWhole(t *testing.T) {
	page := get(t, graphiql.Path)
	parts := regexp.MustCompile(`(?:src|href)="(/graphiql/[^"]*)"`).FindAllStringSubmatch(page.Body.String(), -1)
	if page.Code != http.StatusOK || len(parts) != 7 {
		t.Fatalf("%d, with %d parts: %s", page.Code, len(parts), page.Body)
	}
	for _, text := range []string{"<title>GraphiQL – Notes &amp; more</title>", `data-example="query { notes(title: &#34;a&#34;) { id } }" data-accounts>`} {
		if !strings.Contains(page.Body.String(), text) {
			t.Errorf("the page does not have %s:\n%s", text, page.Body)
		}
	}
	for _, part := range parts {
		plain, packed := get(t, part[1]), get(t, part[1], "Accept-Encoding", "gzip, br")
		if plain.Code != http.StatusOK || packed.Code != http.StatusOK {
			t.Fatalf("%s: %d and %d", part[1], plain.Code, packed.Code)
		}
		var same io.Reader = packed.Body
		if packed.Header().Get("Content-Encoding") == "gzip" {
			unpacked, err := gzip.NewReader(packed.Body)
			if err != nil {
				t.Fatal(err)
			}
			same = unpacked
		}
		if body, err := io.ReadAll(same); err != nil || !bytes.Equal(body, plain.Body.Bytes()) {
			t.Errorf("%s: differs when compressed: %v", part[1], err)
		}
		if again := get(t, part[1], "If-None-Match", plain.Header().Get("ETag")); again.Code != http.StatusNotModified {
			t.Errorf("%s: %d for what the browser has", part[1], again.Code)
		}
	}
	if other := get(t, graphiql.Path+"/other.js"); other.Code != http.StatusNotFound {
		t.Errorf("what is not there answers %d", other.Code)
	}
}
