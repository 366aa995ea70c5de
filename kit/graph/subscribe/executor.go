// Package subscribe runs operations for connections that stay open: queries and
// mutations, and subscriptions. Each event of a subscription is answered with a
// planned read for the subscriber's viewer of that moment. Subscribers who ask
// for the same with the same rights share reads. The wire is package stream's.
package subscribe

import (
	"context"
	"time"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/gqlerror"

	"github.com/entwine-go/entwine/kit/events"
	"github.com/entwine-go/entwine/kit/graph/execute"
	"github.com/entwine-go/entwine/kit/graph/limits"
	"github.com/entwine-go/entwine/kit/internal/graph/failure"
	"github.com/entwine-go/entwine/kit/internal/graph/observe"
	"github.com/entwine-go/entwine/kit/internal/graph/response"
	"github.com/entwine-go/entwine/kit/internal/graph/stream"
	"github.com/entwine-go/entwine/kit/live"
	"github.com/entwine-go/entwine/kit/presence"
	"github.com/entwine-go/entwine/kit/problem"
	"github.com/entwine-go/entwine/kit/ratelimit"
	"github.com/entwine-go/entwine/kit/viewer"
)

// Executor is the executor of streams.
type Executor struct {
	// Operations runs queries and mutations, Reads answers the fields of
	// subscriptions.
	Operations graphql.GraphExecutor
	Reads      *execute.Executor
	// Announcements are the subscriptions by their names.
	Announcements map[string]Announcement
	// Events delivers the events of subscriptions. Nil: there are none.
	Events *events.Tailer
	// Lists are the live lists. Nil: there are none.
	Lists *live.Lists
	// Rooms have the viewers of rows (presence). Nil: that is not shown.
	Rooms *presence.Rooms
	Auth  Authenticator
	// Observer is called around subscriptions. May be nil.
	Observer observe.Observer
	// RequestTime bounds the answer to a query or a mutation, and to each event.
	RequestTime time.Duration

	audiences audiences
}

// Authenticator proves viewers again.
type Authenticator interface {
	// Still proves a viewer again, and returns them with their rights of now.
	Still(ctx context.Context, was *viewer.Viewer) (*viewer.Viewer, error)
}

// Start implements stream.Executor.
func (e *Executor) Start(ctx context.Context, p *graphql.RawParams) (stream.Results, gqlerror.List) {
	op, refused := e.Operations.CreateOperationContext(ctx, p)
	if refused != nil {
		return nil, failure.CompleteAll(op, refused)
	}
	if op.Operation.Operation == ast.Mutation && stream.IsReadOnly(ctx) {
		return nil, gqlerror.List{failure.Refusal(problem.MethodNotAllowed, "only queries and subscriptions can be sent with GET")}
	}
	if err := e.count(ctx, op); err != nil {
		return nil, gqlerror.List{e.Reads.Errors.Present(ctx, err, nil)}
	}
	if op.Operation.Operation == ast.Subscription {
		return e.subscribe(ctx, op)
	}
	return &responses{Executor: e, op: op}, nil
}

// count counts the operation for the caller, and itself as a request where it is
// none. The unused part is given back at its end.
func (e *Executor) count(ctx context.Context, op *graphql.OperationContext) error {
	if stream.OnSocket(ctx) {
		if _, err := ratelimit.Charge(ctx, 1); err != nil {
			return err
		}
	}
	return limits.Charge(ctx, op)
}

// Refusal implements stream.Executor.
func (e *Executor) Refusal(ctx context.Context, err error) []byte {
	return response.Encode(ctx, &graphql.Response{Errors: gqlerror.List{e.Reads.Errors.Present(ctx, err, nil)}})
}
