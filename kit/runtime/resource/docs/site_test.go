package docs_test

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"reflect"
	"strings"
	"testing"

	"gopkg.in/yaml.v3"

	"github.com/entwine-go/entwine/kit/runtime/resource/docs"
	"github.com/entwine-go/entwine/kit/runtime/resource/failure"
)

const document = `{"openapi":"3.1.0","info":{"title":"Notes","version":"1.0.0","description":"no: 2026-01-31"},"paths":{},"x":["no","1.10","0o7","",null,1e3]}`

// get asks the site for a path. Headers are names and values in turn.
func get(t *testing.T, site *docs.Site, method, path string, headers ...string) *httptest.ResponseRecorder {
	t.Helper()
	r := httptest.NewRequestWithContext(t.Context(), method, path, http.NoBody)
	for i := 0; i < len(headers); i += 2 {
		r.Header.Set(headers[i], headers[i+1])
	}
	w := httptest.NewRecorder()
	if err := site.Serve(w, r, path); err != nil {
		failure.New("notes", "1.0.0").Write(w, r, err)
	}
	return w
}

// want is get for an answer with the status.
func want(t *testing.T, status int, site *docs.Site, method, path string, headers ...string) *httptest.ResponseRecorder {
	t.Helper()
	w := get(t, site, method, path, headers...)
	if w.Code != status {
		t.Fatalf("%s %s %q: status %d, want %d: %s", method, path, headers, w.Code, status, w.Body)
	}
	return w
}

func TestTheDocumentIsPublished(t *testing.T) {
	site := docs.New([]byte(document), nil)
	var inJSON map[string]any
	if err := json.Unmarshal(want(t, 200, site, "GET", "/openapi").Body.Bytes(), &inJSON); err != nil {
		t.Fatal(err)
	}
	for accept, media := range map[string]string{
		"*/*": "application/json", "application/openapi+json": "application/openapi+json; version=3.1",
		"application/yaml": "application/yaml", "application/openapi+yaml;version=3.1": "application/openapi+yaml; version=3.1",
	} {
		a := want(t, 200, site, "GET", "/openapi", "Accept", accept)
		if got := a.Header().Get("Content-Type"); got != media {
			t.Errorf("%s: %s", accept, got)
		}
		want(t, 304, site, "GET", "/openapi", "Accept", accept, "If-None-Match", a.Header().Get("ETag"))
		var decoded, again map[string]any
		if err := yaml.Unmarshal(a.Body.Bytes(), &decoded); err != nil { // JSON is YAML
			t.Fatal(err)
		}
		text, err := json.Marshal(decoded)
		if err != nil {
			t.Fatal(err)
		}
		if err := json.Unmarshal(text, &again); err != nil || !reflect.DeepEqual(again, inJSON) {
			t.Errorf("%s is another document than the JSON: %s", accept, a.Body)
		}
	}
	packed := want(t, 200, site, "GET", "/openapi", "Accept-Encoding", "gzip")
	if unpack, err := gzip.NewReader(bytes.NewReader(packed.Body.Bytes())); err != nil {
		t.Error(err)
	} else if text, err := io.ReadAll(unpack); err != nil || string(text) != document {
		t.Errorf("compressed it is another one: %v", err)
	}
	want(t, 406, site, "GET", "/openapi", "Accept", "text/html")
	for method, status := range map[string]int{"POST": 405, "OPTIONS": 204} {
		if got := want(t, status, site, method, "/openapi").Header().Get("Allow"); got != "GET, HEAD, OPTIONS" {
			t.Errorf("%s: Allow %q", method, got)
		}
	}
	if site.Has("/openapi.json") {
		t.Error("there is a file at /openapi.json")
	}
}

func TestTheReferenceNeedsNoNetwork(t *testing.T) {
	site := docs.New([]byte(document), nil)
	page := want(t, 200, site, "GET", "/docs", "Accept", "text/html,application/xhtml+xml,*/*;q=0.8")
	if !strings.Contains(page.Body.String(), "<title>Notes: the REST API</title>") {
		t.Errorf("the page has another title: %s", page.Body)
	}
	if strings.Contains(page.Body.String(), "//") {
		t.Errorf("the page names another host: %s", page.Body)
	}
	policy := page.Header().Get("Content-Security-Policy")
	for _, no := range []string{"unsafe", "http", "*"} {
		if strings.Contains(policy, no) {
			t.Errorf("policy %q", policy)
		}
	}
	for path, holds := range map[string]string{"/docs/script": "SwaggerUIBundle", "/docs/style": ".swagger-ui"} {
		a := want(t, 200, site, "GET", path, "Accept", "*/*")
		if !strings.Contains(a.Body.String(), holds) {
			t.Errorf("%s: %.80s", path, a.Body)
		}
		want(t, 304, site, "GET", path, "Accept", "*/*", "If-None-Match", a.Header().Get("ETag"))
	}
}
