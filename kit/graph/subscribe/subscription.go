package subscribe

import (
	"context"
	"errors"
	"io"
	"slices"
	"time"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/gqlerror"

	"github.com/entwine-go/entwine/kit/events"
	"github.com/entwine-go/entwine/kit/gid"
	"github.com/entwine-go/entwine/kit/graph/limits"
	"github.com/entwine-go/entwine/kit/graph/plan"
	"github.com/entwine-go/entwine/kit/internal/graph/failure"
	"github.com/entwine-go/entwine/kit/internal/graph/observe"
	"github.com/entwine-go/entwine/kit/internal/graph/response"
	"github.com/entwine-go/entwine/kit/internal/graph/stream"
	"github.com/entwine-go/entwine/kit/problem"
	"github.com/entwine-go/entwine/kit/read"
	"github.com/entwine-go/entwine/kit/viewer"
	"github.com/entwine-go/entwine/kit/web"
)

// subscription is a subscription that runs. Each of its events is answered
// with a read of the row for the subscriber's viewer of that moment, so that
// rules hold as they do for queries:
//
//   - what the subscriber can't read, now, is left out;
//   - where the subscriber can't read the row that was asked about, the stream
//     ends: it was deleted, or hidden from them;
//   - where the stream begins with the current row, it may end with the row in
//     its final state;
//   - what fails is a response with the error, which no other event replaces;
//   - credentials that are no good any more end the connection, also where
//     there is no event.
type subscription struct {
	*Executor
	Announcement
	op       *graphql.OperationContext
	field    graphql.CollectedField
	row      gid.ID // that of the argument
	spent    int    // what its events came to
	settle   func(limits.Spent)
	events   *events.Subscription
	woken    <-chan struct{} // receives when the subscriber may have become another, or none
	deaf     func()          // ends that
	audience membership
	// begun is set when the current row was sent, ended when nothing can
	// follow.
	begun, ended bool
}

// subscribe accepts a subscription. A refusal is a response.
func (e *Executor) subscribe(ctx context.Context, op *graphql.OperationContext) (results stream.Results, refused gqlerror.List) {
	if e.Observer != nil {
		began, kind := time.Now(), string(op.Operation.Operation)
		ctx = e.Observer.Begin(ctx, kind, op.Operation.Name)
		defer func() {
			e.Observer.End(ctx, kind, accepted(results), limits.Requested(op), time.Since(began))
		}()
	}
	fields := e.Reads.Fields(op)
	if len(fields) != 1 {
		err := gqlerror.Errorf("a subscription selects one field")
		failure.Complete(err)
		return nil, gqlerror.List{err}
	}
	if of := e.Reads.Tables.LiveEntity(fields[0].Definition); of != nil {
		return e.follow(ctx, op, of, fields[0]), nil
	}
	if plan.IsPresence(fields[0].Definition) {
		return e.look(ctx, op, fields[0]), nil
	}
	s := &subscription{Executor: e, op: op, field: fields[0], Announcement: e.Announcements[fields[0].Name]}
	unbound := context.WithoutCancel(ctx) // what is left is given back when the stream is over
	s.settle = func(spent limits.Spent) { limits.Settle(unbound, op, spent) }
	if err := s.accept(ctx, e.Reads.Planner(ctx, op)); err != nil {
		refusal, _ := s.Reads.Field(ctx, s.op, s.field, failed(err))
		if !failure.Faulty(refusal.Errors) {
			s.settle(limits.Spent{})
		}
		return &once{response: response.Encode(ctx, refusal), outcome: observe.Outcome(refusal)}, nil
	}
	return s, nil
}

// accepted says in a word how a subscription was accepted.
func accepted(results stream.Results) string {
	switch r := results.(type) {
	case *subscription, *following, *looking:
		return "ok"
	case *once:
		return r.outcome
	}
	return "failed"
}

