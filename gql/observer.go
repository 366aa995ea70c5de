package gql

import (
	"context"
	"slices"
	"time"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/gqlerror"
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

// observedExecutor is an executor that tells an observer.
type observedExecutor struct {
	graphql.GraphExecutor
	Observer
}

func observed(e graphql.GraphExecutor, o Observer) graphql.GraphExecutor {
	if o == nil {
		return e
	}
	return observedExecutor{e, o}
}

// CreateOperationContext implements graphql.GraphExecutor.
func (e observedExecutor) CreateOperationContext(ctx context.Context, p *graphql.RawParams) (*graphql.OperationContext, gqlerror.List) {
	op, refused := e.GraphExecutor.CreateOperationContext(ctx, p)
	if refused != nil {
		e.Refused()
	}
	return op, refused
}

// DispatchOperation implements graphql.GraphExecutor.
func (e observedExecutor) DispatchOperation(ctx context.Context, op *graphql.OperationContext) (graphql.ResponseHandler, context.Context) {
	began := time.Now()
	ctx = e.Begin(ctx, string(op.Operation.Operation), op.Operation.Name)
	run, ctx := e.GraphExecutor.DispatchOperation(ctx, op)
	told, begun := "", false
	return func(inner context.Context) *graphql.Response {
		response := run(inner)
		if !begun {
			begun, told = true, outcome(response)
		} else if told == "ok" && response != nil && incomplete(response) {
			told = "partial"
		}
		if !hasNext(response) {
			e.End(ctx, string(op.Operation.Operation), told, requested(op), time.Since(began))
		}
		return response
	}, ctx
}

// incomplete reports whether something that was deferred has errors.
func incomplete(response *graphql.Response) bool {
	parts, _ := response.Extensions[incrementalName].([]incremental)
	return slices.ContainsFunc(parts, func(p incremental) bool { return len(p.Errors) > 0 })
}

// outcome says in a word how an operation went.
func outcome(response *graphql.Response) string {
	switch {
	case response == nil || len(response.Errors) == 0:
		return "ok"
	case response.Data == nil || string(response.Data) == "null":
		return "failed"
	}
	return "partial"
}
