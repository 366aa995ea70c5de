// Package rest is the resource API: it puts the operations of the OpenAPI
// document (package spec) behind HTTP.
//
// It owns what every request has in common: the base paths, the order in
// which a request is judged (the path, the caller, the parameters, the body),
// and how an error looks. Plain reads and writes are generated (package
// crud, on package door); operations by hand are methods of [operations], one
// file for each activity. Who is calling has been settled by package web.
package rest

import (
	"log/slog"
	"net/http"
	"strings"
	"unicode/utf8"

	"github.com/go-faster/errors"

	"github.com/entwine-go/entwine/ent/orm"
	"github.com/entwine-go/entwine/internal/account"
	"github.com/entwine-go/entwine/internal/checkout"
	"github.com/entwine-go/entwine/internal/entity"
	"github.com/entwine-go/entwine/internal/mailing"
	"github.com/entwine-go/entwine/internal/publishing"
	"github.com/entwine-go/entwine/internal/reporting"
	"github.com/entwine-go/entwine/internal/social"
	"github.com/entwine-go/entwine/kit/jobs"
	"github.com/entwine-go/entwine/kit/payments"
	"github.com/entwine-go/entwine/kit/problem"
	"github.com/entwine-go/entwine/kit/runtime/idempotency"
	"github.com/entwine-go/entwine/kit/runtime/reading"
	"github.com/entwine-go/entwine/kit/runtime/resource/door"
	"github.com/entwine-go/entwine/kit/runtime/search"
	"github.com/entwine-go/entwine/kit/runtime/store"
	"github.com/entwine-go/entwine/kit/runtime/web"
	"github.com/entwine-go/entwine/rest/crud"
	"github.com/entwine-go/entwine/rest/oas/server"
	"github.com/entwine-go/entwine/rest/oas/spec"
)

// Config is what REST works with. All fields but KeyRequired and
// Webhook are required.
type Config struct {
	DB       *store.DB
	Log      *slog.Logger
	Accounts *account.Accounts
	Work     *jobs.Client
	Reporter *reporting.Reporter
	Postman  *mailing.Postman
	Cashier  *checkout.Cashier
	// SecureCookies keeps every cookie from connections without TLS.
	SecureCookies bool
	// KeyRequired are operations that are refused without an Idempotency-Key.
	KeyRequired []string
	// Webhook reads what the payment gateway sends. Without a secret there is
	// nothing at its path.
	Webhook payments.Webhook
}

// bases are where the paths of the document begin: a request without a
// version is for version 1.
var bases = []string{"/api/v1", "/api"}

// api serves the document under each of the bases.
type api struct {
	log     *slog.Logger
	servers []*server.Server // one for each of the bases
	schemas schemas

	keeper      *idempotency.Keeper
	keyRequired []string
}

// New returns the handler of /api and all below it.
func New(c Config) http.Handler {
	// ogen makes an error for each absent parameter, and go-faster/errors a
	// stack for each error, unless it is told not to.
	errors.DisableTrace()
	a := &api{log: c.Log, keeper: &idempotency.Keeper{DB: c.DB}, keyRequired: c.KeyRequired}
	reader := &reading.Reader{DB: c.DB, Dialect: c.DB.Dialect}
	handler := &operations{
		Config:    c,
		Handlers:  crud.New(&door.Door{DB: c.DB, Client: orm.Client(c.DB), Reader: reader}),
		publisher: &publishing.Publisher{DB: c.DB},
		circle:    &social.Circle{DB: c.DB},
		finder:    search.New(reader, entity.All),
	}
	for _, base := range bases {
		s, err := server.NewServer(handler,
			server.WithPathPrefix(base),
			server.WithErrorHandler(a.failed),
			server.WithNotFound(a.notFound),
			server.WithMethodNotAllowed(a.notAllowed),
		)
		if err != nil {
			panic(err) // only the telemetry that is left out can fail
		}
		a.servers = append(a.servers, s)
	}
	return a
}

// Operation reports whether the document has an operation with the id.
func Operation(id string) bool { return spec.Operations[id] != nil }

// operations are the handlers of the document: the generated ones, and those
// by hand, which take the place of generated ones with the same name.
type operations struct {
	Config
	crud.Handlers
	publisher *publishing.Publisher
	circle    *social.Circle
	finder    *search.Searcher
}

var _ server.Handler = (*operations)(nil)

