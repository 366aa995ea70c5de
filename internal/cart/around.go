package cart

import (
	"context"

	"github.com/entwine-go/entwine/kit/policy"
	"github.com/entwine-go/entwine/kit/runtime/writing"
)

// Around is what carts do around the writes of their items: a change of an
// item takes over the product's price of now.
func (c *Carts) Around() *writing.Around {
	return &writing.Around{
		When: func(change *writing.Change) bool { return change.Verb != policy.Create },
		Write: func(ctx context.Context, change *writing.Change, _ any, write func(context.Context) (writing.Row, error)) (writing.Row, error) {
			row, err := write(ctx)
			if err != nil {
				return row, err
			}
			return row, c.See(ctx, change.ID)
		},
	}
}
