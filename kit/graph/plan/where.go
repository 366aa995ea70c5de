package plan

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/entwine-go/entwine/kit/entity"
	"github.com/entwine-go/entwine/kit/policy"
	"github.com/entwine-go/entwine/kit/problem"
	"github.com/entwine-go/entwine/kit/read"
)

// A filter nests this deep and has this many terms at most.
const (
	maxWhereDepth = 5
	maxWhereTerms = 50
)

// maxValues is how many values a field is compared with at once: as many as a
// page has rows. They are one term.
const maxValues = read.MaxLimit

// where compiles a where argument. Its keys are taken in the order of their
// names, so that the same filter is always the same statement: of the names before,
// where there are such, so that cursors of before know it again.
func (p *Planner) where(e *entity.Entity, value any) (read.Filter, error) {
	if value == nil {
		return nil, nil
	}
	w := where{Planner: p}
	return w.filter(p.table(e), value, "where", 1)
}

// where is a filter in the making.
type where struct {
	*Planner
	terms int
}

func (w *where) filter(t *Table, value any, path string, depth int) (read.Filter, error) {
	input, ok := value.(map[string]any)
	if !ok {
		return nil, problem.Inputs(problem.Invalidf(path, nil, "must be a filter"))
	}
	if depth > maxWhereDepth {
		return nil, problem.Inputs(problem.Invalidf(path, nil, "nests deeper than %d levels", maxWhereDepth))
	}
	all := read.And{}
	for _, name := range slices.SortedFunc(maps.Keys(input), func(a, b string) int { return strings.Compare(t.before(a), t.before(b)) }) {
		value := input[name]
		if value == nil {
			return nil, problem.Inputs(problem.Invalidf(path+"."+name, nil, "%s", t.instead(name)))
		}
		f, err := w.key(t, name, value, path+"."+name, depth)
		if err != nil {
			return nil, err
		}
		all = append(all, f)
	}
	return all, nil
}

// before is the former name of a key, or the key itself.
func (t *Table) before(name string) string {
	c := t.conditions[name]
	switch {
	case c.field != nil && c.field.Old != nil && c.field.Old.GraphQL != "":
		if rest, ok := strings.CutPrefix(name, c.field.GraphQL[0]); ok {
			return c.field.Old.GraphQL + rest
		}
	case c.edge != nil && c.edge.Old != nil:
		if rest, ok := strings.CutPrefix(name, "has"+upper(c.edge.GraphQL)); ok {
			return "has" + upper(c.edge.Old.GraphQL) + rest
		}
	}
	return name
}

func upper(name string) string { return strings.ToUpper(name[:1]) + name[1:] }

// instead says what to ask in place of a comparison with null, which would be
// taken for no filter at all by one client and for a question by another.
func (t *Table) instead(name string) string {
	if c := t.conditions[name]; c.field != nil && c.field.Nullable && name == c.field.GraphQL[0] {
		return "must not be null: " + name + "IsNil says it"
	}
	return "must not be null: leave it out"
}

// key compiles one key of a filter.
func (w *where) key(t *Table, name string, value any, path string, depth int) (read.Filter, error) {
	switch name {
	case "not":
		f, err := w.filter(t, value, path, depth+1)
		return read.Not{Filter: f}, err
	case "and":
		list, err := w.list(t, value, path, depth+1)
		return read.And(list), err
	case "or":
		list, err := w.list(t, value, path, depth+1)
		return read.Or(list), err
	}
	if w.terms++; w.terms > maxWhereTerms {
		return nil, problem.Inputs(problem.Invalidf(path, nil, "is one term too many: %d are allowed", maxWhereTerms))
	}
	c, ok := t.conditions[name]
	switch {
	case !ok:
		return nil, fmt.Errorf("no filter %s.%s", t.Name, name)
	case c.calc != nil:
		return w.calc(c.calc, value, path)
	case c.with:
		list, err := w.list(w.table(c.edge.To), value, path, depth+1)
		return read.Has{Edge: c.edge, Filter: read.And(list)}, err
	case c.edge != nil:
		return asked(read.Has{Edge: c.edge}, value), nil
	}
	return w.compare(c, value, path)
}

func (w *where) list(t *Table, value any, path string, depth int) ([]read.Filter, error) {
	items := ListOf(value)
	if len(items) > maxValues { // they may be empty, which is no term
		return nil, problem.Inputs(problem.Invalidf(path, nil, "has %d filters: %d are allowed", len(items), maxValues))
	}
	var all []read.Filter
	for i, item := range items {
		f, err := w.filter(t, item, fmt.Sprintf("%s[%d]", path, i), depth)
		if err != nil {
			return nil, err
		}
		all = append(all, f)
	}
	return all, nil
}

// compare compiles the comparison of a field. A viewer who may not see a field
// learns nothing by filtering by it.
func (w *where) compare(c condition, value any, path string) (read.Filter, error) {
	if !c.field.Visible(w.Viewer) {
		return nil, policy.Denied(w.Viewer)
	}
	switch {
	case c.asks:
		return asked(read.Cond{Field: c.field, Op: c.op}, value), nil
	case c.op == read.In || c.op == read.NotIn:
		items := ListOf(value)
		if len(items) > maxValues {
			return nil, problem.Inputs(problem.Invalidf(path, nil, "has %d values: %d are allowed", len(items), maxValues))
		}
		var values []any
		for i, item := range items {
			v, err := c.operand(item)
			if err != nil {
				return nil, problem.Inputs(problem.Invalidf(fmt.Sprintf("%s[%d]", path, i), item, "%v", err))
			}
			values = append(values, v)
		}
		return read.Compare(c.field, c.op, values), nil
	}
	v, err := c.operand(value)
	if err != nil {
		return nil, problem.Inputs(problem.Invalidf(path, value, "%v", err))
	}
	return read.Compare(c.field, c.op, v), nil
}

// asked is a filter that true asks for and false asks the other way round.
func asked(f read.Filter, value any) read.Filter {
	if value == false {
		return read.Not{Filter: f}
	}
	return f
}
