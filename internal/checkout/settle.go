package checkout

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/entwine-go/entwine/ent"
	"github.com/entwine-go/entwine/ent/order"
	"github.com/entwine-go/entwine/ent/payment"
	"github.com/entwine-go/entwine/ent/refund"
	"github.com/entwine-go/entwine/ent/typedid"
	"github.com/entwine-go/entwine/kit/idempotency"
	"github.com/entwine-go/entwine/kit/jobs"
	"github.com/entwine-go/entwine/kit/payments"
	"github.com/entwine-go/entwine/kit/problem"
	"github.com/entwine-go/entwine/kit/store"
	"github.com/entwine-go/entwine/kit/store/statement"
)

// recordPayment writes down what the gateway says of a payment, with all that
// follows from it for the order that it is for, if it is for one, unless that is
// written down already. The gateway has decided.
func (c *Cashier) recordPayment(ctx context.Context, id typedid.PaymentID, of *typedid.OrderID, r payments.Result) error {
	err := c.DB.InTx(ctx, func(ctx context.Context) error {
		// A payment leaves processing once. A later change, with the same answer or
		// a second one, touches no row.
		change, at := c.Ent.Payment.Update().SetNillableGatewayReference(reference(r)), store.Time(c.now())
		if r.Outcome == payments.Failed {
			change.Where(paymentAt("fail")).SetStatus(payment.StatusFailed).SetFailure(short(r.Reason))
		} else {
			change.Where(paymentAt("capture")).SetStatus(payment.StatusSucceeded).SetCapturedAt(at)
		}
		n, err := change.Where(payment.ID(id)).Save(ctx)
		if err != nil || n == 0 {
			return err
		}
		switch {
		case of == nil:
			return nil
		case r.Outcome == payments.Failed:
			return move(ctx, *of, c.Ent.Order.Update().Where(orderAt("fail")).SetStatus(order.StatusPending))
		}
		return c.paid(ctx, *of, at)
	})
	if err != nil {
		return fmt.Errorf("record payment %d: %w", id, err)
	}
	return nil
}

// paid marks an order that is processing as paid in the context's transaction, and has it
// billed and its receipt sent after that. An order is paid when its money was
// taken: reports count both in the same span.
func (c *Cashier) paid(ctx context.Context, id typedid.OrderID, at time.Time) error {
	if err := move(ctx, id, c.Ent.Order.Update().Where(orderAt("capture")).SetStatus(order.StatusPaid).SetPaidAt(at)); err != nil {
		return err
	}
	if c.Invoices == nil {
		_, err := c.Jobs.Enqueue(ctx, ReceiptLetter{OrderID: int64(id)}, jobs.Options{})
		return err
	}
	c.billSoon(ctx)
	return nil
}

// move changes an order that must be in the state that the change asks for.
func move(ctx context.Context, id typedid.OrderID, change *ent.OrderUpdate) error {
	n, err := change.Where(order.ID(id)).Save(ctx)
	if err == nil && n != 1 {
		err = errors.New("it is not in the state that its payment left it in")
	}
	if err != nil {
		return fmt.Errorf("change order %d: %w", id, err)
	}
	return nil
}

// reference is the gateway's name for it, nil where it has none.
func reference(r payments.Result) *string {
	if r.Reference == "" {
		return nil
	}
	return &r.Reference
}

// short cuts what a gateway says to what is kept of it.
func short(reason string) string {
	runes := []rune(reason)
	return string(runes[:min(len(runes), 500)])
}

// paidBefore answers a request that was made before with what has become of
// its payment. Without a payment there was nothing to pay.
func (c *Cashier) paidBefore(ctx context.Context) (Receipt, error) {
	p, err := c.Ent.Payment.Query().Where(payment.RequestKey(idempotency.TicketOf(ctx).Outside())).Only(system(ctx))
	if store.IsNotFound(err) {
		return Receipt{Again: true}, nil
	}
	if err != nil {
		return Receipt{}, fmt.Errorf("find the payment that was asked for before: %w", err)
	}
	return became(ctx, int64(p.ID), string(p.Status), p.Failure)
}

// became is the receipt of a payment or a refund that was asked for before.
func became(ctx context.Context, id int64, status string, failure *string) (Receipt, error) {
	r := Receipt{ID: id, Again: true}
	switch {
	case status == "processing" && idempotency.TicketOf(ctx).Accepted():
		r.Pending = true
		return r, nil
	case status == "processing":
		return r, errUnanswered()
	case failure != nil:
		return standing(r, payments.Result{Outcome: payments.Failed, Reason: *failure})
	}
	return r, nil
}

// errUnanswered answers while the gateway is being asked.
func errUnanswered() error {
	p := problem.New(problem.Conflict, "the gateway has not answered yet")
	p.RetryAfter = time.Second
	return p
}

