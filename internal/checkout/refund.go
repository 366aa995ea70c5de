package checkout

import (
	"context"
	"fmt"
	"strconv"

	"github.com/entwine-go/entwine/ent"
	"github.com/entwine-go/entwine/ent/order"
	"github.com/entwine-go/entwine/ent/payment"
	"github.com/entwine-go/entwine/ent/refund"
	"github.com/entwine-go/entwine/ent/typedid"
	"github.com/entwine-go/entwine/internal/rows"
	"github.com/entwine-go/entwine/kit/idempotency"
	"github.com/entwine-go/entwine/kit/jobs"
	"github.com/entwine-go/entwine/kit/money"
	"github.com/entwine-go/entwine/kit/payments"
	"github.com/entwine-go/entwine/kit/policy"
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
	// Restock has the products go back into stock once all is paid back. A refund does
	// not restock by itself: the goods have rarely returned when the money is paid
	// back.
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
	return c.repay(ctx, func(ctx context.Context) (repayment, error) { return c.beginRefund(ctx, typedid.OrderID(orderID), r) })
}

// RefundPayment pays back of one payment: of one for an order as
// [Cashier.Refund] does, of one that is for none by itself.
func (c *Cashier) RefundPayment(ctx context.Context, paymentID int64, r Return) (Receipt, error) {
	return c.repay(ctx, func(ctx context.Context) (repayment, error) {
		return c.beginRefundOf(ctx, typedid.PaymentID(paymentID), r)
	})
}

// repay begins a refund, asks the gateway and writes down what it answers.
func (c *Cashier) repay(ctx context.Context, begin func(context.Context) (repayment, error)) (Receipt, error) {
	var p repayment
	again := false
	err := c.DB.InTx(ctx, func(ctx context.Context) (err error) {
		if again, err = idempotency.TicketOf(ctx).Begin(ctx); err != nil || again {
			return err
		}
		p, err = begin(ctx)
		return err
	})
	if err != nil {
		return Receipt{}, err
	}
	if again {
		return c.refundedBefore(ctx)
	}
	call, cancel := c.asking(ctx)
	result, err := c.Gateway.Refund(call, payments.Refund{Key: refundKey(p.id), Charge: paymentKey(p.paymentID), Amount: p.amount, Currency: p.currency})
	cancel()
	if err != nil {
		return Receipt{}, c.unanswered(ctx, call, Settlement{RefundID: p.id}, err)
	}
	if result.Outcome == payments.Pending {
		c.settleLater(ctx, Settlement{RefundID: p.id})
		return Receipt{ID: p.id, Pending: true}, nil
	}
	ctx, cancel = recording(ctx)
	defer cancel()
	if err := c.recordRefund(ctx, p.id, result); err != nil {
		return Receipt{}, err
	}
	return standing(Receipt{ID: p.id}, result)
}

// refundedBefore answers a request that was made before with what has become of
// its refund.
func (c *Cashier) refundedBefore(ctx context.Context) (Receipt, error) {
	r, err := c.Ent.Refund.Query().Where(refund.RequestKey(idempotency.TicketOf(ctx).Outside())).Only(system(ctx))
	if store.IsNotFound(err) {
		return Receipt{Again: true}, nil
	}
	if err != nil {
		return Receipt{}, fmt.Errorf("find the refund that was asked for before: %w", err)
	}
	return became(ctx, int64(r.ID), string(r.Status), r.Failure)
}

// beginRefund writes the refund, which counts from now on: no two of them
// share the same money. The order's row is locked by a write that changes
// nothing that is seen.
func (c *Cashier) beginRefund(ctx context.Context, orderID typedid.OrderID, r Return) (repayment, error) {
	n, err := c.Ent.Order.Update().Where(order.ID(orderID), orderAt("refund")).Save(policy.As(ctx, "refund"))
	if err != nil {
		return repayment{}, fmt.Errorf("refund order %d: %w", orderID, err)
	}
	if n == 0 {
		return repayment{}, write.ErrMoved
	}
	p, err := c.Ent.Payment.Query().Where(payment.OrderID(orderID), paymentAt("refund")).Only(ctx)
	if store.IsNotFound(err) { // an order that costs nothing has no payment
		return repayment{}, write.ErrMoved
	}
	if err != nil {
		return repayment{}, fmt.Errorf("find the payment of order %d: %w", orderID, err)
	}
	return c.writeRefund(ctx, p, r)
}