// accept subscribes to the events first, and looks whether there is something
// to subscribe to then, so that no event falls between the two.
func (s *subscription) accept(ctx context.Context, p *plan.Planner) error {
	if s.Events == nil {
		return problem.New(problem.Unavailable, "there are no events here")
	}
	if err := p.Readable(s.Entity); err != nil {
		return err
	}
	filter := events.Filter{Topics: s.Topics}
	if s.Of != nil {
		if err := p.Readable(s.Of); err != nil {
			return err
		}
		value := p.Arguments(s.field)[s.Argument]
		id, err := s.Of.IDs().Unmarshal(value)
		if err != nil {
			return problem.Inputs(problem.Invalidf(s.Argument, value, "%v", err))
		}
		s.row, filter.Key = id, &id
		if s.Gone != "" {
			filter.Topics = append(slices.Clip(filter.Topics), s.Gone)
		}
	}
	var err error
	if s.events, err = s.Events.Subscribe(ctx, filter); err != nil {
		return unsubscribed(err)
	}
	if err = s.begin(ctx); err != nil {
		s.events.Close()
		s.deaf()
	}
	return err
}

// begin listens for changes of the subscriber, and looks then who they are and whether
// there is the row that they ask about: no change falls between.
func (s *subscription) begin(ctx context.Context) error {
	s.deaf = func() {}
	if s.Lists != nil && s.Lists.Woken != nil {
		s.woken, s.deaf = s.Lists.Woken(viewer.From(ctx))
	}
	if err := s.prove(ctx); err != nil || s.Of == nil {
		return err
	}
	there, err := s.present(ctx)
	if err == nil && !there {
		err = read.NotFound(s.Of)
	}
	return err
}

// prove returns an error where the subscriber's credentials are no good any more. A stream
// about a row that they can't read with their rights of now ends.
func (s *subscription) prove(ctx context.Context) error {
	was := viewer.From(ctx)
	is, err := s.Auth.Still(ctx, was)
	switch {
	case web.Unauthenticated(err):
		return err
	case err == nil && is.Rights() != was.Rights():
		s.ended = s.over(viewer.With(ctx, is))
	}
	return nil // where it is unknown now, no event passes without it
}

// unsubscribed is the answer to a client that came too late.
func unsubscribed(err error) error {
	if errors.Is(err, events.ErrClosed) {
		return problem.Wrap(err, problem.Unavailable, "the service is shutting down")
	}
	return err
}

// Close implements stream.Results.
func (s *subscription) Close() {
	s.end()
	s.events.Close()
	s.deaf()
	s.audiences.leave(&s.audience)
}

// end gives back what the subscription was charged for and its events have not
// come to.
func (s *subscription) end() { s.settle(limits.Spent{Actual: s.spent}) }

// Next implements stream.Results.
func (s *subscription) Next(ctx context.Context) (encoded []byte, err error) {
	defer func() {
		if err != nil {
			s.end() // before the client gets the message
		}
	}()
	for !s.ended {
		if encoded, err = s.next(ctx); err != nil || encoded != nil {
			return encoded, err
		}
	}
	return nil, io.EOF
}

// next returns the response for the first waiting event: nil where the
// subscriber can't read its row, and where they were proven again before there is an event.
func (s *subscription) next(ctx context.Context) ([]byte, error) {
	if s.Present && !s.begun {
		s.begun = true
		return s.tell(ctx, nil)
	}
	e, ok, err := s.events.NextOr(ctx, s.woken)
	switch {
	case err != nil:
		return nil, err
	case !ok:
		return nil, s.prove(ctx)
	}
	return s.tell(ctx, &e)
}

// tell returns the response for an event, or for the current row where there is none.
//
// Whether the row is final is asked before and after it is read. One that is
// final before is read as final, unless it was begun anew in between; of one
// that becomes final later there will be an event.
func (s *subscription) tell(ctx context.Context, e *events.Event) (response []byte, err error) {
	final := s.final(ctx)
	var now told
	v, err := s.Auth.Still(ctx, viewer.From(ctx))
	switch {
	case web.Unauthenticated(err):
		return nil, err
	case err != nil:
		now.response = s.refuse(ctx, err)
	default:
		ctx = viewer.With(ctx, v)
		now = s.answer(ctx, v, e)
	}
	s.ended = final && s.final(ctx) || now.over
	return now.response, nil
}

