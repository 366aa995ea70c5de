package limits_test

import (
	"strings"
	"testing"
	"time"

	"github.com/entwine-go/entwine/internal/trial"
	"github.com/entwine-go/entwine/kit/payments"
)

// gatewayEvent is one that is about nothing here.
const gatewayEvent = `{"id":"evt_1","type":"customer.created"}`

func TestTheWebhookHasALimitOfItsOwn(t *testing.T) {
	t.Parallel()
	const secret = "correct horse battery staple"
	s := trial.Start(t, "ENTWINE_PAYMENT_WEBHOOK_SECRET="+secret, "ENTWINE_WEBHOOK_RATE_LIMIT=3/1h/fixed", "ENTWINE_RATE_LIMIT=2/1h/fixed")
	signed := []string{"Stripe-Signature", payments.Sign(secret, time.Now(), []byte(gatewayEvent))}
	s.Ask(t, "POST", "/api/v1/payments/webhook", gatewayEvent, signed...).Want(t, 200, `"received":false`)
	s.Ask(t, "POST", "/api/payments/webhook", gatewayEvent).Want(t, 400)
	last := s.Ask(t, "POST", "/api/v1/payments/webhook", gatewayEvent, signed...).Want(t, 200)
	if last.Header.Get("X-RateLimit-Limit") != "3" || last.Header.Get("X-RateLimit-Remaining") != "0" {
		t.Errorf("the last that is allowed is answered with %v", last.Header)
	}
	over := s.Ask(t, "POST", "/api/v1/payments/webhook", gatewayEvent, signed...).Want(t, 429, `"RATE_LIMIT_EXCEEDED"`)
	if over.Header.Get("Retry-After") == "" {
		t.Errorf("the refusal has no Retry-After: %v", over.Header)
	}
	s.Ask(t, "GET", "/api/v1/posts", "").Want(t, 200)
	s.Ask(t, "GET", "/api/v1/payments/webhook", "").Want(t, 405)
	s.Ask(t, "GET", "/api/v1/posts", "").Want(t, 429)
}

func TestWithoutASecretThereIsNoWebhook(t *testing.T) {
	t.Parallel()
	s := trial.Start(t)
	want := s.Ask(t, "POST", "/api/v1/nothing/webhook", gatewayEvent).Want(t, 404, `"RESOURCE_NOT_FOUND"`)
	for _, base := range []string{"/api/v1", "/api"} {
		for _, body := range []string{gatewayEvent, "", "{", `{"id":""}`, strings.Repeat(" ", 1000)} {
			for _, method := range []string{"POST", "GET", "PUT", "DELETE", "OPTIONS"} {
				a := s.Ask(t, method, base+"/payments/webhook", body, "Stripe-Signature", payments.Sign("", time.Now(), []byte(body))).Want(t, 404, `"RESOURCE_NOT_FOUND"`)
				if trial.Message(a) != trial.Message(want) || a.Header.Get("Allow") != "" || a.Header.Get("X-RateLimit-Limit") == "" {
					t.Errorf("%s is answered %v %s, want %s", method, a.Header, a.Text, want.Text)
				}
			}
		}
	}
}
