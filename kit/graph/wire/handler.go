// Package wire is GraphQL over HTTP: which requests are operations, how one is
// read, and in which form its response is sent: as JSON, in parts where
// something is deferred, or as events. WebSockets, and how streams go on, are
// for package stream.
package wire

import (
	"net/http"
	"strings"
	"sync"
	"time"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/ast"

	"github.com/entwine-go/entwine/kit/files"

	"github.com/entwine-go/entwine/kit/internal/graph/stream"
	"github.com/entwine-go/entwine/kit/problem"
	"github.com/entwine-go/entwine/kit/web"
)

// Handler answers GraphQL over HTTP. It acts for the viewer of the request's
// context.
type Handler struct {
	Executor graphql.GraphExecutor
	Streams  *stream.Server
	// RequestTime bounds the answer to an operation that is sent as one whose
	// responses are a stream, and has but one.
	RequestTime time.Duration
	// Explorer is where browsers are sent that come without a query, empty
	// where there is no such page.
	Explorer string
	// Files keeps the files of forms. Nil: forms are refused. Schema says for which
	// arguments they are.
	Files  *files.Keeper
	Schema *ast.Schema

	once   sync.Once
	places map[place]files.Target // those of Schema, once they are needed
}

// ServeHTTP implements http.Handler.
func (h *Handler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if web.IsWebSocket(r) {
		h.Streams.ServeWebSocket(w, r)
		return
	}
	switch r.Method {
	case http.MethodPost:
		h.post(w, r)
	case http.MethodGet, http.MethodHead:
		h.get(w, r)
	case http.MethodOptions:
		w.Header().Set("Allow", allowed)
		w.WriteHeader(http.StatusNoContent)
	default:
		w.Header().Set("Allow", allowed)
		refuse(w, r, problem.New(problem.MethodNotAllowed, "%s is not allowed: GET, HEAD and POST are", r.Method))
	}
}

// allowed are the methods that are answered.
const allowed = "GET, HEAD, POST, OPTIONS"

// post takes operations as JSON bodies.
func (h *Handler) post(w http.ResponseWriter, r *http.Request) {
	if h.Files != nil && web.IsForm(r) {
		h.form(w, r) // of a mutation, which is answered as one, whatever else the client takes
	} else if stream.IsEvents(r) {
		h.serveEvents(w, r)
	} else if params, ok := posted(w, r); ok {
		h.execute(w, r, params, nil)
	}
}

// get takes queries, and nothing that changes something, as parameters.
func (h *Handler) get(w http.ResponseWriter, r *http.Request) {
	switch {
	case stream.IsEvents(r) && r.Method == http.MethodGet:
		h.serveEvents(w, r)
	case h.Explorer != "" && r.URL.RawQuery == "" && strings.Contains(r.Header.Get("Accept"), "text/html"):
		http.Redirect(w, r, h.Explorer, http.StatusSeeOther)
	default:
		if params, ok := gotten(w, r); ok {
			h.execute(w, r, params, nil)
		}
	}
}
