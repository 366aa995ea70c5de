package main_test

import (
	"strings"
	"testing"
	"time"

	"github.com/entwine-go/entwine/kit/payments"
)

// gatewayEvent is one that is about nothing here.
const gatewayEvent = `{"id":"evt_1","type":"customer.created"}`

func TestTheWebhookHasALimitOfItsOwn(t *testing.T) {
	t.Parallel()
	const secret = "correct horse battery staple"
	s := start(t, "ENTWINE_PAYMENT_WEBHOOK_SECRET="+secret, "ENTWINE_WEBHOOK_RATE_LIMIT=3/1h/fixed", "ENTWINE_RATE_LIMIT=2/1h/fixed")
	signed := []string{"Stripe-Signature", payments.Sign(secret, time.Now(), []byte(gatewayEvent))}
	s.ask(t, "POST", "/api/v1/payments/webhook", gatewayEvent, signed...).want(t, 200, `"received":false`)
	s.ask(t, "POST", "/api/payments/webhook", gatewayEvent).want(t, 400)
	last := s.ask(t, "POST", "/api/v1/payments/webhook", gatewayEvent, signed...).want(t, 200)
	if last.header.Get("X-RateLimit-Limit") != "3" || last.header.Get("X-RateLimit-Remaining") != "0" {
		t.Errorf("the last that is allowed is answered with %v", last.header)
	}
	over := s.ask(t, "POST", "/api/v1/payments/webhook", gatewayEvent, signed...).want(t, 429, `"RATE_LIMIT_EXCEEDED"`)
	if over.header.Get("Retry-After") == "" {
		t.Errorf("the refusal has no Retry-After: %v", over.header)
	}
	s.ask(t, "GET", "/api/v1/posts", "").want(t, 200)
	s.ask(t, "GET", "/api/v1/payments/webhook", "").want(t, 405)
	s.ask(t, "GET", "/api/v1/posts", "").want(t, 429)
}

func TestWithoutASecretThereIsNoWebhook(t *testing.T) {
	t.Parallel()
	s := start(t)
	want := s.ask(t, "POST", "/api/v1/nothing/webhook", gatewayEvent).want(t, 404, `"RESOURCE_NOT_FOUND"`)
	for _, base := range []string{"/api/v1", "/api"} {
		for _, body := range []string{gatewayEvent, "", "{", `{"id":""}`, strings.Repeat(" ", 1000)} {
			for _, method := range []string{"POST", "GET", "PUT", "DELETE", "OPTIONS"} {
				a := s.ask(t, method, base+"/payments/webhook", body, "Stripe-Signature", payments.Sign("", time.Now(), []byte(body))).want(t, 404, `"RESOURCE_NOT_FOUND"`)
				if message(a) != message(want) || a.header.Get("Allow") != "" || a.header.Get("X-RateLimit-Limit") == "" {
					t.Errorf("%s is answered %v %s, want %s", method, a.header, a.text, want.text)
				}
			}
		}
	}
}
