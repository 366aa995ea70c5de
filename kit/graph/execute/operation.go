package execute

import (
	"context"
	"slices"
	"strconv"
	"sync"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/ast"

	"github.com/entwine-go/entwine/kit/graph/limits"
	"github.com/entwine-go/entwine/kit/graph/plan"
	"github.com/entwine-go/entwine/kit/internal/graph/deferral"
	"github.com/entwine-go/entwine/kit/internal/graph/failure"
	"github.com/entwine-go/entwine/kit/store"
)

// operation is a query or a mutation on its way: what each root field
// answered, in the order of the document.
type operation struct {
	*Executor
	planner *plan.Planner
	slots   []*slot
	// later are the root fields that are deferred.
	later []deferral.Fragment
	// resolvers is gqlgen, which runs root fields that have neither plan nor write.
	resolvers graphql.GraphExecutor
}

// concurrent is how many root queries of one operation are read at a time.
const concurrent = 4

// answer runs the root fields: a mutation's one after the other.
func (o *operation) answer(ctx context.Context) *graphql.Response {
	o.read(ctx)
	var left ast.SelectionSet
	for _, s := range o.slots {
		switch {
		case s.write != nil:
			o.resolve(ctx, left)
			o.carryOut(ctx, s)
			left = nil
		case s.plan == nil && s.json == nil:
			left = append(left, unplanned(s))
		}
	}
	o.resolve(ctx, left)
	return o.response()
}

// resolve has gqlgen run some root fields, in their order where they are
// mutations. They fill their slots: see InterceptRootField.
func (o *operation) resolve(ctx context.Context, fields ast.SelectionSet) {
	if len(fields) > 0 {
		run, ctx := o.resolvers.DispatchOperation(withOperation(ctx, o), part(o.planner.Op, fields))
		run(ctx)
	}
}

// begun is a delivery with all that it needs, in one allocation instead of three.
type begun struct {
	delivery  delivery
	operation operation
	planner   plan.Planner
}

// deliver returns the delivery of an operation whose other root fields are resolved
// by gqlgen.
func (e *Executor) deliver(ctx context.Context, op *graphql.OperationContext, resolvers graphql.GraphExecutor) *delivery {
	if op.Operation.Operation == ast.Query {
		store.OnlyReads(ctx)
	}
	b := &begun{planner: e.plannerOf(ctx, op), operation: operation{Executor: e, resolvers: resolvers}}
	b.operation.planner, b.delivery.operation = &b.planner, &b.operation
	b.operation.begin(ctx)
	return &b.delivery
}

// begin prepares the slots of what is answered at once.
func (o *operation) begin(ctx context.Context) {
	op := o.planner.Op
	fragments := deferral.Of(op)
	if fragments == nil || deferral.Allowed(ctx) == deferral.Whole {
		o.fill(o.Fields(op))
		return
	}
	o.planner.Fragments = fragments
	now := op.Operation.SelectionSet
	if op.Operation.Operation == ast.Query {
		now, o.later = fragments.Divide(now, []string{o.rootType(op).Name})
	}
	o.fill(o.collect(now))
}

// collect returns the root fields of a selection that is a part of the operation's.
func (o *operation) collect(set ast.SelectionSet) []graphql.CollectedField {
	return graphql.CollectFields(o.planner.Op, set, []string{o.rootType(o.planner.Op).Name})
}

// fill prepares a slot for each of the root fields.
func (o *operation) fill(roots []graphql.CollectedField) {
	op, root := o.planner.Op, o.rootType(o.planner.Op)
	slots := make([]slot, len(roots))
	o.slots = make([]*slot, len(roots))
	for i, f := range roots {
		s := &slots[i]
		s.field, o.slots[i] = keyed(op, f), s
		switch {
		case f.Name == "__typename":
			s.json = []byte(`"` + root.Name + `"`)
		case op.Operation.Operation == ast.Query:
			s.plan, s.write = o.Plans[f.Name], o.Reads[f.Name]
		default:
			s.write = o.Writes[f.Name]
		}
	}
}