// Hear handles a notification about the key. The outcome is retrieved from the
// gateway itself, so notifications may be forged, repeated or out of order.
func (c *Cashier) Hear(ctx context.Context, key string) error {
	s, ok := settlementOf(key)
	if !ok {
		return problem.New(problem.NotFound, "there is no such payment")
	}
	return c.Finish(ctx, s)
}

// settlementOf returns the settlement of a key that was given to a gateway.
func settlementOf(key string) (s Settlement, ok bool) {
	kind, number, _ := strings.Cut(key, "-")
	id, err := strconv.ParseInt(number, 10, 64)
	switch {
	case err != nil || id < 1:
		return s, false
	case kind == "payment":
		return Settlement{PaymentID: id}, true
	}
	return Settlement{RefundID: id}, kind == "refund"
}

// key is its key at the gateway.
func (s Settlement) key() string {
	if s.RefundID != 0 {
		return refundKey(s.RefundID)
	}
	return paymentKey(s.PaymentID)
}

// SQL, because the indexes of what is processing are of that alone, as that of what can
// expire is, and because jobs are asked for by the key that no two of a kind share.
var lateText = statement.Of(`
	SELECT id, 0 FROM payments WHERE status = 'processing' AND updated_at < later($1)
		AND NOT EXISTS (SELECT 1 FROM jobs WHERE kind = 'settle_payment' AND unique_key = 'payment-' || payments.id AND finished_at IS NULL)
	UNION ALL
	SELECT 0, id FROM refunds WHERE status = 'processing' AND updated_at < later($1)
		AND NOT EXISTS (SELECT 1 FROM jobs WHERE kind = 'settle_payment' AND unique_key = 'refund-' || refunds.id AND finished_at IS NULL)
	LIMIT $2`)

// Late lists some of what has been processing for longer than a call to the gateway takes, and
// has no job that settles it: its process ended before the gateway answered, or its
// job was cancelled.
func (c *Cashier) Late(ctx context.Context, most int) (all []Settlement, err error) {
	err = lateText.Query(ctx, c.DB, func(rows *sql.Rows) error {
		var s Settlement
		err := rows.Scan(&s.PaymentID, &s.RefundID)
		all = append(all, s)
		return err
	}, -c.Interval().Seconds(), most)
	if err != nil {
		return nil, fmt.Errorf("find payments that are late: %w", err)
	}
	return all, nil
}

// errPending has a settlement tried again later.
var errPending = problem.New(problem.GatewayTimeout, "the payment gateway has not decided yet")

// Finish finishes what was left in processing: the gateway is asked what became
// of it, and what it has never heard of is given up, so that it never happens.
func (c *Cashier) Finish(ctx context.Context, s Settlement) error {
	if _, open, err := c.open(ctx, s); err != nil || !open {
		return err
	}
	result, err := c.decision(ctx, s)
	if err != nil {
		return err
	}
	ctx, cancel := recording(ctx)
	defer cancel()
	return c.record(ctx, s, result)
}

// open reports whether there is such a payment or refund, and whether it is
// processing.
func (c *Cashier) open(ctx context.Context, s Settlement) (found, open bool, err error) {
	ctx = system(ctx)
	if s.RefundID != 0 {
		var r *ent.Refund
		if r, err = c.Ent.Refund.Get(ctx, typedid.RefundID(s.RefundID)); err == nil {
			return true, r.Status == refund.StatusProcessing, nil
		}
	} else {
		var p *ent.Payment
		if p, err = c.Ent.Payment.Get(ctx, typedid.PaymentID(s.PaymentID)); err == nil {
			return true, p.Status == payment.StatusProcessing, nil
		}
	}
	if store.IsNotFound(err) {
		return false, false, nil
	}
	return false, false, fmt.Errorf("look whether %s is processing: %w", s.key(), err)
}

// decision asks the gateway what became of it. A charge or refund without a
// decision is an error.
func (c *Cashier) decision(ctx context.Context, s Settlement) (payments.Result, error) {
	call, cancel := c.asking(ctx)
	defer cancel()
	result, err := c.Gateway.Retrieve(call, s.key())
	if errors.Is(err, payments.ErrUnknown) {
		result, err = c.Gateway.Cancel(call, s.key())
	}
	switch {
	case err != nil:
		return result, fmt.Errorf("ask what became of %s: %w", s.key(), err)
	case result.Outcome == payments.Pending:
		return result, errPending
	}
	return result, nil
}

// record writes down what the gateway says, unless that is written down already.
func (c *Cashier) record(ctx context.Context, s Settlement, result payments.Result) error {
	if s.RefundID != 0 {
		return c.recordRefund(ctx, s.RefundID, result)
	}
	p, err := c.Ent.Payment.Get(ctx, typedid.PaymentID(s.PaymentID))
	if err != nil {
		return fmt.Errorf("read payment %d: %w", s.PaymentID, err)
	}
	return c.recordPayment(ctx, p.ID, p.OrderID, result)
}
