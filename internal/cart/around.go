package cart

import (
	"context"

	"github.com/entwine-go/entwine/kit/policy"
	"github.com/entwine-go/entwine/kit/runtime/writing"
)

// Around is what carts do around the writes of their items: what is put into a
// cart again is there once, and more of it; and whoever changes an item has seen
// its price.
func (c *Carts) Around() *writing.Around {
	return &writing.Around{
		Write: func(ctx context.Context, change *writing.Change, _ any, write func(context.Context) (writing.Row, error)) (writing.Row, error) {
			if change.Verb != policy.Create {
				row, err := write(ctx)
				if err != nil {
					return row, err
				}
				return row, c.See(ctx, change.ID)
			}
			product, _ := change.Values["product_id"].(int64)
			quantity, named := change.Values["quantity"].(int64)
			if !named {
				quantity = 1
			}
			id, added, err := c.Add(ctx, product, quantity)
			return writing.Row{ID: id, Made: added, Found: !added}, err
		},
	}
}
