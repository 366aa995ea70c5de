package gql

import (
	"context"
	"net/http"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/gqlerror"

	"github.com/entwine-go/entwine/gql/stream"
	"github.com/entwine-go/entwine/internal/problem"
)

// eventStream takes operations whose responses are asked for as server-sent
// events, in either of the ways in which others are sent.
type eventStream struct{ streams *stream.Server }

// Supports implements graphql.Transport.
func (eventStream) Supports(r *http.Request) bool {
	return stream.IsEvents(r) && (r.Method == http.MethodPost || r.Method == http.MethodGet)
}

// Do implements graphql.Transport.
func (e eventStream) Do(w http.ResponseWriter, r *http.Request, _ graphql.GraphExecutor) {
	read := posted
	if r.Method == http.MethodGet {
		read = gotten
		r = r.WithContext(context.WithValue(r.Context(), readOnlyKey{}, true))
	}
	params, ok := read(w, r)
	if !ok {
		return
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
