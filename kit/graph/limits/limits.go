// Package limits computes the cost of operations, and refuses those beyond the limits.
//
// A [Limiter] refuses, before anything is read, operations that are nested too deeply, have too
// many root fields or cost too much. Every field counts one, times the sizes of the lists around
// it, and so does what makes the database read more than is answered: totals, and filters of texts
// and over edges. [Costs] has the costs that do not follow from the schema. The cost is charged to
// the caller ([Charge]) and shown beside what was answered ([Spent]). Package validation bounds
// documents themselves.
package limits

import (
	"strings"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/gqlerror"

	"github.com/entwine-go/entwine/kit/internal/graph/deferral"
	"github.com/entwine-go/entwine/kit/internal/graph/failure"
	"github.com/entwine-go/entwine/kit/internal/graph/prepared"
)

// The limits of an operation. Introspection is bounded by the size of the schema,
// and costs the same whatever it selects.
const (
	maxDepth = 12
	maxCost  = 5000
	maxRoots = 20
	// maxFields is how many fields are measured: fragments in fragments can
	// select any number.
	maxFields = maxCost
	// MaxAliases is how many fields a document may give another name.
	MaxAliases = 30
)

// Costs are the costs that do not follow from the schema.
type Costs struct {
	// Fields are the fixed costs of root fields, beside the cost of their selection,
	// by "Mutation.login".
	Fields map[string]int
	// Lists are how long lists are that have no argument for it and are always
	// short, by the type of their elements.
	Lists map[string]int
	// Orders are the costs of orders, by "PlaceOrderField.DISTANCE". Orders without
	// one cost nothing.
	Orders map[string]int
}

// Limiter refuses operations that ask for too much.
type Limiter struct {
	fields map[*ast.FieldDefinition]int
	lists  map[string]int
	where  map[string]terms // by the name of the input
	orders map[string]int
}

// New returns a limiter. It panics if the schema has not all the fields.
func New(schema *ast.Schema, c Costs) *Limiter {
	l := &Limiter{fields: make(map[*ast.FieldDefinition]int, len(c.Fields)), lists: c.Lists, where: filters(schema), orders: c.Orders}
	for name, cost := range c.Fields {
		of, field, _ := strings.Cut(name, ".")
		def := schema.Types[of]
		if def == nil || def.Fields.ForName(field) == nil {
			panic("limits: no field " + name)
		}
		l.fields[def.Fields.ForName(field)] = cost
	}
	return l
}

// Limit refuses operations that ask for too much, before anything is read,
// and returns the cost of others.
func (l *Limiter) Limit(op *graphql.OperationContext) (prepared.Cost, *gqlerror.Error) {
	if n := aliases(op.Doc); n > MaxAliases {
		return prepared.Cost{}, failure.TooComplex("the document has %d aliases: %d are allowed", n, MaxAliases)
	}
	roots := graphql.CollectFields(op, op.Operation.SelectionSet, nil)
	if len(roots) > maxRoots {
		return prepared.Cost{}, failure.TooComplex("the operation has %d root fields: %d are allowed", len(roots), maxRoots)
	}
	m := measure{Limiter: l, op: op, fragments: deferral.Of(op)}
	heaviest := m.selection(op.Operation.SelectionSet, 1, func(f graphql.CollectedField) *place { return m.field(f, 1, 1) })
	cost := prepared.Cost{Requested: m.cost, Fixed: m.fixed, Path: heaviest.path(m.cost)}
	switch {
	case m.deferred > deferral.Max:
		return cost, failure.TooComplex("the operation defers more than %d fragments", deferral.Max)
	case m.depth > maxDepth:
		return cost, failure.TooComplex("the operation is nested deeper than %d levels", maxDepth)
	case m.visited > maxFields:
		return cost, failure.TooComplex("the operation selects more than %d fields", maxFields)
	case m.cost > maxCost:
		err := failure.TooComplex("the operation costs %d: %d are allowed. Its costliest path is %s: %s, or ask in several requests", m.cost, maxCost, cost.Path, advice)
		err.Extensions[CostName] = map[string]any{"requested": m.cost, "limit": maxCost, "path": cost.Path}
		return cost, err
	}
	return cost, nil
}

// advice describes how to make an operation cheaper.
const advice = "ask for smaller pages (first, limit), or for fewer fields, totals and filters there"

// aliases counts the fields of the document that are given another name.
func aliases(doc *ast.QueryDocument) int {
	n := 0
	for _, op := range doc.Operations {
		n += aliased(op.SelectionSet)
	}
	for _, fragment := range doc.Fragments {
		n += aliased(fragment.SelectionSet)
	}
	return n
}

func aliased(set ast.SelectionSet) int {
	n := 0
	for _, s := range set {
		switch s := s.(type) {
		case *ast.Field:
			if s.Alias != s.Name {
				n++
			}
			n += aliased(s.SelectionSet)
		case *ast.InlineFragment:
			n += aliased(s.SelectionSet)
		}
	}
	return n
}
