package gql

import (
	"context"

	"github.com/entwine-go/entwine/gql/generated"
	"github.com/entwine-go/entwine/internal/entity"
	"github.com/entwine-go/entwine/kit/gid"
	"github.com/entwine-go/entwine/kit/money"
	"github.com/entwine-go/entwine/kit/policy"
	"github.com/entwine-go/entwine/kit/viewer"
)

// Cart resolves cart.
func (q *queries) Cart(ctx context.Context) (*generated.Cart, error) {
	if err := mayUseCart(ctx, policy.Create); err != nil {
		return nil, err
	}
	c, err := q.carts.Read(ctx)
	if err != nil {
		return nil, err
	}
	shown := &generated.Cart{
		Items: make([]*generated.CartItem, len(c.Items)), Totals: make([]*generated.CartTotal, len(c.Totals)),
		Quantity: int(c.Quantity), Orderable: c.Orderable,
	}
	for i, id := range c.Items {
		shown.Items[i] = cartItem(id)
	}
	for i, t := range c.Totals {
		shown.Totals[i] = &generated.CartTotal{Currency: t.Currency, Total: money.Float(t.Amount, t.Currency)}
	}
	switch len(shown.Totals) {
	case 0:
		shown.Total = new(float64)
	case 1:
		shown.Total, shown.Currency = &shown.Totals[0].Total, &shown.Totals[0].Currency
	}
	return shown, nil
}

// mayUseCart refuses who has no cart.
func mayUseCart(ctx context.Context, verb string) error {
	return entity.CartItem.Rules.Check(viewer.From(ctx), verb)
}

// cartItem is the item with the id. Its selection is read afterwards.
func cartItem(id int64) *generated.CartItem {
	return &generated.CartItem{ID: gid.Encode(entity.CartItem.Name, id)}
}
