package policy

import (
	"slices"
	"time"
)

// Of returns what is left of a folded rule once the columns of the row are
// known: everything, nothing, or a condition on related rows, which only the
// database can decide. get returns a column's value: nil for null, and
// otherwise an int64, a float64, a string, a bool or a time.Time.
func (r Rule) Of(get func(column string) any) Rule {
	switch r.op {
	case opOwner:
		return constant(get(r.column) == r.value)
	case opIs:
		if number, ok := r.value.(int); ok {
			return constant(get(r.column) == int64(number))
		}
		return constant(get(r.column) == r.value)
	case opIn:
		value := get(r.column)
		return constant(slices.ContainsFunc(r.values, func(one any) bool {
			number, ok := one.(int)
			return ok && value == int64(number) || value == one
		}))
	case opLess:
		return constant(less(get(r.column), get(r.foreign)))
	case opNull:
		return constant(get(r.column) == nil)
	case opAny:
		return join(opAny, r.rules, func(rule *Rule) Rule { return rule.Of(get) })
	case opAll:
		return join(opAll, r.rules, func(rule *Rule) Rule { return rule.Of(get) })
	case opNot:
		return negate(r.rules[0].Of(get))
	case opRelated:
		value := get(r.column)
		if value == nil {
			return Nobody()
		}
		left := r
		left.value = value
		return left
	case opKept:
		return constant(get(r.column) != int64(0))
	case opStays:
		value := get(r.column)
		if value == nil {
			return Anyone()
		}
		left := r
		left.value = value
		return left
	case opAnother:
		left := r
		if left.value = get(r.column); left.value == nil {
			left.value = int64(0) // a new row: all others are there
		}
		return left
	}
	return r
}

// Matches reports whether a folded rule admits the row whose columns get returns, as
// in [Rule.Of]. Conditions on related rows are not decided here: where the answer
// depends on them, it is true.
func (r Rule) Matches(get func(column string) any) bool { return !r.Of(get).Never() }

// less compares two values of one type that have an order in both databases.
// Nothing is less than null, nor null than anything.
func less(a, b any) bool {
	switch a := a.(type) {
	case int64:
		b, ok := b.(int64)
		return ok && a < b
	case float64:
		b, ok := b.(float64)
		return ok && a < b
	case time.Time:
		b, ok := b.(time.Time)
		return ok && a.Before(b)
	}
	return false
}
