package checkout

import (
	"context"
	"database/sql"
	"fmt"

	"github.com/entwine-go/entwine/ent"
	"github.com/entwine-go/entwine/ent/refund"
	"github.com/entwine-go/entwine/ent/typedid"
	"github.com/entwine-go/entwine/ent/user"
	"github.com/entwine-go/entwine/kit/jobs"
	"github.com/entwine-go/entwine/kit/money"
	"github.com/entwine-go/entwine/kit/store"
	"github.com/entwine-go/entwine/kit/store/statement"
)

// ReceiptLetter is the job that mails the receipt of a paid order.
type ReceiptLetter struct {
	OrderID int64 `json:"order_id" show:"true"`
}

// Kind names the work.
func (ReceiptLetter) Kind() string { return "receipt" }

// RunsAs is the system: the gateway confirms the payment, independent of the payer's rights.
func (ReceiptLetter) RunsAs() jobs.As { return jobs.AsSystem }

// Options queues it as urgent: a customer waits for it.
func (l ReceiptLetter) Options() jobs.Options {
	return jobs.Options{Queue: jobs.Urgent, Subject: jobs.About(ent.TypeOrder, l.OrderID)}
}

// RefundLetter is the job that sends a customer the mail about a refund.
type RefundLetter struct {
	RefundID int64 `json:"refund_id" show:"true"`
}

// Kind names the work.
func (RefundLetter) Kind() string { return "refund_notice" }

// RunsAs is the system: an admin refunds, and the customer is written to.
func (RefundLetter) RunsAs() jobs.As { return jobs.AsSystem }

// Options queues it as urgent: a customer waits for it.
func (l RefundLetter) Options() jobs.Options {
	return jobs.Options{Queue: jobs.Urgent, Subject: jobs.About(ent.TypeRefund, l.RefundID)}
}

// Letter is the data of a template, and the recipient, who is empty where the
// account is gone. It has no name in the greeting: the address may be a
// stranger's, and the name a text of its chooser.
type Letter struct {
	To, Template string
	Data         map[string]any
}

// SQL, because every paid order has a receipt: one statement, where the client would need
// three. Deleted users get no mail.
var receiptText = statement.Of(`
	SELECT o.total, o.currency, u.email, i.name, i.quantity, i.total
	FROM orders AS o
	JOIN users AS u ON u.id = o.user_id AND u.deleted_at IS NULL
	JOIN order_items AS i ON i.order_id = o.id
	WHERE o.id = $1 ORDER BY i.id`)

// Letter returns the receipt.
func (l ReceiptLetter) Letter(ctx context.Context, db *store.DB, _ *ent.Client) (Letter, error) {
	var total, quantity, price int64
	var currency, to, name string
	lines := []any{}
	err := receiptText.Query(ctx, db, func(rows *sql.Rows) error {
		err := rows.Scan(&total, &currency, &to, &name, &quantity, &price)
		lines = append(lines, map[string]any{"name": name, "quantity": quantity, "total": spell(price, currency)})
		return err
	}, l.OrderID)
	if err != nil {
		return Letter{}, fmt.Errorf("read order %d: %w", l.OrderID, err)
	}
	if len(lines) == 0 {
		return Letter{}, nil
	}
	return Letter{To: to, Template: "receipt", Data: map[string]any{
		"name": "", "order": l.OrderID, "lines": lines, "total": spell(total, currency), "currency": currency,
	}}, nil
}

// present leaves out deleted users: they get no mail.
func present(q *ent.UserQuery) { q.Where(user.DeletedAtIsNil()) }

// Letter returns the notice.
func (l RefundLetter) Letter(ctx context.Context, _ *store.DB, c *ent.Client) (Letter, error) {
	r, err := c.Refund.Query().Where(refund.ID(typedid.RefundID(l.RefundID))).
		WithPayment(func(q *ent.PaymentQuery) { q.WithUser(present) }).Only(ctx)
	if err != nil {
		return Letter{}, fmt.Errorf("read refund %d: %w", l.RefundID, err)
	}
	p := r.Edges.Payment
	if p.Edges.User == nil {
		return Letter{}, nil
	}
	of := fmt.Sprintf("your payment %d", p.ID)
	if p.OrderID != nil {
		of = fmt.Sprintf("your order %d", *p.OrderID)
	}
	text := fmt.Sprintf("%s %s of %s have been paid back to you.", spell(r.Amount, r.Currency), r.Currency, of)
	if r.Reason != nil {
		text += "\n\nThe reason: " + *r.Reason
	}
	return Letter{To: p.Edges.User.Email, Template: "notice", Data: map[string]any{
		"name": "", "title": "A refund of " + of, "text": text,
	}}, nil
}

// spell writes an amount as people do, with all decimals of the currency.
func spell(minor int64, currency string) string { return money.Format(minor, currency) }
