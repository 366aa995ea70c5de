package wire

import (
	"net/http"
	"strconv"
	"time"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/gqlerror"

	"github.com/entwine-go/entwine/kit/internal/graph/failure"
	"github.com/entwine-go/entwine/kit/problem"
	"github.com/entwine-go/entwine/kit/requestid"
)

// WriteError answers a request that the edge refuses before GraphQL sees it: with
// its HTTP status and in GraphQL's shape. Any error but a [problem.Error] is
// masked. It has been logged.
func WriteError(w http.ResponseWriter, r *http.Request, err error) {
	p := problem.As(err)
	if p == nil || p.Kind == problem.Internal {
		p = problem.New(problem.Internal, "internal error")
	}
	shown := &gqlerror.Error{Message: p.Message, Extensions: failure.Extensions(p.Kind)}
	if p.Kind == problem.Internal {
		shown.Extensions["request_id"] = requestid.From(r.Context())
	}
	if p.RetryAfter > 0 {
		w.Header().Set("Retry-After", strconv.Itoa(int((p.RetryAfter+time.Second-1)/time.Second)))
	}
	status := p.Kind.Answer().Status
	if status == http.StatusUnauthorized {
		w.Header().Set("WWW-Authenticate", "Bearer")
	}
	write(w, r, status, &graphql.Response{Errors: gqlerror.List{shown}})
}
