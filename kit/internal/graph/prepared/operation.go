package prepared

import (
	"net/http"
	"slices"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/gqlerror"

	"github.com/entwine-go/entwine/kit/ratelimit"
	"github.com/entwine-go/entwine/kit/read"
	"github.com/entwine-go/entwine/kit/viewer"
)

// Operation is a request's operation: its cached parts, and the facts of this
// request. A nil one keeps nothing.
type Operation struct {
	// Cost is its cost.
	Cost Cost
	// Reserved is its caller's charge.
	Reserved ratelimit.Reserved
	// Key is the verbatim one of the request's header.
	// Replayed is set where the operation's one mutation was carried out before.
	Key      string
	Replayed bool
	// Request is the one that it came with, and Header that of the answer: nil on a
	// connection that stays open.
	Request *http.Request
	Header  http.Header
	// Room is the buffer of the answer's data, for package execute.
	Room any

	definition *Definition
	setting    *setting // nil where nothing is kept
}

// Selection is the selection of a row, or of the rows of a connection of this
// shape.
type Selection struct {
	Rows  *read.Selection
	Shape *read.Shape
}

// extensionName is where an operation's preparation is kept: all of it in one place,
// for the first thing in an operation's extensions makes a map.
const extensionName = "prepared"

// Prepare notes for the operation what is kept of it.
func (d *Definition) Prepare(op *graphql.OperationContext) *Operation {
	o := &Operation{definition: d}
	if !d.Defers {
		o.setting = d.setting(op.Variables)
	}
	op.Stats.SetExtension(extensionName, o)
	return o
}

// Resting is the operation of a subscription that waits: without the fields that
// were collected for it, which gqlgen keeps with an operation.
func Resting(op *graphql.OperationContext) *graphql.OperationContext {
	return &graphql.OperationContext{
		RawQuery: op.RawQuery, Variables: op.Variables, OperationName: op.OperationName, Doc: op.Doc, Operation: op.Operation, DisableIntrospection: op.DisableIntrospection,
		RecoverFunc: op.RecoverFunc, ResolverMiddleware: op.ResolverMiddleware, RootResolverMiddleware: op.RootResolverMiddleware, Stats: op.Stats,
	}
}

// Of returns what is known of the operation, nil where that is nothing.
func Of(op *graphql.OperationContext) *Operation {
	o, _ := op.Stats.GetExtension(extensionName).(*Operation)
	return o
}

// Cost is the cost of an operation.
type Cost struct {
	// Requested is the most that it may cost.
	Requested int
	// Fixed is the part that it costs whatever it answers.
	Fixed int
	// Path is where most of it is: "feed.comments".
	Path string
}

// Measure notes the cost that measure returns, which is asked once for each setting
// of the switches where nothing else can change the answer.
func (o *Operation) Measure(op *graphql.OperationContext, measure func(*graphql.OperationContext) (Cost, *gqlerror.Error)) (refused *gqlerror.Error) {
	if o.setting == nil || !o.definition.measured {
		o.Cost, refused = measure(op)
		return refused
	}
	mu := &o.definition.mu
	mu.Lock()
	known := o.setting.cost
	mu.Unlock()
	if known != nil {
		o.Cost = *known
		return nil
	}
	cost, refused := measure(op)
	if refused == nil {
		mu.Lock()
		defer mu.Unlock()
		o.Cost, o.setting.cost = cost, &cost
	}
	return refused
}

// Arguments are those of the field, as its document and the schema's defaults have
// them, and are only read: of a root field in which there are no variables they are
// kept.
func (o *Operation) Arguments(op *graphql.OperationContext, f graphql.CollectedField) map[string]any {
	if o == nil || o.setting == nil || !o.definition.constant {
		return arguments(op, f)
	}
	mu := &o.definition.mu
	mu.Lock()
	defer mu.Unlock()
	i := slices.IndexFunc(o.setting.roots, func(root graphql.CollectedField) bool { return root.Field == f.Field })
	if i < 0 {
		return arguments(op, f)
	}
	if o.setting.arguments == nil {
		o.setting.arguments = make([]map[string]any, len(o.setting.roots))
	}
	if o.setting.arguments[i] == nil {
		o.setting.arguments[i] = arguments(op, f)
	}
	return o.setting.arguments[i]
}

// arguments leaves out what is null.
func arguments(op *graphql.OperationContext, f graphql.CollectedField) map[string]any {
	given := f.ArgumentMap(op.Variables)
	for name, value := range given {
		if value == nil {
			delete(given, name)
		}
	}
	return given
}

// Roots are the root fields of the operation, whose type has the name. They are
// collected once for each setting of the switches.
func (o *Operation) Roots(op *graphql.OperationContext, name string) []graphql.CollectedField {
	if o == nil || o.setting == nil {
		return graphql.CollectFields(op, op.Operation.SelectionSet, []string{name})
	}
	mu := &o.definition.mu
	mu.Lock()
	defer mu.Unlock()
	if o.setting.roots == nil {
		o.setting.roots = graphql.CollectFields(op, op.Operation.SelectionSet, []string{name})
	}
	return o.setting.roots
}

// Selection returns the compiled root field with the alias, from the cache or by
// compile. An empty alias is of no root field.
func (o *Operation) Selection(root string, v *viewer.Viewer, compile func() (Selection, error)) (Selection, error) {
	if o == nil || o.setting == nil || root == "" || !o.definition.fixed {
		return compile()
	}
	key, d := selectionKey{root, classOf(v)}, o.definition
	d.mu.Lock()
	known, ok := o.setting.selections[key]
	d.mu.Unlock()
	if ok {
		return known, nil
	}
	made, err := compile()
	if err == nil && d.of.room() {
		d.mu.Lock()
		defer d.mu.Unlock()
		o.setting.selections[key] = made
	}
	return made, err
}