// beginRefundOf is beginRefund for a payment, whose own row is the lock where
// it is for no order.
func (c *Cashier) beginRefundOf(ctx context.Context, id typedid.PaymentID, r Return) (repayment, error) {
	p, err := c.Ent.Payment.Query().Where(payment.ID(id), paymentAt("refund")).Only(ctx)
	switch {
	case store.IsNotFound(err):
		return repayment{}, write.ErrMoved
	case err != nil:
		return repayment{}, fmt.Errorf("find payment %d: %w", id, err)
	case p.OrderID != nil:
		return c.beginRefund(ctx, *p.OrderID, r)
	}
	n, err := c.Ent.Payment.Update().Where(payment.ID(id), paymentAt("refund")).Save(policy.As(ctx, "refund"))
	if err != nil {
		return repayment{}, fmt.Errorf("refund payment %d: %w", id, err)
	}
	if n == 0 {
		return repayment{}, write.ErrMoved
	}
	if p, err = c.Ent.Payment.Get(ctx, id); err != nil {
		return repayment{}, fmt.Errorf("read payment %d: %w", id, err)
	}
	return c.writeRefund(ctx, p, r)
}

// writeRefund writes the refund of a payment whose lock is held: it is
// [write.ErrMoved] where nothing is left of it.
func (c *Cashier) writeRefund(ctx context.Context, p *ent.Payment, r Return) (repayment, error) {
	left := p.Amount - p.AmountRefunded
	if left == 0 {
		return repayment{}, write.ErrMoved
	}
	amount, err := r.amount(left, p.Currency)
	if err != nil {
		return repayment{}, err
	}
	create := c.Ent.Refund.Create().SetPaymentID(p.ID).SetAmount(amount).SetCurrency(p.Currency).SetRestock(r.Restock).SetNillableRequestKey(requestKey(ctx))
	if r.Reason != "" {
		create.SetReason(r.Reason)
	}
	made, err := create.Save(ctx)
	if err != nil {
		return repayment{}, fmt.Errorf("begin a refund of payment %d: %w", p.ID, err)
	}
	return repayment{id: int64(made.ID), paymentID: int64(p.ID), amount: amount, currency: p.Currency}, nil
}

// amount is the amount to pay back, given the rest of the charge.
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

// recordRefund writes down what the gateway says of a refund, unless that is
// written down already. The order is locked first, as when a refund begins: the
// last of several parts must see the others. A payment that is for no order has no
// state that follows from them. The gateway has decided.
func (c *Cashier) recordRefund(ctx context.Context, id int64, r payments.Result) error {
	err := c.DB.InTx(ctx, func(ctx context.Context) error {
		of, err := c.Ent.Refund.Get(ctx, typedid.RefundID(id))
		if err != nil {
			return err
		}
		ordered, err := c.Ent.Order.Query().Where(order.HasPaymentsWith(payment.ID(of.PaymentID))).ForUpdate().IDs(ctx)
		if err != nil {
			return err
		}
		change := c.Ent.Refund.Update().Where(refund.ID(of.ID), refund.StatusEQ(refund.StatusProcessing)).SetNillableGatewayReference(reference(r))
		if r.Outcome == payments.Failed {
			change.SetStatus(refund.StatusFailed).SetFailure(short(r.Reason))
		} else {
			change.SetStatus(refund.StatusSucceeded).SetRefundedAt(store.Time(c.now()))
		}
		n, err := change.Save(ctx)
		if err != nil || n == 0 || r.Outcome == payments.Failed {
			return err
		}
		for _, order := range ordered {
			if err := c.refunded(ctx, int64(order), int64(of.PaymentID)); err != nil {
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

// SQL, because one statement adds up the parts, sets the state that follows and says
// whether any of them asks for the products.
var orderRefundedText = statement.Of(`
	UPDATE orders SET updated_at = now(), status = CASE
		WHEN (SELECT SUM(amount) FROM refunds WHERE payment_id = $2 AND status = 'succeeded') >= (SELECT amount FROM payments WHERE id = $2)
		THEN 'refunded' ELSE 'partially_refunded' END
	WHERE id = $1 AND ` + before(rows.Order, "refund") + `
	RETURNING status = 'refunded' AND EXISTS (SELECT 1 FROM refunds WHERE payment_id = $2 AND status = 'succeeded' AND restock)`)

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
