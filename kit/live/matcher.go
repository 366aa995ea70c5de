package live

import (
	"bytes"
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/entwine-go/entwine/kit/policy"
	"github.com/entwine-go/entwine/kit/read"
	"github.com/entwine-go/entwine/kit/viewer"
)

// matcher knows whether the write of a row is nothing to a list: the filter or the policy
// admits the row neither before nor after it. A write that it can't decide about by the
// announced columns concerns the list.
type matcher struct {
	table string
	where read.Filter
	rule  policy.Rule
	// beside are, by other tables, values of which each row of these has one that the rule asks
	// about rows of the list.
	beside map[string][]policy.Pin
}

// newMatcher returns the matcher of a list that was read by statements that name the
// tables so often. There is none where the rows of its table are asked for anything but
// themselves: then a row may concern the list that is none of its rows. Of a list without
// rows nothing but these was read, by one statement or by two (see package read).
//
// A total is counted by the same statement, which names the table twice then, and
// nothing else of which it can't be heard.
func newMatcher(l *list, n *naming, empty bool) *matcher {
	e := l.source.Entity
	if e == nil {
		return nil
	}
	times := 1
	if l.source.Counted {
		times = 2
	}
	if named := n.tables[strings.ToLower(e.Table)]; named.most != times || named.statements != 1 && !empty || l.source.Counted && n.unheard {
		return nil
	}
	rule := e.Rules.Readable(viewer.From(l.ctx), false)
	for _, t := range rule.Terms() {
		_, moment := t.Value.(time.Time)
		if t.Table == "" && (t.Other != "" || moment) {
			return nil
		}
	}
	m := &matcher{table: strings.ToLower(e.Table), where: l.source.Where, rule: rule}
	m.asks(n, times)
	return m
}

// like reports whether both are of one list, read alike.
func (m *matcher) like(other *matcher) bool {
	if m == nil || other == nil {
		return m == other
	}
	return maps.EqualFunc(m.beside, other.beside, slices.Equal[[]policy.Pin])
}

// asks notes which rows of other tables the rule asks about rows that the filter admits: those
// of one post for the comments of that post. Times is how often the rule is in the statement. A
// table that is named more often than the rule asks it is named by something else.
func (m *matcher) asks(n *naming, times int) {
	asked := map[string]int{}
	for _, t := range m.rule.Terms() {
		if t.Table != "" || t.ForeignTable == "" {
			continue
		}
		table := strings.ToLower(t.ForeignTable)
		values, known := valuesOf(m.where, t.Column)
		if asked[table]++; !known || table == m.table {
			asked[table] = -1 << 20 // never as often
			continue
		}
		if m.beside == nil {
			m.beside = map[string][]policy.Pin{}
		}
		for _, value := range values {
			m.beside[table] = append(m.beside[table], policy.Pin{Column: t.Foreign, Value: value})
		}
	}
	for table := range m.beside {
		if asked[table]*times != n.tables[table].most || len(m.beside[table]) > mostPins {
			delete(m.beside, table)
		}
	}
}

// valuesOf are those of the column that rows have which the filter admits.
func valuesOf(where read.Filter, column string) (values []any, known bool) {
	switch w := where.(type) {
	case read.And:
		for _, one := range w {
			if values, known = valuesOf(one, column); known {
				return values, true
			}
		}
	case read.Cond:
		if w.Field.Column != column {
			return nil, false
		}
		pins, known := pinsOfCond(w)
		for _, p := range pins {
			values = append(values, p.Value)
		}
		return values, known
	}
	return nil, false
}

// written is a row before and after a write, as the database announces it: nil where
// there was none. Nothing is known of the zero value.
type written struct {
	known    bool
	old, now map[string]any
}

// parseWritten reads the payload of an event.
func parseWritten(payload []byte) (w written) {
	if payload == nil {
		return w
	}
	var said struct{ Old, New map[string]any }
	d := json.NewDecoder(bytes.NewReader(payload))
	d.UseNumber()
	if d.Decode(&said) != nil {
		return w
	}
	for _, row := range []map[string]any{said.Old, said.New} {
		for column, value := range row {
			if number, ok := value.(json.Number); ok {
				n, err := number.Int64()
				if err != nil {
					return w
				}
				row[column] = n
			}
		}
	}
	return written{true, said.Old, said.New}
}

