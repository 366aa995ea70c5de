// Package invoicing bills paid orders.
//
// It owns the numbers of invoices, which have no gaps, and what an invoice says: a copy of the
// order's lines, of the customer's name and address and of what is said of the seller, made
// once, in a transaction after that in which the order becomes paid, and never changed. schema.Invoice
// has the rules for reading an invoice; the order has its own state after refunds.
package invoicing

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/entwine-go/entwine/kit/store"
	"github.com/entwine-go/entwine/kit/store/statement"
	"github.com/entwine-go/entwine/schema"
)

// Issuer issues invoices.
type Issuer struct {
	DB *store.DB
	// Seller is the seller that they name.
	Seller Seller
}

// Seller is the seller on an invoice. Empty fields are left out.
type Seller struct {
	Name string
	// Address is in lines.
	Address      []string
	TaxID, Email string
}

// Issue bills orders that were paid since and are not billed, so many at most, in the
// order in which they were paid. It returns their ids, also of those that it fails to bill.
// They have the next numbers, since a number
// that is given up must be there for the next: from the first statement to the end of the
// context's transaction no other transaction bills. It therefore belongs into a transaction of
// its own, in which it sees all payments that have committed. Orders that a job bills by
// themselves are left to it.
func (i *Issuer) Issue(ctx context.Context, since time.Time, most int) (orders []int64, err error) {
	return i.issue(ctx, billText, since, most)
}

// IssueOne is Issue of one order: of none where it is not paid, or is billed already.
func (i *Issuer) IssueOne(ctx context.Context, order int64) (orders []int64, err error) {
	return i.issue(ctx, billOneText, order, 1)
}

func (i *Issuer) issue(ctx context.Context, which statement.Statement, from any, most int) (orders []int64, err error) {
	last, err := i.hold(ctx)
	if err != nil {
		return nil, fmt.Errorf("issue invoices: %w", err)
	}
	bills, err := i.read(ctx, which, from, most)
	if err != nil || len(bills) == 0 {
		return nil, err
	}
	for n, b := range bills {
		b.Number = last + int64(n) + 1
		orders = append(orders, b.Order)
	}
	return orders, i.write(ctx, bills)
}

// SQL, because Ent's client has no lock for these rows.
var (
	holdText = statement.Of(`SELECT value FROM sequences WHERE name = 'invoices' FOR UPDATE`)
	openText = statement.Of(`INSERT INTO sequences (name, value, created_at) VALUES ('invoices', 0, now()) ON CONFLICT (name) DO NOTHING`)
	lastText = statement.Of(`UPDATE sequences SET value = $1 WHERE name = 'invoices'`)
)

// hold returns the last number that was given, which is the transaction's until it ends.
func (i *Issuer) hold(ctx context.Context) (last int64, err error) {
	for range 2 {
		found, err := holdText.Row(ctx, i.DB, []any{&last})
		if err != nil || found {
			return last, err
		}
		if _, err := openText.Exec(ctx, i.DB); err != nil {
			return 0, err
		}
	}
	return 0, errors.New("the counter of invoices can't be made")
}

// bill has the data that an invoice copies.
type bill struct {
	Number   int64  `json:"number"`
	Order    int64  `json:"order_id"`
	User     *int64 `json:"user_id"`
	Name     string `json:"customer_name"`
	Email    string `json:"customer_email"`
	Lines    string `json:"lines"` // as JSON
	Subtotal int64  `json:"subtotal"`
	Total    int64  `json:"total"`
	Currency string `json:"currency"`

	lines []schema.InvoiceLine
}

// SQL, because others wait meanwhile: one statement, where the client would need four. A
// removed customer's name is what the database leaves of it elsewhere: see schema.Invoice.
var (
	billText = statement.Of(billsOf(`paid_at >= $1
			AND NOT EXISTS (SELECT 1 FROM jobs WHERE kind = 'bill_order' AND unique_key = 'order-' || orders.id AND finished_at IS NULL)`))
	billOneText = statement.Of(billsOf(`id = $1 AND paid_at IS NOT NULL`))
)

func billsOf(which string) string {
	return `
	SELECT o.id, o.total, o.currency, o.user_id, COALESCE(u.name, 'removed customer'), COALESCE(u.email, ''), l.name, l.quantity, l.price, l.total
	FROM (
		SELECT id, total, currency, user_id, paid_at FROM orders
		WHERE ` + which + ` AND NOT EXISTS (SELECT 1 FROM invoices WHERE order_id = orders.id)
		ORDER BY paid_at, id LIMIT $2) AS o
	LEFT JOIN users AS u ON u.id = o.user_id
	LEFT JOIN order_items AS l ON l.order_id = o.id
	ORDER BY o.paid_at, o.id, l.id`
}

// read reads the orders with their lines.
func (i *Issuer) read(ctx context.Context, which statement.Statement, from any, most int) (bills []*bill, err error) {
	err = which.Query(ctx, i.DB, func(rows *sql.Rows) error {
		b := new(bill)
		var name sql.NullString
		var quantity, price, total sql.NullInt64
		if err := rows.Scan(&b.Order, &b.Total, &b.Currency, &b.User, &b.Name, &b.Email, &name, &quantity, &price, &total); err != nil {
			return err
		}
		if n := len(bills); n > 0 && bills[n-1].Order == b.Order {
			b = bills[n-1]
		} else {
			b.lines = []schema.InvoiceLine{}
			bills = append(bills, b)
		}
		if name.Valid {
			b.Subtotal += total.Int64
			b.lines = append(b.lines, schema.InvoiceLine{Name: name.String, Quantity: quantity.Int64, Price: price.Int64, Total: total.Int64})
		}
		return nil
	}, from, most)
	if err != nil {
		return nil, fmt.Errorf("read orders to bill: %w", err)
	}
	return bills, nil
}

// SQL, because one statement writes them all.
var writeText = statement.Of(`
	INSERT INTO invoices (number, order_id, user_id, customer_name, customer_email, seller_name, seller_address, seller_tax_id, seller_email,
		lines, subtotal, total, currency, created_at)
	SELECT b.number, b.order_id, b.user_id, b.customer_name, b.customer_email, $2::text, $3::text, $4::text, $5::text,
		b.lines::jsonb, b.subtotal, b.total, b.currency, now()
	FROM list($1) AS b(number bigint, order_id bigint, user_id bigint, customer_name text, customer_email text, lines text, subtotal bigint, total bigint, currency text)`)

// write stores the invoices, and the last number.
func (i *Issuer) write(ctx context.Context, bills []*bill) error {
	for _, b := range bills {
		lines, err := json.Marshal(b.lines)
		if err != nil {
			return fmt.Errorf("write invoice %d: %w", b.Number, err)
		}
		b.Lines = string(lines)
	}
	first, last := bills[0].Number, bills[len(bills)-1].Number
	list, err := json.Marshal(bills)
	if err == nil {
		s := i.Seller
		_, err = writeText.Exec(ctx, i.DB, string(list), s.Name, strings.Join(s.Address, "\n"), s.TaxID, s.Email)
	}
	if err == nil {
		_, err = lastText.Exec(ctx, i.DB, last)
	}
	if err != nil {
		return fmt.Errorf("write invoices %d to %d: %w", first, last, err)
	}
	return nil
}
