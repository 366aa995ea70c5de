package rest

import (
	"net/http"
	"net/url"
	"strings"

	"github.com/entwine-go/entwine/kit/problem"
	"github.com/entwine-go/entwine/kit/rest/handler"
	"github.com/entwine-go/entwine/kit/web"
)

// notFound answers a path that there is not: a browser gets a page.
func (a *api) notFound(w http.ResponseWriter, r *http.Request) {
	if web.ServeMissing(w, r, a.Versions.Linked(a.Lifecycle).Base) {
		return
	}
	a.failed(r.Context(), w, r, problem.New(problem.NotFound, "there is nothing at this path"))
}

// notServed answers a path that there is not, a method that the path does not have,
// and OPTIONS.
func (a *api) notServed(w http.ResponseWriter, r *http.Request, below *url.URL) {
	var allowed []string
	h := w.Header()
	for _, method := range []string{http.MethodDelete, http.MethodGet, http.MethodPatch, http.MethodPost, http.MethodPut} {
		id, _, ok := a.server.Find(method, below, nil)
		if !ok {
			continue
		}
		allowed = append(allowed, method)
		if r.Method == http.MethodOptions {
			a.accepts(h, method, a.routes[id].id)
			if says := a.Options[a.routes[id].id]; says != nil {
				x := handler.From(r.Context())
				a.plainChoices(x, a.routes[id].id)
				says(h, x)
			}
		}
	}
	if len(allowed) == 0 {
		a.notFound(w, r)
		return
	}
	methods := strings.Replace(strings.Join(allowed, ", "), http.MethodGet, "GET, HEAD", 1)
	h.Set("Allow", methods+", OPTIONS")
	if r.Method == http.MethodOptions {
		w.WriteHeader(http.StatusNoContent)
		return
	}
	a.failed(r.Context(), w, r, problem.New(problem.MethodNotAllowed, "%s is not allowed here; allowed: %s, OPTIONS", handler.From(r.Context()).Request.Method, methods))
}

// accepts says what an operation takes.
func (a *api) accepts(h http.Header, method, operation string) {
	if accepts, op := accepted[method], a.Operations[operation]; accepts.header != "" && op.Body {
		h[accepts.header] = accepts.types
		if op.Takes != nil {
			h[accepts.header] = []string{strings.Join(op.Takes, ", ")}
		}
	}
}

// acceptPatch lists the media types of PATCH (RFC 5789 section 3.1): a merge patch
// by both of its names (doc/api/rest.md).
var acceptPatch = []string{"application/merge-patch+json, application/json"}

// accepted has the media types of methods, and the header field that lists them.
var accepted = map[string]struct {
	header string
	types  []string
}{
	http.MethodPost:  {"Accept-Post", []string{"application/json"}},
	http.MethodPatch: {"Accept-Patch", acceptPatch},
}
