package checkout

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/entwine-go/entwine/internal/statement"
	"github.com/entwine-go/entwine/internal/store"
)

// orderID is an order in a list that a statement takes.
type orderID struct {
	ID int64 `json:"id"`
}

// A product without a stock has a flag of its own, which orders don't touch.
var giveBackText = statement.Of(`
	UPDATE products SET stock = stock + sold.quantity, in_stock = TRUE, updated_at = now()
	FROM (
		SELECT i.product_id, SUM(i.quantity) AS quantity FROM order_items AS i
		JOIN list($1) AS l(id bigint) ON i.order_id = l.id GROUP BY i.product_id) AS sold
	WHERE products.id = sold.product_id AND stock IS NOT NULL`)

// giveBack puts what the orders took back into stock. Their rows are locked,
// and have left the state in which they hold it: so it comes back once.
func giveBack(ctx context.Context, db *store.DB, orders []orderID) error {
	if len(orders) == 0 {
		return nil
	}
	list, err := json.Marshal(orders)
	if err != nil {
		return fmt.Errorf("give stock back: %w", err)
	}
	if _, err := giveBackText.Exec(ctx, db, string(list)); err != nil {
		return fmt.Errorf("give stock back: %w", err)
	}
	return nil
}
