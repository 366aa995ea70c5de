package cart

import (
	"context"

	"github.com/entwine-go/entwine/kit/runtime/writing"
)

// Items are the methods behind the actions of schema.CartItem.
type Items struct{ *Carts }

// Create puts a product into the viewer's cart, or more of one that is in it.
func (i Items) Create(ctx context.Context, in writing.Values) (writing.Result, error) {
	id, added, err := i.Add(ctx, writing.Of[int64](in, "product_id"), writing.Of[int64](in, "quantity"))
	return writing.Result{Row: writing.Row{ID: id, Made: added, Found: !added}}, err
}

// Clear empties the viewer's cart.
func (i Items) Clear(ctx context.Context) (writing.Result, error) {
	return writing.Result{}, i.Carts.Clear(ctx)
}
