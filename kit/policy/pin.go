package policy

// Pin is a value of a column: an int64, a string, a bool, or nil for null.
type Pin struct {
	// Column is the column's name.
	Column string
	// Value is the column's value.
	Value any
}

// Pins returns values of columns of which each row that the folded rule admits has one
// at least, as few as the rule has. It reports false where the rule admits rows without
// such a value. By pins a row finds rules that may admit it, without that each of them
// is asked ([Rule.Matches]).
func (r Rule) Pins() (pins []Pin, ok bool) {
	switch r.op {
	case opNever:
		return nil, true
	case opOwner:
		return []Pin{{r.column, r.value}}, true
	case opIs:
		return []Pin{{r.column, pinned(r.value)}}, true
	case opNull:
		return []Pin{{r.column, nil}}, true
	case opIn:
		for _, value := range r.values {
			pins = append(pins, Pin{r.column, pinned(value)})
		}
		return pins, true
	case opAny:
		for i := range r.rules {
			some, ok := r.rules[i].Pins()
			if !ok {
				return nil, false
			}
			pins = append(pins, some...)
		}
		return pins, true
	case opAll:
		for i := range r.rules {
			some, has := r.rules[i].Pins()
			pins, ok = FewerPins(pins, ok, some, has)
		}
		return pins, ok
	}
	return nil, false
}

// FewerPins returns those of two sets that fewer rows have, where both hold.
func FewerPins(a []Pin, hasA bool, b []Pin, hasB bool) (pins []Pin, ok bool) {
	switch {
	case !hasA:
		return b, hasB
	case !hasB || share(a) <= share(b):
		return a, true
	}
	return b, true
}

// share estimates the part of a table's rows that have the pins: half for a bool or a
// null, a thirtieth for a text of a set, and few for an id or a number.
func share(pins []Pin) (parts int) {
	for _, p := range pins {
		switch p.Value.(type) {
		case int64:
			parts++
		case string:
			parts += 30
		default:
			parts += 500
		}
	}
	return parts
}

func pinned(value any) any {
	if n, ok := value.(int); ok {
		return int64(n)
	}
	return value
}
