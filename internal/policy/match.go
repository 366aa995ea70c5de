package policy

// Matches reports whether a folded rule admits the row whose columns get
// returns: nil for null, and otherwise an int64, a string or a bool. Related
// rows are not in memory, so Related admits here; the database decides.
func (r Rule) Matches(get func(column string) any) bool {
	switch r.op {
	case opAlways, opRelated:
		return true
	case opOwner:
		return get(r.column) == r.value
	case opIs:
		if number, ok := r.value.(int); ok {
			return get(r.column) == int64(number)
		}
		return get(r.column) == r.value
	case opNull:
		return get(r.column) == nil
	case opAny:
		for _, rule := range r.rules {
			if rule.Matches(get) {
				return true
			}
		}
		return false
	case opAll:
		for _, rule := range r.rules {
			if !rule.Matches(get) {
				return false
			}
		}
		return true
	case opNot:
		return !r.rules[0].Matches(get)
	}
	return false
}
