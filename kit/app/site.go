package app

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"time"

	"github.com/entwine-go/entwine/kit/account"
	"github.com/entwine-go/entwine/kit/config"
	"github.com/entwine-go/entwine/kit/console"
	"github.com/entwine-go/entwine/kit/documents"
	"github.com/entwine-go/entwine/kit/graph"
	"github.com/entwine-go/entwine/kit/graph/wire"
	"github.com/entwine-go/entwine/kit/problem"
	"github.com/entwine-go/entwine/kit/store"
	"github.com/entwine-go/entwine/kit/viewer"
	"github.com/entwine-go/entwine/kit/web"
)

// server puts together what answers requests, which clients send to url.
func (h *Host) server(url string) (*web.Server, error) {
	for _, id := range h.Config.KeyRequired {
		if o := h.service.Operations[id]; o == nil || !o.Keyed {
			return nil, fmt.Errorf("ENTWINE_IDEMPOTENCY_KEY_REQUIRED: there is no operation %s that takes a key", id)
		}
	}
	if err := unhandled(h.service.Handled, h.parts.Handlers); err != nil {
		return nil, err
	}
	if err := h.record(); err != nil {
		return nil, err
	}
	edge := h.edge()
	if len(h.DB.Replicas()) > 0 {
		vault, err := h.vault()
		if err != nil {
			return nil, err
		}
		edge.Consistency = &web.Consistency{DB: h.DB, Key: vault.Derive(account.ForConsistency)}
	}
	health := h.health(edge.Gate)
	h.readiness = health
	h.errors = edge.Errors
	stall := &web.Stall{Time: h.Config.Limit.StallTime, Most: h.Config.Limit.Stalled, Proxies: h.Config.TrustedProxies}
	site := web.Site{
		Edge:    edge,
		Health:  health,
		Start:   h.page(url),
		Pages:   pages(h.parts.Handlers),
		REST:    h.Handler(nothing),
		GraphQL: h.Handler(nothing),
		Keys:    h.Handler(nothing),

		FilesOrigin: h.Config.FilesOrigin,
		PublicURL:   h.Config.PublicURL,
	}
	server := &web.Server{Refusal: edge.Refusal, Health: site.Health, Log: h.Log, Stall: stall, Drain: h.Config.Limit.Drain, Shutdown: h.Config.Limit.Shutdown}
	h.streams = &graph.Streams{Auth: h.auth(), Log: h.Log, MaxConnections: h.Config.Limit.Connections}
	server.Streams = h.streams.Drain
	if err := h.apis(&site); err != nil {
		return nil, err
	}
	if h.Config.Console && console.Built {
		site.Console = console.Page{
			Name: h.service.Name, API: h.consoleAPI(),
			Accounts: h.service.Accounts != nil, Explorer: site.Explorer != nil, Uploads: h.uploads(),
			Errors: h.refuse,
		}.Handler()
		site.ConsoleData = h.data()
	}
	if h.parts.KeySet != nil {
		site.Keys = web.KeySet(h.parts.KeySet)
	}
	h.watchAPIs(edge.Gate, stall)
	h.watchParts(health)
	server.Handler = site.Handler()
	if file := h.development(); file != "" {
		d := &development{file: file, next: server.Handler}
		server.Handler, server.Streams = d, d.ends(server.Streams)
	}
	return server, nil
}

// documents are those that are trusted.
func (h *Host) documents() *documents.Registry {
	r := &documents.Registry{DB: h.DB}
	h.DB.OnReplaced(func(string) { r.Forget() })
	return r
}

// edge returns the layers that every request passes through.
func (h *Host) edge() *web.Edge {
	e := &web.Edge{
		Log: h.Log, Unlogged: 100 - h.Config.Log.Requests,
		Errors:  h.writeError,
		Auth:    h.auth(),
		Service: h.service.Schema,
		Limit:   h.Config.Limit,
		Webhook: h.parts.Webhook,
		Proxies: h.Config.TrustedProxies,
		Origins: origins(h.Config), Headers: h.Config.SharedHeaders, LocalOrigins: h.Config.Env != config.Production,
		Limiter: h.Limiter, Uploads: h.largestFile(),
	}
	if most := h.Config.Limit.InFlight; most > 0 {
		e.Gate = &web.Gate{Least: max(1, most/16), Most: most, Wait: 100 * time.Millisecond}
	}
	if h.telemetry.On() {
		e.Observer = h.telemetry.Requests()
	}
	if h.recorder != nil {
		e.Recorder = h.recorder
	}
	if h.parts.Edge != nil {
		h.parts.Edge(e)
	}
	return e
}

// origins are those whose pages may call the APIs: the front end's, too.
func origins(c *config.Config) []string {
	all := slices.Clone(c.Origins)
	for _, address := range c.OIDC.FrontEnds {
		if u, err := url.Parse(address); err == nil { // the settings have been checked
			all = append(all, u.Scheme+"://"+u.Host)
		}
	}
	return all
}

// writeError writes an error in the form of the API that the request is for.
func (h *Host) writeError(w http.ResponseWriter, r *http.Request, err error) {
	if r.URL.Path == web.GraphQLPath {
		wire.WriteError(w, r, err)
		return
	}
	h.parts.Errors(w, r, err)
}

// fail is writeError of what a handler came across.
func (h *Host) fail(w http.ResponseWriter, r *http.Request, err error) {
	err = web.Closed(r.Context(), store.Problem(err))
	if problem.Fault(err) {
		h.Log.ErrorContext(r.Context(), "request failed", "err", err)
	}
	h.errors(w, r, err)
}

// nothing answers where there is nothing.
func nothing(w http.ResponseWriter, r *http.Request) error {
	if web.ServeMissing(w, r, "") {
		return nil
	}
	return problem.New(problem.NotFound, "there is nothing at this path")
}

// refuse answers with an error below a page: a browser at a path where there is nothing
// gets a page, as at every other.
func (h *Host) refuse(w http.ResponseWriter, r *http.Request, err error) {
	rest := ""
	if len(h.service.tables().Operations) > 0 {
		rest = h.linked()
	}
	if problem.KindOf(err) != problem.NotFound || !web.ServeMissing(w, r, rest) {
		h.fail(w, r, err)
	}
}

// auth proves credentials: the service's own, or none.
func (h *Host) auth() Authenticator {
	if h.parts.Auth != nil {
		return h.parts.Auth
	}
	return refusing{}
}

// refusing knows no credential.
type refusing struct{}

var errNoCredentials = problem.New(problem.Unauthenticated, "this service takes no credentials")

// Token implements [Authenticator].
func (refusing) Token(context.Context, string) (*viewer.Viewer, error) { return nil, errNoCredentials }

// Session implements [Authenticator].
func (refusing) Session(context.Context, string) (*viewer.Viewer, error) {
	return nil, errNoCredentials
}

// APIKey implements [Authenticator].
func (refusing) APIKey(context.Context, string) (*viewer.Viewer, error) { return nil, errNoCredentials }

// Still implements [Authenticator]: every caller is anonymous.
func (refusing) Still(_ context.Context, was *viewer.Viewer) (*viewer.Viewer, error) { return was, nil }
