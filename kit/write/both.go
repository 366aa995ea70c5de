package write

import "context"

// Both combines two hooks around a write: outer runs around inner, which runs
// around the write. Nil is neither's.
func Both(outer, inner *Around) *Around {
	if outer == nil {
		return inner
	}
	if inner == nil {
		return outer
	}
	return &Around{
		When: func(c *Change) bool { return outer.concerns(c) || inner.concerns(c) },
		Prepare: func(ctx context.Context, c *Change) (any, error) {
			var both [2]any
			for i, a := range []*Around{outer, inner} {
				if !a.concerns(c) || a.Prepare == nil {
					continue
				}
				prepared, err := a.Prepare(ctx, c)
				if err != nil {
					return nil, err
				}
				both[i] = prepared
			}
			return both, nil
		},
		Delete: func(ctx context.Context, c *Change, remove func(context.Context) error) error {
			return outer.delete(ctx, c, func(ctx context.Context) error { return inner.delete(ctx, c, remove) })
		},
		Write: func(ctx context.Context, c *Change, prepared any, write func(context.Context) (Row, error)) (Row, error) {
			both, _ := prepared.([2]any)
			return outer.run(ctx, c, both[0], func(ctx context.Context) (Row, error) {
				return inner.run(ctx, c, both[1], write)
			})
		},
	}
}

func (a *Around) delete(ctx context.Context, c *Change, remove func(context.Context) error) error {
	if a.Delete == nil {
		return remove(ctx)
	}
	return a.Delete(ctx, c, remove)
}

func (a *Around) concerns(c *Change) bool { return a.When == nil || a.When(c) }

func (a *Around) run(ctx context.Context, c *Change, prepared any, write func(context.Context) (Row, error)) (Row, error) {
	if !a.concerns(c) || a.Write == nil {
		return write(ctx)
	}
	return a.Write(ctx, c, prepared, write)
}
