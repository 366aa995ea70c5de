package subscribe

import (
	"context"
	"io"

	"github.com/99designs/gqlgen/graphql"

	"github.com/entwine-go/entwine/kit/internal/graph/deferral"
	"github.com/entwine-go/entwine/kit/internal/graph/response"
	"github.com/entwine-go/entwine/kit/internal/graph/stream"
)

// responses are the response of a query or a mutation, and those that it
// defers: all of them in the time of one.
type responses struct {
	*Executor
	op     *graphql.OperationContext
	run    graphql.ResponseHandler // nil before the first
	ctx    context.Context
	cancel context.CancelFunc
	// encoder writes them, in the format that the client takes.
	encoder response.Encoder
	done    bool
}

// Next implements stream.Results.
func (r *responses) Next(ctx context.Context) ([]byte, error) {
	if r.done {
		return nil, io.EOF
	}
	if r.run == nil {
		r.ctx, r.cancel = context.WithTimeout(ctx, r.RequestTime)
		r.encoder.Format = stream.Parts(ctx)
		r.ctx = deferral.Allow(r.ctx, r.encoder.Format)
		r.run, r.ctx = r.Operations.DispatchOperation(r.ctx, r.op)
	}
	res := r.run(r.ctx)
	r.done = !response.HasNext(res)
	return r.encoder.Encode(ctx, res), nil
}

// Close implements stream.Results.
func (r *responses) Close() {
	if r.run == nil {
		return
	}
	r.cancel()
	for !r.done { // what was deferred ends with its context
		r.done = !response.HasNext(r.run(r.ctx))
	}
}

// once are results that are one response, of what could not be subscribed to.
type once struct {
	response []byte
	outcome  string
	done     bool
}

// Next implements stream.Results.
func (o *once) Next(context.Context) ([]byte, error) {
	if o.done {
		return nil, io.EOF
	}
	o.done = true
	return o.response, nil
}

// Close implements stream.Results.
func (o *once) Close() {}
