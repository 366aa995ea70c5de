package failure

import (
	"net/http"
	"slices"

	"github.com/vektah/gqlparser/v2/gqlerror"

	"github.com/entwine-go/entwine/kit/problem"
)

// Extensions are those of an error of the kind.
func Extensions(kind problem.Kind) map[string]any {
	a := kind.Answer()
	return map[string]any{"code": a.GraphQL, "status": a.Status}
}

// Faulty reports whether one of the errors is the service's own, and none of
// the client's.
func Faulty(errs gqlerror.List) bool {
	return slices.ContainsFunc(errs, func(err *gqlerror.Error) bool {
		status, ok := err.Extensions["status"].(int)
		return ok && status >= http.StatusInternalServerError
	})
}
