package rest

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"time"

	"github.com/entwine-go/entwine/ent"
	"github.com/entwine-go/entwine/internal/checkout"
	"github.com/entwine-go/entwine/internal/entity"
	"github.com/entwine-go/entwine/kit/money"
	"github.com/entwine-go/entwine/kit/policy"
	"github.com/entwine-go/entwine/kit/problem"
	"github.com/entwine-go/entwine/kit/runtime/resource/door"
	"github.com/entwine-go/entwine/rest/crud"
	"github.com/entwine-go/entwine/rest/oas/server"
)

// orderGuards are the guards of the operations in orders.yaml.
var orderGuards = map[string]door.Guard{
	"createOrder":       {Entity: entity.Order, Verb: policy.Create},
	"payOrder":          {Entity: entity.Order, Verb: policy.Pay},
	"cancelOrder":       {Entity: entity.Order, Verb: policy.Cancel},
	"refundOrder":       {Entity: entity.Order, Verb: policy.Refund},
	"readPaymentStatus": {Entity: entity.Order},
	"createPayment":     {Entity: entity.Payment, Verb: policy.Create},
	"refundPayment":     {Entity: entity.Payment, Verb: policy.Refund},
}

// CreateOrder orders items, or what is in the cart: POST /orders.
func (o *operations) CreateOrder(ctx context.Context, req server.OptOrderCreate, w http.ResponseWriter) error {
	var items []checkout.Item
	if body, ok := req.Get(); ok && body.Items != nil {
		items = make([]checkout.Item, len(body.Items))
		for i, item := range body.Items {
			items[i] = checkout.Item{ProductID: item.ProductID, Quantity: item.Quantity}
		}
	}
	return o.door.Create(ctx, w, crud.OrderResource, func(ctx context.Context) (door.Row, error) {
		id, err := o.Cashier.Place(ctx, items)
		return door.Row{ID: id}, err
	})
}

// PayOrder takes the money for an order: POST /orders/{id}/pay.
func (o *operations) PayOrder(ctx context.Context, params server.PayOrderParams, w http.ResponseWriter) error {
	return o.door.Outside(ctx, w, crud.OrderResource, func(ctx context.Context) (door.Done, error) {
		r, err := o.Cashier.PayOrder(ctx, params.ID)
		return door.Done{ID: params.ID, Pending: r.Pending}, err
	})
}

// CancelOrder ends an order that is not paid: POST /orders/{id}/cancel.
func (o *operations) CancelOrder(ctx context.Context, params server.CancelOrderParams, w http.ResponseWriter) error {
	return o.door.Act(ctx, w, crud.OrderResource, params.ID, policy.Cancel, func(ctx context.Context) error {
		return o.Cashier.Cancel(ctx, params.ID)
	})
}

// RefundOrder pays back what was paid: POST /orders/{id}/refund.
func (o *operations) RefundOrder(ctx context.Context, req server.OptOrderRefund, params server.RefundOrderParams, w http.ResponseWriter) error {
	amount, err := sentAmount(ctx)
	if err != nil {
		return err
	}
	back := checkout.Return{Amount: amount, Reason: req.Value.Reason.Or(""), Restock: req.Value.Restock.Or(false)}
	return o.door.Outside(ctx, w, crud.OrderResource, func(ctx context.Context) (door.Done, error) {
		r, err := o.Cashier.Refund(ctx, params.ID, back)
		return door.Done{ID: params.ID, Pending: r.Pending}, err
	})
}

// CreatePayment takes money, for an order or alone: POST /payments.
func (o *operations) CreatePayment(ctx context.Context, req *server.PaymentRequest, w http.ResponseWriter) error {
	text, err := sentAmount(ctx)
	if err != nil {
		return err
	}
	amount, err := checkout.ParseAmount(text, req.Currency)
	if err != nil {
		return err
	}
	p := checkout.Payment{Amount: amount, Currency: req.Currency, OrderID: req.OrderID.Or(0)}
	return o.door.Outside(ctx, w, crud.PaymentResource, func(ctx context.Context) (door.Done, error) {
		r, err := o.Cashier.Pay(ctx, p)
		if err == nil && r.ID == 0 {
			err = problem.New(problem.Conflict, "the order costs nothing: pay it by its own path")
		}
		return door.Done{ID: r.ID, Made: !r.Again, Pending: r.Pending}, err
	})
}

// RefundPayment pays back of a payment: POST /payments/{id}/refund.
func (o *operations) RefundPayment(ctx context.Context, req server.OptPaymentRefund, params server.RefundPaymentParams, w http.ResponseWriter) error {
	amount, err := sentAmount(ctx)
	if err != nil {
		return err
	}
	back := checkout.Return{Amount: amount, Reason: req.Value.Reason.Or("")}
	return o.door.Outside(ctx, w, crud.PaymentResource, func(ctx context.Context) (door.Done, error) {
		r, err := o.Cashier.RefundPayment(ctx, params.ID, back)
		return door.Done{ID: params.ID, Pending: r.Pending}, err
	})
}

// sentAmount is the body's amount as it was written, which a float is not.
func sentAmount(ctx context.Context) (string, error) {
	var body struct {
		Amount json.Number `json:"amount"`
	}
	sent := door.From(ctx).Body
	if len(sent) == 0 {
		return "", nil
	}
	if err := json.NewDecoder(bytes.NewReader(sent)).Decode(&body); err != nil {
		return "", fmt.Errorf("read the amount: %w", err)
	}
	return string(body.Amount), nil
}

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
	return door.From(ctx).Answer(w, door.Answer{Body: body})
}

func paymentOf(p *ent.Payment, shown func(int64) json.Number) paymentBody {
	return paymentBody{
		ID: int64(p.ID), Status: string(p.Status), Amount: shown(p.Amount), AmountRefunded: shown(p.AmountRefunded),
		Failure: p.Failure, CapturedAt: p.CapturedAt, CreatedAt: p.CreatedAt,
	}
}
