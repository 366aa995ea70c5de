package rest

import (
	"context"
	"net/http"

	"github.com/entwine-go/entwine/kit/problem"
	"github.com/entwine-go/entwine/kit/rest/handler"
	"github.com/entwine-go/entwine/kit/web"
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

// withoutWebhook is the API where the gateway sends nothing: whatever is sent
// to its path, by any method, there is nothing.
func withoutWebhook(api http.Handler, write func(http.ResponseWriter, *http.Request, error)) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if web.IsWebhook(about, r.URL.Path) {
			write(w, r, problem.New(problem.NotFound, "there is nothing at this path"))
			return
		}
		api.ServeHTTP(w, r)
	})
}
