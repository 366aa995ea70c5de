package write

import (
	"slices"

	"entgo.io/ent/dialect/sql"

	"github.com/entwine-go/entwine/kit/entity"
	"github.com/entwine-go/entwine/kit/expose"
	"github.com/entwine-go/entwine/kit/gid"
	"github.com/entwine-go/entwine/kit/read"
)

// where are the conditions on the row of the call.
func (c *Call) where() []func(*sql.Selector) {
	where := c.below()
	if !c.ID.IsZero() {
		where = append(where, equals(c.Entity.Entity.ID().Column, c.ID))
	}
	return where
}

// below are the conditions that the path sets beside the row's id.
func (c *Call) below() []func(*sql.Selector) {
	if c.Fixed == (Fixed{}) {
		return nil
	}
	return []func(*sql.Selector){equals(c.Entity.Field(c.Fixed.Field).Column, c.Fixed.ID)}
}

// filter is where, for the reader.
func (c *Call) filter() read.Filter {
	var all read.And
	if !c.ID.IsZero() {
		all = append(all, read.ByID(c.Entity.Entity, c.ID))
	}
	if c.Fixed != (Fixed{}) {
		all = append(all, read.Column{Name: c.Entity.Field(c.Fixed.Field).Column, ID: c.Fixed.ID})
	}
	return all
}

// versions are the conditions on the version that the row is expected to have.
func (c *Call) versions() []func(*sql.Selector) {
	if len(c.Expect.Versions) == 0 || !c.Entity.Versioned {
		return nil
	}
	return []func(*sql.Selector){func(s *sql.Selector) {
		values := make([]any, len(c.Expect.Versions))
		for i, v := range c.Expect.Versions {
			values[i] = v
		}
		s.Where(sql.In(s.C(c.Entity.Field("version").Column), values...))
	}}
}

func equals(column string, id gid.ID) func(*sql.Selector) {
	return func(s *sql.Selector) { s.Where(sql.EQ(s.C(column), id.Any())) }
}

// differs admits rows that have another value somewhere.
func differs(changes []change) func(*sql.Selector) {
	return func(s *sql.Selector) {
		s.Where(sql.P(func(b *sql.Builder) {
			b.WriteString("(")
			for i, c := range changes {
				if i > 0 {
					b.WriteString(" OR ")
				}
				if c.field.Own != nil && c.value != nil { // one value may be kept in many forms
					b.WriteString("1 = 1")
					continue
				}
				b.WriteString(`"` + s.TableName() + `"."` + c.field.Column + `"`)
				switch c.value {
				case nil:
					b.WriteString(" IS NOT NULL")
					continue
				case any(expose.FirstNow):
					b.WriteString(" IS NULL")
					continue
				}
				b.WriteString(" IS DISTINCT FROM ")
				b.Arg(c.value)
			}
			b.WriteString(")")
		}))
	}
}

// stillIn admits rows whose amounts are in the currency in which they were judged.
func (f *form) stillIn() []func(*sql.Selector) {
	var where []func(*sql.Selector)
	for _, holder := range f.Fields {
		code, ok := f.row(holder.Name).(string)
		amounts := func(c change) bool {
			return c.field.Kind == entity.Money && c.field.Currency == holder.Field
		}
		if ok && f.holdsCurrency(holder) && slices.ContainsFunc(f.changes, amounts) {
			where = append(where, func(s *sql.Selector) { s.Where(sql.EQ(s.C(holder.Column), code)) })
		}
	}
	return where
}
