package payments_test

import (
	"context"
	"fmt"
	"time"

	"github.com/entwine-go/entwine/kit/payments"
)

// bank is a gateway that keeps its books in memory. A real one asks a provider,
// with the key as the provider's idempotency key.
type bank struct{ books map[string]payments.Result }

// Name implements payments.Gateway.
func (*bank) Name() string { return "bank" }

// Charge implements payments.Gateway: a known key returns the first outcome.
func (b *bank) Charge(_ context.Context, c payments.Charge) (payments.Result, error) {
	return b.book(c.Key, payments.Result{Outcome: payments.Succeeded, Reference: "ch_" + c.Key}), nil
}

// Refund implements payments.Gateway.
func (b *bank) Refund(_ context.Context, r payments.Refund) (payments.Result, error) {
	if b.books[r.Charge].Outcome != payments.Succeeded {
		return b.book(r.Key, payments.Result{Outcome: payments.Failed, Reason: "There is no such charge."}), nil
	}
	return b.book(r.Key, payments.Result{Outcome: payments.Succeeded, Reference: "re_" + r.Key}), nil
}

// Retrieve implements payments.Gateway.
func (b *bank) Retrieve(_ context.Context, key string) (payments.Result, error) {
	if result, ok := b.books[key]; ok {
		return result, nil
	}
	return payments.Result{}, payments.ErrUnknown
}

// Cancel implements payments.Gateway.
func (b *bank) Cancel(_ context.Context, key string) (payments.Result, error) {
	return b.book(key, payments.Result{Outcome: payments.Failed, Reason: "It was cancelled."}), nil
}

func (b *bank) book(key string, result payments.Result) payments.Result {
	if had, ok := b.books[key]; ok {
		return had
	}
	b.books[key] = result
	return result
}

// A gateway repeats its first answer, and returns by the key the outcome of a call
// whose answer was lost.
func ExampleGateway() {
	ctx := context.Background()
	var gateway payments.Gateway = &bank{books: map[string]payments.Result{}}
	for range 2 {
		result, err := gateway.Charge(ctx, payments.Charge{Key: "order-7", Amount: 1999, Currency: "EUR"})
		fmt.Println(result.Outcome, result.Reference, err)
	}
	result, err := gateway.Retrieve(ctx, "order-7")
	fmt.Println(result.Outcome, err)
	_, err = gateway.Retrieve(ctx, "order-8")
	fmt.Println(err)
	// Output:
	// succeeded ch_order-7 <nil>
	// succeeded ch_order-7 <nil>
	// succeeded <nil>
	// the gateway knows no such charge
}

// A message of the provider counts where its signature is good and recent.
func ExampleWebhook_Read() {
	now := time.Date(2026, 1, 31, 12, 0, 0, 0, time.UTC)
	hook := payments.Webhook{Secret: "whsec_example_of_a_secret", Now: func() time.Time { return now }}
	body := []byte(`{"id":"evt_1","type":"payment_intent.succeeded","data":{"object":{"metadata":{"key":"order-7"}}}}`)

	event, err := hook.Read(payments.Sign(hook.Secret, now, body), body)
	fmt.Println(event.Key, event.Decisive(), err)
	_, err = hook.Read(payments.Sign("another secret", now, body), body)
	fmt.Println(err)
	// Output:
	// order-7 true <nil>
	// the signature does not fit the body, or is too old
}
