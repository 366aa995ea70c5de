// Package limits says what an operation may ask for, and what it costs.
//
// A [Limiter] refuses, before anything is read, operations that are nested too
// deeply, have too many root fields or cost too much. Every field counts one,
// times the sizes of the lists around it; what the schema can't say is in
// [Costs]. The cost is charged to the caller ([Charge]) and shown beside what
// was answered ([Spent]). What a document itself may be is for package
// validation.
package limits

import (
	"strings"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/gqlerror"

	"github.com/entwine-go/entwine/kit/runtime/graph/deferral"
	"github.com/entwine-go/entwine/kit/runtime/graph/failure"
	"github.com/entwine-go/entwine/kit/runtime/graph/variables"
	"github.com/entwine-go/entwine/kit/runtime/reading"
)

// What an operation may ask for. Introspection is bounded by the size of the
// schema, and does not count.
const (
	maxDepth = 12
	maxCost  = 5000
	maxRoots = 20
	// MaxAliases is how many fields a document may give another name.
	MaxAliases = 30
)

// Costs are what the schema does not say of costs.
type Costs struct {
	// Fields are what root fields cost beside what is selected of them, by
	// "Mutation.login".
	Fields map[string]int
	// Lists are how long lists are that have no argument for it and are always
	// short, by the type of their elements.
	Lists map[string]int
}

// Limiter refuses operations that ask for too much.
type Limiter struct {
	fields map[*ast.FieldDefinition]int
	lists  map[string]int
}

// New returns a limiter. It panics if the schema has not all the fields.
func New(schema *ast.Schema, c Costs) *Limiter {
	l := &Limiter{fields: make(map[*ast.FieldDefinition]int, len(c.Fields)), lists: c.Lists}
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
func (l *Limiter) Limit(op *graphql.OperationContext) (cost int, err *gqlerror.Error) {
	if n := aliases(op.Doc); n > MaxAliases {
		return 0, failure.TooComplex("the document has %d aliases: %d are allowed", n, MaxAliases)
	}
	roots := graphql.CollectFields(op, op.Operation.SelectionSet, nil)
	if len(roots) > maxRoots {
		return 0, failure.TooComplex("the operation has %d root fields: %d are allowed", len(roots), maxRoots)
	}
	m := measure{Limiter: l, op: op, fragments: deferral.Of(op)}
	m.selection(op.Operation.SelectionSet, 1, func(f graphql.CollectedField) { m.field(f, 1, 1) })
	switch {
	case m.deferred > deferral.Max:
		return 0, failure.TooComplex("the operation defers more than %d fragments", deferral.Max)
	case m.depth > maxDepth:
		return 0, failure.TooComplex("the operation is nested deeper than %d levels", maxDepth)
	case m.cost > maxCost:
		return 0, failure.TooComplex("the operation costs more than %d: every field counts one, times the sizes of the lists around it", maxCost)
	}
	return m.cost, nil
}

// measure adds up what an operation asks for. It stops where that is too much.
type measure struct {
	*Limiter
	op        *graphql.OperationContext
	fragments *deferral.Fragments
	depth     int
	cost      int
	deferred  int
}

// selection adds what is selected, each of so many times: what is deferred
// counts apart from what is not, and one more for where it stands.
func (m *measure) selection(set ast.SelectionSet, rows int, add func(graphql.CollectedField)) {
	now, later := m.fragments.Divide(set, nil)
	for _, f := range graphql.CollectFields(m.op, now, nil) {
		add(f)
	}
	for _, fragment := range later {
		if m.deferred++; m.deferred > deferral.Max {
			return
		}
		m.cost += rows
		m.selection(fragment.Set, rows, add)
	}
}

// field adds a field that is selected once for each of so many rows.
func (m *measure) field(f graphql.CollectedField, rows, depth int) {
	if Free(f) || m.cost > maxCost || m.depth > maxDepth {
		return
	}
	m.cost += rows + m.fields[f.Definition]
	m.depth = max(m.depth, depth)
	if len(f.Selections) == 0 {
		return
	}
	size := m.size(f)
	if !strings.HasSuffix(f.Definition.Type.Name(), "Connection") {
		m.selection(f.Selections, rows*size, func(child graphql.CollectedField) { m.field(child, rows*size, depth+1) })
		return
	}
	m.selection(f.Selections, rows, func(child graphql.CollectedField) {
		if child.Name != "nodes" && child.Name != "edges" {
			m.field(child, rows, depth+1)
			return
		}
		if size == 0 {
			m.cost += rows // the empty list itself
		}
		m.field(child, rows*size, depth+1)
	})
}

// Free reports whether a field counts nothing.
func Free(f graphql.CollectedField) bool { return f.Name == "__schema" || f.Name == "__type" }

// unsized is what a list counts that does not say how long it is.
const unsized = 20

// size is how many rows a field has for each one around it.
func (m *measure) size(f graphql.CollectedField) int {
	t := f.Definition.Type
	if t.Elem == nil && !strings.HasSuffix(t.Name(), "Connection") || strings.HasSuffix(t.Name(), "Edge") {
		return 1
	}
	if strings.HasSuffix(f.ObjectDefinition.Name, "Connection") {
		return 1 // the connection has counted them
	}
	if n, short := m.lists[t.Name()]; short {
		return n
	}
	for _, name := range []string{"first", "last", "limit", "ids", "input"} {
		a := f.Arguments.ForName(name)
		if a == nil {
			continue
		}
		value, err := a.Value.Value(m.op.Variables)
		if list, ok := value.([]any); ok {
			return len(list)
		}
		if n, ok := variables.Whole(value); ok && err == nil {
			return int(max(0, min(n, reading.MaxLimit)))
		}
	}
	return unsized
}

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
