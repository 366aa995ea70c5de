package gql

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"time"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/gqlerror"

	"github.com/entwine-go/entwine/internal/entity"
	"github.com/entwine-go/entwine/kit/events"
	"github.com/entwine-go/entwine/kit/policy"
	"github.com/entwine-go/entwine/kit/problem"
	"github.com/entwine-go/entwine/kit/runtime/gid"
	"github.com/entwine-go/entwine/kit/runtime/graph/failure"
	"github.com/entwine-go/entwine/kit/runtime/graph/limits"
	"github.com/entwine-go/entwine/kit/runtime/graph/plan"
	"github.com/entwine-go/entwine/kit/runtime/graph/response"
	"github.com/entwine-go/entwine/kit/runtime/graph/stream"
	"github.com/entwine-go/entwine/kit/runtime/reading"
	"github.com/entwine-go/entwine/kit/runtime/web"
	"github.com/entwine-go/entwine/kit/viewer"
)

// announced says which events a subscription tells of.
type announced struct {
	// entity is what it answers with: the row that the event is about.
	entity *reading.Entity
	topics []string
	// argument names the row whose events they are, and of is its entity. All
	// events of the topics are meant where there is none.
	argument string
	of       *reading.Entity
	// gone is a topic that may say that this row has been removed.
	gone string
}

// announcements are the subscriptions, by their names in subscriptions.graphql.
var announcements = map[string]announced{
	"newPost":            {entity: entity.Post, topics: []string{"post.published"}},
	"newComment":         {entity: entity.Comment, topics: []string{"comment.created"}, argument: "postId", of: entity.Post, gone: "post.deleted"},
	"userStatusChanged":  {entity: entity.User, topics: []string{"user.status"}, argument: "userId", of: entity.User},
	"jobProgress":        {entity: entity.Job, topics: []string{"job.progress"}, argument: "id", of: entity.Job},
	"orderStatusChanged": {entity: entity.Order, topics: []string{"order.status"}, argument: "id", of: entity.Order},
}

// subscription is a subscription that runs. Each of its events is answered
// with a read of the row by whoever the subscriber is then, so that rules hold
// as they do for queries:
//
//   - what the subscriber can't read, now, is left out;
//   - where the row that was asked about is gone for good, the stream ends;
//   - what fails is a response with the error, which no other event replaces;
//   - credentials that are no good any more end the connection.
type subscription struct {
	*handler
	announced
	op       *graphql.OperationContext
	field    graphql.CollectedField
	row      int64 // that of the argument
	events   *events.Subscription
	audience membership
}

// subscribe accepts a subscription. What can't be subscribed to is a response.
func (h *handler) subscribe(ctx context.Context, op *graphql.OperationContext) (results stream.Results, refused gqlerror.List) {
	if h.Observer != nil {
		began, kind := time.Now(), string(op.Operation.Operation)
		ctx = h.Observer.Begin(ctx, kind, op.Operation.Name)
		defer func() {
			outcome := "ok"
			if _, accepted := results.(*subscription); !accepted {
				outcome = "failed"
			}
			h.Observer.End(ctx, kind, outcome, limits.Requested(op), time.Since(began))
		}()
	}
	o := h.newOperation(ctx, op)
	if len(o.slots) != 1 {
		err := gqlerror.Errorf("a subscription selects one field")
		failure.Complete(err)
		return nil, gqlerror.List{err}
	}
	s := &subscription{handler: h, op: op, field: o.slots[0].field, announced: announcements[o.slots[0].field.Name]}
	if err := s.accept(ctx, o.planner); err != nil {
		o.fail(ctx, o.slots[0], err)
		return &once{encoded: func(context.Context) []byte { return response.Encode(context.Background(), o.response()) }}, nil
	}
	return s, nil
}

// accept subscribes to the events first, and looks whether there is something
// to subscribe to then, so that no event falls between the two.
func (s *subscription) accept(ctx context.Context, p *plan.Planner) error {
	if s.Events == nil {
		return problem.New(problem.Unavailable, "there are no events here")
	}
	if err := p.Readable(s.entity); err != nil {
		return err
	}
	filter := events.Filter{Topics: s.topics}
	if s.of != nil {
		if err := p.Readable(s.of); err != nil {
			return err
		}
		value := p.Arguments(s.field)[s.argument]
		id, err := gid.Unmarshal(s.of.Name, value)
		if err != nil {
			return problem.Inputs(problem.Invalidf(s.argument, value, "%v", err))
		}
		s.row, filter.Key = id, &id
		if s.gone != "" {
			filter.Topics = append(filter.Topics[:len(filter.Topics):len(filter.Topics)], s.gone)
		}
	}
	var err error
	if s.events, err = s.Events.Subscribe(ctx, filter); err != nil {
		return unsubscribed(err)
	}
	if s.of == nil {
		return nil
	}
	_, info, err := s.Reader.One(ctx, nil, reading.SelectGlobal(s.of), reading.ByID(s.of, s.row), deletedToo(s.of, p.Viewer))
	if err == nil && info.Count == 0 {
		err = reading.NotFound(s.of)
	}
	if err != nil {
		s.events.Close()
	}
	return err
}

