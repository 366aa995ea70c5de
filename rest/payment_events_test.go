package rest_test

import (
	"strings"
	"testing"
	"time"

	"github.com/entwine-go/entwine/kit/payments"
)

func TestTheGatewayTellsOfPayments(t *testing.T) {
	t.Parallel()
	each(t, func(w *world) {
		const path = "/api/v1/payments/webhook"
		sandbox := &payments.Sandbox{DB: w.db, Delay: time.Millisecond}
		w.cashier.Gateway = sandbox
		made := w.do(w.ada, "POST", "/api/v1/payments", `{"amount":10.04,"currency":"USD"}`).want(202)
		at := made.Header.Get("Location")
		key := "payment-" + at[strings.LastIndex(at, "/")+1:]
		for settled := false; !settled; {
			body, err := sandbox.Message(w.system, key)
			if err != nil {
				t.Fatal(err)
			}
			signature := payments.Sign(webhookSecret, time.Now(), body)
			settled = strings.Contains(string(body), "succeeded")
			w.do(w.nobody, "POST", path, string(body)).want(400)
			w.do(w.nobody, "POST", path, string(body)+" ", "Stripe-Signature", signature).want(400)
			for range 2 {
				a := w.do(w.nobody, "POST", path, string(body), "Stripe-Signature", signature).want(200)
				if a.at("received") != settled {
					t.Errorf("%s: %s", body, a.Raw)
				}
			}
		}
		w.do(w.ada, "GET", at, "").want(200).has(`"status":"succeeded"`)
		other := `{"id":"evt_9","type":"customer.created","data":{"object":{"name":"Ada"}},"livemode":false}`
		w.do(w.nobody, "POST", path, other, "Stripe-Signature", payments.Sign(webhookSecret, time.Now(), []byte(other))).want(200).has(`"received":false`)
		c := w.config()
		c.Webhook.Secret = ""
		w.handler = serve(t, c)
		w.do(w.nobody, "POST", path, other, "Stripe-Signature", payments.Sign("", time.Now(), []byte(other))).want(404)
	})
}
