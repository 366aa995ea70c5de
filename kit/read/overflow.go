package read

import (
	"slices"

	"github.com/entwine-go/entwine/kit/entity"
	"github.com/entwine-go/entwine/kit/expose"
)

// Where a number gets out of its range, PostgreSQL fails. SQLite goes on: of whole
// numbers with a floating-point number, of which a cast makes the nearest whole
// one, and of others with infinity. So it is asked there for the type of what is
// computed of whole numbers, which is whole unless a part of it was out of range,
// and for infinity; and the statement fails, too (doc/schema/calc.md).

// failing is SQL that fails on SQLite: the number has no absolute value in 64 bits.
const failing = "abs(-9223372036854775807 - 1)"

// onSQLite completes the expression for SQLite: cast to the type of its kind, and
// with checks of ranges.
func onSQLite(c *entity.Calc, terms []expose.CalcTerm) []expose.CalcTerm {
	terms, whole := exact(terms, func(t expose.CalcTerm) bool { return wholeNumber(c, t) })
	switch {
	case c.Kind == entity.Bool:
		return around("((", terms, ") <> 0)")
	case c.Kind == entity.Float:
		value := around("CAST((", terms, ") AS REAL)")
		if whole {
			return value
		}
		return slices.Concat(around("CASE WHEN abs(", value, ") = 9e999 THEN "+failing), around(" ELSE ", value, " END"))
	case c.Kind != entity.Int && c.Kind != entity.Money:
		return around("CAST((", terms, ") AS TEXT)")
	}
	value := around("CAST((", terms, ") AS INTEGER)")
	if whole {
		return value
	}
	return slices.Concat(around("CASE WHEN typeof(", terms, ") = 'real'"), around(" AND abs(", terms, ") >= 9223372036854775808.0 THEN "+failing), around(" ELSE ", value, " END"))
}

// inUnits is the value of an amount for SQLite in the smallest unit of any currency.
func inUnits(value, scale []expose.CalcTerm) []expose.CalcTerm {
	return wholeOrFailing(slices.Concat(value, around(" * ", scale, "")))
}

// wholeOrFailing fails on SQLite where the expression is a floating-point number.
func wholeOrFailing(body []expose.CalcTerm) []expose.CalcTerm {
	return slices.Concat(around("CASE typeof(", body, ") WHEN 'real' THEN "+failing), around(" ELSE ", body, " END "))
}

// wholeNumber reports whether the column or the argument holds whole numbers.
func wholeNumber(c *entity.Calc, t expose.CalcTerm) bool {
	is := func(f *entity.Field) bool {
		return f.Kind == entity.Int || f.Kind == entity.Money || f.Kind == entity.ID || f.Kind == entity.Ref
	}
	if t.Column != "" {
		return slices.ContainsFunc(c.Reads, func(f *entity.Field) bool { return f.Column == t.Column && is(f) })
	}
	return slices.ContainsFunc(c.Arguments, func(a *entity.Argument) bool { return a.Name == t.Argument && is(a.Field) })
}

// around writes SQL before and behind the terms.
func around(before string, terms []expose.CalcTerm, behind string) []expose.CalcTerm {
	return slices.Concat([]expose.CalcTerm{{SQL: before}}, terms, []expose.CalcTerm{{SQL: behind}})
}
