// Package rest is the HTTP handler of a resource API: it puts the server that ogen
// generates from an OpenAPI document behind HTTP.
//
// serve.go has the way of a request from its first step to its last: the version,
// the path, which the generated server finds, what can be judged before the handler
// runs, the Idempotency-Key, and the generated server once more, which calls the
// operation's handler.
//
// It owns what every request has in common: the version of the API (package apiversion) with its
// lifecycle, the operation of a path, the order in which a request is judged (the path, the
// caller, the parameters, the body), the media type of the answer, Idempotency-Keys, and the
// answers of errors. A [Service] has the parts that differ between services. Its handlers use
// package handler, package schema finds the faults of a body, and package failure writes errors.
// Package web has authenticated the caller before.
package rest

import (
	"context"
	"log/slog"
	"net/http"
	"net/url"
	"slices"

	"github.com/go-faster/errors"
	"github.com/ogen-go/ogen/middleware"
	"github.com/ogen-go/ogen/ogenerrors"

	"github.com/entwine-go/entwine/kit/gen/openapi"
	"github.com/entwine-go/entwine/kit/idempotency"
	"github.com/entwine-go/entwine/kit/internal/rest/docs"
	"github.com/entwine-go/entwine/kit/internal/rest/schema"
	"github.com/entwine-go/entwine/kit/lifecycle"
	"github.com/entwine-go/entwine/kit/rest/apiversion"
	"github.com/entwine-go/entwine/kit/rest/failure"
	"github.com/entwine-go/entwine/kit/rest/handler"
	"github.com/entwine-go/entwine/kit/viewer"
)

// Service is an API that is to be served. Maps and lists are by operationId.
type Service struct {
	Log *slog.Logger
	// Name is that of the API: the realm of its callers, and part of the media
	// types of its own.
	Name string
	// Prefix is where all paths begin: "/api". The document is served below it
	// and below each of its versions: "/api/v1".
	Prefix string
	// Versions are those that are offered.
	Versions *apiversion.Versions
	// Credentials is where the paths of the document begin that give or take
	// credentials: "/auth/". Their answers are kept by no cache and for no
	// Idempotency-Key. Empty if there are none.
	Credentials string

	// Webhook is the path below a version that another service sends messages
	// to: its answers have no lifecycle headers. Empty if there is none.
	Webhook string

	// Lifecycle has the dates of versions and of deprecated operations, and Usage
	// counts their uses. Either may be nil.
	Lifecycle *lifecycle.Plan
	Usage     Usage

	// Published is the OpenAPI document of the first version.
	Published apiversion.Published
	// Operations are those of the document.
	Operations map[string]*openapi.Operation
	// NewServer makes the generated server of them.
	NewServer NewServer
	// Answers are the handlers of operations that follow from the schema or are the
	// kit's. The document judges what the latter take.
	Answers map[string]handler.Handler
	// Problem turns an error of an operation by hand into a [problem.Error], where that
	// is not nil.
	Problem func(error) error

	// Options are further header fields of OPTIONS beside the methods, by operation.
	Options map[string]func(http.Header, *handler.Exchange)
	// Choices are the names among the values of an operation's parameters: each version
	// writes them as its other names.
	Choices map[string]map[string][]string

	// Guards are the operations' conditions on the caller, which are checked first.
	// Those without one are for every caller.
	Guards map[string]handler.Guard
	// Keys configures Idempotency-Keys.
	Keys Keys
}

// Usage counts uses of deprecated operations.
type Usage interface {
	// Count counts one use, with its caller, its User-Agent and the operation.
	Count(v *viewer.Viewer, agent string, kind lifecycle.Kind, name string)
}

// Server is the generated server of a document, whose paths begin at the root.
type Server interface {
	// Find returns the operationId of the path, and appends the values of the path's
	// parameters to values. There may be nothing, for this method.
	Find(method string, u *url.URL, values []string) (id string, _ []string, found bool)
	// ServeHTTP has the handler of what is at the path answer.
	http.Handler
}

// NewServer makes a generated server. It calls answer for operations that are not by
// hand, with the operationId.
type NewServer func(answer func(ctx context.Context, w http.ResponseWriter, id string) error, hooks Hooks) Server

// Hooks are the functions that a generated server calls beside handlers.
type Hooks struct {
	// Failed is called with errors of decoders and of handlers.
	Failed ogenerrors.ErrorHandler
	// Judged is called when the input has been read and before the handler,
	// which is not called where it fails. Nil: nothing is.
	Judged func(context.Context) error
}

// Around are the middlewares of a generated server: a service's own, the outermost
// first, and what judges within.
func (h Hooks) Around(own []middleware.Middleware) []middleware.Middleware {
	if h.Judged == nil {
		return own
	}
	return append(slices.Clone(own), func(r middleware.Request, next middleware.Next) (middleware.Response, error) {
		if err := h.Judged(r.Context); err != nil {
			return middleware.Response{}, err
		}
		return next(r)
	})
}

// Keys configures Idempotency-Keys.
type Keys struct {
	Keeper *idempotency.Keeper
	// Required are operations that are refused without a key.
	Required []string
	// Split are operations that call the outside and take an
	// [idempotency.Ticket]. All others run in one transaction with their record.
	Split []string
	// Found are operations whose repetition is answered with 200 in the place
	// of 201, and with the first body where the caller's rights are the same.
	Found []string
	// Bodies are operations that answer with no row, and with nothing that
	// depends on who may see what: their bodies are stored.
	Bodies []string
	// Again answer a repetition of operations that answer with neither a row
	// nor such a body, from the outcome that their handlers leave in the
	// exchange.
	Again map[string]Again
	// Resources are those whose rows repetitions are answered with, and Door
	// reads them.
	Resources []*handler.Resource
	Door      *handler.Door
}

// Again answers the repetition of a request from its outcome.
type Again = func(context.Context, http.ResponseWriter, idempotency.Outcome) error

// New returns the handler of all paths below the service's prefix.
func New(s Service) http.Handler {
	// ogen makes an error for each absent parameter, and go-faster/errors a
	// stack for each error, unless that is switched off.
	errors.DisableTrace()
	a := &api{
		Service:  s,
		routes:   routesOf(s.Operations),
		sites:    map[*apiversion.Served]*docs.Site{},
		ended:    map[*apiversion.Served]*docs.Site{},
		schemas:  schema.New(s.Published.Document),
		shapes:   apiversion.NewShapes(s.Published),
		failures: failure.New(s.Name, s.Versions),
	}
	for _, v := range s.Versions.All() {
		a.sites[v] = docs.New(func() []byte { return s.Versions.Document(v, s.Published) }, v.Vendor)
		a.ended[v] = docs.New(func() []byte { return s.Versions.Document(v, a.noticed(v)) }, v.Vendor)
	}
	a.server = s.NewServer(a.answered, Hooks{Failed: a.unanswered})
	a.keyed = s.NewServer(a.answered, Hooks{Failed: a.unanswered, Judged: a.claim})
	return a
}
