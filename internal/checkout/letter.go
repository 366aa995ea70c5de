package checkout

import (
	"context"
	"fmt"

	"github.com/entwine-go/entwine/ent"
	"github.com/entwine-go/entwine/ent/order"
	"github.com/entwine-go/entwine/ent/orderitem"
	"github.com/entwine-go/entwine/ent/orm"
	"github.com/entwine-go/entwine/ent/refund"
	"github.com/entwine-go/entwine/ent/typedid"
	"github.com/entwine-go/entwine/kit/jobs"
	"github.com/entwine-go/entwine/kit/money"
	"github.com/entwine-go/entwine/kit/runtime/store"
)

// ReceiptLetter is the job that mails the receipt of a paid order.
type ReceiptLetter struct {
	OrderID int64 `json:"order_id"`
}

// Kind names the work.
func (ReceiptLetter) Kind() string { return "receipt" }

// Options lets it overtake the rest: somebody waits for it.
func (ReceiptLetter) Options() jobs.Options { return jobs.Options{Queue: jobs.Urgent} }

// RefundLetter is the job that tells a customer of a refund.
type RefundLetter struct {
	RefundID int64 `json:"refund_id"`
}

// Kind names the work.
func (RefundLetter) Kind() string { return "refund_notice" }

// Options lets it overtake the rest: somebody waits for it.
func (RefundLetter) Options() jobs.Options { return jobs.Options{Queue: jobs.Urgent} }

// Letter is what a template is filled in with, and to whom it goes: to nobody
// where the account is gone. It greets nobody by name: that the address is the
// user's is not known, and to a stranger the name would say whatever its
// chooser likes.
type Letter struct {
	To, Template string
	Data         map[string]any
}

// Letter returns the receipt.
func (l ReceiptLetter) Letter(ctx context.Context, db *store.DB) (Letter, error) {
	o, err := orm.Client(db).Order.Query().Where(order.ID(typedid.OrderID(l.OrderID))).WithUser().
		WithItems(func(q *ent.OrderItemQuery) { q.Order(orderitem.ByID()) }).Only(ctx)
	if err != nil {
		return Letter{}, fmt.Errorf("read order %d: %w", l.OrderID, err)
	}
	if o.Edges.User == nil {
		return Letter{}, nil
	}
	lines := make([]any, len(o.Edges.Items))
	for i, item := range o.Edges.Items {
		lines[i] = map[string]any{"name": item.Name, "quantity": item.Quantity, "total": spell(item.Total, item.Currency)}
	}
	return Letter{To: o.Edges.User.Email, Template: "receipt", Data: map[string]any{
		"name": "", "order": int64(o.ID), "lines": lines, "total": spell(o.Total, o.Currency), "currency": o.Currency,
	}}, nil
}

// Letter returns the notice.
func (l RefundLetter) Letter(ctx context.Context, db *store.DB) (Letter, error) {
	r, err := orm.Client(db).Refund.Query().Where(refund.ID(typedid.RefundID(l.RefundID))).
		WithPayment(func(q *ent.PaymentQuery) { q.WithUser() }).Only(ctx)
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