// rootType is the type of the root fields.
func (e *Executor) rootType(op *graphql.OperationContext) *ast.Definition {
	switch op.Operation.Operation {
	case ast.Mutation:
		return e.Schema.Mutation
	case ast.Subscription:
		return e.Schema.Subscription
	}
	return e.Schema.Query
}

// unplanned is a root field that gqlgen runs: a mutation by hand, introspection,
// or a query that answers with something else than entities.
func unplanned(s *slot) *ast.Field {
	f := *s.field.Field
	f.SelectionSet, f.Directives = s.field.Selections, nil
	if limits.Introspects(s.field) {
		f.SelectionSet = deferral.Without(f.SelectionSet) // gqlgen would leave out what is deferred
	}
	return &f
}

// part is the operation with some of its root fields only.
func part(op *graphql.OperationContext, fields ast.SelectionSet) *graphql.OperationContext {
	definition := *op.Operation
	definition.SelectionSet = fields
	doc := op.Doc
	if deferral.Of(op) != nil {
		doc = deferral.WithoutInFragments(doc)
	}
	return &graphql.OperationContext{
		RawQuery: op.RawQuery, Variables: op.Variables, OperationName: op.OperationName, Doc: doc,
		Extensions: op.Extensions, Headers: op.Headers, Operation: &definition,
		DisableIntrospection: op.DisableIntrospection, RecoverFunc: op.RecoverFunc,
		ResolverMiddleware: op.ResolverMiddleware, RootResolverMiddleware: op.RootResolverMiddleware,
		Stats: op.Stats,
	}
}

// read runs what is planned. Several root fields are read at a time.
func (o *operation) read(ctx context.Context) {
	var planned []*slot
	for _, s := range o.slots {
		if s.plan != nil {
			planned = append(planned, s)
		}
	}
	if len(planned) == 1 {
		o.run(ctx, planned[0])
		return
	}
	var all sync.WaitGroup
	turns := make(chan struct{}, concurrent)
	for _, s := range planned {
		turns <- struct{}{}
		all.Go(func() {
			defer func() { <-turns }()
			o.run(ctx, s)
		})
	}
	all.Wait()
}

// run plans and reads one root field.
func (o *operation) run(ctx context.Context, s *slot) {
	defer o.recover(ctx, s)
	planner := *o.planner
	planner.Alias = s.field.Alias
	read, err := s.plan(&planner, s.field)
	if err != nil {
		o.fail(ctx, s, err)
		return
	}
	o.append(ctx, s, nil, read)
}

// response puts together what the root fields answered. A field that may not
// be null and is makes the whole data null.
func (o *operation) response() *graphql.Response {
	response := &graphql.Response{}
	size, omitted := 2, 0
	for _, s := range o.slots {
		size += len(s.field.Alias) + len(s.json) + 8
		response.Errors = append(response.Errors, s.errors...)
		omitted += s.alike.Omitted()
		if s.null() && s.field.Definition.Type.NonNull {
			response.Data = []byte("null")
		}
	}
	response.Errors = failure.Listing(response.Errors, omitted)
	if response.Data != nil {
		return response
	}
	data := append(slices.Grow(o.room(), size), '{')
	for i, s := range o.slots {
		if i > 0 {
			data = append(data, ',')
		}
		data = append(strconv.AppendQuote(data, s.field.Alias), ':')
		if s.null() {
			data = append(data, "null"...)
		} else {
			data = append(data, s.json...)
		}
	}
	data = append(data, '}')
	response.Data = data
	o.keep(data)
	for _, s := range o.slots {
		s.release()
	}
	return response
}

type operationKey struct{}

func withOperation(ctx context.Context, o *operation) context.Context {
	return context.WithValue(ctx, operationKey{}, o)
}

func operationOf(ctx context.Context) *operation {
	o, _ := ctx.Value(operationKey{}).(*operation)
	return o
}
