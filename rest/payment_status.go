package rest

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"time"

	"github.com/entwine-go/entwine/internal/checkout"
	"github.com/entwine-go/entwine/internal/entity"
	"github.com/entwine-go/entwine/kit/money"
	"github.com/entwine-go/entwine/kit/rest/handler"
	"github.com/entwine-go/entwine/rest/oas/server"
)

// paymentGuards are the guards of the operations in payment_status.yaml.
var paymentGuards = map[string]handler.Guard{"readPaymentStatus": {Entity: entity.Order}}

// paymentStatusBody is checkout.PaymentStatus on the wire.
type paymentStatusBody struct {
	OrderID        int64         `json:"order_id"`
	PaymentStatus  string        `json:"payment_status"`
	Currency       string        `json:"currency"`
	AmountDue      json.Number   `json:"amount_due"`
	AmountPaid     json.Number   `json:"amount_paid"`
	AmountRefunded json.Number   `json:"amount_refunded"`
	Payments       []paymentBody `json:"payments"`
}

type paymentBody struct {
	ID             int64       `json:"id"`
	Status         string      `json:"status"`
	Amount         json.Number `json:"amount"`
	AmountRefunded json.Number `json:"amount_refunded"`
	Failure        *string     `json:"failure"`
	CapturedAt     *time.Time  `json:"captured_at"`
	CreatedAt      time.Time   `json:"created_at"`
}

// ReadPaymentStatus answers how far an order is paid: GET /orders/{id}/payment-status.
func (o *operations) ReadPaymentStatus(ctx context.Context, params server.ReadPaymentStatusParams, w http.ResponseWriter) error {
	s, err := o.Cashier.PaymentStatus(ctx, params.ID)
	if err != nil {
		return err
	}
	shown := func(minor int64) json.Number { return json.Number(money.Append(nil, minor, s.Currency)) }
	data := paymentStatusBody{
		OrderID: s.OrderID, PaymentStatus: s.Status, Currency: s.Currency,
		AmountDue: shown(s.Due), AmountPaid: shown(s.Paid), AmountRefunded: shown(s.Refunded), Payments: []paymentBody{},
	}
	for _, p := range s.Payments {
		data.Payments = append(data.Payments, paymentOf(p, shown))
	}
	body, err := json.Marshal(struct {
		Status string            `json:"status"`
		Data   paymentStatusBody `json:"data"`
	}{success, data})
	if err != nil {
		return fmt.Errorf("write the payment status of order %d: %w", params.ID, err)
	}
	return handler.From(ctx).Answer(w, handler.Answer{Body: body, ByHand: true})
}

func paymentOf(p checkout.Attempt, shown func(int64) json.Number) paymentBody {
	return paymentBody{
		ID: p.ID, Status: p.Status, Amount: shown(p.Amount), AmountRefunded: shown(p.AmountRefunded),
		Failure: p.Failure, CapturedAt: p.CapturedAt, CreatedAt: p.CreatedAt,
	}
}
