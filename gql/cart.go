package gql

import (
	"context"

	"github.com/entwine-go/entwine/gql/generated"
	"github.com/entwine-go/entwine/internal/cart"
	"github.com/entwine-go/entwine/internal/entity"
	"github.com/entwine-go/entwine/kit/money"
	"github.com/entwine-go/entwine/kit/policy"
	"github.com/entwine-go/entwine/kit/problem"
	"github.com/entwine-go/entwine/kit/runtime/gid"
	"github.com/entwine-go/entwine/kit/runtime/graph/door"
	"github.com/entwine-go/entwine/kit/viewer"
)

// Cart resolves cart.
func (q *queries) Cart(ctx context.Context) (*generated.Cart, error) {
	if err := mayUseCart(ctx, policy.Create); err != nil {
		return nil, err
	}
	c, err := (&cart.Carts{DB: q.DB}).Read(ctx)
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

// cartItem is the item with the id. What is selected of it is read afterwards.
func cartItem(id int64) *generated.CartItem {
	return &generated.CartItem{ID: gid.Encode(entity.CartItem.Name, id)}
}

// AddToCart resolves addToCart.
func (r *resolver) AddToCart(ctx context.Context, productID string, quantity *int, key *string) (*generated.CartItem, error) {
	call := door.Call{Entity: entity.CartItem, Verb: policy.Create, Mutation: "addToCart", Key: key}
	if err := mayUseCart(ctx, call.Verb); err != nil {
		return nil, err
	}
	product, err := gid.Parse(entity.Product.Name, productID)
	if err != nil {
		return nil, problem.Inputs(problem.Invalidf("productId", productID, "%v", err))
	}
	n := int64(1)
	if quantity != nil {
		n = int64(*quantity)
	}
	call.Arguments = []any{product, n}
	id, err := r.Once(ctx, call, func(ctx context.Context) (int64, error) {
		id, _, err := (&cart.Carts{DB: r.DB}).Add(ctx, product, n)
		return id, cartNames(err, "")
	})
	if err != nil {
		return nil, err
	}
	return cartItem(id), nil
}

// cartNames gives what is wrong with an item the names of GraphQL.
func cartNames(err error, prefix string) error {
	return problem.Retold(err, func(d problem.Detail) problem.Detail {
		if d.Field == "product_id" {
			d.Field = "productId"
			if prefix != "" {
				d.Field = "productId"
			}
		}
		d.Field = prefix + d.Field
		return d
	})
}

// CreateCartItem resolves createCartItem, which adds up as addToCart does.
func (r *resolver) CreateCartItem(ctx context.Context, in generated.CreateCartItemInput, key *string) (*generated.CartItem, error) {
	call := door.Call{Entity: entity.CartItem, Verb: policy.Create, Mutation: "createCartItem", Key: key, Arguments: []any{in}}
	id, err := r.Once(ctx, call, func(ctx context.Context) (int64, error) {
		draft, form := r.DraftCartItem(in)
		if err := r.CheckCreate(ctx, entity.CartItem, form, draft.Mutation()); err != nil {
			return 0, err
		}
		product, _ := draft.Mutation().ProductID()
		quantity, named := draft.Mutation().Quantity()
		if !named {
			quantity = 1
		}
		id, _, err := (&cart.Carts{DB: r.DB}).Add(ctx, int64(product), quantity)
		return id, cartNames(err, "input.")
	})
	if err != nil {
		return nil, err
	}
	return cartItem(id), nil
}

// UpdateCartItem resolves updateCartItem. A user who changes an item has seen
// its price.
func (r *resolver) UpdateCartItem(ctx context.Context, id string, in generated.UpdateCartItemInput, expectedVersion *int) (*generated.CartItem, error) {
	var changed *generated.CartItem
	err := r.DB.InTx(ctx, func(ctx context.Context) (err error) {
		if changed, err = r.Mutations.UpdateCartItem(ctx, id, in, expectedVersion); err != nil {
			return err
		}
		key, err := door.Key(entity.CartItem, id)
		if err != nil {
			return err
		}
		return (&cart.Carts{DB: r.DB}).See(ctx, key)
	})
	if err != nil {
		return nil, err
	}
	return changed, nil
}

// RemoveCartItem resolves removeCartItem.
func (r *resolver) RemoveCartItem(ctx context.Context, id string) (*bool, error) {
	return r.DeleteCartItem(ctx, id, nil)
}

// ClearCart resolves clearCart.
func (r *resolver) ClearCart(ctx context.Context) (*bool, error) {
	if err := mayUseCart(ctx, policy.Delete); err != nil {
		return nil, err
	}
	return door.Deleted((&cart.Carts{DB: r.DB}).Clear(ctx))
}
