package checkout

import (
	"context"
	"fmt"

	"github.com/entwine-go/entwine/ent"
	"github.com/entwine-go/entwine/ent/order"
	"github.com/entwine-go/entwine/ent/orm"
	"github.com/entwine-go/entwine/ent/payment"
	"github.com/entwine-go/entwine/ent/typedid"
	"github.com/entwine-go/entwine/internal/entity"
	"github.com/entwine-go/entwine/kit/runtime/reading"
	"github.com/entwine-go/entwine/kit/runtime/statement"
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
	Payments []*ent.Payment
}

var paidBackText = statement.Of(`
	SELECT COALESCE(SUM(r.amount), 0) FROM refunds AS r JOIN payments AS p ON r.payment_id = p.id
	WHERE p.order_id = $1 AND r.status = 'succeeded'`)

// PaymentStatus returns how far an order that the viewer can read is paid.
func (c *Cashier) PaymentStatus(ctx context.Context, id int64) (*PaymentStatus, error) {
	o, err := orm.Client(c.DB).Order.Query().Where(order.ID(typedid.OrderID(id))).
		WithPayments(func(q *ent.PaymentQuery) { q.Order(payment.ByID()) }).Only(ctx)
	if ent.IsNotFound(err) {
		return nil, reading.NotFound(entity.Order)
	}
	if err != nil {
		return nil, fmt.Errorf("read order %d: %w", id, err)
	}
	s := &PaymentStatus{OrderID: id, Status: "unpaid", Currency: o.Currency, Payments: o.Edges.Payments}
	if _, err := paidBackText.Row(ctx, c.DB, []any{&s.Refunded}, id); err != nil {
		return nil, fmt.Errorf("add up the refunds of order %d: %w", id, err)
	}
	for _, p := range s.Payments {
		if p.Status == payment.StatusSucceeded {
			s.Paid += p.Amount
		}
	}
	switch o.Status {
	case order.StatusPending:
		s.Due = o.Total
	case order.StatusProcessing:
		s.Due, s.Status = o.Total, "processing"
	case order.StatusPaid, order.StatusPartiallyRefunded, order.StatusRefunded:
		s.Status = string(o.Status)
	}
	return s, nil
}
