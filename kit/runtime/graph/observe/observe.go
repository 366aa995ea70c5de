// Package observe tells an [Observer] of operations: how each went, what it
// cost and how long it took.
package observe

import (
	"context"
	"slices"
	"time"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/gqlerror"

	"github.com/entwine-go/entwine/kit/runtime/graph/limits"
	"github.com/entwine-go/entwine/kit/runtime/graph/response"
)

// Observer is told of every operation, over whatever it was sent.
type Observer interface {
	// Begin returns the context of an operation: a query, a mutation or a
	// subscription. Its name is the document's own, empty for none.
	Begin(ctx context.Context, kind, name string) context.Context
	// End is told, with Begin's context, the outcome: ok, partial where there
	// are data and errors, or failed. Of a subscription that is how it was
	// accepted.
	End(ctx context.Context, kind, outcome string, cost int, took time.Duration)
	// Refused is told of a document that could not be run.
	Refused()
}

// executor is an executor that tells an observer.
type executor struct {
	graphql.GraphExecutor
	Observer
}

// Executor returns the executor, which tells the observer of each operation. The
// observer may be nil.
func Executor(e graphql.GraphExecutor, o Observer) graphql.GraphExecutor {
	if o == nil {
		return e
	}
	return executor{e, o}
}

// CreateOperationContext implements graphql.GraphExecutor.
func (e executor) CreateOperationContext(ctx context.Context, p *graphql.RawParams) (*graphql.OperationContext, gqlerror.List) {
	op, refused := e.GraphExecutor.CreateOperationContext(ctx, p)
	if refused != nil {
		e.Refused()
	}
	return op, refused
}

// DispatchOperation implements graphql.GraphExecutor.
func (e executor) DispatchOperation(ctx context.Context, op *graphql.OperationContext) (graphql.ResponseHandler, context.Context) {
	began := time.Now()
	ctx = e.Begin(ctx, string(op.Operation.Operation), op.Operation.Name)
	run, ctx := e.GraphExecutor.DispatchOperation(ctx, op)
	told, begun := "", false
	return func(inner context.Context) *graphql.Response {
		r := run(inner)
		if !begun {
			begun, told = true, outcome(r)
		} else if told == "ok" && r != nil && incomplete(r) {
			told = "partial"
		}
		if !response.HasNext(r) {
			e.End(ctx, string(op.Operation.Operation), told, limits.Requested(op), time.Since(began))
		}
		return r
	}, ctx
}

// incomplete reports whether something that was deferred has errors.
func incomplete(r *graphql.Response) bool {
	return slices.ContainsFunc(response.Parts(r), func(p response.Part) bool { return len(p.Errors) > 0 })
}

// outcome says in a word how an operation went.
func outcome(r *graphql.Response) string {
	switch {
	case r == nil || len(r.Errors) == 0:
		return "ok"
	case r.Data == nil || string(r.Data) == "null":
		return "failed"
	}
	return "partial"
}
