package plan

import (
	"fmt"
	"maps"
	"slices"

	"github.com/99designs/gqlgen/graphql"

	"github.com/entwine-go/entwine/kit/entity"
	"github.com/entwine-go/entwine/kit/internal/graph/failure"
	"github.com/entwine-go/entwine/kit/policy"
	"github.com/entwine-go/entwine/kit/problem"
	"github.com/entwine-go/entwine/kit/read"
)

// calcOps are the comparisons of a filter by a computed value.
var calcOps = map[string]read.Op{
	"eq": read.EQ, "neq": read.NEQ, "in": read.In, "notIn": read.NotIn,
	"gt": read.GT, "gte": read.GTE, "lt": read.LT, "lte": read.LTE,
	"contains": read.Contains, "hasPrefix": read.HasPrefix, "hasSuffix": read.HasSuffix, "isNil": read.IsNull,
}

// calc selects a computed value. Arguments that are refused make it null,
// with one error for all rows.
func (p *Planner) calc(s *read.Selection, c *entity.Calc, f graphql.CollectedField) {
	if !c.Visible(p.Viewer) {
		s.Deny(f.Alias, failure.At(f, policy.Denied(p.Viewer)), f.Definition.Type.NonNull)
		return
	}
	value, err := bind(c, p.Arguments(f), "")
	if err != nil {
		s.Deny(f.Alias, failure.Argument(f, err), f.Definition.Type.NonNull)
		return
	}
	s.Field(f.Alias, value)
}

// bind is the value with the arguments among the members of the input, whose path
// the findings begin with.
func bind(c *entity.Calc, input map[string]any, path string) (*entity.Field, error) {
	var bad []problem.Detail
	f := c.Bind(func(a *entity.Argument) (any, bool, error) {
		given, ok := input[a.GraphQL[0]]
		if !ok || given == nil {
			return nil, false, nil
		}
		value, err := condition{field: a.Field}.operand(given)
		return value, true, err
	}, func(a *entity.Argument, err error) {
		bad = append(bad, problem.Invalidf(path+a.GraphQL[0], input[a.GraphQL[0]], "%v", err))
	})
	return f, problem.Inputs(bad...)
}

// calc compiles a filter by a computed value: {lat: 52.5, lng: 13.4, lte: 5}.
func (w *where) calc(c *entity.Calc, value any, path string) (read.Filter, error) {
	if !c.Visible(w.Viewer) {
		return nil, policy.Denied(w.Viewer)
	}
	input, ok := value.(map[string]any)
	if !ok {
		return nil, problem.Inputs(problem.Invalidf(path, nil, "must be a filter"))
	}
	f, err := bind(c, input, path+".")
	if err != nil {
		return nil, err
	}
	var all read.And
	for _, name := range slices.Sorted(maps.Keys(input)) {
		op, compares := calcOps[name]
		if !compares {
			continue
		}
		if input[name] == nil {
			return nil, problem.Inputs(problem.Invalidf(path+"."+name, nil, "must not be null: leave it out"))
		}
		if len(all) > 0 { // the first is the term of the key itself
			w.terms++
		}
		one, err := w.compare(condition{field: f, op: op, asks: op == read.IsNull}, input[name], path+"."+name)
		if err != nil {
			return nil, err
		}
		all = append(all, one)
	}
	if len(all) == 0 {
		return nil, problem.Inputs(problem.Invalidf(path, nil, "needs a comparison, such as eq"))
	}
	return all, nil
}

// calcTerm is the value that a term of an order names.
func (p *Planner) calcTerm(c *entity.Calc, input map[string]any, path string) (*entity.Field, error) {
	if !c.Visible(p.Viewer) {
		return nil, policy.Denied(p.Viewer)
	}
	name := c.GraphQL[0]
	arguments, _ := input[name].(map[string]any)
	if arguments == nil && slices.ContainsFunc(c.Arguments, func(a *entity.Argument) bool { return a.Required }) {
		return nil, problem.Inputs(problem.Invalidf(path+"."+name, nil, "is required: the arguments of what is ordered by"))
	}
	return bind(c, arguments, path+"."+name+".")
}

// unused refuses arguments of another value than the term is by.
func (t *Table) unused(c *entity.Calc, input map[string]any, path string) error {
	for _, other := range t.Calcs {
		if name := other.GraphQL[0]; other != c && input[name] != nil {
			return problem.Inputs(problem.Invalidf(fmt.Sprintf("%s.%s", path, name), nil, "are arguments of another order"))
		}
	}
	return nil
}
