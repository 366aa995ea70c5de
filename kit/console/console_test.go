package console_test

import (
	"bytes"
	"compress/gzip"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/entwine-go/entwine/kit/console"
	"github.com/entwine-go/entwine/kit/kittest/nodetest"
	"github.com/entwine-go/entwine/kit/problem"
)

var notes = console.Page{Name: "notes", API: "/api/v1", Accounts: true, Errors: func(w http.ResponseWriter, _ *http.Request, err error) {
	status := http.StatusNotFound
	if problem.KindOf(err) == problem.MethodNotAllowed {
		status = http.StatusMethodNotAllowed
	}
	w.WriteHeader(status)
}}

// links are the files that a page names.
var links = regexp.MustCompile(`(?:src|href)="([^"]+)"`)

// Every page finds its files relative to its own path, so that a proxy may serve the
// service below any other.
func TestEachPageFindsItsFiles(t *testing.T) {
	t.Parallel()
	h := notes.Handler()
	for _, path := range []string{"/console", "/console/rows/posts", "/console/rows/posts/1/comments"} {
		w := get(h, path, nil)
		if w.Code != 200 || !strings.HasPrefix(w.Header().Get("Content-Type"), "text/html") {
			t.Fatalf("%s: answered %d %s", path, w.Code, w.Header())
		}
		var found int
		for _, link := range links.FindAllStringSubmatch(w.Body.String(), -1) {
			at := httptest.NewRequest(http.MethodGet, "http://proxy.test/shop"+path, nil).URL
			there, err := at.Parse(link[1])
			if err != nil {
				t.Fatal(err)
			}
			below, ok := strings.CutPrefix(there.Path, "/shop")
			if !ok {
				t.Errorf("%s: %s leads out of the path that the proxy serves", path, link[1])
			}
			if below == "/favicon.ico" {
				continue
			}
			if w := get(h, below, nil); w.Code != 200 || w.Header().Get("Cache-Control") != "public, max-age=31536000, immutable" {
				t.Errorf("%s names %s, which answers %d %s", path, link[1], w.Code, w.Header())
			}
			found++
		}
		if found != 2 {
			t.Errorf("%s names %d files, want a script and a style sheet", path, found)
		}
	}
}

// The policy admits no script and no style of the page itself, and the page has none.
func TestThePageHasNothingInline(t *testing.T) {
	t.Parallel()
	w := get(notes.Handler(), "/console", nil)
	const want = "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data: blob:; font-src 'self'; " +
		"base-uri 'none'; form-action 'self'; frame-ancestors 'none'; require-trusted-types-for 'script'"
	if got := w.Header().Get("Content-Security-Policy"); got != want {
		t.Errorf("policy %q, want %q", got, want)
	}
	store := notes
	store.Uploads = "https://s3.example.com"
	if got := get(store.Handler(), "/console", nil).Header().Get("Content-Security-Policy"); !strings.Contains(got, "connect-src 'self' https://s3.example.com;") {
		t.Errorf("policy %q does not let files be sent to the object store", got)
	}
	if inline := regexp.MustCompile(`<script[^>]*>[^<]|<style| style=| on[a-z]+=`).FindString(w.Body.String()); inline != "" {
		t.Errorf("the page holds %q", inline)
	}
}

// The name of a service is text.
func TestThePageNamesTheService(t *testing.T) {
	t.Parallel()
	page := get(console.Page{Name: `"><script>`, API: "/api/v1"}.Handler(), "/console", nil).Body.String()
	if strings.Contains(page, `"><script>`) || strings.Contains(page, "data-accounts") {
		t.Errorf("the page holds %s", page)
	}
}

func TestFilesAreKeptByTheirNames(t *testing.T) {
	t.Parallel()
	h := notes.Handler()
	page := get(h, "/console", nil)
	tag := page.Header().Get("ETag")
	if w := get(h, "/console", http.Header{"If-None-Match": {tag}}); w.Code != 304 || w.Body.Len() > 0 {
		t.Errorf("the page that the browser has: answered %d with %d bytes", w.Code, w.Body.Len())
	}
	for _, path := range []string{"/console/assets/", "/console/assets/console.js", "/console/assets/console-0000000000000000.js"} {
		if w := get(h, path, nil); w.Code != 404 {
			t.Errorf("%s: answered %d, want 404", path, w.Code)
		}
	}
	w := httptest.NewRecorder()
	h.ServeHTTP(w, httptest.NewRequest(http.MethodPost, "/console", nil))
	if w.Code != 405 || w.Header().Get("Allow") != "GET, HEAD" {
		t.Errorf("POST: answered %d %s", w.Code, w.Header())
	}
}

// The first view, which is all of the console, is at most 120 KB over the wire.
func TestTheFirstViewIsSmall(t *testing.T) {
	t.Parallel()
	h := notes.Handler()
	page := get(h, "/console", nil)
	sent := page.Body.Len()
	for _, link := range links.FindAllStringSubmatch(page.Body.String(), -1) {
		if !strings.Contains(link[1], "assets/") {
			continue
		}
		w := get(h, "/"+link[1], http.Header{"Accept-Encoding": {"gzip, deflate, br, zstd"}})
		if w.Header().Get("Content-Encoding") != "gzip" {
			t.Fatalf("%s is sent as %s", link[1], w.Header())
		}
		sent += w.Body.Len()
		r, err := gzip.NewReader(w.Body)
		if err != nil {
			t.Fatal(err)
		}
		text, err := io.ReadAll(r)
		if plain := get(h, "/"+link[1], nil).Body.Bytes(); err != nil || !bytes.Equal(text, plain) {
			t.Errorf("%s: %d bytes compressed are %d, want %d: %v", link[1], w.Body.Len(), len(text), len(plain), err)
		}
	}
	if sent > 120<<10 {
		t.Errorf("the first view takes %d bytes", sent)
	}
	t.Logf("the first view takes %d bytes", sent)
}

// The build tag noconsole leaves no byte of the console in a program.
func TestATagLeavesTheConsoleOut(t *testing.T) {
	t.Parallel()
	out, err := exec.CommandContext(t.Context(), "go", "list", "-tags", "noconsole", "-f", "{{.EmbedFiles}} {{.Incomplete}}", ".").CombinedOutput()
	if err != nil || strings.TrimSpace(string(out)) != "[] false" {
		t.Errorf("with the tag go embeds %s: %v", out, err)
	}
	if out, err := exec.CommandContext(t.Context(), "go", "build", "-tags", "noconsole", ".").CombinedOutput(); err != nil {
		t.Errorf("with the tag: %v\n%s", err, out)
	}
}

// The sources of the console are what TypeScript takes for sound.
func TestTheTypesHold(t *testing.T) {
	t.Parallel()
	dir := nodetest.Folder(t, "testdata/tsc")
	sources, err := filepath.Abs("ui")
	if err != nil {
		t.Fatal(err)
	}
	nodetest.Run(t, dir, "tsc", "--project", sources)
}

func get(h http.Handler, path string, header http.Header) *httptest.ResponseRecorder {
	r := httptest.NewRequest(http.MethodGet, path, nil)
	maps.Copy(r.Header, header)
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	return w
}
