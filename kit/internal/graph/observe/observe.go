// Package observe calls an [Observer] around operations, with the outcome, cost and
// duration of each.
package observe

import (
	"context"
	"errors"
	"time"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/gqlerror"

	"github.com/entwine-go/entwine/kit/graph/limits"
	"github.com/entwine-go/entwine/kit/internal/graph/failure"
	"github.com/entwine-go/entwine/kit/internal/graph/response"
)

// Observer is called around every operation, over each transport.
type Observer interface {
	// Begin returns the context of an operation: a query, a mutation or a
	// subscription. Its name is the document's own, empty for none.
	Begin(ctx context.Context, kind, name string) context.Context
	// End is called with Begin's context and the outcome: ok, partial where there
	// are data and errors, failed where there are errors alone, fault where one
	// of the errors is the service's own, with data or without, and gone where
	// that is because the client went away. Of a subscription that is how it was
	// accepted.
	End(ctx context.Context, kind, outcome string, cost int, took time.Duration)
	// Refused is called for a document that could not be run, with whether that
	// was refused or fault.
	Refused(outcome string)
}

// executor is an executor with an observer.
type executor struct {
	graphql.GraphExecutor
	Observer
}

// Executor returns the executor with calls of the observer around each operation. The
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
		e.Refused(refusal(refused))
	}
	return op, refused
}

// DispatchOperation implements graphql.GraphExecutor.
func (e executor) DispatchOperation(ctx context.Context, op *graphql.OperationContext) (graphql.ResponseHandler, context.Context) {
	o := &operation{Observer: e.Observer, op: op, began: time.Now()}
	o.run, o.ctx = e.GraphExecutor.DispatchOperation(e.Begin(ctx, string(op.Operation.Operation), op.Operation.Name), op)
	return o.next, o.ctx
}

// operation is one that is observed.
type operation struct {
	Observer
	op    *graphql.OperationContext
	run   graphql.ResponseHandler
	ctx   context.Context //nolint:containedctx // Begin's, for End
	began time.Time
	// told is the outcome so far, empty before the first response.
	told string
}

// next is a graphql.ResponseHandler.
func (o *operation) next(ctx context.Context) *graphql.Response {
	r := o.run(ctx)
	if o.told == "" {
		o.told = Outcome(r)
	} else if r != nil {
		o.told = later(o.told, r)
	}
	if o.told == fault && errors.Is(ctx.Err(), context.Canceled) {
		o.told = "gone"
	}
	if !response.HasNext(r) {
		o.End(o.ctx, string(o.op.Operation.Operation), o.told, limits.Requested(o.op), time.Since(o.began))
	}
	return r
}

// later is an outcome after a response with what was deferred.
func later(told string, r *graphql.Response) string {
	for _, p := range response.Parts(r) {
		switch {
		case failure.Faulty(p.Errors):
			return fault
		case len(p.Errors) > 0 && told == "ok":
			told = "partial"
		}
	}
	return told
}

// fault is the outcome of what failed by the service's own fault.
const fault = "fault"

// refusal says in a word why a document was not run.
func refusal(errs gqlerror.List) string {
	if failure.Faulty(errs) {
		return fault
	}
	return "refused"
}

// Outcome says in a word how an operation went.
func Outcome(r *graphql.Response) string {
	switch {
	case r == nil || len(r.Errors) == 0:
		return "ok"
	case failure.Faulty(r.Errors):
		return fault
	case r.Data == nil || string(r.Data) == "null":
		return "failed"
	}
	return "partial"
}
