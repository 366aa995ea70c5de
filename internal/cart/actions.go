package cart

import (
	"context"

	"github.com/entwine-go/entwine/kit/gid"
	"github.com/entwine-go/entwine/kit/write"
)

// Items are the methods behind the actions of schema.CartItem.
type Items struct{ *Carts }

// Create puts a product into the viewer's cart, or more of one that is in it.
func (i Items) Create(ctx context.Context, in write.Values) (write.Result, error) {
	id, added, err := i.Add(ctx, write.Of[int64](in, "product_id"), write.Of[int64](in, "quantity"))
	return write.Result{Row: write.Row{ID: gid.Int(id), Made: added, Found: !added}}, err
}

// Clear empties the viewer's cart.
func (i Items) Clear(ctx context.Context) (write.Result, error) {
	return write.Result{}, i.Carts.Clear(ctx)
}
