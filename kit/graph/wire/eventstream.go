package wire

import (
	"context"
	"net/http"
	"strings"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/gqlerror"

	"github.com/entwine-go/entwine/kit/internal/graph/stream"
	"github.com/entwine-go/entwine/kit/problem"
)

// serveEvents takes operations whose responses are asked for as server-sent
// events, in either of the ways in which others are sent.
func (h *Handler) serveEvents(w http.ResponseWriter, r *http.Request) {
	read := posted
	if r.Method == http.MethodGet {
		read = gotten
		r = r.WithContext(stream.WithReadOnly(r.Context()))
	}
	params, ok := read(w, r)
	if !ok {
		return
	}
	if takesJSON(r) {
		op, refused := h.Executor.CreateOperationContext(r.Context(), params)
		if refused != nil || op.Operation.Operation != ast.Subscription {
			ctx, cancel := context.WithTimeout(r.Context(), h.RequestTime) // the edge took it for a stream
			defer cancel()
			h.execute(w, r.WithContext(ctx), params, nil)
			return
		}
	}
	h.Streams.ServeEvents(w, r, params, func(errs gqlerror.List) {
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

// takesJSON reports whether a client that takes events takes plain answers,
// too: it names whatever it understands, and means events for subscriptions.
func takesJSON(r *http.Request) bool {
	accept := r.Header.Get("Accept")
	return strings.Contains(accept, mediaJSON) || strings.Contains(accept, mediaResponse)
}
