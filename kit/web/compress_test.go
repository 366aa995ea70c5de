package web_test

import (
	"bytes"
	"io"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"testing"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"

	"github.com/entwine-go/entwine/kit/web"
)

// unpacked is the answer as a client decodes it.
func unpacked(t *testing.T, a *httptest.ResponseRecorder) string {
	t.Helper()
	var r io.Reader = bytes.NewReader(a.Body.Bytes())
	var err error
	switch a.Header().Get("Content-Encoding") {
	case "gzip":
		r, err = gzip.NewReader(r)
	case "zstd":
		r, err = zstd.NewReader(r)
	}
	if err != nil {
		t.Fatal(err)
	}
	text, err := io.ReadAll(r)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func TestWhatIsCompressed(t *testing.T) {
	t.Parallel()
	long := `{"data":"` + strings.Repeat("once upon a time ", 100) + `"}`
	whole := func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, long) }
	set := func(pairs ...string) http.HandlerFunc {
		return func(w http.ResponseWriter, r *http.Request) {
			h := w.Header()
			h.Set("Content-Type", "application/json")
			h.Set("Content-Length", strconv.Itoa(len(long)))
			h.Set("ETag", `"a"`)
			for i := 0; i < len(pairs); i += 2 {
				h.Set(pairs[i], pairs[i+1])
			}
			whole(w, r)
		}
	}
	status := func(code int) http.HandlerFunc {
		return func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Type", "application/json")
			w.Header().Set("Content-Length", strconv.Itoa(len(long)))
			w.Header().Set("Cache-Control", "no-store")
			w.WriteHeader(code)
			whole(w, r)
		}
	}
	for name, c := range map[string]struct {
		accept  string
		handler http.HandlerFunc
		coding  string
		tag     string
		varies  bool
	}{
		"gzip where that is asked":         {"gzip", set(), "gzip", `"a-gzip"`, true},
		"zstd where that is as good":       {"gzip, deflate, br, zstd", set(), "zstd", `"a-zstd"`, true},
		"by quality":                       {"gzip;q=0.2, zstd;q=0.1", set(), "gzip", `"a-gzip"`, true},
		"not where nothing is asked":       {"", set(), "", `"a"`, true},
		"not where it is refused":          {"gzip;q=0, zstd;q=0", set(), "", `"a"`, true},
		"texts":                            {"gzip", set("Content-Type", "text/csv; charset=utf-8"), "gzip", `"a-gzip"`, true},
		"XML":                              {"gzip", set("Content-Type", "application/xml"), "gzip", `"a-gzip"`, true},
		"GraphQL":                          {"gzip", set("Content-Type", "application/graphql-response+json; charset=utf-8"), "gzip", `"a-gzip"`, true},
		"no pictures":                      {"gzip", set("Content-Type", "image/png"), "", `"a"`, false},
		"no PDF":                           {"gzip", set("Content-Type", "application/pdf"), "", `"a"`, false},
		"no events":                        {"gzip", set("Content-Type", "text/event-stream"), "", `"a"`, false},
		"no parts":                         {"gzip", set("Content-Type", `multipart/mixed; boundary="-"`), "", `"a"`, false},
		"no files":                         {"gzip", set("Accept-Ranges", "bytes"), "", `"a"`, false},
		"not twice":                        {"gzip", set("Content-Encoding", "gzip"), "gzip", `"a"`, false},
		"no secrets":                       {"gzip", set("Cache-Control", "no-store"), "", `"a"`, false},
		"errors, which hold none":          {"gzip", status(400), "gzip", "", true},
		"no successes that are not stored": {"gzip", status(200), "", "", false},
		"what is said to be harmless": {"gzip", func(w http.ResponseWriter, r *http.Request) {
			web.Compressible(w)
			set("Cache-Control", "no-store")(w, r)
		}, "gzip", `"a-gzip"`, true},
		"what varies already says so again": {"gzip", set("Vary", "Accept, Accept-Encoding"), "gzip", `"a-gzip"`, true},
	} {
		a := serve(t, c.handler, "GET", c.accept)
		h := a.Header()
		if h.Get("Content-Encoding") != c.coding || h.Get("ETag") != c.tag {
			t.Errorf("%s: %q %q", name, h.Get("Content-Encoding"), h.Get("ETag"))
		}
		if varies := strings.Contains(strings.Join(h["Vary"], ","), "Accept-Encoding"); varies != c.varies || strings.Count(strings.Join(h["Vary"], ","), "Encoding") > 1 {
			t.Errorf("%s: Vary %q", name, h["Vary"])
		}
		if name == "not twice" {
			continue
		}
		if got := unpacked(t, a); got != long {
			t.Errorf("%s: %.80q", name, got)
		}
		if length := h.Get("Content-Length"); length != strconv.Itoa(a.Body.Len()) {
			t.Errorf("%s: Content-Length %s of %d", name, length, a.Body.Len())
		}
	}
}

