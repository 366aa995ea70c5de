package read

import (
	"slices"

	"github.com/entwine-go/entwine/kit/entity"
)

// Order returns the query's complete order: it ends in the id, so that no
// two rows are equal. An order by one field whose index goes on with the entity's own
// order does, too: of a million rows with one value the first page is read, and not all.
func (q *Query) Order(e *entity.Entity) []entity.Term {
	terms := q.Sort
	if len(terms) == 0 {
		terms = e.Sort
	}
	if slices.ContainsFunc(terms, func(t entity.Term) bool { return t.Field.Units != nil }) {
		terms = slices.Clone(terms)
		for i := range terms {
			terms[i].Field = ordered(terms[i].Field)
		}
	}
	if len(terms) == 1 && terms[0].Field.Continued {
		terms = slices.Clip(terms)
		for _, t := range e.Sort {
			terms = append(terms, entity.Term{Field: t.Field, Desc: terms[0].Desc})
		}
	}
	for i, t := range terms {
		if t.Field.Kind.IsID() {
			return terms[: i+1 : i+1]
		}
	}
	desc := len(terms) > 0 && terms[len(terms)-1].Desc
	return append(slices.Clip(terms), entity.Term{Field: e.ID(), Desc: desc})
}

// order writes ORDER BY, with the expressions before the terms. Nulls come
// last; reading backwards turns the terms around.
func (b *builder) order(alias string, terms []entity.Term, backward bool, before ...string) {
	b.WriteString(" ORDER BY ")
	for _, expression := range before {
		b.WriteString(expression)
		b.WriteString(", ")
	}
	for i, t := range terms {
		if i > 0 {
			b.WriteString(", ")
		}
		b.expression(alias, t.Field)
		if t.Desc != backward {
			b.WriteString(" DESC")
		}
		if t.Field.Nullable {
			if backward {
				b.WriteString(" NULLS FIRST")
			} else {
				b.WriteString(" NULLS LAST")
			}
		}
	}
}

// beyond writes that a row comes after the values in the order, or before
// them if backward. Values are nil for null.
//
// Where directions agree and nothing is null it is a row comparison, which an
// index serves as one seek; `a < x OR (a = x AND id < y)` would be scanned.
func (b *builder) beyond(alias string, terms []entity.Term, values []any, backward bool) {
	if uniform(terms) {
		b.rowComparison(alias, terms, values, terms[0].Desc != backward)
		return
	}
	// The first term bounds the scan; the alternatives decide.
	b.WriteString("(")
	if b.notBefore(alias, terms[0], values[0], backward) {
		b.WriteString(" AND ")
	}
	b.WriteString("(")
	first := true
	for i := range terms {
		if values[i] == nil && !backward {
			// Null is last: nothing comes after it by this term.
			continue
		}
		if !first {
			b.WriteString(" OR ")
		}
		first = false
		b.WriteString("(")
		for j := range i {
			b.equal(alias, terms[j], values[j])
			b.WriteString(" AND ")
		}
		b.strictlyBeyond(alias, terms[i], values[i], backward)
		b.WriteString(")")
	}
	b.WriteString("))")
}

// uniform reports whether all terms have one direction and no nulls.
func uniform(terms []entity.Term) bool {
	for _, t := range terms {
		if t.Field.Nullable || t.Desc != terms[0].Desc {
			return false
		}
	}
	return true
}

func (b *builder) rowComparison(alias string, terms []entity.Term, values []any, less bool) {
	b.WriteString("(")
	for i, t := range terms {
		if i > 0 {
			b.WriteString(", ")
		}
		b.expression(alias, t.Field)
	}
	if less {
		b.WriteString(") < (")
	} else {
		b.WriteString(") > (")
	}
	for i, value := range values {
		if i > 0 {
			b.WriteString(", ")
		}
		b.Arg(value)
	}
	b.WriteString(")")
}

func (b *builder) equal(alias string, t entity.Term, value any) {
	b.expression(alias, t.Field)
	if value == nil {
		b.WriteString(" IS NULL")
		return
	}
	b.WriteString(" = ")
	b.Arg(value)
}

func (b *builder) strictlyBeyond(alias string, t entity.Term, value any, backward bool) {
	if value == nil { // backward: everything that is not null comes before
		b.expression(alias, t.Field)
		b.WriteString(" IS NOT NULL")
		return
	}
	b.comparedBeyond(alias, t, value, backward, " < ", " > ")
}

// comparedBeyond compares the term with a value that is not null, by one of the operators
// for rows that descend and ascend. Nulls come last.
func (b *builder) comparedBeyond(alias string, t entity.Term, value any, backward bool, below, above string) {
	nulls := t.Field.Nullable && !backward
	if nulls {
		b.WriteString("(")
	}
	b.expression(alias, t.Field)
	if t.Desc != backward {
		b.WriteString(below)
	} else {
		b.WriteString(above)
	}
	b.Arg(value)
	if nulls {
		b.WriteString(" OR ")
		b.expression(alias, t.Field)
		b.WriteString(" IS NULL)")
	}
}

// notBefore writes what every row beyond has in common by the first term, and
// reports whether there is anything to say.
func (b *builder) notBefore(alias string, t entity.Term, value any, backward bool) bool {
	switch {
	case value == nil && backward:
		return false
	case value == nil:
		b.expression(alias, t.Field)
		b.WriteString(" IS NULL")
		return true
	}
	b.comparedBeyond(alias, t, value, backward, " <= ", " >= ")
	return true
}
