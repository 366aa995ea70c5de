// Package checkout has the life of orders: placing, paying, refunding, cancelling
// and expiring them.
//
// It owns what becomes of products, payments and refunds where an order goes
// from one state to the next, as schema.Order declares it (state.go). The
// order's row is the lock: its state is changed where it still allows that, and what follows from that
// stands in the same transaction. The database's triggers write the events (see
// the topics of schema.Order).
//
// A call of the gateway (package payments) stands between two transactions. The
// first commits a payment that is processing, with a job that looks after it. Then
// the gateway is asked, outside of any transaction, with the payment's id as the
// key. The second commits the answer where the payment is still processing. So a
// process can end anywhere: the job asks for the outcome of the call.
package checkout

import (
	"context"
	"database/sql"
	"fmt"

	"github.com/entwine-go/entwine/internal/rows"
	"github.com/entwine-go/entwine/kit/store"
	"github.com/entwine-go/entwine/kit/store/statement"
)

// Expirer lets orders expire that were not paid in time.
type Expirer struct{ DB *store.DB }

// SQL, because the index of what can expire is of pending orders alone: a database
// uses it for a state that the text says, not for one in an argument. An order
// that is being paid is processing, so the WHERE leaves it alone.
// One that another transaction has locked is being changed: the next pass sees it.
var expireText = statement.Of(`
	WITH late AS (
		SELECT id AS order_id FROM orders WHERE ` + before(rows.Order, "expire") + ` AND expires_at <= now()
		ORDER BY expires_at LIMIT 100 FOR UPDATE SKIP LOCKED)
	UPDATE orders SET ` + after(rows.Order, "expire") + `, closed_at = now(), updated_at = now()
	FROM late WHERE orders.id = late.order_id AND ` + before(rows.Order, "expire") + `
	RETURNING orders.id`)

// dueText reads the first entry of the same index.
var dueText = statement.Of(`SELECT EXISTS (SELECT 1 FROM orders WHERE ` + before(rows.Order, "expire") + ` AND expires_at <= now())`)

// Late reports whether there is an order to expire.
func (e *Expirer) Late(ctx context.Context) (late bool, err error) {
	if _, err := dueText.Row(ctx, e.DB, []any{&late}); err != nil {
		return false, fmt.Errorf("look for orders to expire: %w", err)
	}
	return late, nil
}

// Expire expires up to a hundred orders that are due and gives their stock
// back, in one transaction. It returns how many: 0 once there are none left.
func (e *Expirer) Expire(ctx context.Context) (n int, err error) {
	err = e.DB.InTx(ctx, func(ctx context.Context) error {
		var orders []orderID
		err := expireText.Query(ctx, e.DB, func(rows *sql.Rows) error {
			var o orderID
			err := rows.Scan(&o.ID)
			orders = append(orders, o)
			return err
		})
		if err != nil {
			return fmt.Errorf("expire orders: %w", err)
		}
		n = len(orders)
		return giveBack(ctx, e.DB, orders)
	})
	if err != nil {
		return 0, err
	}
	return n, nil
}
