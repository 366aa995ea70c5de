package clients_test

import (
	"io"
	"log"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"sync/atomic"
	"testing"
	"time"
)

// network is between a client and the processes of a service. It serves the page, too.
type network struct {
	*httptest.Server
	cuts atomic.Int64
	away atomic.Bool
}

func newNetwork(t *testing.T, page string, processes func() []string) *network {
	t.Helper()
	n := &network{}
	service := &httputil.ReverseProxy{FlushInterval: -1, ErrorLog: log.New(io.Discard, "", 0), Rewrite: func(r *httputil.ProxyRequest) {
		all := processes()
		to, _ := url.Parse(all[rand.IntN(len(all))])
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
	mux.HandleFunc("/", func(w http.ResponseWriter, r *http.Request) {
		if n.away.Load() {
			panic(http.ErrAbortHandler)
		}
		service.ServeHTTP(w, r)
	})
	n.Server = httptest.NewServer(mux)
	t.Cleanup(func() { n.CloseClientConnections(); n.Close() })
	return n
}

// fail has the network be away for a quarter of the time, until it is to hold.
func (n *network) fail(holds <-chan struct{}) {
	for {
		there := time.Duration(100+rand.IntN(700)) * time.Millisecond
		for _, away := range []bool{false, true} {
			wait := there
			if n.away.Store(away); away {
				wait = there / 3
				n.cuts.Add(1)
				n.CloseClientConnections()
			}
			select {
			case <-holds:
				n.away.Store(false)
				return
			case <-time.After(wait):
			}
		}
	}
}
