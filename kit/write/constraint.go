package write

import (
	"slices"

	"github.com/entwine-go/entwine/kit/mutation"
)

// columns are those that the constraint's rule is about, none where it has none.
func (c *Constraint) columns() (all []string) {
	for _, term := range c.Rule.Terms() {
		all = append(all, term.Column)
		if term.Other != "" {
			all = append(all, term.Other)
		}
	}
	return all
}

// asks reports whether the row has to be read to judge the field: it follows from a
// number, or a constraint is about it and about another one that the input does not name.
func (f *form) asks(field *Field) bool {
	if f.numberOf(field) != nil {
		return true
	}
	return slices.ContainsFunc(f.Constraints, func(c Constraint) bool {
		columns := c.columns()
		return slices.Contains(columns, field.Column) && slices.ContainsFunc(columns, func(column string) bool {
			other := f.byColumn(column)
			return other != nil && f.sent.of(other) == nil
		})
	})
}

func (f *form) byColumn(column string) *Field {
	i := slices.IndexFunc(f.Fields, func(field *Field) bool { return field.Column == column })
	if i < 0 {
		return nil
	}
	return f.Fields[i]
}

// constrain notes the rules over fields that the row would break, each at the
// fields that it names. A rule is left to the database where something is wrong
// with one of its fields, or where their values are not known here.
func (f *form) constrain() {
	for _, s := range f.sent {
		f.agree(s.field)
	}
	for i := range f.Constraints {
		c := &f.Constraints[i]
		if !f.moves(c) {
			continue
		}
		values := map[string]any{}
		known := !slices.ContainsFunc(c.columns(), func(column string) bool {
			value, ok := f.becomes(column)
			values[column] = value
			return !ok
		})
		if !known || c.Rule.Matches(func(column string) any { return values[column] }) {
			continue
		}
		for _, name := range c.Fields {
			if field := f.Field(name); field != nil {
				f.note(field, broken("%s", c.Says))
			}
		}
	}
}

// numberOf is the number that the flag follows from, nil where it follows from none.
func (f *form) numberOf(flag *Field) *Field {
	if f.Rows == nil { // the inputs of an action
		return nil
	}
	if column := f.Rows.Positive(flag.Column); column != "" {
		return f.byColumn(column)
	}
	return nil
}

// agree notes a flag that the input names, and that follows from a number which says
// otherwise ([expose.Positive]). A number that is null leaves the flag to the input, and
// a client may send the flag back that it has read.
func (f *form) agree(flag *Field) {
	number := f.numberOf(flag)
	value, named := f.values[flag.Name]
	if number == nil || !named || f.row != nil && same(value, f.current(flag)) && f.sent.of(number) != nil {
		return
	}
	if is, known := f.becomes(number.Column); known && is != nil && value != mutation.IsPositive(is) {
		f.note(flag, broken("follows from %s: leave it out, or send %t", f.name(number), mutation.IsPositive(is)))
	}
}

// moves reports whether the row is new, or a column of the constraint's changes.
func (f *form) moves(c *Constraint) bool {
	columns := c.columns()
	return len(columns) > 0 && (f.making || slices.ContainsFunc(f.changes, func(one change) bool { return slices.Contains(columns, one.field.Column) }))
}

// becomes is the value that the column will have, as rules compare it: not ok
// where that is not known.
func (f *form) becomes(column string) (value any, ok bool) {
	field := f.byColumn(column)
	if field == nil || f.failed(field) || f.Rows.Follows(column) {
		return nil, false
	}
	if s := f.sent.of(field); s != nil && s.byKey {
		return nil, false
	}
	if value, ok = f.values[field.Name]; ok {
		return value, true
	}
	switch {
	case !f.making && f.row != nil:
		return f.current(field), true
	case !f.making:
		return nil, false
	case field.Default != nil:
		return field.Default(), true
	}
	return nil, field.OnCreate || !f.Rows.Hooked(nil)
}
