package wire

import (
	"net/http"
	"strconv"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/gqlerror"

	"github.com/entwine-go/entwine/kit/internal/graph/failure"
	"github.com/entwine-go/entwine/kit/problem"
)

// WriteError answers a request that the edge refuses before GraphQL sees it: with
// its HTTP status and in GraphQL's shape. Any error but a [problem.Error] is
// masked. It has been logged.
func WriteError(w http.ResponseWriter, r *http.Request, err error) {
	p := problem.As(err)
	if p == nil || p.Kind == problem.Internal {
		p = problem.New(problem.Internal, "internal error")
	}
	shown := &gqlerror.Error{}
	shown.Message, shown.Extensions = failure.Shown(r.Context(), p)
	if p.RetryAfter > 0 {
		w.Header().Set("Retry-After", strconv.Itoa(p.Seconds()))
	}
	status := p.Kind.Answer().Status
	if status == http.StatusUnauthorized {
		w.Header().Set("WWW-Authenticate", "Bearer")
	}
	write(w, r, status, &graphql.Response{Errors: gqlerror.List{shown}})
}
