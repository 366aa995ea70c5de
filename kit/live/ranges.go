package live

import (
	"cmp"
	"math"
	"slices"

	"github.com/entwine-go/entwine/kit/entity"
	"github.com/entwine-go/entwine/kit/read"
)

// span is the whole numbers of a field from one to another that each row of a list has.
type span struct {
	field    *entity.Field
	from, to int64
}

// ranges are lists by spans of one field: those with a least number, by that, and those
// with a greatest alone.
type ranges struct {
	field           *entity.Field
	least, greatest []ranged
}

type ranged struct {
	span
	list *list
}

func (r *ranges) add(one *list, s span) {
	if s.from > math.MinInt64 {
		i, _ := slices.BinarySearchFunc(r.least, s.from, func(o ranged, from int64) int { return cmp.Compare(o.from, from) })
		r.least = slices.Insert(r.least, i, ranged{s, one})
		return
	}
	i, _ := slices.BinarySearchFunc(r.greatest, s.to, func(o ranged, to int64) int { return cmp.Compare(to, o.to) })
	r.greatest = slices.Insert(r.greatest, i, ranged{s, one})
}

func (r *ranges) remove(one *list) {
	is := func(o ranged) bool { return o.list == one }
	r.least, r.greatest = slices.DeleteFunc(r.least, is), slices.DeleteFunc(r.greatest, is)
}

func (r *ranges) empty() bool { return len(r.least)+len(r.greatest) == 0 }

// lists calls yield with those whose span has the row's number. A null is in none.
func (r *ranges) lists(row map[string]any, yield func(*list) bool) bool {
	value, _ := valueOf(r.field, row)
	number, is := value.(int64)
	if !is {
		return true
	}
	for _, o := range r.least { // the least first
		if o.from > number {
			break
		}
		if number <= o.to && !yield(o.list) {
			return false
		}
	}
	for _, o := range r.greatest { // the greatest first
		if o.to < number {
			break
		}
		if !yield(o.list) {
			return false
		}
	}
	return true
}

// span is that of the list's filter, if it has one.
func (x *index) span(one *list, table string) (span, bool) {
	if m := one.matcher; m != nil && m.table == table {
		return spanOf(m.where)
	}
	return span{}, false
}

// spanOf is the span of a filter, the narrower of two of one column.
func spanOf(where read.Filter) (s span, ok bool) {
	switch w := where.(type) {
	case read.And:
		for _, one := range w {
			switch next, has := spanOf(one); {
			case !has:
			case !ok:
				s, ok = next, true
			case next.field.Column == s.field.Column:
				s.from, s.to = max(s.from, next.from), min(s.to, next.to)
			}
		}
	case read.Cond:
		bound, whole := boundOf(w).(int64)
		if !whole || !stored(w.Field) || !exact(w.Field) {
			return s, false
		}
		s = span{w.Field, math.MinInt64, math.MaxInt64}
		switch w.Op {
		case read.EQ:
			s.from, s.to, ok = bound, bound, bound > math.MinInt64
		case read.GT, read.GTE: // a row at the bound is compared, and is none
			s.from, ok = bound, bound > math.MinInt64
		case read.LT, read.LTE:
			s.to, ok = bound, true
		}
	}
	return s, ok
}
