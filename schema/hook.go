package schema

import (
	"context"

	"entgo.io/ent"
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
