package plan

import (
	"fmt"
	"slices"

	"github.com/entwine-go/entwine/kit/entity"
	"github.com/entwine-go/entwine/kit/policy"
	"github.com/entwine-go/entwine/kit/problem"
)

// order compiles an orderBy argument: terms in their order, none for the
// entity's own.
func (p *Planner) order(e *entity.Entity, value any) ([]entity.Term, error) {
	if value == nil {
		return nil, nil
	}
	t := p.table(e)
	var terms []entity.Term
	for i, item := range ListOf(value) {
		input, _ := item.(map[string]any)
		name, _ := input["field"].(string)
		path := fmt.Sprintf("orderBy[%d]", i)
		f, c := t.orders[name], t.computed[name]
		if f == nil && c == nil {
			return nil, fmt.Errorf("no order %s.%s", e.Name, name)
		}
		if err := t.unused(c, input, path); err != nil {
			return nil, err
		}
		if c != nil {
			var err error
			if f, err = p.calcTerm(c, input, path); err != nil {
				return nil, err
			}
		}
		direction, given := input["direction"]
		if given && direction == nil { // a variable that may be null, in a place that has a default
			return nil, problem.Inputs(problem.Invalidf(path+".direction", nil, "must not be null"))
		}
		if !f.Visible(p.Viewer) {
			return nil, policy.Denied(p.Viewer)
		}
		if slices.ContainsFunc(terms, func(t entity.Term) bool { return t.Field.Same(f) }) {
			return nil, problem.Inputs(problem.Invalidf(path+".field", name, "is there twice"))
		}
		terms = append(terms, entity.Term{Field: f, Desc: direction == "DESC"})
	}
	return terms, nil
}
