package change

import (
	"fmt"
	"iter"

	"github.com/entwine-go/entwine/kit/codegen/contract"
)

// anotherName is the way of what is answered with and gets another type.
const anotherName = "answer with the new type under a new name beside it"

// pairs yields each value before with that of the same name now, nil where there
// is none; then those that are new, after nil.
func pairs[T any](was, now []T, name func(*T) string) iter.Seq2[*T, *T] {
	return func(yield func(had, has *T) bool) {
		find := func(all []T, of string) *T {
			for i := range all {
				if name(&all[i]) == of {
					return &all[i]
				}
			}
			return nil
		}
		for i := range was {
			if !yield(&was[i], find(now, name(&was[i]))) {
				return
			}
		}
		for i := range now {
			if find(was, name(&now[i])) == nil && !yield(nil, &now[i]) {
				return
			}
		}
	}
}

// answers compares what an operation answers with, where that is no row.
func (j *judge) answers(what string, was, now []contract.Member, r reach) {
	for had, has := range pairs(was, now, func(m *contract.Member) string { return m.Name }) {
		switch {
		case has == nil:
			j.add(10, what+" "+had.Name, "the answer is without it", r)
		case had == nil:
			j.add(added, what+" "+has.Name, "the answer has it", r)
		case has.Type != had.Type:
			j.add(14, what+" "+had.Name, fmt.Sprintf("the answer has it as %s, and had it as %s", has.Type, had.Type), r).Way = anotherName
		case !had.Nullable && has.Nullable:
			j.add(17, what+" "+had.Name, "the answer may be without it", r)
		}
	}
}

// computed has the common parts of derived fields and of values that are computed
// with arguments.
type computed struct{ kind, graphQL, meaning string }

// computed compares a value that no column holds. meant is the reach of what it
// means, says how that changed.
func (j *judge) computed(what string, had, has computed, r reach, says string, meant reach) {
	if had.kind != has.kind {
		j.add(14, what, fmt.Sprintf("it is %s, and was %s", has.kind, had.kind), r).Way = anotherName
	}
	if had.graphQL != has.graphQL {
		j.add(11, what, fmt.Sprintf("GraphQL calls it %s, and called it %s", has.graphQL, had.graphQL), apis(r), none(rest))
	}
	if had.meaning != has.meaning {
		j.add(44, what, says, meant)
	}
}

// derived compares the fields that are not stored. No listing is sorted by them.
func (j *judge) derived(was, now *contract.Entity, r reach) {
	meant := r
	meant.cursors = false
	r = apis(r)
	for had, has := range pairs(was.Derived, now.Derived, func(d *contract.Derived) string { return d.Name }) {
		if had == nil {
			j.add(added, now.Name+"."+has.Name, "a new field that is derived", r)
			continue
		}
		what := now.Name + "." + had.Name
		if has == nil {
			j.add(10, what, "the field goes", r)
			continue
		}
		j.computed(what, computed{had.Kind, had.GraphQL, had.Meaning}, computed{has.Kind, has.GraphQL, has.Meaning}, r, "it follows from something else", meant)
		if !had.Nullable && has.Nullable {
			j.add(17, what, "it can be null", r)
		}
		j.values(what, had.Values, has.Values, nil, r)
		j.answers(what, had.Members, has.Members, r)
	}
}

// calcs compares the values that are computed with arguments. Listings are
// sorted by them, so cursors depend on them.
func (j *judge) calcs(was, now *contract.Entity, r reach) {
	r.sql, r.events, r.jobs = false, false, nil
	for had, has := range pairs(was.Calcs, now.Calcs, func(c *contract.Calc) string { return c.Name }) {
		if had == nil {
			j.add(added, now.Name+"."+has.Name, "a new value that is computed", apis(r))
			continue
		}
		what := now.Name + "." + had.Name
		if has == nil {
			j.add(10, what, "the computed value goes", r)
			continue
		}
		j.computed(what, computed{had.Kind, had.GraphQL, had.Meaning}, computed{has.Kind, has.GraphQL, has.Meaning}, r, "it is computed by another expression", r)
		j.inputs(what, had.Input, has.Input, apis(r))
	}
}
