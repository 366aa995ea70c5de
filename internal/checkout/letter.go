package checkout

import (
	"context"
	"database/sql"
	"fmt"

	"github.com/entwine-go/entwine/kit/jobs"
	"github.com/entwine-go/entwine/kit/money"
	"github.com/entwine-go/entwine/kit/store"
	"github.com/entwine-go/entwine/kit/store/statement"
)

// ReceiptLetter is the job that mails the receipt of a paid order.
type ReceiptLetter struct {
	OrderID int64 `json:"order_id"`
}

// Kind names the work.
func (ReceiptLetter) Kind() string { return "receipt" }

// Options queues it as urgent: a customer waits for it.
func (ReceiptLetter) Options() jobs.Options { return jobs.Options{Queue: jobs.Urgent} }

// RefundLetter is the job that tells a customer of a refund.
type RefundLetter struct {
	RefundID int64 `json:"refund_id"`
}

// Kind names the work.
func (RefundLetter) Kind() string { return "refund_notice" }

// Options queues it as urgent: a customer waits for it.
func (RefundLetter) Options() jobs.Options { return jobs.Options{Queue: jobs.Urgent} }

// Letter is the data of a template, and the recipient, who is empty where the
// account is gone. It has no name in the greeting: the address may be a
// stranger's, and the name a text of its chooser.
type Letter struct {
	To, Template string
	Data         map[string]any
}

var receiptText = statement.Of(`
	SELECT o.total, o.currency, u.email, l.name, l.quantity, l.total, l.currency
	FROM orders AS o
	LEFT JOIN users AS u ON u.id = o.user_id AND u.deleted_at IS NULL
	LEFT JOIN order_items AS l ON l.order_id = o.id
	WHERE o.id = $1 ORDER BY l.id`)

// Letter returns the receipt.
func (l ReceiptLetter) Letter(ctx context.Context, db *store.DB) (Letter, error) {
	var total int64
	var currency string
	var to sql.NullString
	lines, found := []any{}, false
	err := receiptText.Query(ctx, db, func(rows *sql.Rows) error {
		var name, in sql.NullString
		var quantity, sum sql.NullInt64
		found = true
		if err := rows.Scan(&total, &currency, &to, &name, &quantity, &sum, &in); err != nil || !name.Valid {
			return err
		}
		lines = append(lines, map[string]any{"name": name.String, "quantity": quantity.Int64, "total": spell(sum.Int64, in.String)})
		return nil
	}, l.OrderID)
	switch {
	case err != nil:
		return Letter{}, fmt.Errorf("read order %d: %w", l.OrderID, err)
	case !found:
		return Letter{}, fmt.Errorf("order %d is not there", l.OrderID)
	case !to.Valid:
		return Letter{}, nil
	}
	return Letter{To: to.String, Template: "receipt", Data: map[string]any{
		"name": "", "order": l.OrderID, "lines": lines, "total": spell(total, currency), "currency": currency,
	}}, nil
}

var noticeText = statement.Of(`
	SELECT r.amount, r.currency, r.reason, p.id, p.order_id, u.email
	FROM refunds AS r
	JOIN payments AS p ON p.id = r.payment_id
	LEFT JOIN users AS u ON u.id = p.user_id AND u.deleted_at IS NULL
	WHERE r.id = $1`)

// Letter returns the notice.
func (l RefundLetter) Letter(ctx context.Context, db *store.DB) (Letter, error) {
	var amount, paid int64
	var currency string
	var reason, to sql.NullString
	var ordered sql.NullInt64
	found, err := noticeText.Row(ctx, db, []any{&amount, &currency, &reason, &paid, &ordered, &to}, l.RefundID)
	switch {
	case err != nil:
		return Letter{}, fmt.Errorf("read refund %d: %w", l.RefundID, err)
	case !found:
		return Letter{}, fmt.Errorf("refund %d is not there", l.RefundID)
	case !to.Valid:
		return Letter{}, nil
	}
	of := fmt.Sprintf("your payment %d", paid)
	if ordered.Valid {
		of = fmt.Sprintf("your order %d", ordered.Int64)
	}
	text := fmt.Sprintf("%s %s of %s have been paid back to you.", spell(amount, currency), currency, of)
	if reason.Valid {
		text += "\n\nThe reason: " + reason.String
	}
	return Letter{To: to.String, Template: "notice", Data: map[string]any{
		"name": "", "title": "A refund of " + of, "text": text,
	}}, nil
}

// spell writes an amount as people do, with all decimals of the currency.
func spell(minor int64, currency string) string { return money.Format(minor, currency) }