// refuse is the response to an event for which the subscriber could not be proven.
func (s *subscription) refuse(ctx context.Context, err error) []byte {
	ctx, cancel := context.WithTimeout(ctx, s.RequestTime)
	defer cancel()
	encoded, _ := s.respond(ctx, failed(err))
	return encoded
}

// answer is the response to an event, nil where the subscriber can't read its row. No
// event stands for the row that was asked about.
func (s *subscription) answer(ctx context.Context, v *viewer.Viewer, e *events.Event) told {
	ctx, cancel := context.WithTimeout(ctx, s.RequestTime)
	defer cancel()
	read := func(ctx context.Context) (now told) {
		switch {
		case e == nil:
			now.response, now.spent = s.respond(ctx, s.plan(s.row))
		case e.Topic != s.Gone:
			now.response, now.spent = s.respond(ctx, s.plan(e.EntityID))
		}
		now.over = now.response == nil && s.over(ctx)
		return now
	}
	if e == nil {
		now := read(ctx)
		s.spent += now.spent
		return now
	}
	now := s.audiences.share(ctx, s, v, e, read)
	s.spent += now.spent
	return now
}

// respond encodes what the plan of the field reads, nil for nothing, and returns
// what it came to: all that it could where it failed by a fault of the service.
func (s *subscription) respond(ctx context.Context, root plan.Root) ([]byte, int) {
	r, spent := s.Reads.Field(ctx, s.op, s.field, root)
	if r == nil {
		return nil, 0
	}
	if failure.Faulty(r.Errors) {
		spent.Actual = spent.Requested
	}
	return response.Encode(ctx, r), spent.Actual
}

// failed plans a field that answers with the error.
func failed(err error) plan.Root {
	return func(*plan.Planner, graphql.CollectedField) (plan.Read, error) { return nil, err }
}

// plan plans the row of an event, if the viewer can read it.
func (s *subscription) plan(id gid.ID) plan.Root {
	return func(p *plan.Planner, f graphql.CollectedField) (plan.Read, error) {
		if p.Readable(s.Entity) != nil {
			return nothing, nil //nolint:nilerr // what the viewer may not read has not happened
		}
		selection, err := p.Selection(s.Entity, f.Selections)
		if err != nil {
			return nil, err
		}
		return func(ctx context.Context, r *read.Reader, dst []byte) ([]byte, read.Info, error) {
			return r.One(ctx, dst, selection, read.ByID(s.Entity, id), s.Deleted)
		}, nil
	}
}

// nothing reads nothing.
func nothing(_ context.Context, _ *read.Reader, dst []byte) ([]byte, read.Info, error) {
	return dst, read.Info{}, nil
}

// over reports whether the viewer of the context can't read the row that the
// subscription asks about.
func (s *subscription) over(ctx context.Context) bool {
	if s.Of == nil {
		return false
	}
	there, err := s.present(ctx)
	return err == nil && !there
}

// present reports whether the viewer of the context can read the row that the
// subscription asks about.
func (s *subscription) present(ctx context.Context) (bool, error) {
	ctx, cancel := context.WithTimeout(ctx, s.RequestTime)
	defer cancel()
	_, info, err := s.Reads.Reader.One(ctx, nil, read.Select(s.Of), read.ByID(s.Of, s.row), s.Deleted)
	return info.Count > 0, err
}

// final reports whether nothing more can happen to the row, without regard to who
// may read it.
func (s *subscription) final(ctx context.Context) bool {
	if s.Final == nil {
		return false
	}
	ctx, cancel := context.WithTimeout(viewer.With(ctx, s.Of.Rules.AsSystem(viewer.From(ctx))), s.RequestTime)
	defer cancel()
	_, info, err := s.Reads.Reader.One(ctx, nil, read.Select(s.Of), read.And{read.ByID(s.Of, s.row), s.Final}, true)
	return err == nil && info.Count > 0
}
