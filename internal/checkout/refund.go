package checkout

import (
	"context"
	"fmt"
	"strconv"

	"entgo.io/ent/dialect/sql"

	"github.com/entwine-go/entwine/internal/rows"
	"github.com/entwine-go/entwine/kit/idempotency"
	"github.com/entwine-go/entwine/kit/jobs"
	"github.com/entwine-go/entwine/kit/money"
	"github.com/entwine-go/entwine/kit/mutation"
	"github.com/entwine-go/entwine/kit/payments"
	"github.com/entwine-go/entwine/kit/problem"
	"github.com/entwine-go/entwine/kit/store"
	"github.com/entwine-go/entwine/kit/store/statement"
	"github.com/entwine-go/entwine/kit/write"
)

// Return asks that money is paid back.
type Return struct {
	// Amount is in minor units. Nil: all that is left.
	Amount *int64
	// Reason is why, empty for no reason.
	Reason string
	// Restock has the products go back into stock once all is paid back. They
	// don't by themselves: what was sent is rarely there again when the money
	// is paid back.
	Restock bool
}

// repayment is a refund that has begun.
type repayment struct {
	id, paymentID, amount int64
	currency              string
}

func refundKey(id int64) string { return "refund-" + strconv.FormatInt(id, 10) }

// Refund pays back what was paid for an order, in parts or whole. Like
// [Cashier.PayOrder] it takes two transactions, with the gateway between them.
func (c *Cashier) Refund(ctx context.Context, orderID int64, r Return) (Receipt, error) {
	return c.repay(ctx, func(ctx context.Context) (repayment, error) { return c.beginRefund(ctx, orderID, r) })
}

// RefundPayment pays back of one payment: of one for an order as
// [Cashier.Refund] does, of one that is for none by itself.
func (c *Cashier) RefundPayment(ctx context.Context, paymentID int64, r Return) (Receipt, error) {
	return c.repay(ctx, func(ctx context.Context) (repayment, error) { return c.beginRefundOf(ctx, paymentID, r) })
}

// repay begins a refund, asks the gateway and writes down what it answers.
func (c *Cashier) repay(ctx context.Context, begin func(context.Context) (repayment, error)) (Receipt, error) {
	var p repayment
	again := false
	err := c.DB.InTx(ctx, func(ctx context.Context) (err error) {
		if again, err = idempotency.TicketOf(ctx).Begin(ctx); err != nil || again {
			return err
		}
		if p, err = begin(ctx); err != nil {
			return err
		}
		return c.settleLater(ctx, Settlement{RefundID: p.id})
	})
	if err != nil {
		return Receipt{}, err
	}
	if again {
		return c.before(ctx, refundedBeforeText)
	}
	call, cancel := c.asking(ctx)
	result, err := c.Gateway.Refund(call, payments.Refund{Key: refundKey(p.id), Charge: paymentKey(p.paymentID), Amount: p.amount, Currency: p.currency})
	cancel()
	if err != nil {
		return Receipt{}, c.unanswered(ctx, call, err)
	}
	ctx, cancel = recording(ctx)
	defer cancel()
	if err := c.recordRefund(ctx, p.id, result); err != nil {
		return Receipt{}, err
	}
	return standing(Receipt{ID: p.id}, result.Outcome, result.Reason)
}

var refundedBeforeText = statement.Of(`SELECT id, status, COALESCE(failure, '') FROM refunds WHERE request_key = $1`)

var (
	leftOfOrderText = statement.Of(`
		SELECT id, amount - amount_refunded, currency FROM payments WHERE order_id = $1 AND ` + before(rows.Payment, "refund"))
	leftText = statement.Of(`
		SELECT id, amount - amount_refunded, currency FROM payments WHERE id = $1`)
)

// beginRefund writes the refund, which counts from now on: no two of them
// share the same money. The order's row is locked by a write that changes
// nothing that is seen.
func (c *Cashier) beginRefund(ctx context.Context, orderID int64, r Return) (repayment, error) {
	held, err := c.touch(ctx, rows.Order, "refund", orderID, map[string]any{"updated_at": store.Time(c.now())})
	if err != nil {
		return repayment{}, fmt.Errorf("refund order %d: %w", orderID, err)
	}
	if !held {
		return repayment{}, write.ErrMoved
	}
	return c.writeRefund(ctx, leftOfOrderText, orderID, r)
}

// beginRefundOf is beginRefund for a payment, whose own row is the lock where
// it is for no order.
func (c *Cashier) beginRefundOf(ctx context.Context, paymentID int64, r Return) (repayment, error) {
	p, err := rows.Payment.Rows.Query(c.DB.Driver(), sql.FieldEQ("id", paymentID), from(rows.Payment, "refund")).Only(ctx)
	switch {
	case store.IsNotFound(err):
		return repayment{}, write.ErrMoved
	case err != nil:
		return repayment{}, fmt.Errorf("find payment %d: %w", paymentID, err)
	}
	if ordered := mutation.Get[int64](p, "order_id"); ordered != 0 {
		return c.beginRefund(ctx, ordered, r)
	}
	held, err := c.touch(ctx, rows.Payment, "refund", paymentID, map[string]any{"updated_at": store.Time(c.now())})
	if err != nil {
		return repayment{}, fmt.Errorf("refund payment %d: %w", paymentID, err)
	}
	if !held {
		return repayment{}, write.ErrMoved
	}
	return c.writeRefund(ctx, leftText, paymentID, r)
}

