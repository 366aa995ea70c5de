package execute

import (
	"bytes"
	"context"
	"strings"

	"github.com/99designs/gqlgen/graphql"

	"github.com/entwine-go/entwine/kit/graph/plan"
	"github.com/entwine-go/entwine/kit/internal/graph/failure"
	"github.com/entwine-go/entwine/kit/viewer"
)

// resolved is the result of a root field's resolver.
type resolved struct {
	ran   bool
	done  bool
	value any
	err   error
	// viewer is the viewer that it answers to, nil for the viewer of the context.
	viewer *viewer.Viewer
	// operation and slot are those of a write.
	operation *operation
	slot      *slot
	// replayed is set where it answers a repetition.
	replayed bool
}

type resolvedKey struct{}

// InterceptRootField implements gqlgen's RootFieldInterceptor. gqlgen decodes the
// arguments and calls the resolver. The result is written here, as the selection
// asks, so that a mutation's payload is a planned read.
func (e *Executor) InterceptRootField(ctx context.Context, next graphql.RootResolver) graphql.Marshaler {
	o := operationOf(ctx)
	root := graphql.GetRootFieldContext(ctx)
	if o == nil || root == nil {
		return next(ctx)
	}
	s := o.slot(root.Field.Alias)
	defer o.recover(ctx, s)
	r := &resolved{}
	// gqlgen's own errors are not the client's: it finds null where a resolver
	// has returned what is written here.
	own := graphql.WithFreshResponseContext(context.WithValue(ctx, resolvedKey{}, r))
	out := next(own)
	switch {
	case strings.HasPrefix(root.Field.Name, "__"):
		var b bytes.Buffer
		out.MarshalGQL(&b)
		s.json, s.errors = b.Bytes(), graphql.GetErrors(own)
	case !r.ran:
		for _, err := range graphql.GetErrors(own) {
			o.fail(ctx, s, failure.BadArgument(err))
		}
	case !r.done:
		o.fail(ctx, s, failure.ErrPanicked)
	default:
		o.show(ctx, s, r)
	}
	return graphql.Null
}

// show writes what a resolver or a write returned.
func (o *operation) show(ctx context.Context, s *slot, r *resolved) {
	if r.replayed {
		o.noteReplay()
	}
	switch {
	case r.err != nil:
		o.fail(ctx, s, r.err)
	case r.viewer != nil:
		o.answering(r.viewer).write(viewer.With(ctx, r.viewer), s, r.value)
	default:
		o.write(ctx, s, r.value)
	}
}

// AnswerTo has the resolver's result read for another viewer than that of ctx: for
// a user who has just signed in.
func AnswerTo(ctx context.Context, v *viewer.Viewer) {
	if r, ok := ctx.Value(resolvedKey{}).(*resolved); ok {
		r.viewer = v
	}
}

// answering is the operation for another viewer.
func (o *operation) answering(to *viewer.Viewer) *operation {
	other := *o
	other.planner = &plan.Planner{Op: o.planner.Op, Viewer: to, Tables: o.Tables, Fragments: o.planner.Fragments}
	return &other
}

// InterceptField implements gqlgen's FieldInterceptor: it takes what the
// resolver of a root field returns.
func (e *Executor) InterceptField(ctx context.Context, next graphql.Resolver) (any, error) {
	r, ok := ctx.Value(resolvedKey{}).(*resolved)
	fc := graphql.GetFieldContext(ctx)
	if !ok || fc.Object != "Query" && fc.Object != "Mutation" || strings.HasPrefix(fc.Field.Name, "__") {
		return next(ctx)
	}
	r.ran = true
	r.value, r.err = next(ctx)
	r.done = true
	return nil, nil
}
