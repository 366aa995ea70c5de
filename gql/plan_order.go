package gql

import (
	"fmt"
	"slices"

	"github.com/entwine-go/entwine/kit/policy"
	"github.com/entwine-go/entwine/kit/problem"
	"github.com/entwine-go/entwine/kit/runtime/reading"
)

// order compiles an orderBy argument: terms in their order, none for the
// entity's own.
func (p *planner) order(e *reading.Entity, value any) ([]reading.Term, error) {
	if value == nil {
		return nil, nil
	}
	t := tableOf(e)
	var terms []reading.Term
	for i, item := range listOf(value) {
		input, _ := item.(map[string]any)
		name, _ := input["field"].(string)
		f := t.orders[name]
		if f == nil {
			return nil, fmt.Errorf("no order %s.%s", e.Name, name)
		}
		if !f.Visible(p.viewer) {
			return nil, policy.Denied(p.viewer)
		}
		if slices.ContainsFunc(terms, func(t reading.Term) bool { return t.Field == f }) {
			return nil, problem.Inputs(problem.Invalidf(fmt.Sprintf("orderBy[%d].field", i), name, "is there twice"))
		}
		terms = append(terms, reading.Term{Field: f, Desc: input["direction"] == "DESC"})
	}
	return terms, nil
}
