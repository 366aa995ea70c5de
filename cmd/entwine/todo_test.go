package main_test

import (
	"io"
	"log"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/entwine-go/entwine/kit/kittest/nodetest"
)

// Two browsers share a to-do list while the network is away for a quarter of the time, at
// random, and the service is started anew: in the end both show what the database has.
func TestASharedListInTwoBrowsers(t *testing.T) {
	t.Parallel()
	browser, dir := chromium(t), nodetest.Folder(t, "testdata/todo")
	typed(t, dir, "client", "v1")
	nodetest.Run(t, dir, "tsc")
	page := bundled(t, dir, "todo.tsx")
	data := t.TempDir()
	s := startIn(t, data)
	s.signUp(t)
	n := newNetwork(t, page)
	n.service.Store(&s.url)

	program := exec.CommandContext(t.Context(), "node", "todo.mjs", n.url, n.control, browser)
	program.Dir = dir
	var out []byte
	ended := make(chan error)
	go func() {
		var err error
		out, err = program.CombinedOutput()
		ended <- err
	}()
	for {
		select {
		case restarted := <-n.restarts:
			s.stop(t)
			s = startIn(t, data)
			n.service.Store(&s.url)
			close(restarted)
		case err := <-ended:
			if err != nil || !strings.HasPrefix(string(out), "shown ") {
				t.Errorf("%v\n%s", err, out)
			}
			if n.cuts.Load() == 0 {
				t.Error("the network did not fail")
			}
			return
		}
	}
}

// The client is stores of Svelte and references of Vue, which follow lists and who is
// signed in, and say whether an action runs and why it was refused.
func TestTheClientInSvelteAndVue(t *testing.T) {
	t.Parallel()
	dir := nodetest.Folder(t, "testdata/todo")
	typed(t, dir, "client", "v1")
	bundled(t, dir, "stores.mts")
	if out := nodetest.Run(t, dir, "node", "bundle.mjs", start(t).url); out != "shown\n" {
		t.Errorf("the program says %s", out)
	}
}

// A server renders the first page of a list, and the client goes on from there without
// reading it again; a list is a collection of TanStack DB, which writes by the client.
func TestAListOnAServerAndInACollection(t *testing.T) {
	t.Parallel()
	dir := nodetest.Folder(t, "testdata/todo")
	typed(t, dir, "client", "v1")
	nodetest.Run(t, dir, "tsc")
	bundled(t, dir, "server.mts")
	if out := nodetest.Run(t, dir, "node", "bundle.mjs", start(t).url); out != "rendered\n" {
		t.Errorf("the program says %s", out)
	}
}

// bundled writes a program with what it imports into bundle.mjs, and returns that.
func bundled(t *testing.T, dir, program string) string {
	t.Helper()
	nodetest.Run(t, dir, "esbuild", program, "--bundle", "--format=esm", "--outfile=bundle.mjs", "--jsx=automatic", "--tsconfig-raw={}",
		"--alias:entwine-client/react=./client/react.js", "--alias:entwine-client/svelte=./client/svelte.js", "--alias:entwine-client/vue=./client/vue.js",
		"--alias:entwine-client/tanstack=./client/tanstack.js", "--alias:entwine-client=./client/dist/index.js", `--define:process.env.NODE_ENV="production"`)
	text, err := os.ReadFile(filepath.Join(dir, "bundle.mjs"))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// network is between the browsers and the service. It serves the page, too.
type network struct {
	url      string
	control  string // where the program says what the network is to do
	service  atomic.Pointer[string]
	restarts chan chan struct{}
	cuts     atomic.Int64

	away   atomic.Bool
	holds  chan struct{}
	fails  sync.Once
	server *httptest.Server
}

func newNetwork(t *testing.T, page string) *network {
	t.Helper()
	n := &network{restarts: make(chan chan struct{}), holds: make(chan struct{})}
	service := &httputil.ReverseProxy{FlushInterval: -1, ErrorLog: log.New(io.Discard, "", 0), Rewrite: func(r *httputil.ProxyRequest) {
		to, _ := url.Parse(*n.service.Load())
		r.Out.URL.Scheme, r.Out.URL.Host = to.Scheme, to.Host // the Host stays the browser's
	}, ErrorHandler: func(http.ResponseWriter, *http.Request, error) { panic(http.ErrAbortHandler) }}
	mux := http.NewServeMux()
	mux.HandleFunc("/{$}", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		_, _ = w.Write([]byte(`<!doctype html><title>To do</title><div id="root"></div><script type="module" src="/todo.js"></script>`))
	})
	mux.HandleFunc("/todo.js", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/javascript")
		_, _ = w.Write([]byte(page))
	})
	control := http.NewServeMux()
	control.HandleFunc("POST /fails", func(http.ResponseWriter, *http.Request) { n.fails.Do(func() { go n.fail() }) })
	control.HandleFunc("POST /holds", func(http.ResponseWriter, *http.Request) { close(n.holds) })
	control.HandleFunc("POST /restarts", func(http.ResponseWriter, *http.Request) {
		done := make(chan struct{})
		n.restarts <- done
		<-done
	})
	mux.HandleFunc("/", func(w http.ResponseWriter, r *http.Request) {
		if n.away.Load() {
			panic(http.ErrAbortHandler)
		}
		service.ServeHTTP(w, r)
	})
	n.server = httptest.NewServer(mux)
	n.url = n.server.URL
	controls := httptest.NewServer(control)
	n.control = controls.URL
	t.Cleanup(func() { n.server.CloseClientConnections(); n.server.Close(); controls.Close() })
	return n
}

// fail has the network be away for a quarter of the time, until it is to hold.
func (n *network) fail() {
	for {
		there := time.Duration(100+rand.IntN(700)) * time.Millisecond
		for _, away := range []bool{false, true} {
			wait := there
			if n.away.Store(away); away {
				wait = there / 3
				n.cuts.Add(1)
				n.server.CloseClientConnections()
			}
			select {
			case <-n.holds:
				n.away.Store(false)
				return
			case <-time.After(wait):
			}
		}
	}
}
