package cart

import (
	"context"
	"fmt"
	"time"

	"entgo.io/ent/dialect/sql"

	"github.com/entwine-go/entwine/ent/cartitem"
	"github.com/entwine-go/entwine/ent/product"
	"github.com/entwine-go/entwine/ent/typedid"
	"github.com/entwine-go/entwine/kit/problem"
	"github.com/entwine-go/entwine/kit/store"
	"github.com/entwine-go/entwine/kit/store/statement"
	"github.com/entwine-go/entwine/kit/viewer"
)

// SQL, because one statement asks the bounds and adds: two requests at once add up
// without a lock, where the client would need four. The price is the one that the
// customer sees now, also for what was there before.
var addText = statement.Of(`
	INSERT INTO cart_items (user_id, product_id, quantity, price_seen, currency_seen, version, created_at, updated_at)
	SELECT $1, id, $3, price, currency, 1, $6::timestamptz, $6::timestamptz FROM products
	WHERE id = $2 AND deleted_at IS NULL
		AND (SELECT COUNT(*) FROM cart_items WHERE user_id = $1 AND product_id <> $2) < $4
	ON CONFLICT (user_id, product_id) DO UPDATE SET
		quantity = cart_items.quantity + excluded.quantity, price_seen = excluded.price_seen, currency_seen = excluded.currency_seen,
		updated_at = now()
	WHERE cart_items.quantity + excluded.quantity <= $5
	RETURNING id, quantity`)

// Add puts so many of a product into the viewer's cart, and reports whether
// it was not there before; if it was, its quantity grows. There may be fewer
// in stock, or none: the cart shows it, and the order decides. Beyond the
// bounds, and for a product that is not sold, it is [problem.Unprocessable]
// with the name of the field in the schema.
func (c *Carts) Add(ctx context.Context, productID, quantity int64) (id int64, added bool, err error) {
	if quantity < 1 || quantity > MaxQuantity {
		return 0, false, problem.Inputs(problem.Rulef("quantity", quantity, "must be 1 to %d", MaxQuantity))
	}
	var inCart int64
	user := viewer.From(ctx).UserID
	found, err := addText.Row(ctx, c.DB, []any{&id, &inCart}, user, productID, quantity, MaxItems, MaxQuantity, store.Time(time.Now()))
	if err != nil {
		return 0, false, fmt.Errorf("add product %d to cart: %w", productID, err)
	}
	if !found {
		return 0, false, c.refused(ctx, productID, quantity)
	}
	return id, inCart == quantity, nil
}

// refused returns the reason why nothing was added. The limits of a cart are no
// state of a row, so that no declaration has them.
func (c *Carts) refused(ctx context.Context, productID, quantity int64) error {
	sold, err := c.Ent.Product.Query().Where(product.ID(typedid.ProductID(productID)), product.DeletedAtIsNil()).Exist(ctx)
	if err != nil {
		return fmt.Errorf("look whether product %d is sold: %w", productID, err)
	}
	items, err := c.Ent.CartItem.Query().Where(cartitem.UserID(owner(ctx))).Count(ctx)
	if err != nil {
		return fmt.Errorf("count what is in the cart: %w", err)
	}
	switch {
	case !sold:
		return problem.Inputs(problem.Rulef("product_id", productID, "names no product"))
	case items >= MaxItems:
		return problem.Inputs(problem.Rulef("product_id", productID, "would be one more than the %d products that a cart takes", MaxItems))
	}
	return problem.Inputs(problem.Rulef("quantity", quantity, "would be more than the %d that a cart takes of a product, with those that are in it", MaxQuantity))
}

// See notes that the viewer has seen what the item costs now: by changing it.
func (c *Carts) See(ctx context.Context, id int64) error {
	err := c.Ent.CartItem.Update().Where(cartitem.ID(typedid.CartItemID(id)), cartitem.UserID(owner(ctx))).Modify(seen).Exec(ctx)
	if err != nil {
		return fmt.Errorf("see price of cart item %d: %w", id, err)
	}
	return nil
}

// seen takes over the product's price of now, in the statement that changes the item.
func seen(u *sql.UpdateBuilder) {
	u.Set(cartitem.FieldPriceSeen, sql.Expr("(SELECT price FROM products WHERE id = product_id)")).
		Set(cartitem.FieldCurrencySeen, sql.Expr("(SELECT currency FROM products WHERE id = product_id)"))
}
