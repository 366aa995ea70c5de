// Package cart has the carts of users: their items, and totals at the prices of now.
//
// It owns how products come into a cart, merge there and leave it, and what the
// cart comes to. A cart is the rows of schema.CartItem with its owner's id, and
// what an item costs now and whether it can be ordered are derived there; a cart
// reserves nothing. Package checkout makes orders of carts.
package cart

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"time"

	"entgo.io/ent/dialect/sql"

	"github.com/entwine-go/entwine/ent"
	"github.com/entwine-go/entwine/ent/cartitem"
	"github.com/entwine-go/entwine/ent/product"
	"github.com/entwine-go/entwine/ent/typedid"
	"github.com/entwine-go/entwine/kit/policy"
	"github.com/entwine-go/entwine/kit/store"
	"github.com/entwine-go/entwine/kit/viewer"
)

// Carts are the carts of all users. Each method is about the viewer's own.
type Carts struct {
	DB  *store.DB
	Ent *ent.Client
}

// owner is the cart's user.
func owner(ctx context.Context) typedid.UserID { return typedid.UserID(viewer.From(ctx).UserID) }

// Bounds of a cart.
const (
	// MaxQuantity is how many of one product it takes.
	MaxQuantity = 10_000
	// MaxItems is how many products.
	MaxItems = 100
)

// Cart has the items of a cart and their totals.
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

// line is an item with what its product is now.
type line struct {
	ID, Quantity, Price int64
	Currency            string
	InStock             bool       `sql:"in_stock"`
	Stock               *int64     // nil where it is not counted
	DeletedAt           *time.Time `sql:"deleted_at"`
}

// priced joins the products: an item and its product in one statement, also of a
// product that is no longer sold and that the viewer could not read by itself.
func priced(s *sql.Selector) {
	p := sql.Table(product.Table)
	s.Join(p).On(s.C(cartitem.FieldProductID), p.C(product.FieldID)).
		AppendSelect(p.Columns(product.FieldPrice, product.FieldCurrency, product.FieldInStock, product.FieldStock, product.FieldDeletedAt)...)
}

// Read returns the viewer's cart. Products that are no longer sold are among
// the items, and not in the totals.
func (c *Carts) Read(ctx context.Context) (*Cart, error) {
	var lines []line
	err := c.Ent.CartItem.Query().Where(cartitem.UserID(owner(ctx))).Order(cartitem.ByCreatedAt(), cartitem.ByID()).
		Select(cartitem.FieldID, cartitem.FieldQuantity).Modify(priced).Scan(ctx, &lines)
	if err != nil {
		return nil, fmt.Errorf("read cart: %w", err)
	}
	cart := &Cart{Items: []int64{}, Totals: []Total{}, Orderable: true}
	for _, l := range lines {
		cart.Items = append(cart.Items, l.ID)
		cart.Quantity += l.Quantity
		if l.DeletedAt != nil {
			cart.Orderable = false
			continue
		}
		cart.Orderable = cart.Orderable && l.InStock && (l.Stock == nil || *l.Stock >= l.Quantity)
		cart.add(l.Currency, l.Price*l.Quantity)
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

// Clear empties the viewer's cart.
func (c *Carts) Clear(ctx context.Context) error {
	if _, err := c.Ent.CartItem.Delete().Where(cartitem.UserID(owner(ctx))).Exec(policy.As(ctx, "clear")); err != nil {
		return fmt.Errorf("clear cart: %w", err)
	}
	return nil
}
