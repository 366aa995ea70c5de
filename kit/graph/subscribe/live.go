package subscribe

import (
	"context"
	"errors"

	"github.com/99designs/gqlgen/graphql"

	"github.com/entwine-go/entwine/kit/entity"
	"github.com/entwine-go/entwine/kit/graph/plan"
	"github.com/entwine-go/entwine/kit/internal/graph/observe"
	"github.com/entwine-go/entwine/kit/internal/graph/prepared"
	"github.com/entwine-go/entwine/kit/internal/graph/response"
	"github.com/entwine-go/entwine/kit/internal/graph/stream"
	"github.com/entwine-go/entwine/kit/live"
	"github.com/entwine-go/entwine/kit/problem"
	"github.com/entwine-go/entwine/kit/viewer"
)

// following is a subscription that follows a list: a response for each update. It is
// charged for its first page. Updates are not charged, for they are read once for all
// who share the list.
type following struct {
	*Executor
	op       *graphql.OperationContext
	field    graphql.CollectedField
	entity   *entity.Entity
	follower *live.Follower
}

// follow begins to follow the list. A refusal is a response.
func (e *Executor) follow(ctx context.Context, op *graphql.OperationContext, of *entity.Entity, f graphql.CollectedField) stream.Results {
	s := &following{Executor: e, op: op, field: f, entity: of}
	err := s.begin(ctx)
	if err == nil {
		return s
	}
	refusal, _ := e.Reads.Field(ctx, op, f, failed(err))
	return &once{response: response.Encode(ctx, refusal), outcome: observe.Outcome(refusal)}
}

func (s *following) begin(ctx context.Context) (err error) {
	if s.Lists == nil {
		return problem.New(problem.Unavailable, "there are no live lists here")
	}
	since := s.Reads.Planner(ctx, s.op).Arguments(s.field).Text("since")
	ctx, cancel := context.WithTimeout(ctx, s.RequestTime)
	defer cancel()
	s.follower, err = s.Lists.Open(ctx, s.source, since)
	s.op = prepared.Resting(s.op)
	if errors.Is(err, live.ErrClosed) {
		return unsubscribed(err)
	}
	return err
}

// source plans the list for the caller of the context.
func (s *following) source(ctx context.Context) (live.Source, error) {
	p := s.Reads.Planner(ctx, s.op)
	p.Viewer = viewer.From(ctx)
	return p.Live(s.entity, s.field)
}

// Next implements stream.Results.
func (s *following) Next(ctx context.Context) ([]byte, error) {
	u, err := s.follower.Next(ctx)
	if err != nil {
		return nil, err
	}
	shape, _ := s.follower.Shape().(*plan.Live)
	r, _ := s.Reads.Field(ctx, s.op, s.field, shape.Update(s.entity, u))
	return response.Encode(ctx, r), nil
}

// Close implements stream.Results.
func (s *following) Close() { s.follower.Close() }