// concerns reports whether the write of a row of the table may change the list.
func (m *matcher) concerns(table string, w written) bool {
	if m == nil || !w.known {
		return true
	}
	if table != m.table {
		pins, known := m.beside[table]
		return !known || anyOf(pins, w.old) || anyOf(pins, w.now)
	}
	return w.old != nil && m.may(w.old) || w.now != nil && m.may(w.now)
}

// anyOf reports whether the row may have one of the values.
func anyOf(pins []policy.Pin, row map[string]any) bool {
	return row != nil && slices.ContainsFunc(pins, func(p policy.Pin) bool {
		value, known := row[p.Column]
		return !known || value == p.Value
	})
}

// may reports whether the row may be one of the list's.
func (m *matcher) may(row map[string]any) bool {
	unknown := false
	admitted := m.rule.Matches(func(column string) any {
		value, known := row[column]
		unknown = unknown || !known
		return value
	})
	return (admitted || unknown) && holds(m.where, row) != no
}

// verdict says whether a filter admits a row.
type verdict int8

const (
	no    verdict = -1
	maybe verdict = 0
	yes   verdict = 1
)

func decided(holds bool) verdict {
	if holds {
		return yes
	}
	return no
}

// holds decides a filter by the columns of a row.
func holds(where read.Filter, row map[string]any) verdict {
	switch w := where.(type) {
	case nil:
		return yes
	case read.And:
		all := yes
		for _, one := range w {
			all = min(all, holds(one, row))
		}
		return all
	case read.Or:
		some := no
		for _, one := range w {
			some = max(some, holds(one, row))
		}
		return some
	case read.Not:
		return -holds(w.Filter, row)
	case read.Cond:
		return compared(w, row)
	}
	return maybe
}

// compared decides a comparison. A null is compared as the database does it: it is equal
// to nothing, and neither less nor more.
func compared(c read.Cond, row map[string]any) verdict {
	if value, known := row[c.Field.Column]; known && stored(c.Field) {
		switch c.Op {
		case read.IsNull:
			return decided(value == nil)
		case read.NotNull:
			return decided(value != nil)
		}
	}
	value, known := valueOf(c.Field, row)
	if !known || !exact(c.Field) {
		return maybe
	}
	switch bound := boundOf(c); c.Op {
	case read.EQ:
		return same(value, bound)
	case read.NEQ:
		return -same(value, bound)
	case read.In:
		return among(value, bound)
	case read.NotIn:
		return -among(value, bound)
	case read.GT, read.GTE, read.LT, read.LTE:
		return ordered(c.Op, value, bound)
	}
	return maybe
}

// ordered compares whole numbers by their order.
func ordered(op read.Op, value, bound any) verdict {
	b, whole := bound.(int64)
	if value == nil && whole {
		return no
	}
	a, also := value.(int64)
	if !whole || !also {
		return maybe
	}
	switch op {
	case read.GT:
		return decided(a > b)
	case read.GTE:
		return decided(a >= b)
	case read.LT:
		return decided(a < b)
	}
	return decided(a <= b)
}

// same compares values of one type. Of others it decides nothing.
func same(a, b any) verdict {
	switch a := a.(type) {
	case nil:
		return no
	case int64:
		if b, ok := b.(int64); ok {
			return decided(a == b)
		}
	case bool:
		if b, ok := b.(bool); ok {
			return decided(a == b)
		}
	case string:
		if b, ok := b.(string); ok {
			return decided(a == b)
		}
	}
	return maybe
}

// among is [same] with one of a list.
func among(value, list any) verdict {
	some := no
	switch list := list.(type) {
	case []int64:
		for _, one := range list {
			some = max(some, same(value, one))
		}
		return some
	case []string:
		for _, one := range list {
			some = max(some, same(value, one))
		}
		return some
	}
	return maybe
}
