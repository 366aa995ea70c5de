package web_test

import (
	"bytes"
	"io"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"
)

// timed is an answer whose connection has a deadline.
type timed struct {
	*httptest.ResponseRecorder
	deadline time.Time
}

// SetReadDeadline is called by http.ResponseController.
func (w *timed) SetReadDeadline(t time.Time) error {
	if !t.IsZero() {
		w.deadline = t
	}
	return nil
}

// Unwrap is for http.ResponseController.
func (w *timed) Unwrap() http.ResponseWriter { return w.ResponseRecorder }

// slow is a body of which a byte arrives every nine seconds.
type slow struct {
	clock *time.Time
	left  int
}

// Read implements io.Reader.
func (s *slow) Read(p []byte) (int, error) {
	if s.left == 0 {
		return 0, io.EOF
	}
	s.left--
	*s.clock = s.clock.Add(9 * time.Second)
	return 1, nil
}

// The edge refuses no file by its length, as its handler knows the limit, but bounds the
// bytes that the handler can read.
func TestALargeUploadIsForItsHandler(t *testing.T) {
	edge, _ := newEdge()
	edge.Uploads, edge.Limit.Body = 1000, 100
	for path, reads := range map[string]int64{"/api/v1/files": 1000 + 64<<10, "/api/v1/posts": -1} {
		n := int64(-1)
		w := httptest.NewRecorder()
		edge.Handler(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { n, _ = io.Copy(io.Discard, r.Body) })).
			ServeHTTP(w, httptest.NewRequest(http.MethodPost, path, bytes.NewReader(make([]byte, 100_000))))
		if n != reads {
			t.Errorf("%s: the handler reads %d bytes, want %d; the answer is %d", path, n, reads, w.Code)
		}
	}
}

// The parts of an upload, of which nothing is lost where they break off, may be slow as
// long as something arrives. All else has its time as a whole.
func TestPartsOfAnUploadMayBeSlow(t *testing.T) {
	for _, c := range []struct {
		method, path string
		headers      []string
		slow         bool
	}{
		{"PATCH", "/api/v1/files/a/upload", nil, true},
		{"PATCH", "/api/files/a/upload", nil, true},
		{"POST", "/api/v1/files", []string{"Upload-Complete", "?1"}, true},
		{"POST", "/api/v1/files", []string{"Tus-Resumable", "1.0.0"}, true},
		{"POST", "/api/v1/files", nil, false},
		{"PATCH", "/api/v1/posts/1", nil, false},
		{"POST", "/api/v1/posts", []string{"Upload-Complete", "?1"}, false},
		{"PATCH", "/api/v1/posts/files/a/upload", nil, false},
	} {
		edge, _ := newEdge()
		began := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
		clock := began
		edge.Now = func() time.Time { return clock }
		edge.Uploads, edge.Limit.BodyTime = 16<<20, 10*time.Second
		r := httptest.NewRequest(c.method, c.path, &slow{&clock, 100})
		for i := 0; i < len(c.headers); i += 2 {
			r.Header.Set(c.headers[i], c.headers[i+1])
		}
		w := &timed{ResponseRecorder: httptest.NewRecorder()}
		edge.Handler(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { _, _ = io.Copy(io.Discard, r.Body) })).ServeHTTP(w, r)
		if got := w.deadline.After(began.Add(900 * time.Second)); got != c.slow {
			t.Errorf("%s %s %v has until %s after its begin, of 900 s that it takes", c.method, c.path, c.headers, w.deadline.Sub(began))
		}
	}
}

// Every answer to an upload by tus says so, also one that no handler of uploads has made.
func TestRefusalsSpeakTus(t *testing.T) {
	edge, _ := newEdge()
	edge.Uploads = 1000
	refuse := http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusBadRequest) })
	const upload = "/api/v1/files/wvlz4obqhu3xkmyncdtf5rgjse/upload"
	for _, c := range [][4]string{ // method, path, version, answer
		{"POST", "/api/v1/files", "1.0.0", "1.0.0"}, {"POST", "/api/v1/files", "0.2.2", ""}, {"PATCH", upload, "1.0.0", "1.0.0"},
		{"HEAD", upload, "1.0.0", "1.0.0"}, {"DELETE", upload, "1.0.0", "1.0.0"}, {"DELETE", upload, "0.2.2", ""}, {"GET", "/api/v1/posts", "1.0.0", ""},
	} {
		w := do(edge.Handler(refuse), request(c[0], c[1], "", "Tus-Resumable", c[2]))
		if got := w.Header().Get("Tus-Resumable"); got != c[3] || w.Code != http.StatusBadRequest {
			t.Errorf("%s %s of tus %s is answered %d with Tus-Resumable %q, want %q", c[0], c[1], c[2], w.Code, got, c[3])
		}
	}
}