// unsubscribed is what a client is told that came too late.
func unsubscribed(err error) error {
	if errors.Is(err, events.ErrClosed) {
		return problem.Wrap(err, problem.Unavailable, "the service is shutting down")
	}
	return err
}

// deletedToo reports whether the viewer may read rows that are deleted.
func deletedToo(e *reading.Entity, v *viewer.Viewer) bool {
	return e.Rules.SoftDelete && !e.Rules.May(v, policy.ReadDeleted).Never()
}

// Close implements stream.Results.
func (s *subscription) Close() {
	s.events.Close()
	s.audiences.leave(&s.audience)
}

// Next implements stream.Results.
func (s *subscription) Next(ctx context.Context) ([]byte, error) {
	for {
		e, err := s.events.Next(ctx)
		if err != nil {
			return nil, err
		}
		var encoded []byte
		if e.Topic != s.gone {
			if encoded, err = s.answer(ctx, &e); err != nil || encoded != nil {
				return encoded, err
			}
		}
		if s.over(ctx) {
			return nil, io.EOF
		}
	}
}

// answer is the response to an event, nil where the subscriber can't read
// what it is about.
func (s *subscription) answer(ctx context.Context, e *events.Event) ([]byte, error) {
	ctx, cancel := context.WithTimeout(ctx, s.RequestTime)
	defer cancel()
	v, err := s.Auth.Still(ctx, viewer.From(ctx))
	if web.Unauthenticated(err) {
		return nil, err
	}
	if err != nil {
		return s.respond(ctx, func(o *operation, told *slot) { o.fail(ctx, told, err) }), nil
	}
	ctx = viewer.With(ctx, v)
	return s.audiences.share(ctx, s, v, e, func(ctx context.Context) []byte {
		return s.respond(ctx, func(o *operation, told *slot) { o.tell(ctx, told, s, e.EntityID) })
	}), nil
}

// respond puts together what fill has made of the field: nil for nothing.
func (s *subscription) respond(ctx context.Context, fill func(*operation, *slot)) []byte {
	told := &slot{field: s.field}
	o := &operation{handler: s.handler, planner: &plan.Planner{Op: s.op, Viewer: viewer.From(ctx), Tables: s.tables}, slots: []*slot{told}}
	fill(o, told)
	if told.json == nil && told.errors == nil {
		return nil
	}
	return response.Encode(ctx, o.response())
}

// tell reads the row into the slot, if the viewer can read it.
func (o *operation) tell(ctx context.Context, told *slot, s *subscription, id int64) {
	defer o.recover(ctx, told)
	if o.planner.Readable(s.entity) != nil {
		return
	}
	selection, err := o.planner.Selection(s.entity, s.field.Selections)
	if err != nil {
		o.fail(ctx, told, err)
		return
	}
	o.append(ctx, told, nil, func(ctx context.Context, r *reading.Reader, dst []byte) ([]byte, reading.Info, error) {
		return r.One(ctx, dst, selection, reading.ByID(s.entity, id), deletedToo(s.entity, o.planner.Viewer))
	})
}

// over reports whether the row that the subscription asks about is gone for good.
func (s *subscription) over(ctx context.Context) bool {
	if s.of == nil {
		return false
	}
	ctx, cancel := context.WithTimeout(viewer.With(ctx, viewer.System()), s.RequestTime)
	defer cancel()
	_, info, err := s.Reader.One(ctx, nil, reading.Select(s.of), reading.ByID(s.of, s.row), true)
	return err == nil && info.Count == 0
}

// checkAnnouncements makes sure that the schema's subscriptions are those here.
func checkAnnouncements(s *ast.Schema) error {
	left := maps.Clone(announcements)
	for _, f := range s.Subscription.Fields {
		a, ok := left[f.Name]
		if !ok || a.entity.Name != f.Type.Name() || a.of != nil && f.Arguments.ForName(a.argument) == nil {
			return fmt.Errorf("no events for Subscription.%s", f.Name)
		}
		delete(left, f.Name)
	}
	for name := range left {
		return fmt.Errorf("no field Subscription.%s", name)
	}
	return nil
}
