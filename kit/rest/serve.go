package rest

import (
	"net/http"
	"strings"
	"unicode/utf8"

	"github.com/entwine-go/entwine/kit/internal/rest/docs"
	"github.com/entwine-go/entwine/kit/internal/rest/schema"
	"github.com/entwine-go/entwine/kit/problem"
	"github.com/entwine-go/entwine/kit/rest/announce"
	"github.com/entwine-go/entwine/kit/rest/apiversion"
	"github.com/entwine-go/entwine/kit/rest/failure"
	"github.com/entwine-go/entwine/kit/rest/handler"
	"github.com/entwine-go/entwine/kit/web"
)

// api serves a service.
type api struct {
	Service
	router *router
	server http.Handler // the generated one
	keyed  http.Handler // the same for requests with an Idempotency-Key

	sites    map[*apiversion.Served]*docs.Site
	ended    map[*apiversion.Served]*docs.Site // of versions that are deprecated by now
	schemas  *schema.Validator
	shapes   *apiversion.Shapes
	failures *failure.Writer
}

// ServeHTTP answers a request: the caller is judged before the parameters,
// and these before the body.
func (a *api) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	path := r.URL.Path
	version, err := a.Versions.Choose(r)
	w.Header()["X-Api-Version"] = version.Header
	if strings.TrimSuffix(path, "/") == version.Base && web.AsksForPage(r) {
		http.Redirect(w, r, version.Base+"/docs", http.StatusSeeOther)
		return
	}
	below, ok := strings.CutPrefix(path, version.Base)
	if !ok || !strings.HasPrefix(below, "/") || strings.HasSuffix(path, "/") || strings.Contains(path, "//") || strings.ContainsRune(path, 0) || !utf8.ValidString(path) {
		a.notFound(w, r)
		return
	}
	a.serve(w, named(w, r, version.Vendor), r, version, err)
}

// serve serves a request for a version, or what is wrong with how it names one. It
// writes to w, which is the edge's or wraps that.
func (a *api) serve(edge, w http.ResponseWriter, r *http.Request, version apiversion.Choice, err error) {
	path := r.URL.Path[len(version.Base):]
	if site := a.site(version.Served); site.Has(path) && problem.KindOf(err) != problem.NotFound {
		web.SetRoute(edge, docs.Route(path))
		if err := site.Serve(w, r, path); err != nil {
			a.failed(r.Context(), w, r, err)
		}
		return
	}
	x := &handler.Exchange{Request: r, Header: w.Header(), Prefix: version.Base, Base: version.Links, Version: version.Served}
	if a.credentials(path) {
		x.Header.Set("Cache-Control", "no-store")
	}
	x.Header["Vary"] = handler.Vary(x.Header, varies)
	if version.Base == a.Prefix {
		x.Header["Vary"] = handler.Vary(x.Header, variesByVersion)
	}
	inner := r.WithContext(handler.With(r.Context(), x))
	if err != nil {
		a.failed(inner.Context(), w, inner, err)
		return
	}
	if version.Query != nil {
		x.SetQuery(version.Query)
		inner.URL = x.Request.URL
	}
	said, err := a.stage(w, inner, x)
	if err != nil {
		a.failed(inner.Context(), said, inner, err)
	} else {
		a.perform(edge, w, said, inner, x)
	}
	if said != nil {
		said.Close() // not after a panic: what was held is half an answer
	}
}

// perform has the operation answer that the request is for. What is said of
// the version, if anything, is written by said.
func (a *api) perform(edge, w http.ResponseWriter, said *announce.Writer, r *http.Request, x *handler.Exchange) {
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
	a.translating(x)
	if op := a.Operations[x.Operation]; said == nil && (op.Ending != nil || len(op.Ends)+len(op.Was) > 0) {
		said = announce.NewWriter(w, &announce.Notice{Dated: a.Lifecycle.IsDated()}) // it holds nothing
		w = said
	}
	if err := a.admitted(r, x, said); err != nil {
		a.failed(r.Context(), w, r, err)
		return
	}
	out := a.represented(w, x)
	if out == nil {
		a.run(w, r, x)
		return
	}
	a.run(out, r, x)
	out.Close() // not after a panic either
}

