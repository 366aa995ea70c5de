// Package cart is what users mean to buy.
//
// It owns how products come into a cart, merge there and leave it, and what
// the cart comes to. A cart is the rows of schema.CartItem with its owner's
// id, and what an item costs now and whether it can be ordered are derived
// there; a cart reserves nothing. What becomes an order is for package
// checkout.
package cart

import (
	"cmp"
	"context"
	"database/sql"
	"fmt"
	"slices"

	"github.com/entwine-go/entwine/kit/store"
	"github.com/entwine-go/entwine/kit/store/statement"
	"github.com/entwine-go/entwine/kit/viewer"
)

// Carts are the carts of all users. Each method is about the viewer's own.
type Carts struct{ DB *store.DB }

// Bounds of a cart.
const (
	// MaxQuantity is how many of one product it takes.
	MaxQuantity = 10_000
	// MaxItems is how many products.
	MaxItems = 100
)

// Cart is what a cart comes to.
type Cart struct {
	// Items are the ids of the items, the first that was added first.
	Items []int64
	// Quantity is how many pieces there are.
	Quantity int64
	// Totals has one sum for each currency, by its code.
	Totals []Total
	// Orderable is set where an order of the whole cart would be taken now: it
	// is not empty, everything is available, and in one currency.
	Orderable bool
}

// Total is a sum in minor units.
type Total struct {
	Currency string
	Amount   int64
}

// A product that is no longer sold has no price to add up.
var readText = statement.Of(`
	SELECT i.id, i.quantity, p.currency, p.price * i.quantity, p.deleted_at IS NULL,
		p.deleted_at IS NULL AND p.in_stock AND (p.stock IS NULL OR p.stock >= i.quantity)
	FROM cart_items AS i JOIN products AS p ON p.id = i.product_id
	WHERE i.user_id = $1 ORDER BY i.created_at, i.id`)

// Read returns the viewer's cart. Products that are no longer sold are among
// the items, and not in the totals.
func (c *Carts) Read(ctx context.Context) (*Cart, error) {
	cart := &Cart{Items: []int64{}, Totals: []Total{}, Orderable: true}
	err := readText.Query(ctx, c.DB, func(rows *sql.Rows) error {
		var id, quantity, subtotal int64
		var currency string
		var sold, available bool
		if err := rows.Scan(&id, &quantity, &currency, &subtotal, &sold, &available); err != nil {
			return err
		}
		cart.Items = append(cart.Items, id)
		cart.Quantity += quantity
		cart.Orderable = cart.Orderable && available
		if sold {
			cart.add(currency, subtotal)
		}
		return nil
	}, viewer.From(ctx).UserID)
	if err != nil {
		return nil, fmt.Errorf("read cart: %w", err)
	}
	cart.Orderable = cart.Orderable && len(cart.Totals) == 1
	slices.SortFunc(cart.Totals, func(a, b Total) int { return cmp.Compare(a.Currency, b.Currency) })
	return cart, nil
}

func (c *Cart) add(currency string, amount int64) {
	for i := range c.Totals {
		if c.Totals[i].Currency == currency {
			c.Totals[i].Amount += amount
			return
		}
	}
	c.Totals = append(c.Totals, Total{currency, amount})
}

var clearText = statement.Of(`DELETE FROM cart_items WHERE user_id = $1`)

// Clear empties the viewer's cart.
func (c *Carts) Clear(ctx context.Context) error {
	if _, err := clearText.Exec(ctx, c.DB, viewer.From(ctx).UserID); err != nil {
		return fmt.Errorf("clear cart: %w", err)
	}
	return nil
}
