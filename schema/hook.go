package schema

import (
	"context"
	"slices"

	"entgo.io/ent"
	"entgo.io/ent/dialect"

	"github.com/entwine-go/entwine/kit/viewer"
)

// stamp sets the time field when a write sets the flag, and clears it when
// one takes the flag back. A time that the write names itself stays.
func stamp(flag, at string) ent.Hook {
	return func(next ent.Mutator) ent.Mutator {
		return ent.MutateFunc(func(ctx context.Context, m ent.Mutation) (ent.Value, error) {
			value, written := m.Field(flag)
			if _, named := m.Field(at); !written || named {
				return next.Mutate(ctx, m)
			}
			set, _ := value.(bool)
			var err error
			switch {
			case set:
				err = m.SetField(at, now())
			case !m.Op().Is(ent.OpCreate):
				err = m.ClearField(at)
			}
			if err != nil {
				return nil, err
			}
			return next.Mutate(ctx, m)
		})
	}
}

// changesViewers says, where a write sets one of the fields or removes the
// row, that what was proven of viewers may not hold any more.
func changesViewers(fields ...string) ent.Hook {
	return func(next ent.Mutator) ent.Mutator {
		return ent.MutateFunc(func(ctx context.Context, m ent.Mutation) (ent.Value, error) {
			value, err := next.Mutate(ctx, m)
			if err == nil && touches(m, fields) {
				through(m).Wake(ctx, viewer.Changed)
			}
			return value, err
		})
	}
}

// touches reports whether the mutation removes rows or sets one of the fields.
func touches(m ent.Mutation, fields []string) bool {
	if m.Op().Is(ent.OpDelete | ent.OpDeleteOne) {
		return true
	}
	return !m.Op().Is(ent.OpCreate) && slices.ContainsFunc(fields, func(name string) bool {
		_, written := m.Field(name)
		return written
	})
}

// database is what hooks ask of the database that a mutation writes to.
type database interface {
	Wake(ctx context.Context, topic string)
}

func through(m ent.Mutation) database {
	return m.(interface{ Driver() dialect.Driver }).Driver().(database)
}

// countStock makes in_stock follow from a stock that a write names.
func countStock() ent.Hook {
	return func(next ent.Mutator) ent.Mutator {
		return ent.MutateFunc(func(ctx context.Context, m ent.Mutation) (ent.Value, error) {
			if stock, named := m.Field("stock"); named {
				if err := m.SetField("in_stock", stock.(int64) > 0); err != nil {
					return nil, err
				}
			}
			return next.Mutate(ctx, m)
		})
	}
}
