package gql

import (
	"context"
	"net/http"
	"strings"
	"time"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/gqlerror"

	"github.com/entwine-go/entwine/kit/problem"
	"github.com/entwine-go/entwine/kit/runtime/graph/stream"
)

// eventStream takes operations whose responses are asked for as server-sent
// events, in either of the ways in which others are sent.
type eventStream struct {
	streams *stream.Server
	time    time.Duration // for an answer that is no stream
}

// takesJSON reports whether a client that takes events takes plain answers,
// too: it names whatever it understands, and means events for subscriptions.
func takesJSON(r *http.Request) bool {
	accept := r.Header.Get("Accept")
	return strings.Contains(accept, mediaJSON) || strings.Contains(accept, mediaResponse)
}

// Supports implements graphql.Transport.
func (eventStream) Supports(r *http.Request) bool {
	return stream.IsEvents(r) && (r.Method == http.MethodPost || r.Method == http.MethodGet)
}

// Do implements graphql.Transport.
func (e eventStream) Do(w http.ResponseWriter, r *http.Request, exec graphql.GraphExecutor) {
	read := posted
	if r.Method == http.MethodGet {
		read = gotten
		r = r.WithContext(context.WithValue(r.Context(), readOnlyKey{}, true))
	}
	params, ok := read(w, r)
	if !ok {
		return
	}
	if takesJSON(r) {
		op, refused := exec.CreateOperationContext(r.Context(), params)
		if refused != nil || op.Operation.Operation != ast.Subscription {
			ctx, cancel := context.WithTimeout(r.Context(), e.time) // the edge took it for a stream
			defer cancel()
			execute(w, r.WithContext(ctx), exec, params)
			return
		}
	}
	e.streams.ServeEvents(w, r, params, func(errs gqlerror.List) {
		status, ok := errs[0].Extensions["status"].(int)
		if !ok {
			status = http.StatusBadRequest
		}
		if status == http.StatusMethodNotAllowed {
			w.Header().Set("Allow", http.MethodPost)
		}
		write(w, r, status, &graphql.Response{Errors: errs})
	}, func(err error) { WriteError(w, r, problem.As(err)) })
}

type readOnlyKey struct{}

// isReadOnly reports whether the request may change nothing.
func isReadOnly(ctx context.Context) bool {
	readOnly, _ := ctx.Value(readOnlyKey{}).(bool)
	return readOnly
}
