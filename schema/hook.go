package schema

import (
	"context"
	"slices"

	"entgo.io/ent"
	"entgo.io/ent/dialect"

	"github.com/entwine-go/entwine/kit/viewer"
)

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
