package gql

import (
	"log/slog"
	"net/http"
	"strconv"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/gqlerror"

	"github.com/entwine-go/entwine/internal/problem"
	"github.com/entwine-go/entwine/internal/requestid"
	"github.com/entwine-go/entwine/internal/store"
)

// Refusals returns what answers a request that the edge refuses before
// GraphQL sees it: with its HTTP status and in GraphQL's shape. What a client
// may not read is logged and masked.
func Refusals(log *slog.Logger) func(w http.ResponseWriter, r *http.Request, err error) {
	return func(w http.ResponseWriter, r *http.Request, err error) {
		shown := &gqlerror.Error{Message: "internal error", Extensions: extensions(problem.Internal)}
		status := http.StatusInternalServerError
		if p := problem.As(store.Problem(err)); p != nil && p.Kind != problem.Internal {
			shown = &gqlerror.Error{Message: p.Message, Extensions: extensions(p.Kind)}
			status = codes[p.Kind].status
			if p.RetryAfter > 0 {
				w.Header().Set("Retry-After", strconv.Itoa(int(p.RetryAfter.Seconds())))
			}
		} else {
			log.ErrorContext(r.Context(), "request failed before GraphQL", "err", err)
			shown.Extensions["request_id"] = requestid.From(r.Context())
		}
		if status == http.StatusUnauthorized {
			w.Header().Set("WWW-Authenticate", "Bearer")
		}
		write(w, r, status, &graphql.Response{Errors: gqlerror.List{shown}})
	}
}