// admitted judges what can be judged before the handler runs, with what is
// deprecated of the operation.
func (a *api) admitted(r *http.Request, x *handler.Exchange, said *announce.Writer) error {
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
func (a *api) route(w http.ResponseWriter, r *http.Request, x *handler.Exchange) bool {
	end, values := a.router.find(r.URL, x.Prefix, x.Room())
	if end == nil {
		a.notFound(w, r)
		return false
	}
	found, ok := end.routes[r.Method]
	if !ok {
		a.notAllowed(w, r, end)
		return false
	}
	x.Operation, x.Former = found.id, found.was
	x.SetPath(found.parameters, values)
	return true
}

// run has the handler answer, once for each Idempotency-Key.
func (a *api) run(w http.ResponseWriter, r *http.Request, x *handler.Exchange) {
	key, err := a.key(r, x)
	switch {
	case err != nil:
		a.failed(r.Context(), w, r, err)
	case key != "":
		a.once(w, r, x, key)
	default:
		a.answer(w, r, x, a.server)
	}
}

// answer has the operation's handler answer, or the generated server.
func (a *api) answer(w http.ResponseWriter, r *http.Request, x *handler.Exchange, s http.Handler) {
	var err error
	switch handler, provided := a.Handlers[x.Operation], a.Provided[x.Operation]; {
	case handler != nil:
		err = handler(r.Context(), w)
	case provided != nil:
		if wrong := a.judged(x); wrong != nil {
			err = judgement{wrong}
		} else {
			err = provided(r.Context(), w)
		}
	default:
		s.ServeHTTP(w, a.generated(r, x))
	}
	if err != nil {
		a.failed(r.Context(), w, r, err)
	}
}

// judged says what the document finds wrong with the input of an operation that
// the kit brings along.
func (a *api) judged(x *handler.Exchange) error {
	op := a.Operations[x.Operation]
	if !op.Parsed || op.Query != nil {
		if err := a.schemas.WrongParams(op, x.Request, x.PlainPath(op.Path), x.Version.Word); err != nil {
			return err
		}
	}
	if !op.Body {
		return nil
	}
	return a.schemas.WrongInput(x.Operation, op, x.Body, x.Version.Word)
}

// admit judges what can be judged before the handler runs, and prepares the
// body for it.
func (a *api) admit(r *http.Request, x *handler.Exchange) error {
	guard := a.Guards[x.Operation]
	if err := guard.Check(r.Context()); err != nil {
		return err
	}
	if guard.Verb == "" {
		x.Read = guard.Entity
	}
	op := a.Operations[x.Operation]
	var err error
	if x.Media, err = a.acceptable(r, x, op); err != nil {
		return err
	}
	if err := a.knownIDs(op, x); err != nil {
		return err
	}
	if err := wellFormed(r.URL.RawQuery); err != nil {
		return err
	}
	if !op.Parsed || op.Query != nil {
		if err := x.OnlyQuery(op.Query...); err != nil {
			return err
		}
	}
	if !op.Body {
		return noBody(r)
	}
	return a.readBody(r, x)
}

// credentials reports whether a path of the document gives or takes credentials.
func (a *api) credentials(path string) bool {
	return a.Credentials != "" && strings.HasPrefix(path, a.Credentials)
}

// notFound answers a path that there is not: a browser gets a page.
func (a *api) notFound(w http.ResponseWriter, r *http.Request) {
	if web.ServeMissing(w, r) {
		return
	}
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
	a.failed(r.Context(), w, r, problem.New(problem.MethodNotAllowed, "%s is not allowed here; allowed: %s, OPTIONS", handler.From(r.Context()).Request.Method, methods))
}

// varies is what every answer depends on: the edge compresses those that are
// large, and caches are told so of all, since one resource may have both.
var varies = []string{"Accept, Accept-Encoding"}

// variesByVersion is what an answer depends on whose path has no version.
var variesByVersion = []string{"X-API-Version, API-Version"}

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
