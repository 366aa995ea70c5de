package cart

import (
	"context"
	"fmt"

	"github.com/entwine-go/entwine/kit/problem"
	"github.com/entwine-go/entwine/kit/store/statement"
	"github.com/entwine-go/entwine/kit/viewer"
)

// One statement, so that two requests at once add up. The price is the one
// that the customer sees now, also for what was there before.
var addText = statement.Of(`
	INSERT INTO cart_items (user_id, product_id, quantity, price_seen, currency_seen, version, created_at, updated_at)
	SELECT $1, id, $3, price, currency, 1, now(), now() FROM products
	WHERE id = $2 AND deleted_at IS NULL
		AND (SELECT COUNT(*) FROM cart_items WHERE user_id = $1 AND product_id <> $2) < $4
	ON CONFLICT (user_id, product_id) DO UPDATE SET
		quantity = cart_items.quantity + excluded.quantity, price_seen = excluded.price_seen, currency_seen = excluded.currency_seen,
		updated_at = now()
	WHERE cart_items.quantity + excluded.quantity <= $5
	RETURNING id, quantity`)

var refusedText = statement.Of(`
	SELECT (SELECT COUNT(*) FROM cart_items WHERE user_id = $1),
		(SELECT COUNT(*) FROM products WHERE id = $2 AND deleted_at IS NULL)`)

// Add puts so many of a product into the viewer's cart, and reports whether
// it was not there before; if it was, its quantity grows. There may be fewer
// in stock, or none: the cart tells, and the order decides. Beyond the
// bounds, and for a product that is not sold, it is [problem.Unprocessable]
// with the name of the field in the schema.
func (c *Carts) Add(ctx context.Context, productID, quantity int64) (id int64, added bool, err error) {
	if quantity < 1 || quantity > MaxQuantity {
		return 0, false, problem.Inputs(problem.Rulef("quantity", quantity, "must be 1 to %d", MaxQuantity))
	}
	var inCart int64
	user := viewer.From(ctx).UserID
	found, err := addText.Row(ctx, c.DB, []any{&id, &inCart}, user, productID, quantity, MaxItems, MaxQuantity)
	if err != nil {
		return 0, false, fmt.Errorf("add product %d to cart: %w", productID, err)
	}
	if !found {
		return 0, false, c.refused(ctx, user, productID, quantity)
	}
	return id, inCart == quantity, nil
}

// refused says why nothing was added: what a cart takes is no state of a row, so
// that no declaration says it.
func (c *Carts) refused(ctx context.Context, user, productID, quantity int64) error {
	var items, sold int64
	if _, err := refusedText.Row(ctx, c.DB, []any{&items, &sold}, user, productID); err != nil {
		return fmt.Errorf("look why product %d was not added: %w", productID, err)
	}
	switch {
	case sold == 0:
		return problem.Inputs(problem.Rulef("product_id", productID, "names no product"))
	case items >= MaxItems:
		return problem.Inputs(problem.Rulef("product_id", productID, "would be one more than the %d products that a cart takes", MaxItems))
	}
	return problem.Inputs(problem.Rulef("quantity", quantity, "would be more than the %d that a cart takes of a product, with those that are in it", MaxQuantity))
}

var seeText = statement.Of(`
	UPDATE cart_items SET price_seen = (SELECT price FROM products WHERE id = product_id),
		currency_seen = (SELECT currency FROM products WHERE id = product_id)
	WHERE id = $1 AND user_id = $2`)

// See notes that the viewer has seen what the item costs now: by changing it.
func (c *Carts) See(ctx context.Context, id int64) error {
	if _, err := seeText.Exec(ctx, c.DB, id, viewer.From(ctx).UserID); err != nil {
		return fmt.Errorf("see price of cart item %d: %w", id, err)
	}
	return nil
}
