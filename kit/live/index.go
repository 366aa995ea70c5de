package live

import (
	"iter"
	"slices"

	"github.com/entwine-go/entwine/kit/entity"
	"github.com/entwine-go/entwine/kit/policy"
	"github.com/entwine-go/entwine/kit/read"
)

// index finds the lists that the write of a row of a table may concern, without that
// all of them are compared with it: most lists admit no rows but those with a value of
// a column, such as the id that is asked for or that of the caller, and are found by
// that. Others admit numbers, times or amounts from one to another of a column. The
// other lists are compared with each write.
type index struct {
	all    map[*list][]policy.Pin // by what each is found; nil for the others
	rest   map[*list]bool
	pinned map[string]map[any]map[*list]bool // by columns and values
	ranged map[string]*ranges                // by columns
}

func newIndex() *index {
	return &index{all: map[*list][]policy.Pin{}, rest: map[*list]bool{}, pinned: map[string]map[any]map[*list]bool{}, ranged: map[string]*ranges{}}
}

// mostPins is by how many values a list is found at most.
const mostPins = 100

// add adds a list. Its matcher says by what it is found.
func (x *index) add(one *list, table string) {
	pins, known := one.matcher.pins(table)
	span, spanned := x.span(one, table)
	if !known || len(pins) > mostPins || spanned && coarse(pins) {
		x.all[one] = nil
		if spanned {
			if x.ranged[span.field.Column] == nil {
				x.ranged[span.field.Column] = &ranges{field: span.field}
			}
			x.ranged[span.field.Column].add(one, span)
			return
		}
		x.rest[one] = true
		return
	}
	x.all[one] = pins
	for _, p := range pins {
		values := x.pinned[p.Column]
		if values == nil {
			values = map[any]map[*list]bool{}
			x.pinned[p.Column] = values
		}
		if values[p.Value] == nil {
			values[p.Value] = map[*list]bool{}
		}
		values[p.Value][one] = true
	}
}

// coarse reports whether the pins are flags, which many rows share.
func coarse(pins []policy.Pin) bool {
	return slices.ContainsFunc(pins, func(p policy.Pin) bool {
		_, flag := p.Value.(bool)
		return flag || p.Value == nil
	})
}

func (x *index) has(one *list) bool {
	_, has := x.all[one]
	return has
}

func (x *index) remove(one *list) {
	delete(x.rest, one)
	for column, r := range x.ranged {
		if r.remove(one); r.empty() {
			delete(x.ranged, column)
		}
	}
	for _, p := range x.all[one] {
		values := x.pinned[p.Column]
		if delete(values[p.Value], one); len(values[p.Value]) == 0 {
			delete(values, p.Value)
		}
		if len(values) == 0 {
			delete(x.pinned, p.Column)
		}
	}
	delete(x.all, one)
}

// lists are those that the write may concern: some more than once.
func (x *index) lists(w written) iter.Seq[*list] {
	return func(yield func(*list) bool) {
		if !x.knows(w) {
			for one := range x.all {
				if !yield(one) {
					return
				}
			}
			return
		}
		_ = x.found(w, yield) && each(x.rest, yield)
	}
}

// found are those that are found by the columns of the write.
func (x *index) found(w written, yield func(*list) bool) bool {
	for column, values := range x.pinned {
		old, now := w.old[column], w.now[column]
		if w.old != nil && !each(values[old], yield) || w.now != nil && (w.old == nil || old != now) && !each(values[now], yield) {
			return false
		}
	}
	for _, r := range x.ranged {
		if !r.lists(w.old, yield) || !r.lists(w.now, yield) {
			return false
		}
	}
	return true
}

func each(lists map[*list]bool, yield func(*list) bool) bool {
	for one := range lists {
		if !yield(one) {
			return false
		}
	}
	return true
}

// knows reports whether the rows have the columns by which lists are found, each with a
// value that these can have.
func (x *index) knows(w written) bool {
	if !w.known {
		return false
	}
	for _, row := range []map[string]any{w.old, w.now} {
		if row == nil {
			continue
		}
		for column := range x.pinned {
			switch value, known := row[column]; value.(type) {
			case nil, int64, string, bool:
				if !known {
					return false
				}
			default:
				return false
			}
		}
		for _, r := range x.ranged {
			if _, known := valueOf(r.field, row); !known {
				return false
			}
		}
	}
	return true
}

// pins are values of which each row of the table that may concern the list has one.
func (m *matcher) pins(table string) ([]policy.Pin, bool) {
	switch {
	case m == nil:
		return nil, false
	case m.table != table:
		pins, ok := m.beside[table]
		return pins, ok
	}
	byRule, rule := m.rule.Pins()
	byFilter, filter := pinsOf(m.where)
	return policy.FewerPins(byFilter, filter, byRule, rule)
}

// pinsOf is [policy.Rule.Pins] of a filter.
func pinsOf(where read.Filter) (pins []policy.Pin, ok bool) {
	switch w := where.(type) {
	case read.And:
		for _, one := range w {
			some, has := pinsOf(one)
			pins, ok = policy.FewerPins(pins, ok, some, has)
		}
		return pins, ok
	case read.Or:
		for _, one := range w {
			some, has := pinsOf(one)
			if !has {
				return nil, false
			}
			pins = append(pins, some...)
		}
		return pins, true
	case read.Cond:
		return pinsOfCond(w)
	}
	return nil, false
}

func pinsOfCond(c read.Cond) (pins []policy.Pin, ok bool) {
	if !stored(c.Field) {
		return nil, false
	}
	pin := func(value any) { pins = append(pins, policy.Pin{Column: c.Field.Column, Value: value}) }
	if c.Op == read.IsNull {
		pin(nil)
		return pins, true
	}
	if !exact(c.Field) || c.Field.Kind == entity.Time || c.Field.Kind == entity.Money { // which the index of ranges has
		return nil, false
	}
	switch value := c.Value.(type) {
	case int64, string, bool:
		if pin(value); c.Op == read.EQ {
			return pins, true
		}
	case []int64:
		for _, one := range value {
			pin(one)
		}
		return pins, c.Op == read.In
	case []string:
		for _, one := range value {
			pin(one)
		}
		return pins, c.Op == read.In
	}
	return nil, false
}
