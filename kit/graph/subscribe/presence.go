package subscribe

import (
	"context"
	"errors"

	"github.com/99designs/gqlgen/graphql"

	"github.com/entwine-go/entwine/kit/entity"
	"github.com/entwine-go/entwine/kit/gid"
	"github.com/entwine-go/entwine/kit/graph/plan"
	"github.com/entwine-go/entwine/kit/internal/graph/observe"
	"github.com/entwine-go/entwine/kit/internal/graph/response"
	"github.com/entwine-go/entwine/kit/internal/graph/stream"
	"github.com/entwine-go/entwine/kit/live"
	"github.com/entwine-go/entwine/kit/presence"
	"github.com/entwine-go/entwine/kit/problem"
)

// looking is a subscription that says who looks at a row, and is one of these: a response
// for each update.
type looking struct {
	*Executor
	op       *graphql.OperationContext
	field    graphql.CollectedField
	plan     *plan.Presence
	follower *presence.Follower
}

// look begins to look at the row. Where that can't be, the response says why.
func (e *Executor) look(ctx context.Context, op *graphql.OperationContext, f graphql.CollectedField) stream.Results {
	s := &looking{Executor: e, op: op, field: f}
	err := s.begin(ctx)
	if err == nil {
		return s
	}
	refusal, _ := e.Reads.Field(ctx, op, f, failed(err))
	return &once{response: response.Encode(ctx, refusal), outcome: observe.Outcome(refusal)}
}

func (s *looking) begin(ctx context.Context) (err error) {
	if s.Rooms == nil {
		return problem.New(problem.Unavailable, "who looks at rows is not shown here")
	}
	p := s.Reads.Planner(ctx, s.op)
	id := p.Arguments(s.field)["id"]
	text, _ := id.(string)
	of, _, _ := gid.Decode(text) // what is no global id is of no entity
	e := s.Rooms.Entity(func(e *entity.Entity) bool { return e.Name == of })
	if e == nil {
		return problem.Inputs(problem.Invalidf("id", id, "must be the global id of a row that shows who looks at it"))
	}
	row, err := e.IDs().Unmarshal(id)
	if err != nil {
		return problem.Inputs(problem.Invalidf("id", id, "%v", err))
	}
	if s.plan, err = p.Presence(s.field, s.Rooms.Users); err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, s.RequestTime)
	defer cancel()
	s.follower, err = s.Rooms.Open(ctx, e, row, s.plan.Key, s.plan.Show)
	if errors.Is(err, live.ErrClosed) {
		return unsubscribed(err)
	}
	return err
}

// Next implements stream.Results.
func (s *looking) Next(ctx context.Context) ([]byte, error) {
	u, err := s.follower.Next(ctx)
	if err != nil {
		return nil, err
	}
	token := ""
	if s.follower.Member != nil {
		token = s.follower.Token
	}
	r, _ := s.Reads.Field(ctx, s.op, s.field, s.plan.Update(token, u))
	return response.Encode(ctx, r), nil
}

// Close implements stream.Results.
func (s *looking) Close() { s.follower.Close() }
