package checkout

import (
	"context"
	"fmt"
	"time"

	"entgo.io/ent/dialect/sql"

	"github.com/entwine-go/entwine/internal/entity"
	"github.com/entwine-go/entwine/internal/rows"
	"github.com/entwine-go/entwine/kit/mutation"
	"github.com/entwine-go/entwine/kit/read"
	"github.com/entwine-go/entwine/kit/store"
	"github.com/entwine-go/entwine/kit/store/statement"
)

// PaymentStatus is how far an order is paid. It is derived from the order's
// payments each time, and stored nowhere. Amounts are in minor units.
type PaymentStatus struct {
	OrderID int64
	// Status is unpaid, processing, paid, partially_refunded or refunded.
	Status              string
	Currency            string
	Due, Paid, Refunded int64
	// Payments are the attempts to pay, the first one first.
	Payments []Attempt
}

// Attempt is one attempt to pay an order.
type Attempt struct {
	ID int64
	// Status is processing, succeeded or failed.
	Status                 string
	Amount, AmountRefunded int64
	Failure                *string
	CapturedAt             *time.Time
	CreatedAt              time.Time
}

var paidBackText = statement.Of(`
	SELECT COALESCE(SUM(r.amount), 0) FROM refunds AS r JOIN payments AS p ON r.payment_id = p.id
	WHERE p.order_id = $1 AND r.status = 'succeeded'`)

// PaymentStatus returns how far an order that the viewer can read is paid.
func (c *Cashier) PaymentStatus(ctx context.Context, id int64) (*PaymentStatus, error) {
	o, err := rows.Order.Rows.Query(c.DB.Driver(), sql.FieldEQ("id", id)).Only(ctx)
	if store.IsNotFound(err) {
		return nil, read.NotFound(entity.Order)
	}
	if err != nil {
		return nil, fmt.Errorf("read order %d: %w", id, err)
	}
	s := &PaymentStatus{OrderID: id, Status: "unpaid", Currency: mutation.Get[string](o, "currency")}
	paid, err := rows.Payment.Rows.Query(c.DB.Driver(), sql.FieldEQ("order_id", id)).Order(sql.Asc("id")).All(ctx)
	if err != nil {
		return nil, fmt.Errorf("read the payments of order %d: %w", id, err)
	}
	for _, p := range paid {
		s.Payments = append(s.Payments, attemptOf(p))
	}
	if _, err := paidBackText.Row(ctx, c.DB, []any{&s.Refunded}, id); err != nil {
		return nil, fmt.Errorf("add up the refunds of order %d: %w", id, err)
	}
	for _, p := range s.Payments {
		if p.Status == "succeeded" {
			s.Paid += p.Amount
		}
	}
	switch status := mutation.Get[string](o, "status"); status {
	case "pending":
		s.Due = mutation.Get[int64](o, "total")
	case "processing":
		s.Due, s.Status = mutation.Get[int64](o, "total"), status
	case "paid", "partially_refunded", "refunded":
		s.Status = status
	}
	return s, nil
}

func attemptOf(r mutation.Row) Attempt {
	return Attempt{
		ID: r.ID(), Status: mutation.Get[string](r, "status"),
		Amount: mutation.Get[int64](r, "amount"), AmountRefunded: mutation.Get[int64](r, "amount_refunded"),
		Failure: mutation.Maybe[string](r, "failure"), CapturedAt: mutation.Maybe[time.Time](r, "captured_at"),
		CreatedAt: mutation.Get[time.Time](r, "created_at"),
	}
}
