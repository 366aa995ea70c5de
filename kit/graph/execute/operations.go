package execute

import (
	"context"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/gqlerror"

	"github.com/entwine-go/entwine/kit/internal/graph/validation"
	"github.com/entwine-go/entwine/kit/internal/graph/variables"
)

// Operations take requests: they are the graphql.GraphExecutor of the API. gqlgen
// parses and validates a document that is new, and resolves what this package leaves
// to it. All else goes past it: gqlgen's work that is repeated for each request
// (times of a trace, three contexts, a chain of extensions) takes 3 µs, and a
// document does not change.
type Operations struct {
	// GraphExecutor is gqlgen's.
	graphql.GraphExecutor
	*Executor
	// Named puts documents in the place of their names.
	Named graphql.OperationParameterMutator
	// Texts judge and change the text of a document that is new, in this order.
	Texts []graphql.OperationParameterMutator
}

var _ graphql.GraphExecutor = (*Operations)(nil)

// CreateOperationContext implements graphql.GraphExecutor.
func (o *Operations) CreateOperationContext(ctx context.Context, p *graphql.RawParams) (*graphql.OperationContext, gqlerror.List) {
	if err := o.Named.MutateOperationParameters(ctx, p); err != nil {
		return &graphql.OperationContext{}, gqlerror.List{err}
	}
	if err := validation.Variables(p.Variables); err != nil {
		return &graphql.OperationContext{}, gqlerror.List{err}
	}
	text := p.Query
	known := o.Documents.Find(ctx, text, p.OperationName)
	if known == nil {
		op, refused := o.created(ctx, p)
		if refused != nil {
			return op, refused
		}
		known = o.Documents.Add(ctx, text, p.OperationName, op)
		return op, o.prepare(ctx, op, known)
	}
	op := known.Again(p)
	var refused gqlerror.List
	if op.Variables, refused = variables.Given(o.Schema, op.Operation, p.Variables); refused != nil {
		return op, refused
	}
	return op, o.prepare(ctx, op, known)
}

// created has gqlgen read a document that is new.
func (o *Operations) created(ctx context.Context, p *graphql.RawParams) (*graphql.OperationContext, gqlerror.List) {
	for _, judge := range o.Texts {
		if err := judge.MutateOperationParameters(ctx, p); err != nil {
			return &graphql.OperationContext{}, gqlerror.List{err}
		}
	}
	return o.GraphExecutor.CreateOperationContext(graphql.StartOperationTrace(ctx), p) // gqlgen demands a trace
}

// DispatchOperation implements graphql.GraphExecutor: it runs the root fields that
// are planned, has gqlgen run the others, and puts the response together.
func (o *Operations) DispatchOperation(ctx context.Context, op *graphql.OperationContext) (graphql.ResponseHandler, context.Context) {
	if op.Operation.Operation == ast.Subscription {
		return o.GraphExecutor.DispatchOperation(ctx, op)
	}
	return o.deliver(ctx, op, o.GraphExecutor).next, ctx
}
