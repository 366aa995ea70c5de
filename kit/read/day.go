package read

import "time"

// Day is a bare date where a time is expected: the whole day in UTC
// (doc/api/values.md).
type Day struct{ Start time.Time }

// End is the midnight after the day, as far as there are years for it.
func (d Day) End() time.Time {
	if end := d.Start.AddDate(0, 0, 1); end.UnixMicro() <= maxMicros {
		return end
	}
	return time.UnixMicro(maxMicros).UTC()
}

// Compare returns the filter that compares the field with what [Field.Parse]
// has made of a text, or for In and NotIn with a list of such values. A day
// begins with [gte], ends with [lte], and is what comes after [gt] and before
// [lt]; equality means within it.
func Compare(f *Field, op Op, value any) Filter {
	switch v := value.(type) {
	case Day:
		return v.compare(f, op)
	case []any:
		return oneOf(f, op, v)
	}
	return Cond{Field: f, Op: op, Value: value}
}

func (d Day) compare(f *Field, op Op) Filter {
	cond := func(op Op, t time.Time) Cond { return Cond{Field: f, Op: op, Value: t} }
	switch op {
	case GTE, LT:
		return cond(op, d.Start)
	case GT:
		return cond(GTE, d.End())
	case LTE:
		return cond(LT, d.End())
	case NEQ:
		return Or{cond(LT, d.Start), cond(GTE, d.End())}
	}
	return And{cond(GTE, d.Start), cond(LT, d.End())}
}

// oneOf compares with a list: in one condition, unless a day is among them.
func oneOf(f *Field, op Op, values []any) Filter {
	each, all := EQ, make([]Filter, len(values))
	if op == NotIn {
		each = NEQ
	}
	days := false
	for i, value := range values {
		_, day := value.(Day)
		days = days || day
		all[i] = Compare(f, each, value)
	}
	switch {
	case !days:
		return Cond{Field: f, Op: op, Value: List(values)}
	case op == NotIn:
		return And(all)
	}
	return Or(all)
}
