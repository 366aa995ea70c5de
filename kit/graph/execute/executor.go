// Package execute runs operations.
//
// A query's root fields that answer with entities are planned, read with one SQL
// statement for each level, and appended as JSON. A mutation that is declared is
// carried out by a [Write]. The others are resolved by gqlgen, which decodes their
// arguments and answers introspection. The results of writes and resolvers are
// written as the selection asks. A row (see [Row]) becomes a planned read, too.
// The response consists of the JSON that the root fields appended; deferred parts
// follow.
package execute

import (
	"context"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/gqlerror"

	"github.com/entwine-go/entwine/kit/graph/limits"
	"github.com/entwine-go/entwine/kit/graph/plan"
	"github.com/entwine-go/entwine/kit/internal/graph/deferral"
	"github.com/entwine-go/entwine/kit/internal/graph/deprecation"
	"github.com/entwine-go/entwine/kit/internal/graph/failure"
	"github.com/entwine-go/entwine/kit/internal/graph/prepared"
	"github.com/entwine-go/entwine/kit/internal/graph/variables"
	"github.com/entwine-go/entwine/kit/read"
	"github.com/entwine-go/entwine/kit/viewer"
)

// Executor runs operations, and is gqlgen's extension for those root fields that it
// leaves to gqlgen. All fields but HideSchema are required.
type Executor struct {
	Schema *ast.Schema
	// Now is the schema by the names of now alone: see [deprecation.WithoutOld].
	Now    *ast.Schema
	Tables plan.Tables
	// Plans are those of the root queries that answer with entities.
	Plans map[string]plan.Root
	// Writes carry out the mutations that gqlgen does not.
	Writes map[string]Write
	// Reads carry out root queries that are neither planned nor gqlgen's.
	Reads     map[string]Write
	Limiter   *limits.Limiter
	Documents *prepared.Documents
	Reader    *read.Reader
	Errors    *failure.Presenter
	// Endings looks after what is deprecated. Nil: nothing is.
	Endings *deprecation.Checker
	// HideSchema refuses introspection.
	HideSchema bool
}

var (
	_ graphql.RootFieldInterceptor = (*Executor)(nil)
	_ graphql.FieldInterceptor     = (*Executor)(nil)
)

// ExtensionName implements graphql.HandlerExtension.
func (e *Executor) ExtensionName() string { return "Planner" }

// Validate implements graphql.HandlerExtension: whatever the schema says of an
// entity must be something that can be planned.
func (e *Executor) Validate(graphql.ExecutableSchema) error { return e.Tables.Check(e.Now) }

// prepare readies an operation to be run, or refuses it: every mutation of an admin who
// sees as another, over whichever transport it came.
func (e *Executor) prepare(ctx context.Context, op *graphql.OperationContext, known *prepared.Definition) gqlerror.List {
	if err := viewer.From(ctx).MayChange(); err != nil && op.Operation.Operation == ast.Mutation {
		return gqlerror.List{e.Errors.Present(ctx, err, nil)}
	}
	op.DisableIntrospection = e.HideSchema
	var refused gqlerror.List
	if op.Variables, refused = variables.Coerce(e.Schema, op.Operation, op.Variables); refused != nil {
		return refused
	}
	if err := e.Endings.Check(ctx, op); err != nil {
		return gqlerror.List{err}
	}
	if known.Defers {
		deferral.Prepare(op)
	}
	o := known.Prepare(op)
	var err *gqlerror.Error
	if o.Key, err = e.keyOf(op); err == nil {
		err = o.Measure(op, e.Limiter.Limit)
	}
	if err != nil {
		return gqlerror.List{err}
	}
	return nil
}

// Planner returns the planner of the operation for the viewer of ctx.
func (e *Executor) Planner(ctx context.Context, op *graphql.OperationContext) *plan.Planner {
	p := e.plannerOf(ctx, op)
	return &p
}

func (e *Executor) plannerOf(ctx context.Context, op *graphql.OperationContext) plan.Planner {
	return plan.Planner{Op: op, Viewer: viewer.From(ctx), Tables: e.Tables, Prepared: prepared.Of(op)}
}

// Fields returns the root fields of the operation.
func (e *Executor) Fields(op *graphql.OperationContext) []graphql.CollectedField {
	return prepared.Of(op).Roots(op, e.rootType(op).Name)
}

// Field answers one root field by the plan, and returns what that came to. The
// response is nil where it read nothing.
func (e *Executor) Field(ctx context.Context, op *graphql.OperationContext, f graphql.CollectedField, root plan.Root) (*graphql.Response, limits.Spent) {
	s := &slot{field: f, plan: root}
	o := &operation{Executor: e, planner: e.Planner(ctx, op), slots: []*slot{s}}
	o.run(ctx, s)
	if s.json == nil && s.errors == nil {
		return nil, limits.Spent{}
	}
	return o.response(), o.spent()
}
