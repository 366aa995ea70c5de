package clients_test

import (
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os/exec"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/entwine-go/entwine/internal/trial"
	"github.com/entwine-go/entwine/kit/kittest/nodetest"
	"github.com/entwine-go/entwine/migrate/migratetest"
)

// The client that Uppy uses, and others that speak tus, upload to the service. The first part is cut
// off, and in the midst of the second the service is killed.
func TestTheClientOfTus(t *testing.T) {
	t.Parallel()
	schema := migratetest.Schema(t)
	for name, database := range map[string]string{"sqlite": schema.SQLiteURL(t), "postgres": schema.PostgresURL(t)} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWay(t, "ENTWINE_DATABASE_URL="+database)
			if out := w.use(t, nodetest.Folder(t, "testdata/tus"), "upload.mjs", w.URL); out != "[401,true,404,true]\n" {
				t.Errorf("the program says %s", out)
			}
		})
	}
}

// A page of another origin uploads by Uppy: by tus, over the same way, and in a form.
func TestAPageUploadsByUppy(t *testing.T) {
	t.Parallel()
	browser, dir := nodetest.Chromium(t), nodetest.Folder(t, "testdata/tus")
	w := newWay(t)
	page := newNetwork(t, bundled(t, dir, "uppy.mjs"), func() []string { return []string{w.URL} })
	if out := w.use(t, dir, "page.mjs", browser, page.URL, w.URL); out != "uploaded\n" {
		t.Errorf("the program says %s", out)
	}
}

// way leads to a service. The first part of an upload that comes over it breaks off, and the service
// is killed while the second one comes.
type way struct {
	*httptest.Server
	dir      string
	settings []string
	to       atomic.Pointer[trial.Service]
	parts    atomic.Int32
	kills    chan chan struct{}
}

func newWay(t *testing.T, settings ...string) *way {
	t.Helper()
	w := &way{dir: trial.Folder(t), settings: settings, kills: make(chan chan struct{})}
	w.to.Store(trial.StartIn(t, w.dir, settings...))
	service := &httputil.ReverseProxy{ErrorLog: log.New(io.Discard, "", 0), Rewrite: func(r *httputil.ProxyRequest) {
		to, _ := url.Parse(w.to.Load().URL)
		r.Out.URL.Scheme, r.Out.URL.Host = to.Scheme, to.Host // the Host stays that of the way
	}, ErrorHandler: func(http.ResponseWriter, *http.Request, error) { panic(http.ErrAbortHandler) }}
	w.Server = httptest.NewServer(http.HandlerFunc(func(to http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodPatch {
			switch w.parts.Add(1) {
			case 1:
				r.Body = &broken{r.Body, func() {}, 20_000}
			case 2:
				r.Body = &broken{r.Body, sync.OnceFunc(w.kill), 20_000}
			}
		}
		service.ServeHTTP(to, r)
	}))
	t.Cleanup(func() { w.CloseClientConnections(); w.Close() })
	return w
}

// broken is a body that breaks off once so much of it has been read, after something was done.
type broken struct {
	io.ReadCloser
	do   func()
	left int
}

// Read implements io.Reader.
func (b *broken) Read(p []byte) (int, error) {
	if b.left == 0 {
		b.do()
		return 0, io.ErrUnexpectedEOF
	}
	n, err := b.ReadCloser.Read(p[:min(len(p), b.left)])
	b.left -= n
	return n, err
}

// kill has the service killed and started anew.
func (w *way) kill() {
	done := make(chan struct{})
	w.kills <- done
	<-done
}

// use runs a program of Node.js that uploads over the way, and returns what it prints.
func (w *way) use(t *testing.T, dir string, program ...string) string {
	t.Helper()
	run := exec.CommandContext(t.Context(), "node", program...)
	run.Dir = dir
	var out []byte
	ended := make(chan error, 1)
	go func() {
		var err error
		out, err = run.CombinedOutput()
		ended <- err
	}()
	for {
		select {
		case done := <-w.kills:
			w.to.Load().Kill()
			w.to.Store(trial.StartIn(t, w.dir, w.settings...))
			close(done)
		case err := <-ended:
			if err != nil || w.parts.Load() < 3 {
				t.Fatalf("%v after %d parts\n%s", err, w.parts.Load(), out)
			}
			return string(out)
		}
	}
}
