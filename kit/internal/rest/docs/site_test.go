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

	"github.com/entwine-go/entwine/kit/internal/rest/docs"
	"github.com/entwine-go/entwine/kit/rest/apiversion"
	"github.com/entwine-go/entwine/kit/rest/failure"
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
		versions, bad := apiversion.New(apiversion.About{Name: "notes", Prefix: "/notes"}, "1", apiversion.Version{Number: "1.0.0"})
		if bad != nil {
			t.Fatal(bad)
		}
		failure.New("notes", versions).Write(w, r, err)
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
	site := docs.New(func() []byte { return []byte(document) }, nil)
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

const notes = `{"openapi":"3.1.0","info":{"title":"<Notes>","version":"1.0.0","description":"Bodies are ` + "`JSON`" + `.\n\nTimes are UTC."},
"security":[{},{"session":[]}],"tags":[{"name":"Notes","description":"What was noted."},{"name":"Empty"}],
"paths":{
 "/notes/{id}":{"parameters":[{"$ref":"#/components/parameters/ID"}],
  "get":{"operationId":"readNote","tags":["Notes"],"summary":"Read a note","responses":{"200":{"$ref":"#/components/responses/Note"}}},
  "head":{"operationId":"headNote","tags":["Notes"],"responses":{"200":{"description":"As GET."}}},
  "delete":{"operationId":"deleteNote","deprecated":true,"responses":{"204":{"description":"Gone."}}}},
 "/auth/login":{"post":{"operationId":"login","tags":["Auth"],"responses":{"200":{"description":"In."}}}}},
"components":{"parameters":{"ID":{"name":"id","in":"path","required":true,"schema":{"$ref":"#/components/schemas/ID"}}},
 "responses":{"Note":{"description":"It.","content":{"application/json":{"schema":{"$ref":"#/components/schemas/Note"}}}}},
 "schemas":{"ID":{"type":"integer"},"Note":{"type":"object","properties":{"z":{"type":"string"},"a":{"$ref":"#/components/schemas/Note"}}},"Other":{"type":"string"}}}}`

// The page lists what there is, and loads what an operation is about with all
// that it refers to, and nothing else.
func TestTheReferenceIsTakenApart(t *testing.T) {
	site := docs.New(func() []byte { return []byte(notes) }, nil)
	page := want(t, 200, site, "GET", "/docs", "Accept", "text/html").Body.String()
	var at int
	for _, text := range []string{
		"&lt;Notes&gt;", `id="sign-in"`, "Bodies are <code>JSON</code>.", "Times are UTC.", `id="tag-Notes"`, "What was noted.", `id="readNote"`, "Read a note",
		`id="tag-Other"`, `id="deleteNote"`, "(deprecated)", `id="tag-Auth"`, `id="login"`,
	} {
		next := strings.Index(page[at:], text)
		if next < 0 {
			t.Fatalf("the page lacks %s, or has it elsewhere:\n%s", text, page)
		}
		at += next
	}
	nav := page[strings.Index(page, "<nav"):strings.Index(page, "</nav>")]
	if own, kits, found := strings.Cut(nav, `<li class="kit">Operations</li>`); !found || !strings.Contains(own, "#tag-Notes") || strings.Contains(own, "#tag-Auth") || !strings.Contains(kits, "#tag-Auth") {
		t.Errorf("the menu has the service's own first, and the kit's as Operations:\n%s", nav)
	}
	for _, text := range []string{"headNote", "Empty", "<Notes>"} {
		if strings.Contains(page, text) {
			t.Errorf("the page holds %s", text)
		}
	}
	got := want(t, 200, site, "GET", "/docs/operations/readNote", "Accept", "*/*").Body.String()
	const alone = `{"id":"readNote","method":"GET","path":"/notes/{id}","security":[{},{"session":[]}],"parameters":[{"$ref":"#/components/parameters/ID"}],` +
		`"operation":{"operationId":"readNote","tags":["Notes"],"summary":"Read a note","responses":{"200":{"$ref":"#/components/responses/Note"}}},` +
		`"components":{"parameters":{"ID":{"name":"id","in":"path","required":true,"schema":{"$ref":"#/components/schemas/ID"}}},` +
		`"responses":{"Note":{"description":"It.","content":{"application/json":{"schema":{"$ref":"#/components/schemas/Note"}}}}},` +
		`"schemas":{"ID":{"type":"integer"},"Note":{"type":"object","properties":{"z":{"type":"string"},"a":{"$ref":"#/components/schemas/Note"}}}}}}`
	if got != alone {
		t.Errorf("an operation alone is\n%s\nwant\n%s", got, alone)
	}
	for path, route := range map[string]string{"/docs/operations/readNote": "docs/operations", "/docs": "docs"} {
		if got := docs.Route(path); got != route {
			t.Errorf("the route of %s is %s", path, got)
		}
	}
	for _, path := range []string{"/docs/operations/headNote", "/docs/operations/", "/docs/operations/other"} {
		if site.Has(path) {
			t.Errorf("there is a file at %s", path)
		}
	}
}

func TestThePageWithoutASignIn(t *testing.T) {
	site := docs.New(func() []byte { return []byte(document) }, nil)
	if page := want(t, 200, site, "GET", "/docs", "Accept", "text/html").Body.String(); strings.Contains(page, "sign-in") {
		t.Errorf("it asks for a password where there is no sign-in:\n%s", page)
	}
}

func TestTheReferenceNeedsNoNetwork(t *testing.T) {
	site := docs.New(func() []byte { return []byte(document) }, nil)
	page := want(t, 200, site, "GET", "/docs", "Accept", "text/html,application/xhtml+xml,*/*;q=0.8")
	if !strings.Contains(page.Body.String(), "<title>Notes: the REST API</title>") {
		t.Errorf("the page has another title: %s", page.Body)
	}
	if strings.Contains(page.Body.String(), "//") {
		t.Errorf("the page names another host: %s", page.Body)
	}
	policy := page.Header().Get("Content-Security-Policy")
	again := want(t, 304, site, "GET", "/docs", "Accept", "text/html", "If-None-Match", page.Header().Get("ETag"))
	if got := again.Header().Get("Content-Security-Policy"); got != policy {
		t.Errorf("a reload has the policy %q, want %q: the browser would apply it to the page", got, policy)
	}
	for _, no := range []string{"unsafe", "http", "*"} {
		if strings.Contains(policy, no) {
			t.Errorf("policy %q", policy)
		}
	}
	for path, holds := range map[string]string{"/docs/script": ".operation", "/docs/style": ".operation"} {
		a := want(t, 200, site, "GET", path, "Accept", "*/*")
		if !strings.Contains(a.Body.String(), holds) {
			t.Errorf("%s: %.80s", path, a.Body)
		}
		want(t, 304, site, "GET", path, "Accept", "*/*", "If-None-Match", a.Header().Get("ETag"))
	}
}
