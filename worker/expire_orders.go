package worker

import (
	"context"
	"database/sql"
	"encoding/json"
	"fmt"

	"github.com/entwine-go/entwine/internal/jobs"
	"github.com/entwine-go/entwine/internal/statement"
	"github.com/entwine-go/entwine/internal/store"
)

// expireOrders lets the orders expire that nobody paid in time.
type expireOrders struct{}

// Kind names the work.
func (expireOrders) Kind() string { return "expire_orders" }

func init() {
	register(func(d Deps) jobs.Kind { return jobs.Handle(&expirer{db: d.DB}) })
}

type expirer struct{ db *store.DB }

// An order that is being paid is processing, so the WHERE leaves it alone.
var (
	expireText = statement.Of(`
		WITH late AS (
			SELECT id AS order_id FROM orders WHERE status = 'pending' AND expires_at <= now()
			ORDER BY expires_at LIMIT 100 FOR UPDATE SKIP LOCKED)
		UPDATE orders SET status = 'expired', closed_at = now(), updated_at = now(), version = version + 1
		FROM late WHERE orders.id = late.order_id AND status = 'pending'
		RETURNING orders.id`)
	giveBackText = statement.Of(`
		UPDATE products SET stock = stock + sold.quantity, in_stock = TRUE
		FROM (
			SELECT i.product_id, SUM(i.quantity) AS quantity FROM order_items AS i
			JOIN list($1) AS l(id bigint) ON i.order_id = l.id GROUP BY i.product_id) AS sold
		WHERE products.id = sold.product_id AND stock IS NOT NULL`)
)

// Work expires the orders that are due, a hundred in a transaction. Each is
// expired where its state still allows it, so doing it again does no harm.
func (e *expirer) Work(ctx context.Context, _ *jobs.Job[expireOrders]) error {
	for {
		var n int
		err := e.db.InTx(ctx, func(ctx context.Context) (err error) {
			n, err = e.expire(ctx)
			return err
		})
		if err != nil || n == 0 {
			return err
		}
	}
}

func (e *expirer) expire(ctx context.Context) (int, error) {
	type order struct {
		ID int64 `json:"id"`
	}
	var orders []order
	err := expireText.Query(ctx, e.db, func(rows *sql.Rows) error {
		var o order
		err := rows.Scan(&o.ID)
		orders = append(orders, o)
		return err
	})
	if err != nil {
		return 0, fmt.Errorf("expire orders: %w", err)
	}
	if len(orders) == 0 {
		return 0, nil
	}
	list, err := json.Marshal(orders)
	if err != nil {
		return 0, err
	}
	if _, err := giveBackText.Exec(ctx, e.db, string(list)); err != nil {
		return 0, fmt.Errorf("give stock back: %w", err)
	}
	return len(orders), nil
}
