package web

import (
	"context"
	"net/http"
	"strings"
	"time"

	"github.com/entwine-go/entwine/kit/viewer"
)

// Observer is called around every request, for metrics and traces. Its arguments have few
// distinct values: no paths, and nothing else that clients make up.
type Observer interface {
	// Begin returns the context in which a request is answered. Where span is
	// set it is worth a span of its own: it asks an API, and not for a stream.
	Begin(ctx context.Context, r *http.Request, api string, span bool) context.Context
	// As is called with the viewer of a request, nil for an anonymous caller, and
	// returns the viewer that its context gets.
	As(ctx context.Context, v *viewer.Viewer) *viewer.Viewer
	// Charged is called with the charge of a request, and the rest of its caller's limit.
	Charged(ctx context.Context, n, left int, refused bool)
	// Streams is called where the answer turns out to be a stream.
	Streams(ctx context.Context)
	// End is called with Begin's context and how the request was answered. Took is
	// 0 for a stream. The method is as the client wrote it.
	End(ctx context.Context, api, route, method string, status int, took time.Duration)
}

// The parts of a site.
const (
	partREST    = "rest"
	partGraphQL = "graphql"
	partSite    = "site" // its pages, and what is nowhere
)

// SetRoute names the route of the request for the [Observer]: the operationId, for
// REST.
func SetRoute(w http.ResponseWriter, name string) {
	if x, ok := w.(*exchange); ok {
		x.route = name
	}
}

// observe answers a request between the observer's calls.
func (e *Edge) observe(ctx context.Context, x *exchange, r *http.Request, next http.Handler) {
	began, stream := e.now(), isStream(r)
	part, route := place(r.URL.Path)
	x.route, x.observer = route, e.Observer
	ctx = e.Observer.Begin(ctx, r, part, part != partSite && !stream)
	defer func() { // also when the connection is cut off
		status, took := x.status, e.now().Sub(began)
		if status == 0 {
			status = http.StatusOK // as net/http answers for who wrote nothing
		}
		if stream || x.streams {
			took = 0
		}
		e.Observer.End(ctx, part, x.route, r.Method, status, took)
	}()
	next.ServeHTTP(x, r.WithContext(ctx))
}

// place returns which part of the site a path belongs to, and the route as far
// as that says it.
func place(path string) (part, route string) {
	switch path {
	case GraphQLPath:
		return partGraphQL, "graphql"
	case "/healthz", "/readyz":
		return partSite, path[1:]
	case "/":
		return partSite, "start"
	}
	switch {
	case strings.HasPrefix(path, restPath):
		return partREST, "none"
	case isBelow(path, ExplorerPath):
		return partSite, "graphiql"
	case isBelow(path, ConsolePath):
		return partSite, "console"
	}
	return partSite, "none"
}
