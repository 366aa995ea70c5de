package gql

import (
	"context"

	"github.com/entwine-go/entwine/gql/generated"
	"github.com/entwine-go/entwine/internal/entity"
	"github.com/entwine-go/entwine/kit/gid"
	"github.com/entwine-go/entwine/kit/money"
	"github.com/entwine-go/entwine/kit/policy"
	"github.com/entwine-go/entwine/kit/problem"
	"github.com/entwine-go/entwine/kit/viewer"
)

// PaymentStatus resolves paymentStatus.
func (q *queries) PaymentStatus(ctx context.Context, orderID string) (*generated.PaymentStatusOfOrder, error) {
	if v := viewer.From(ctx); entity.Order.Rules.Readable(v, false).Never() {
		return nil, policy.Denied(v)
	}
	id, err := gid.Parse(entity.Order.Name, orderID)
	if err != nil {
		return nil, problem.Inputs(problem.Invalidf("orderId", orderID, "%v", err))
	}
	s, err := q.Cashier.PaymentStatus(ctx, id.Int())
	if err != nil {
		return nil, err
	}
	status := &generated.PaymentStatusOfOrder{
		OrderID: id.Global(entity.Order.Name), PaymentStatus: generated.OrderPaymentStatus(s.Status), Currency: s.Currency,
		AmountDue: money.Float(s.Due, s.Currency), AmountPaid: money.Float(s.Paid, s.Currency), AmountRefunded: money.Float(s.Refunded, s.Currency),
		Payments: make([]*generated.Payment, len(s.Payments)),
	}
	for i, p := range s.Payments {
		status.Payments[i] = &generated.Payment{ID: gid.Encode(entity.Payment.Name, p.ID)}
	}
	return status, nil
}
