package resource

import (
	"net/http"
	"strings"
	"unicode/utf8"

	"github.com/entwine-go/entwine/kit/problem"
	"github.com/entwine-go/entwine/kit/runtime/resource/announce"
	"github.com/entwine-go/entwine/kit/runtime/resource/docs"
	"github.com/entwine-go/entwine/kit/runtime/resource/door"
	"github.com/entwine-go/entwine/kit/runtime/resource/failure"
	"github.com/entwine-go/entwine/kit/runtime/resource/schema"
	"github.com/entwine-go/entwine/kit/runtime/web"
)

// api serves a service.
type api struct {
	Service
	// version is the header of every answer, and major the number that it
	// begins with.
	version []string
	major   string
	// vendor are the API's own names for its JSON.
	vendor []string
	// bases are where the paths of the document begin: a request without a
	// version is for the one there is.
	bases   []string
	router  *router
	servers []http.Handler // one for each of the bases
	keyed   []http.Handler // the same for requests with an Idempotency-Key

	site     *docs.Site
	schemas  *schema.Validator
	failures *failure.Writer
}

// ServeHTTP answers a request: the caller is judged before the parameters,
// and these before the body.
func (a *api) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	w.Header()["X-Api-Version"] = a.version
	path := r.URL.Path
	if strings.HasSuffix(path, "/") || strings.Contains(path, "//") || strings.ContainsRune(path, 0) || !utf8.ValidString(path) {
		a.notFound(w, r)
		return
	}
	for i, base := range a.bases {
		if below, ok := strings.CutPrefix(path, base); ok && strings.HasPrefix(below, "/") {
			a.serve(w, r, i)
			return
		}
	}
	a.notFound(w, r)
}

func (a *api) serve(w http.ResponseWriter, r *http.Request, base int) {
	path := r.URL.Path[len(a.bases[base]):]
	if a.site.Has(path) {
		web.SetRoute(w, docs.Route(path))
		if err := a.site.Serve(w, r, path); err != nil {
			a.failed(r.Context(), w, r, err)
		}
		return
	}
	x := &door.Exchange{Request: r, Header: w.Header(), Base: a.bases[base]}
	if a.credentials(path) {
		x.Header.Set("Cache-Control", "no-store")
	}
	x.Header["Vary"] = door.Vary(x.Header, varies)
	inner := r.WithContext(door.With(r.Context(), x))
	if err := a.chooseVersion(inner, x); err != nil {
		a.failed(inner.Context(), w, inner, err)
		return
	}
	said, err := a.stage(w, inner, x)
	if err != nil {
		a.failed(inner.Context(), said, inner, err)
	} else {
		a.perform(w, said, inner, x, base)
	}
	if said != nil {
		said.Close() // not after a panic: what was held is half an answer
	}
}

// perform has the operation answer that the request is for. What is said of
// the version, if anything, is written by said.
func (a *api) perform(edge http.ResponseWriter, said *announce.Writer, r *http.Request, x *door.Exchange, base int) {
	w := edge
	if said != nil {
		w = said
	}
	if r.Method == http.MethodHead {
		r.Method = http.MethodGet
		w = headWriter{w}
	}
	if !a.route(w, r, x) {
		return
	}
	web.SetRoute(edge, x.Operation)
	if op := a.Operations[x.Operation]; said == nil && (op.Ending != nil || len(op.Ends) > 0) {
		said = announce.NewWriter(w, &announce.Notice{Dated: a.Lifecycle.IsDated()}) // it holds nothing
		w = said
	}
	if err := a.admitted(r, x, said); err != nil {
		a.failed(r.Context(), w, r, err)
		return
	}
	out := a.represented(w, x)
	if out == nil {
		a.run(w, r, x, a.servers[base])
		return
	}
	a.run(out, r, x, a.servers[base])
	out.Close() // not after a panic either
}

// admitted judges what can be judged before the handler runs, with what is
// deprecated of the operation.
func (a *api) admitted(r *http.Request, x *door.Exchange, said *announce.Writer) error {
	if said == nil {
		return a.admit(r, x)
	}
	if err := a.ending(r, x, said.Notice()); err != nil {
		return err
	}
	if err := a.admit(r, x); err != nil {
		return err
	}
	return a.parts(r, x, said.Notice())
}

