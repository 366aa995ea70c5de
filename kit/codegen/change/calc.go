package change

import (
	"fmt"
	"slices"

	"github.com/entwine-go/entwine/kit/codegen/contract"
)

// calcs compares the values that are computed with arguments. Listings are
// sorted by them, so cursors depend on them.
func (j *judge) calcs(was, now *contract.Entity, r reach) {
	r.sql, r.events, r.jobs = false, false, nil
	for _, had := range was.Calcs {
		what := now.Name + "." + had.Name
		i := slices.IndexFunc(now.Calcs, func(c contract.Calc) bool { return c.Name == had.Name })
		if i < 0 {
			j.add(10, what, "the computed value goes", r)
			continue
		}
		has := now.Calcs[i]
		if had.Kind != has.Kind {
			j.add(14, what, fmt.Sprintf("it is %s, and was %s", has.Kind, had.Kind), r).Way = anotherName
		}
		if had.GraphQL != has.GraphQL {
			j.add(11, what, fmt.Sprintf("GraphQL calls it %s, and called it %s", has.GraphQL, had.GraphQL), apis(r), none(rest))
		}
		if had.Meaning != has.Meaning {
			j.add(44, what, "it is computed by another expression", r)
		}
		j.inputs(what, had.Input, has.Input, apis(r))
	}
	for _, has := range now.Calcs {
		if !slices.ContainsFunc(was.Calcs, func(c contract.Calc) bool { return c.Name == has.Name }) {
			j.add(added, now.Name+"."+has.Name, "a new value that is computed", apis(r))
		}
	}
}
