package limits

import (
	"strings"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/ast"

	"github.com/entwine-go/entwine/kit/runtime/graph/deferral"
	"github.com/entwine-go/entwine/kit/runtime/graph/variables"
	"github.com/entwine-go/entwine/kit/runtime/reading"
)

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
