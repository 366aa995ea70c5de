package read

import (
	"slices"

	"github.com/entwine-go/entwine/kit/entity"
	"github.com/entwine-go/entwine/kit/policy"
)

// A value that is computed may fail: by a division by zero, or a number out of its
// range. Databases evaluate the conditions of a statement in the order that they
// take for the cheapest: they would compute it of rows that the viewer cannot
// read, and the error would say what these hold. So what is computed stands in a
// CASE behind the rule, whose order both databases keep, and the rule's conditions
// on other rows stand there alone: outside, PostgreSQL would make a join of them,
// which may come after. Conditions on columns of the row stand outside, too, for
// indexes. Statements that compute nothing have no CASE.
//
// An order by what is computed follows the conditions on the row. Shown values are
// computed last of all.

// admission has the conditions on rows called alias: a filter, a folded rule, and
// the bounds of a page.
type admission struct {
	where Filter
	rule  policy.Rule
	alias string
	// bound writes what else a row that the viewer reads fulfils, where the rule does
	// not say it all, and is nil where it does.
	bound func()
	// page writes the bounds, sorted says that they are of computed values, and walked
	// that rows are read in their order until the page is full: nil is no page.
	page           func() error
	sorted, walked bool
}

// admit writes the filter and the folded rule as further conditions on rows
// called t, nothing where all rows are admitted.
func (b *builder) admit(where Filter, rule policy.Rule) {
	_ = b.admitting(admission{where: where, rule: rule, alias: "t"}) // which only a page fails
}

// admitting writes what admits the rows as further conditions.
func (b *builder) admitting(a admission) error {
	stored, computed := apart(a.where)
	if !trivial(stored) {
		b.also()
		b.where(stored, a.alias)
	}
	if len(computed) == 0 && !a.sorted {
		b.rule(a.rule, a.alias)
		return a.bounds()
	}
	own, others := a.rule.Apart()
	b.rule(own, a.alias)
	if a.bound == nil && a.rule.Always() { // no row is hidden
		for _, one := range computed {
			b.also()
			b.where(one, a.alias)
		}
		return a.bounds()
	}
	b.also()
	b.WriteString("CASE WHEN ")
	b.behind(a, own, others)
	b.WriteString(" THEN TRUE")
	for _, one := range computed {
		b.WriteString(" AND ")
		b.where(one, a.alias)
	}
	var err error
	if a.sorted {
		err = a.bounds()
	}
	b.WriteString(" ELSE FALSE END")
	if err == nil && !a.sorted {
		err = a.bounds()
	}
	return err
}

func (a *admission) bounds() error {
	if a.page == nil {
		return nil
	}
	return a.page()
}

// behind writes what holds for rows of which values are computed. Where rows are
// walked in their order, PostgreSQL is to look up the other rows for each, and not
// to read all that there are beforehand: it does not do so for what two levels of
// subqueries are between.
func (b *builder) behind(a admission, own, others policy.Rule) {
	if a.bound != nil {
		a.bound()
		b.WriteString(" AND ")
	}
	own.Write(b, a.alias)
	if others.Always() {
		return
	}
	b.WriteString(" AND ")
	if !a.walked || !b.postgres {
		others.Write(b, a.alias)
		return
	}
	b.WriteString("(SELECT ")
	others.Write(b, a.alias)
	b.WriteString(")")
}

// apart takes the filter, all of whose terms must hold, apart: those that compute
// nothing, and those that do.
func apart(where Filter) (stored, computed And) {
	all, ok := where.(And)
	switch {
	case where == nil:
		return nil, nil
	case !ok && computes(where):
		return nil, And{where}
	case !ok:
		return And{where}, nil
	}
	for _, one := range all {
		s, c := apart(one)
		stored, computed = append(stored, s...), append(computed, c...)
	}
	return stored, computed
}

// computes reports whether the filter compares computed values.
func computes(where Filter) bool {
	switch f := where.(type) {
	case And:
		return slices.ContainsFunc(f, computes)
	case Or:
		return slices.ContainsFunc(f, computes)
	case Not:
		return computes(f.Filter)
	case Cond:
		return f.Field.Computed != nil
	case Has:
		return computes(f.Filter)
	}
	return false
}

// byComputed reports whether a term of the order is a computed value.
func byComputed(terms []entity.Term) bool {
	return slices.ContainsFunc(terms, func(t entity.Term) bool { return t.Field.Computed != nil })
}

// lifted returns what writes that the row called inner is the one that the edge
// leads to from the row called alias. It is nil where the edge lifts no policy:
// then the rule says who reads the row.
func (b *builder) lifted(g *entity.Edge, alias, inner string) func() {
	if !g.Through { // which is of edges to one row alone
		return nil
	}
	return func() {
		from, to := g.From(), g.Column
		if g.Own {
			from, to = g.Column, g.To.ID().Column
		}
		b.column(inner, to)
		b.WriteString(" = ")
		b.column(alias, from)
	}
}
