package web

import (
	"net/http"
	"strings"
	"time"
)

// Page is one of [Site.Pages] that has limits of its own.
type Page struct {
	http.Handler
	// Policy is the Content-Security-Policy of its answers. Empty: that of every answer,
	// which has browsers load nothing: no script, no style, no image.
	Policy string
	// Body is how many bytes may be sent to it: as many as to other paths if 0.
	Body int64
	// Time is how long a request may take, and its body to arrive: as long as on other
	// paths if 0.
	Time time.Duration
}

// page returns a handler of [Site.Pages] behind the edge. Of one that answers with HTML
// under the policy of every answer the log says so once, for browsers show less of it
// than its author sees in the source.
func (e *Edge) page(path string, h http.Handler) http.Handler {
	p, _ := h.(Page)
	if p.Handler == nil {
		p.Handler = h
	}
	inner := p.Handler
	p.Handler = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if p.Policy != "" {
			w.Header().Set("Content-Security-Policy", p.Policy)
		}
		inner.ServeHTTP(w, r)
		if h := w.Header(); e.LocalOrigins && strings.HasPrefix(h.Get("Content-Type"), "text/html") && h.Get("Content-Security-Policy") == noContent[0] {
			if _, told := e.bare.LoadOrStore(path, true); !told {
				e.Log.WarnContext(r.Context(), "browsers load no script, style or image for this page: the Policy of its app.Page says which they may", "path", path, "policy", noContent[0])
			}
		}
	})
	return e.Open(e.bound(e.authenticate(p.Handler, p), p))
}

// body is how many bytes may be sent to the path.
func (p Page) body(e *Edge, path string) int64 {
	if p.Body > 0 {
		return p.Body
	}
	return e.bodyLimit(path)
}
