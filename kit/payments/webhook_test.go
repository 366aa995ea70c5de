package payments_test

import (
	"strings"
	"testing"
	"time"

	"github.com/entwine-go/entwine/kit/payments"
	"github.com/entwine-go/entwine/kit/problem"
)

func TestOnlyWhatTheProviderHasSignedIsBelieved(t *testing.T) {
	t.Parallel()
	now := time.Unix(1_800_000_000, 0)
	h := &payments.Webhook{Secret: "whsec_1", Now: func() time.Time { return now }}
	body := []byte(`{"id":"evt_1","type":"payment_intent.succeeded","data":{"object":{"id":"pi_1","metadata":{"key":"payment-7"}}}}`)
	good := payments.Sign("whsec_1", now, body)
	at, sum, _ := strings.Cut(good, ",")
	for name, c := range map[string]struct {
		signature string
		body      []byte
		believed  bool
	}{
		"signed":                       {good, body, true},
		"signed with two secrets":      {at + ",v1=" + strings.Repeat("0", 64) + "," + sum, body, true},
		"with spaces, and a v0":        {at + ", v0=1, " + sum, body, true},
		"five minutes old":             {payments.Sign("whsec_1", now.Add(-5*time.Minute), body), body, true},
		"older":                        {payments.Sign("whsec_1", now.Add(-301*time.Second), body), body, false},
		"of the future":                {payments.Sign("whsec_1", now.Add(301*time.Second), body), body, false},
		"of another body":              {good, append([]byte(" "), body...), false},
		"of another secret":            {payments.Sign("whsec_2", now, body), body, false},
		"of another time":              {"t=1800000001," + sum, body, false},
		"without a time":               {sum, body, false},
		"without a sum":                {at, body, false},
		"with a time that is none":     {"t=x," + sum, body, false},
		"without anything":             {"", body, false},
		"signed, and not an event":     {payments.Sign("whsec_1", now, []byte(`[]`)), []byte(`[]`), false},
		"signed with no secret at all": {payments.Sign("", now, body), body, false},
	} {
		e, err := h.Read(c.signature, c.body)
		if (err == nil) != c.believed || err != nil && problem.KindOf(err) != problem.Invalid {
			t.Errorf("a message %s: %v", name, err)
		}
		if want := (payments.Event{ID: "evt_1", Type: "payment_intent.succeeded", Key: "payment-7"}); c.believed && (e != want || !e.Decisive()) {
			t.Errorf("a message %s: %+v", name, e)
		}
	}
	if _, err := new(payments.Webhook).Read(payments.Sign("", time.Now(), body), body); err == nil {
		t.Error("without a secret anything is believed")
	}
	for _, e := range []payments.Event{{ID: "e", Type: "customer.created", Key: "payment-7"}, {ID: "e", Type: "refund.updated"}, {Type: "refund.updated", Key: "refund-1"}} {
		if e.Decisive() {
			t.Errorf("%+v is decisive", e)
		}
	}
}
