package limits

import (
	"slices"
	"strings"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/ast"

	"github.com/entwine-go/entwine/kit/internal/graph/deferral"
	"github.com/entwine-go/entwine/kit/internal/graph/variables"
	"github.com/entwine-go/entwine/kit/read"
)

// measure adds up what an operation asks for. It stops where that is nested too
// deeply or selects too much; what costs too much is added up, for the message.
type measure struct {
	*Limiter
	op        *graphql.OperationContext
	fragments *deferral.Fragments
	depth     int
	cost      int
	fixed     int // of cost: what it costs whatever is answered
	visited   int
	deferred  int
}

// most is where rows stop being multiplied.
const most = 1 << 30

// place is a field, what it costs with all below it, and the dearest of these.
type place struct {
	name  string
	cost  int
	below *place
}

// path names the field that makes most of the total: the deepest of those with
// more than half of it, or else the dearest root field.
func (p *place) path(total int) string {
	if p == nil {
		return ""
	}
	path := p.name
	for at := p.below; at != nil && 2*at.cost > total; at = at.below {
		path += "." + at.name
	}
	return path
}

// dearer returns the one that costs more. Either may be nil.
func dearer(a, b *place) *place {
	if a == nil || b != nil && b.cost > a.cost {
		return b
	}
	return a
}

// selection adds the costs of a selection, each so many times, and returns the
// dearest part. Deferred parts are counted apart from the rest, with one more for
// their place.
func (m *measure) selection(set ast.SelectionSet, rows int, add func(graphql.CollectedField) *place) (dearest *place) {
	now, later := m.fragments.Divide(set, nil)
	for _, f := range graphql.CollectFields(m.op, now, nil) {
		dearest = dearer(dearest, add(f))
	}
	for _, fragment := range later {
		if m.deferred++; m.deferred > deferral.Max {
			break
		}
		m.cost += rows
		dearest = dearer(dearest, m.selection(fragment.Set, rows, add))
	}
	return dearest
}

// field adds a field that is selected once for each of so many rows.
func (m *measure) field(f graphql.CollectedField, rows, depth int) *place {
	if m.visited++; m.visited > maxFields || m.depth > maxDepth {
		return nil
	}
	if Introspects(f) {
		m.cost += schemaCost
		m.fixed += schemaCost
		return &place{name: f.Alias, cost: schemaCost}
	}
	before := m.cost
	fixed := m.fields[f.Definition] + min(rows*(m.filter(f)+m.order(f)), most)
	m.cost += rows + fixed
	m.fixed += fixed
	if (f.Name == "totalCount" || f.Name == "totalCountExact") && strings.HasSuffix(f.ObjectDefinition.Name, "Connection") {
		m.cost += rows * totalCost
	}
	m.depth = max(m.depth, depth)
	below := m.below(f, rows, depth+1)
	if len(f.Selections) == 0 && m.cost-before == rows {
		return nil // each of its siblings costs as much
	}
	return &place{f.Alias, m.cost - before, below}
}

// below adds what is selected below a field.
func (m *measure) below(f graphql.CollectedField, rows, depth int) *place {
	if len(f.Selections) == 0 {
		return nil
	}
	size := m.size(f)
	inside := min(rows*size, most)
	if !isPage(f.Definition.Type.Name()) {
		return m.selection(f.Selections, inside, func(child graphql.CollectedField) *place { return m.field(child, inside, depth) })
	}
	return m.selection(f.Selections, rows, func(child graphql.CollectedField) *place {
		if child.Name != "nodes" && child.Name != "edges" && child.Name != "steps" {
			return m.field(child, rows, depth)
		}
		if size == 0 {
			m.cost += rows // the empty list itself
		}
		return m.field(child, inside, depth)
	})
}

// isPage reports whether a type holds a list whose length is said around it: a
// connection, or an update of a live list.
func isPage(name string) bool {
	return strings.HasSuffix(name, "Connection") || strings.HasSuffix(name, "Live")
}

// Introspects reports whether a field answers with the schema.
func Introspects(f graphql.CollectedField) bool { return f.Name == "__schema" || f.Name == "__type" }

// sizes are the arguments that say how long a list is.
var sizes = []string{"first", "last", "limit", "ids", "input"}

// Arguments are all that the cost of a field depends on, beside what is selected.
func Arguments() []string { return append(slices.Clone(sizes), filterName, orderName) }

// unsized is the assumed length of a list of unknown length.
const unsized = 20

// size is how many rows a field has for each one around it.
func (m *measure) size(f graphql.CollectedField) int {
	t := f.Definition.Type
	if t.Elem == nil && !isPage(t.Name()) || strings.HasSuffix(t.Name(), "Edge") {
		return 1
	}
	if isPage(f.ObjectDefinition.Name) {
		return 1 // the page has counted them
	}
	if n, short := m.lists[t.Name()]; short {
		return n
	}
	for _, name := range sizes {
		a := f.Arguments.ForName(name)
		if a == nil {
			continue
		}
		value, err := a.Value.Value(m.op.Variables)
		if list, ok := value.([]any); ok {
			return len(list)
		}
		if n, ok := variables.Whole(value); ok && err == nil {
			return int(max(0, min(n, read.MaxLimit)))
		}
	}
	return unsized
}
