package rest

import (
	"context"
	"net/http"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/entwine-go/entwine/kit/internal/rest/docs"
	"github.com/entwine-go/entwine/kit/internal/rest/schema"
	"github.com/entwine-go/entwine/kit/problem"
	"github.com/entwine-go/entwine/kit/rest/announce"
	"github.com/entwine-go/entwine/kit/rest/apiversion"
	"github.com/entwine-go/entwine/kit/rest/failure"
	"github.com/entwine-go/entwine/kit/rest/handler"
	"github.com/entwine-go/entwine/kit/store"
	"github.com/entwine-go/entwine/kit/web"
)

// api serves a service.
type api struct {
	Service
	routes map[string]route
	server Server // the generated one
	keyed  Server // the same for requests with an Idempotency-Key

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
	below, ok := strings.CutPrefix(path, version.Base)
	switch {
	case !ok || below != "" && below[0] != '/' || problem.KindOf(err) == problem.NotFound && web.AsksForPage(r): // none of a version's
		a.notFound(w, r)
	case err == nil && web.AsksForPage(r) && leadsToPage(version, below):
		a.announced(w, r, version, func(w http.ResponseWriter) { http.Redirect(w, r, version.Links+"/docs", http.StatusSeeOther) }) //nolint:gosec // a path of this service
	case below == "" || strings.HasSuffix(path, "/") || strings.Contains(path, "//"):
		a.announced(w, r, version, func(w http.ResponseWriter) { a.notFound(w, r) })
	default:
		a.serve(w, named(w, r, version.Vendor), r, version, err)
	}
}

// leadsToPage reports whether a browser at the path below the version's base is sent to
// the page of the version. At the page itself it is where it names the version outside
// of the path: what the page loads stands beside it, and would be of another version.
func leadsToPage(version apiversion.Choice, below string) bool {
	return below == "" || below == "/" || below == "/docs" && version.Links != version.Base
}

// serve serves a request for a version, or what is wrong with how it names one. It
// writes to w, which is the edge's or wraps that.
func (a *api) serve(edge, w http.ResponseWriter, r *http.Request, version apiversion.Choice, err error) {
	path := r.URL.Path[len(version.Base):]
	if site := a.site(version.Served); err == nil && site.Has(path) {
		web.SetRoute(edge, docs.Route(path))
		if version.Base == a.Prefix {
			w.Header()["Vary"] = handler.Vary(w.Header(), []string{"X-API-Version, API-Version, X-API-Key"}) // caches keep it
		}
		a.announced(w, r, version, func(w http.ResponseWriter) {
			if err := site.Serve(w, r, path); err != nil {
				a.failed(r.Context(), w, r, err)
			}
		})
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

// perform has the operation answer that the request is for. said writes the
// version's header fields, if there are any.
func (a *api) perform(edge, w http.ResponseWriter, said *announce.Writer, r *http.Request, x *handler.Exchange) {
	if said != nil {
		w = said
	}
	if r.Method == http.MethodHead {
		r.Method = http.MethodGet
		w = headWriter{w}
	}
	if r.Method == http.MethodGet {
		store.OnlyReads(r.Context())
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

// route finds the operation of the request, and answers where there is none. From
// then on the request has the path that the generated server knows.
func (a *api) route(w http.ResponseWriter, r *http.Request, x *handler.Exchange) bool {
	below := below(r.URL, x.Prefix)
	id, values, ok := a.server.Find(r.Method, below, x.Room())
	if !ok {
		a.notServed(w, r, below)
		return false
	}
	found := a.routes[id]
	x.Operation, x.Former = found.id, found.was
	x.SetPath(found.parameters, values)
	r.URL = below
	for i, name := range found.parameters { // no name is such a text; of ids knownIDs says so
		if (strings.ContainsRune(values[i], 0) || !utf8.ValidString(values[i])) && !slices.Contains(a.Operations[found.id].IDs, name) {
			a.notFound(w, r)
			return false
		}
	}
	return true
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
	a.plainChoices(x, x.Operation)
	switch {
	case op.Takes != nil: // the handler reads it
	case op.Body:
		err = a.readBody(r, x)
	default:
		err = noBody(r)
	}
	if err != nil {
		return err
	}
	if wrong := a.judged(x); wrong != nil {
		return judgement{a.toldChoices(x, wrong)}
	}
	return nil
}

// judged says what the document finds wrong with the input of an operation that
// the kit brings along.
func (a *api) judged(x *handler.Exchange) error {
	op := a.Operations[x.Operation]
	if op.Declared || a.byHand(x) {
		return nil
	}
	if !op.Parsed || op.Query != nil {
		if err := a.schemas.WrongParams(op, x.Request, x.PlainPath(op.Path), x.Version.Word); err != nil {
			return err
		}
	}
	if !op.Body || op.Takes != nil {
		return nil
	}
	return a.schemas.WrongInput(x.Operation, op, x.Body, x.Version.Word)
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
		a.server.ServeHTTP(w, a.generated(r, x))
	}
}

// generated is the request as the generated server reads it, which speaks the first
// version.
func (a *api) generated(r *http.Request, x *handler.Exchange) *http.Request {
	r.URL.RawQuery = x.Request.URL.RawQuery
	if !a.byHand(x) {
		return r // its handler asks the exchange for what the path names
	}
	path := a.Operations[x.Operation].Path
	r.URL.Path, r.URL.RawPath = x.PlainPath(path), x.PathOf(path)
	if r.URL.Path == r.URL.RawPath {
		r.URL.RawPath = ""
	}
	return r
}

// answered has an operation answered that is not by hand. The generated server calls
// it, as it calls the methods of those by hand, with the id that it has for the path.
func (a *api) answered(ctx context.Context, w http.ResponseWriter, id string) error {
	return a.Answers[a.routes[id].id](ctx, w)
}

// unanswered is where the generated server's errors end.
func (a *api) unanswered(ctx context.Context, w http.ResponseWriter, r *http.Request, err error) {
	if a.Problem != nil && a.byHand(handler.From(ctx)) {
		err = a.Problem(err)
	}
	a.failed(ctx, w, r, err)
}

// byHand reports whether the operation of the request is by hand: the generated
// server decodes what it takes.
func (a *api) byHand(x *handler.Exchange) bool { return a.Answers[x.Operation] == nil }

// credentials reports whether a path of the document gives or takes credentials.
func (a *api) credentials(path string) bool {
	return a.Credentials != "" && strings.HasPrefix(path, a.Credentials)
}

// varies lists the request's header fields that every answer depends on. The edge
// compresses large answers, and all answers have the Vary, since one resource may
// have both.
var varies = []string{"Accept, Accept-Encoding"}

// variesByVersion lists the header fields that answers depend on, too, where the
// path has no version.
var variesByVersion = []string{"X-API-Version, API-Version"}

// headWriter answers HEAD with what GET would, but for the body.
type headWriter struct{ http.ResponseWriter }

func (w headWriter) Write(b []byte) (int, error) { return len(b), nil }

// Unwrap is for http.ResponseController.
func (w headWriter) Unwrap() http.ResponseWriter { return w.ResponseWriter }
