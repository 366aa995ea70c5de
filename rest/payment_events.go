package rest

import (
	"context"

	"github.com/entwine-go/entwine/kit/rest/handler"
	"github.com/entwine-go/entwine/rest/oas/server"
)

// ReceivePaymentEvent takes what the payment gateway sends: POST
// /payments/webhook. Its signature is its credential, so it has no guard.
func (o *operations) ReceivePaymentEvent(ctx context.Context, _ *server.PaymentEvent, params server.ReceivePaymentEventParams) (*server.PaymentEventReceived, error) {
	event, err := o.Webhook.Read(params.StripeSignature.Or(""), handler.From(ctx).Body)
	if err != nil {
		return nil, err
	}
	ours, err := o.Cashier.Receive(ctx, event)
	if err != nil {
		return nil, err
	}
	return &server.PaymentEventReceived{Status: success, Received: ours}, nil
}