// route finds the operation of the request, and answers where there is none.
func (a *api) route(w http.ResponseWriter, r *http.Request, x *door.Exchange) bool {
	end, values := a.router.find(r.URL, x.Base, x.Room())
	if end == nil {
		a.notFound(w, r)
		return false
	}
	found, ok := end.routes[r.Method]
	if !ok {
		a.notAllowed(w, r, end)
		return false
	}
	x.Operation = found.id
	x.SetPath(found.parameters, values)
	return true
}

// run has the handler answer, once for each Idempotency-Key.
func (a *api) run(w http.ResponseWriter, r *http.Request, x *door.Exchange, s http.Handler) {
	key, err := a.key(r, x)
	switch {
	case err != nil:
		a.failed(r.Context(), w, r, err)
	case key != "":
		a.once(w, r, x, key)
	default:
		a.answer(w, r, x, s)
	}
}

// answer has the operation's handler answer, or the generated server.
func (a *api) answer(w http.ResponseWriter, r *http.Request, x *door.Exchange, s http.Handler) {
	handler := a.Handlers[x.Operation]
	if handler == nil {
		s.ServeHTTP(w, r)
		return
	}
	if err := handler(r.Context(), w); err != nil {
		a.failed(r.Context(), w, r, err)
	}
}

// admit judges what can be judged before the handler runs, and prepares the
// body for it.
func (a *api) admit(r *http.Request, x *door.Exchange) error {
	guard := a.Guards[x.Operation]
	if err := guard.Check(r.Context()); err != nil {
		return err
	}
	if guard.Verb == "" {
		x.Read = guard.Entity
	}
	op := a.Operations[x.Operation]
	var err error
	if x.Media, err = a.acceptable(r, op); err != nil {
		return err
	}
	if err := knownIDs(op, x); err != nil {
		return err
	}
	if err := wellFormed(r.URL.RawQuery); err != nil {
		return err
	}
	if !op.Parsed {
		if err := x.OnlyQuery(op.Query...); err != nil {
			return err
		}
	}
	if !op.Body {
		return nil
	}
	return a.readBody(r, x)
}

// credentials reports whether a path of the document gives or takes credentials.
func (a *api) credentials(path string) bool {
	return a.Credentials != "" && strings.HasPrefix(path, a.Credentials)
}

func (a *api) notFound(w http.ResponseWriter, r *http.Request) {
	a.failed(r.Context(), w, r, problem.New(problem.NotFound, "there is nothing at this path"))
}

// notAllowed answers a method that the path does not have, and OPTIONS.
func (a *api) notAllowed(w http.ResponseWriter, r *http.Request, end *router) {
	h := w.Header()
	methods := strings.Replace(strings.Join(end.methods, ", "), http.MethodGet, "GET, HEAD", 1)
	h.Set("Allow", methods+", OPTIONS")
	if r.Method == http.MethodOptions {
		if end.takes(http.MethodPost) {
			h["Accept-Post"] = acceptPost
		}
		if end.takes(http.MethodPatch) {
			h["Accept-Patch"] = acceptPatch
		}
		w.WriteHeader(http.StatusNoContent)
		return
	}
	a.failed(r.Context(), w, r, problem.New(problem.MethodNotAllowed, "%s is not allowed here; allowed: %s, OPTIONS", door.From(r.Context()).Request.Method, methods))
}

// varies is what every answer depends on: the edge compresses those that are
// large, and caches are told so of all, since one resource may have both.
var varies = []string{"Accept, Accept-Encoding"}

// acceptPatch is what PATCH takes (RFC 5789 section 3.1): a merge patch by
// both of its names (doc/api/rest.md).
var acceptPatch = []string{"application/merge-patch+json, application/json"}

// acceptPost is what POST takes.
var acceptPost = []string{"application/json"}

// headWriter answers HEAD with what GET would, but for the body.
type headWriter struct{ http.ResponseWriter }

func (w headWriter) Write(b []byte) (int, error) { return len(b), nil }

// Unwrap is for http.ResponseController.
func (w headWriter) Unwrap() http.ResponseWriter { return w.ResponseWriter }
