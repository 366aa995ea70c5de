package cart

import (
	"context"

	"github.com/entwine-go/entwine/kit/policy"
	"github.com/entwine-go/entwine/kit/write"
)

// Around is the carts' hook around writes of their items: a change of an item
// takes over the product's price of now.
func (c *Carts) Around() *write.Around {
	return &write.Around{
		When: func(change *write.Change) bool { return change.Verb != policy.Create },
		Write: func(ctx context.Context, change *write.Change, _ any, write func(context.Context) (write.Row, error)) (write.Row, error) {
			row, err := write(ctx)
			if err != nil {
				return row, err
			}
			return row, c.See(ctx, change.ID.Int())
		},
	}
}
