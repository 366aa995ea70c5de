package wire

import (
	"context"
	"net/http"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/gqlerror"

	"github.com/entwine-go/entwine/kit/graph/execute"
	"github.com/entwine-go/entwine/kit/graph/limits"
	"github.com/entwine-go/entwine/kit/internal/graph/deferral"
	"github.com/entwine-go/entwine/kit/internal/graph/failure"
	"github.com/entwine-go/entwine/kit/internal/graph/prepared"
	"github.com/entwine-go/entwine/kit/internal/graph/response"
	"github.com/entwine-go/entwine/kit/internal/graph/stream"
	"github.com/entwine-go/entwine/kit/problem"
	"github.com/entwine-go/entwine/kit/web"
)

// execute runs the operation and writes its response. The files of a form are taken once the
// operation is known to be valid, and before it runs.
func (h *Handler) execute(w http.ResponseWriter, r *http.Request, params *graphql.RawParams, with *form) {
	if params.Query == "" && params.Extensions == nil { // an extension may stand for the query
		refuse(w, r, problem.New(problem.Invalid, "query is required"))
		return
	}
	ctx := r.Context()
	op, refused := h.Executor.CreateOperationContext(ctx, params)
	if refused == nil && r.Method != http.MethodPost && op.Operation.Operation != ast.Query {
		w.Header().Set("Allow", http.MethodPost)
		refuse(w, r, problem.New(problem.MethodNotAllowed, "only queries can be sent with %s", r.Method))
		return
	}
	if refused == nil && op.Operation.Operation == ast.Subscription {
		refused = gqlerror.List{gqlerror.Errorf("subscriptions need a connection that stays open")}
	}
	if refused != nil && execute.ForKey(refused) {
		write(w, r, http.StatusBadRequest, &graphql.Response{Errors: refused})
		return
	}
	if refused != nil {
		answer(w, r, &graphql.Response{Errors: failure.CompleteAll(op, refused)})
		return
	}
	if err := limits.Charge(ctx, op); err != nil {
		WriteError(w, r, err)
		return
	}
	if with != nil {
		defer with.end(ctx)
		if err := with.take(ctx, op); err != nil {
			WriteError(w, r, err)
			return
		}
		if stream.IsEvents(r) { // the edge took it for a stream
			var cancel context.CancelFunc
			ctx, cancel = context.WithTimeout(ctx, h.RequestTime)
			defer cancel()
			r = r.WithContext(ctx)
		}
	}
	known := prepared.Of(op)
	known.Request, known.Header = r, w.Header()
	if op.Operation.Operation == ast.Query {
		web.Compressible(w) // what is shown once, such as a token, is a mutation's
	}
	defers := deferral.Of(op) != nil && r.Method != http.MethodHead
	if defers {
		ctx = deferral.Allow(ctx, deferral.Accepted(r.Header["Accept"], mediaParts))
		r = r.WithContext(ctx)
	}
	run, ctx := h.Executor.DispatchOperation(ctx, op)
	res := run(ctx)
	if execute.Replayed(op) {
		w.Header().Set("Idempotency-Replayed", "true")
	}
	if response.HasNext(res) || defers && onlyParts(r) && deferral.Allowed(ctx) == deferral.Whole {
		writeParts(w, r, res, func() *graphql.Response { return run(ctx) })
		return
	}
	answer(w, r, res)
	execute.Release(op)
}
