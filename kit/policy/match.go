package policy

// Of returns what is left of a folded rule once the columns of the row are
// known: everything, nothing, or a condition on related rows, which only the
// database can decide. get returns a column's value: nil for null, and
// otherwise an int64, a string or a bool.
func (r Rule) Of(get func(column string) any) Rule {
	switch r.op {
	case opOwner:
		return constant(get(r.column) == r.value)
	case opIs:
		if number, ok := r.value.(int); ok {
			return constant(get(r.column) == int64(number))
		}
		return constant(get(r.column) == r.value)
	case opNull:
		return constant(get(r.column) == nil)
	case opAny:
		return join(opAny, r.rules, func(rule Rule) Rule { return rule.Of(get) })
	case opAll:
		return join(opAll, r.rules, func(rule Rule) Rule { return rule.Of(get) })
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
	}
	return r
}

// Matches reports whether a folded rule admits the row. Related rows are not
// in memory: a rule that is left to the database admits here.
func (r Rule) Matches(get func(column string) any) bool { return !r.Of(get).Never() }
