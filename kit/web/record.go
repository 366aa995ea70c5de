package web

import (
	"io"
	"net/http"
)

// Recorder keeps requests, to be asked again.
type Recorder interface {
	// Begin returns what is called with the answer to a request whose caller is known,
	// and where its body is noted as the API reads it. Both are nil for one that is not
	// kept.
	Begin(r *http.Request) (end func(status int, header http.Header), body io.Writer)
}

// recorded has the recorder see the requests that an API answers. Those that give or take
// credentials, streams and files are none of them.
func (e *Edge) recorded(api http.Handler) http.Handler {
	if e.Recorder == nil {
		return api
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if e.isAuth(r.URL.Path) || e.isWebhook(r) || isUpload(r) || IsWebSocket(r) || asksForEvents(r) {
			api.ServeHTTP(w, r)
			return
		}
		end, body := e.Recorder.Begin(r)
		if end == nil {
			api.ServeHTTP(w, r)
			return
		}
		if r.Body != nil && r.Body != http.NoBody {
			r.Body = noted{io.TeeReader(r.Body, body), r.Body}
		}
		defer func() {
			status := http.StatusInternalServerError // it panics
			if x := exchangeOf(w); x != nil && x.status != 0 {
				status = x.status
			}
			end(status, w.Header())
		}()
		api.ServeHTTP(w, r)
	})
}

// noted is a body whose bytes are noted while they are read.
type noted struct {
	io.Reader
	io.Closer
}
