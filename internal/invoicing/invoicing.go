// Package invoicing bills paid orders.
//
// It owns the numbers of invoices, which have no gaps, and what an invoice says: a copy of the
// order's lines, of the customer's name and address and of what is said of the seller, made
// once, in the transaction in which the order becomes paid, and never changed. schema.Invoice
// has the rules for reading an invoice; the order has its own state after refunds.
package invoicing

import (
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/entwine-go/entwine/kit/problem"
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

// Issue bills the order in the context's transaction, unless it has been. It belongs into
// the transaction that captures the payment, as its last step: from here until that commits
// every other capture waits for its number, since a number that is given up
// must be there for the next. Its error undoes the transaction.
//
// An order that is not there is [problem.NotFound].
func (i *Issuer) Issue(ctx context.Context, orderID int64) error {
	b, err := i.read(ctx, orderID)
	if err == nil && !b.issued {
		err = i.issue(ctx, b)
	}
	if err != nil {
		return fmt.Errorf("issue invoice of order %d: %w", orderID, err)
	}
	return nil
}

func (i *Issuer) issue(ctx context.Context, b *bill) error {
	number, err := i.number(ctx, 1)
	if err != nil {
		return err
	}
	written, err := b.write(ctx, i.DB, number, i.Seller)
	if err == nil && !written { // another transaction was faster, and this one has the next number still to itself
		_, err = i.number(ctx, -1)
	}
	return err
}

// SQL, because Ent's upsert does not say which value it has left. The row is locked until the transaction ends, and with it goes the number
// of one that is undone.
var numberText = statement.Of(`
	INSERT INTO sequences AS s (name, value, created_at) VALUES ('invoices', 1, now())
	ON CONFLICT (name) DO UPDATE SET value = s.value + $1
	RETURNING value`)

// number takes the next number, for step 1, or gives the last one back, for -1.
func (i *Issuer) number(ctx context.Context, step int64) (number int64, err error) {
	if _, err := numberText.Row(ctx, i.DB, []any{&number}, step); err != nil {
		return 0, fmt.Errorf("take number: %w", err)
	}
	return number, nil
}

// bill has the data that an invoice copies.
type bill struct {
	orderID  int64
	issued   bool
	total    int64
	currency string
	userID   *int64
	name     string
	email    string
	lines    []schema.InvoiceLine
}

// SQL, because the capture of a payment waits for it: one statement, where the client
// would need four. A removed customer's name is what the database leaves of it elsewhere: see
// schema.Invoice.
var billText = statement.Of(`
	SELECT o.total, o.currency, o.user_id, COALESCE(u.name, 'removed customer'), COALESCE(u.email, ''),
		EXISTS (SELECT 1 FROM invoices WHERE order_id = o.id), l.name, l.quantity, l.price, l.total
	FROM orders AS o
	LEFT JOIN users AS u ON u.id = o.user_id
	LEFT JOIN order_items AS l ON l.order_id = o.id
	WHERE o.id = $1 ORDER BY l.id`)

// read reads the order with its lines.
func (i *Issuer) read(ctx context.Context, orderID int64) (*bill, error) {
	var b *bill
	err := billText.Query(ctx, i.DB, func(rows *sql.Rows) error {
		if b == nil {
			b = &bill{orderID: orderID, lines: []schema.InvoiceLine{}}
		}
		var name sql.NullString
		var quantity, price, total sql.NullInt64
		err := rows.Scan(&b.total, &b.currency, &b.userID, &b.name, &b.email, &b.issued, &name, &quantity, &price, &total)
		if err == nil && name.Valid {
			b.lines = append(b.lines, schema.InvoiceLine{Name: name.String, Quantity: quantity.Int64, Price: price.Int64, Total: total.Int64})
		}
		return err
	}, orderID)
	if err != nil {
		return nil, fmt.Errorf("read order: %w", err)
	}
	if b == nil {
		return nil, problem.New(problem.NotFound, "order not found")
	}
	return b, nil
}

// SQL, because Ent does not say whether a row was there already.
var writeText = statement.Of(`
	INSERT INTO invoices (number, order_id, user_id, customer_name, customer_email, seller_name, seller_address, seller_tax_id, seller_email,
		lines, subtotal, total, currency, created_at)
	VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10::jsonb, $11, $12, $13, now())
	ON CONFLICT (order_id) DO NOTHING`)

// write stores the invoice, unless the order has one.
func (b *bill) write(ctx context.Context, db *store.DB, number int64, s Seller) (written bool, err error) {
	var subtotal int64
	for _, l := range b.lines {
		subtotal += l.Total
	}
	lines, err := json.Marshal(b.lines)
	if err != nil {
		return false, fmt.Errorf("write number %d: %w", number, err)
	}
	n, err := writeText.Exec(ctx, db, number, b.orderID, b.userID, b.name, b.email, s.Name, strings.Join(s.Address, "\n"), s.TaxID, s.Email,
		string(lines), subtotal, b.total, b.currency)
	if err != nil {
		return false, fmt.Errorf("write number %d: %w", number, err)
	}
	return n > 0, nil
}