// writeRefund writes the refund of the payment that the statement finds: it is
// [write.ErrMoved] where nothing is left of it.
func (c *Cashier) writeRefund(ctx context.Context, find statement.Statement, of int64, r Return) (p repayment, err error) {
	var left int64
	found, err := find.Row(ctx, c.DB, []any{&p.paymentID, &left, &p.currency}, of)
	switch {
	case err != nil:
		return repayment{}, fmt.Errorf("find what is left of payment %d: %w", of, err)
	case !found || left == 0: // an order that costs nothing has no payment
		return repayment{}, write.ErrMoved
	}
	if p.amount, err = r.amount(left, p.currency); err != nil {
		return repayment{}, err
	}
	values := map[string]any{
		"payment_id": p.paymentID, "amount": p.amount, "currency": p.currency, "restock": r.Restock, "request_key": requestKey(ctx),
	}
	if r.Reason != "" {
		values["reason"] = r.Reason
	}
	if p.id, err = rows.Refund.Rows.Make(ctx, c.DB.Driver(), values); err != nil {
		return repayment{}, fmt.Errorf("begin a refund of payment %d: %w", p.paymentID, err)
	}
	return p, nil
}

// amount is what is paid back where so much is left.
func (r Return) amount(left int64, currency string) (int64, error) {
	amount := left
	if r.Amount != nil {
		amount = *r.Amount
	}
	if amount < 1 || amount > left {
		return 0, problem.Inputs(problem.Rulef("amount", number(amount, currency), "must be more than 0 and at most %s %s, which is left", money.Append(nil, left, currency), currency))
	}
	return amount, nil
}

// The order is locked first, as when a refund begins: the last of several
// parts must see the others. A payment that is for no order has no state that
// follows from them.
var (
	lockText = statement.Of(`
		SELECT p.order_id, p.id FROM orders AS o JOIN payments AS p ON p.order_id = o.id JOIN refunds AS r ON r.payment_id = p.id
		WHERE r.id = $1 FOR UPDATE OF o`)
	refundedText = statement.Of(`
		UPDATE refunds SET status = 'succeeded', refunded_at = now(), gateway_reference = $2, updated_at = now()
		WHERE id = $1 AND status = 'processing'`)
	refundFailedText = statement.Of(`
		UPDATE refunds SET status = 'failed', failure = $2, gateway_reference = $3, updated_at = now()
		WHERE id = $1 AND status = 'processing'`)
	orderRefundedText = statement.Of(`
		UPDATE orders SET updated_at = now(), status = CASE
			WHEN (SELECT SUM(amount) FROM refunds WHERE payment_id = $2 AND status = 'succeeded') >= (SELECT amount FROM payments WHERE id = $2)
			THEN 'refunded' ELSE 'partially_refunded' END
		WHERE id = $1 AND ` + before(rows.Order, "refund") + `
		RETURNING status = 'refunded' AND EXISTS (SELECT 1 FROM refunds WHERE payment_id = $2 AND status = 'succeeded' AND restock)`)
)

// recordRefund writes down what the gateway says of a refund, unless that is
// written down already.
func (c *Cashier) recordRefund(ctx context.Context, id int64, r payments.Result) error {
	if r.Outcome == payments.Pending {
		return nil
	}
	err := c.DB.InTx(ctx, func(ctx context.Context) error {
		var ordered, paymentID int64
		if _, err := lockText.Row(ctx, c.DB, []any{&ordered, &paymentID}, id); err != nil {
			return err
		}
		text, args := refundedText, []any{id, reference(r)}
		if r.Outcome == payments.Failed {
			text, args = refundFailedText, []any{id, short(r.Reason), reference(r)}
		}
		n, err := text.Exec(ctx, c.DB, args...)
		if err != nil || n == 0 || r.Outcome == payments.Failed {
			return err
		}
		if ordered != 0 {
			if err := c.refunded(ctx, ordered, paymentID); err != nil {
				return err
			}
		}
		_, err = c.Jobs.Enqueue(ctx, RefundLetter{RefundID: id}, jobs.Options{})
		return err
	})
	if err != nil {
		return fmt.Errorf("record refund %d: %w", id, err)
	}
	return nil
}

// refunded says on the order how much of it is paid back, and gives the
// products back where that was asked for.
func (c *Cashier) refunded(ctx context.Context, ordered, paymentID int64) error {
	restock := false
	found, err := orderRefundedText.Row(ctx, c.DB, []any{&restock}, ordered, paymentID)
	if err != nil {
		return err
	}
	if !found {
		return fmt.Errorf("order %d is not paid", ordered)
	}
	if !restock {
		return nil
	}
	return giveBack(ctx, c.DB, []orderID{{ordered}})
}