// ServeHTTP answers a request: the caller is judged before the parameters,
// and these before the body.
func (a *api) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	w.Header()["X-Api-Version"] = version
	path := r.URL.Path
	if strings.HasSuffix(path, "/") || strings.Contains(path, "//") || strings.ContainsRune(path, 0) || !utf8.ValidString(path) {
		a.notFound(w, r)
		return
	}
	for i, base := range bases {
		if below, ok := strings.CutPrefix(path, base); ok && strings.HasPrefix(below, "/") {
			a.serve(w, r, base, a.servers[i])
			return
		}
	}
	a.notFound(w, r)
}

func (a *api) serve(w http.ResponseWriter, r *http.Request, base string, s *server.Server) {
	if path := r.URL.Path[len(base):]; statics[path] != nil {
		web.SetRoute(w, path[1:])
		a.static(w, r, path)
		return
	}
	x := &door.Exchange{Request: r, Header: w.Header(), Base: base}
	if strings.HasPrefix(r.URL.Path, base+"/auth/") {
		x.Header.Set("Cache-Control", "no-store")
	}
	x.Header["Vary"] = append(x.Header["Vary"], "Accept")
	inner := r.WithContext(door.With(r.Context(), x))
	if err := chooseVersion(inner, x); err != nil {
		a.failed(inner.Context(), w, inner, err)
		return
	}
	outer := w
	if r.Method == http.MethodHead {
		inner.Method = http.MethodGet
		w = headWriter{w}
	}
	route, found := s.FindPath(inner.Method, inner.URL)
	if !found {
		s.ServeHTTP(w, inner) // which answers 404, 405 or OPTIONS
		return
	}
	x.Operation = route.OperationID()
	web.SetRoute(outer, x.Operation)
	if err := a.admit(inner, x); err != nil {
		a.failed(inner.Context(), w, inner, err)
		return
	}
	out := represented(w, x)
	if out == nil {
		a.run(w, inner, x, s)
		return
	}
	a.run(out, inner, x, s)
	out.Close() // not after a panic: what was held is half an answer
}

// run has the handler answer, once for each Idempotency-Key.
func (a *api) run(w http.ResponseWriter, r *http.Request, x *door.Exchange, s *server.Server) {
	key, err := a.key(r, x)
	switch {
	case err != nil:
		a.failed(r.Context(), w, r, err)
	case key != "":
		a.once(w, r, x, s, key)
	default:
		s.ServeHTTP(w, r)
	}
}

// admit judges what can be judged before the handler runs, and prepares the
// body for it.
func (a *api) admit(r *http.Request, x *door.Exchange) error {
	guard := guardOf(x.Operation)
	if err := guard.Check(r.Context()); err != nil {
		return err
	}
	if guard.Verb == "" {
		x.Read = guard.Entity
	}
	op := spec.Operations[x.Operation]
	var err error
	if x.Media, err = acceptable(r, op); err != nil {
		return err
	}
	if err := knownIDs(op, x); err != nil {
		return err
	}
	if err := knownQuery(op, r); err != nil {
		return err
	}
	if !op.Body {
		return nil
	}
	if err := readBody(r, x); err != nil {
		return err
	}
	if x.Operation == "createUsers" {
		return a.schemas.setAside(r, x)
	}
	return nil
}

func (a *api) notFound(w http.ResponseWriter, r *http.Request) {
	a.failed(r.Context(), w, r, problem.New(problem.NotFound, "there is nothing at this path"))
}

// notAllowed answers a method that the path does not have, and OPTIONS.
func (a *api) notAllowed(w http.ResponseWriter, r *http.Request, allowed string) {
	h := w.Header()
	// What other sites may send is not ogen's to say.
	h.Del("Access-Control-Allow-Methods")
	h.Del("Access-Control-Allow-Headers")
	methods := strings.ReplaceAll(allowed, ",", ", ")
	if strings.Contains(allowed, http.MethodGet) {
		methods = strings.Replace(methods, http.MethodGet, "GET, HEAD", 1)
	}
	h.Set("Allow", methods+", OPTIONS")
	if r.Method == http.MethodOptions {
		w.WriteHeader(http.StatusNoContent)
		return
	}
	a.failed(r.Context(), w, r, problem.New(problem.MethodNotAllowed, "%s is not allowed here; allowed: %s, OPTIONS", door.From(r.Context()).Request.Method, methods))
}

// headWriter answers HEAD with what GET would, but for the body.
type headWriter struct{ http.ResponseWriter }

func (w headWriter) Write(b []byte) (int, error) { return len(b), nil }

// Unwrap is for http.ResponseController.
func (w headWriter) Unwrap() http.ResponseWriter { return w.ResponseWriter }
