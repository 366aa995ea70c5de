package checkout

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/entwine-go/entwine/internal/rows"
	"github.com/entwine-go/entwine/kit/idempotency"
	"github.com/entwine-go/entwine/kit/jobs"
	"github.com/entwine-go/entwine/kit/payments"
	"github.com/entwine-go/entwine/kit/problem"
	"github.com/entwine-go/entwine/kit/store/statement"
)

// A payment leaves processing once. A later change, with the same answer or
// a second one, touches no row.
var (
	capturedText = statement.Of(`
		UPDATE payments SET ` + after(rows.Payment, "capture") + `, captured_at = now(), gateway_reference = $2, updated_at = now()
		WHERE id = $1 AND ` + before(rows.Payment, "capture") + ` RETURNING COALESCE(order_id, 0)`)
	failedText = statement.Of(`
		UPDATE payments SET ` + after(rows.Payment, "fail") + `, failure = $2, gateway_reference = $3, updated_at = now()
		WHERE id = $1 AND ` + before(rows.Payment, "fail") + ` RETURNING COALESCE(order_id, 0)`)
	// An order is paid when its money was taken: reports count both in the
	// same span.
	paidText = statement.Of(`
		UPDATE orders SET ` + after(rows.Order, "capture") + `, updated_at = now(),
			paid_at = COALESCE((SELECT captured_at FROM payments WHERE order_id = $1 AND status = 'succeeded'), now())
		WHERE id = $1 AND ` + before(rows.Order, "capture"))
	reopenText = statement.Of(`
		UPDATE orders SET ` + after(rows.Order, "fail") + `, updated_at = now()
		WHERE id = $1 AND ` + before(rows.Order, "fail"))
)

// recordPayment writes down what the gateway says of a payment, with all that
// follows from it, unless that is written down already.
func (c *Cashier) recordPayment(ctx context.Context, id int64, r payments.Result) error {
	if r.Outcome == payments.Pending {
		return nil
	}
	err := c.DB.InTx(ctx, func(ctx context.Context) error {
		text, args := capturedText, []any{id, reference(r)}
		if r.Outcome == payments.Failed {
			text, args = failedText, []any{id, short(r.Reason), reference(r)}
		}
		var orderID int64
		found, err := text.Row(ctx, c.DB, []any{&orderID}, args...)
		switch {
		case err != nil || !found || orderID == 0:
			return err
		case r.Outcome == payments.Failed:
			return c.one(ctx, reopenText, orderID)
		}
		return c.paid(ctx, orderID)
	})
	if err != nil {
		return fmt.Errorf("record payment %d: %w", id, err)
	}
	return nil
}

// paid marks an order that is processing as paid, bills it, and has its
// receipt sent, all in the context's transaction.
func (c *Cashier) paid(ctx context.Context, orderID int64) error {
	if err := c.one(ctx, paidText, orderID); err != nil {
		return err
	}
	if _, err := c.Jobs.Enqueue(ctx, ReceiptLetter{OrderID: orderID}, jobs.Options{}); err != nil {
		return err
	}
	if c.Invoices == nil {
		return nil
	}
	// Last, because others wait for its number.
	return c.Invoices.Issue(ctx, orderID)
}

// one runs a statement about an order that must be in the state that it asks for.
func (c *Cashier) one(ctx context.Context, s statement.Statement, orderID int64) error {
	n, err := s.Exec(ctx, c.DB, orderID)
	if err == nil && n != 1 {
		err = errors.New("it is not in the state that its payment left it in")
	}
	if err != nil {
		return fmt.Errorf("change order %d: %w", orderID, err)
	}
	return nil
}

// reference is what the gateway calls it, nil where it has no name for it.
func reference(r payments.Result) any {
	if r.Reference == "" {
		return nil
	}
	return r.Reference
}

// short cuts what a gateway says to what is kept of it.
func short(reason string) string {
	runes := []rune(reason)
	return string(runes[:min(len(runes), 500)])
}

var beforeText = statement.Of(`SELECT id, status, COALESCE(failure, '') FROM payments WHERE request_key = $1`)

// paidBefore answers a request that was made before with what has become of
// its payment. Without a payment there was nothing to pay.
func (c *Cashier) paidBefore(ctx context.Context) (Receipt, error) {
	return c.before(ctx, beforeText)
}

func (c *Cashier) before(ctx context.Context, s statement.Statement) (Receipt, error) {
	r := Receipt{Again: true}
	var status, failure string
	found, err := s.Row(ctx, c.DB, []any{&r.ID, &status, &failure}, idempotency.TicketOf(ctx).Outside())
	switch {
	case err != nil:
		return r, fmt.Errorf("find what was asked before: %w", err)
	case found && status == "processing":
		return r, errUnanswered()
	case found && status == "failed":
		return standing(r, payments.Failed, failure)
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

// settlementOf is what a key that was given to a gateway is about.
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

// key is what the gateway knows it by.
func (s Settlement) key() string {
	if s.RefundID != 0 {
		return refundKey(s.RefundID)
	}
	return paymentKey(s.PaymentID)
}

var lateText = statement.Of(`
	SELECT id, 0 FROM payments WHERE status = 'processing' AND updated_at < later(-60)
	UNION ALL
	SELECT 0, id FROM refunds WHERE status = 'processing' AND updated_at < later(-60)
	LIMIT 100`)

// Late lists what has been processing for a minute, which is longer than its
// job takes: that may have been cancelled.
func (c *Cashier) Late(ctx context.Context) (all []Settlement, err error) {
	err = lateText.Query(ctx, c.DB, func(rows *sql.Rows) error {
		var s Settlement
		err := rows.Scan(&s.PaymentID, &s.RefundID)
		all = append(all, s)
		return err
	})
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
	text, id := openPaymentText, s.PaymentID
	if s.RefundID != 0 {
		text, id = openRefundText, s.RefundID
	}
	if found, err = text.Row(ctx, c.DB, []any{&open}, id); err != nil {
		return false, false, fmt.Errorf("look whether %s is processing: %w", s.key(), err)
	}
	return found, open, nil
}

// decision asks the gateway what became of it. What has no decision yet is an
// error.
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
	return c.recordPayment(ctx, s.PaymentID, result)
}

var (
	openPaymentText = statement.Of(`SELECT status = 'processing' FROM payments WHERE id = $1`)
	openRefundText  = statement.Of(`SELECT status = 'processing' FROM refunds WHERE id = $1`)
)
