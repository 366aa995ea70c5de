package checkout

import (
	"context"
	"fmt"
	"time"

	"github.com/entwine-go/entwine/ent"
	"github.com/entwine-go/entwine/ent/order"
	"github.com/entwine-go/entwine/ent/payment"
	"github.com/entwine-go/entwine/ent/refund"
	"github.com/entwine-go/entwine/ent/typedid"
	"github.com/entwine-go/entwine/internal/entity"
	"github.com/entwine-go/entwine/kit/read"
	"github.com/entwine-go/entwine/kit/store"
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

// PaymentStatus returns how far an order that the viewer can read is paid.
func (c *Cashier) PaymentStatus(ctx context.Context, id int64) (*PaymentStatus, error) {
	o, err := c.Ent.Order.Query().Where(order.ID(typedid.OrderID(id))).WithPayments(func(q *ent.PaymentQuery) {
		q.Order(payment.ByID()).WithRefunds(func(q *ent.RefundQuery) { q.Where(refund.StatusEQ(refund.StatusSucceeded)) })
	}).Only(ctx)
	if store.IsNotFound(err) {
		return nil, read.NotFound(entity.Order)
	}
	if err != nil {
		return nil, fmt.Errorf("read order %d with its payments: %w", id, err)
	}
	s := &PaymentStatus{OrderID: id, Status: "unpaid", Currency: o.Currency}
	for _, p := range o.Edges.Payments {
		s.Payments = append(s.Payments, attemptOf(p))
		if p.Status == payment.StatusSucceeded {
			s.Paid += p.Amount
		}
		for _, r := range p.Edges.Refunds {
			s.Refunded += r.Amount
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

func attemptOf(p *ent.Payment) Attempt {
	return Attempt{
		ID: int64(p.ID), Status: string(p.Status), Amount: p.Amount, AmountRefunded: p.AmountRefunded,
		Failure: p.Failure, CapturedAt: p.CapturedAt, CreatedAt: p.CreatedAt,
	}
}