func TestWhatIsTooShortIsNotCompressed(t *testing.T) {
	t.Parallel()
	for n, want := range map[int]string{1023: "", 1024: "gzip"} {
		text := strings.Repeat("x", n)
		a := serve(t, func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "text/plain")
			w.Header().Set("Content-Length", strconv.Itoa(n))
			_, _ = io.WriteString(w, text)
		}, "GET", "gzip")
		if got := a.Header().Get("Content-Encoding"); got != want || unpacked(t, a) != text {
			t.Errorf("%d bytes: %q", n, got)
		}
	}
}

func TestHeadSaysWhatGetWould(t *testing.T) {
	t.Parallel()
	handler := func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/plain")
		w.Header().Set("Content-Length", "5000")
		w.Header().Set("ETag", `"a"`)
		w.WriteHeader(http.StatusOK)
		if r.Method == http.MethodGet {
			_, _ = io.WriteString(w, strings.Repeat("x", 5000))
		}
	}
	get, head := serve(t, handler, "GET", "gzip"), serve(t, handler, "HEAD", "gzip")
	for _, name := range []string{"Content-Encoding", "ETag", "Vary", "Content-Type"} {
		if get.Header().Get(name) == "" || get.Header().Get(name) != head.Header().Get(name) {
			t.Errorf("%s: GET %q, HEAD %q", name, get.Header().Get(name), head.Header().Get(name))
		}
	}
	if head.Header().Get("Content-Length") != "" || head.Body.Len() != 0 {
		t.Errorf("HEAD: %v, %d bytes", head.Header(), head.Body.Len())
	}
}

// An answer that is written in parts is sent in parts.
func TestPartsAreFlushed(t *testing.T) {
	t.Parallel()
	const half = 3000
	for name, begin := range map[string]func(http.ResponseWriter){
		"of a known length":    func(w http.ResponseWriter) { w.Header().Set("Content-Length", strconv.Itoa(2*half)) },
		"of an unknown length": web.CompressParts,
	} {
		a := serve(t, func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "text/plain")
			begin(w)
			_, _ = io.WriteString(w, strings.Repeat("a", half))
			if err := http.NewResponseController(w).Flush(); err != nil {
				t.Error(err)
			}
			_, _ = io.WriteString(w, strings.Repeat("b", half))
		}, "GET", "zstd")
		if got := unpacked(t, a); got != strings.Repeat("a", half)+strings.Repeat("b", half) || a.Header().Get("Content-Length") != "" || a.Header().Get("Content-Encoding") != "zstd" || !a.Flushed {
			t.Errorf("%s: %d bytes, %v", name, len(got), a.Header())
		}
	}
}

// serve answers a request behind the edge's outer layers.
func serve(t *testing.T, handler http.HandlerFunc, method, accept string) *httptest.ResponseRecorder {
	t.Helper()
	r := httptest.NewRequestWithContext(t.Context(), method, "/", http.NoBody)
	if accept != "" {
		r.Header.Set("Accept-Encoding", accept)
	}
	w := httptest.NewRecorder()
	edge, _ := newEdge()
	edge.Open(handler).ServeHTTP(w, r)
	return w
}
