package gql_test

import (
	"context"
	"fmt"
	"testing"

	"github.com/entwine-go/entwine/internal/checkout"
	"github.com/entwine-go/entwine/kit/payments"
)

func TestOrdersInGraphQL(t *testing.T) {
	each(t, func(w *world) {
		lamp := w.client.Product.Create().SetName("Lamp").SetPrice(1999).SetStock(3).SaveX(w.system())
		w.as("bob", fmt.Sprintf(`mutation { createOrder(input: {items: [{productId: %d, quantity: 2}]}) { id status total user { name } items { name quantity } actions { name way: method mutation href __typename } } }`, lamp.ID)).
			wants(t, `{"createOrder":{"id":"`+id("Order", 1)+`","status":"pending","total":39.98,"user":{"name":"Bob"},"items":[{"name":"Lamp","quantity":2}],"actions":[{"name":"pay","way":"POST","mutation":"payOrder","href":"/api/v1/orders/1/pay","__typename":"OrderAction"},{"name":"cancel","way":"POST","mutation":"cancelOrder","href":"/api/v1/orders/1/cancel","__typename":"OrderAction"}]}}`)
		cup := w.client.Product.Create().SetName("Cup").SetPrice(100).SetStock(3).SaveX(w.system())
		for range 2 { // with a key, once more is the same
			w.as("mia", fmt.Sprintf(`mutation { createOrder(input: {items: [{productId: %d, quantity: 1}]}, idempotencyKey: "o") { id } }`, cup.ID)).
				wants(t, `{"createOrder":{"id":"`+id("Order", 2)+`"}}`)
		}
		w.as("mia", fmt.Sprintf(`mutation { createOrder(input: {items: [{productId: %d, quantity: 2}]}, idempotencyKey: "o") { id } }`, cup.ID)).
			wants(t, `{"createOrder":null}`, "createOrder IDEMPOTENCY_KEY_REUSED")
		w.as("mia", `mutation { createOrder(idempotencyKey: "") { id } }`).wants(t, `{"createOrder":null}`, "createOrder BAD_USER_INPUT idempotencyKey")
		for range 2 { // what failed is tried again
			w.as("mia", fmt.Sprintf(`mutation { createOrder(input: {items: [{productId: %d, quantity: 9}]}, idempotencyKey: "many") { id } }`, cup.ID)).
				wants(t, `{"createOrder":null}`, "createOrder CONFLICT input.items[0].productId")
		}
		if stock := *w.client.Product.GetX(w.system(), cup.ID).Stock; stock != 2 {
			t.Errorf("%d are left of 3", stock)
		}
		w.as("bob", `mutation { createOrder { id } }`).wants(t, `{"createOrder":null}`, "createOrder BAD_USER_INPUT")
		w.as("bob", `mutation { createOrder(input: {items: [{productId: 99, quantity: 1}]}) { id } }`).wants(t, `{"createOrder":null}`, "createOrder BAD_USER_INPUT input.items[0].productId")
		w.as("bob", `mutation { createOrder(input: {items: [{productId: 1, quantity: 2}]}) { id } }`).wants(t, `{"createOrder":null}`, "createOrder CONFLICT input.items[0].productId")
		w.as("nobody", `mutation { createOrder { id } }`).wants(t, `{"createOrder":null}`, "createOrder UNAUTHENTICATED")
		w.as("mia", `mutation { payOrder(id: 1) { id } }`).wants(t, `{"payOrder":null}`, "payOrder NOT_FOUND")
		for range 2 { // with a key, once more is the same
			w.as("bob", `mutation { payOrder(id: 1, idempotencyKey: "k") { status actions { name mutation } } }`).
				wants(t, `{"payOrder":{"status":"paid","actions":[{"name":"invoice","mutation":null}]}}`)
		}
		w.as("bob", `mutation { payOrder(id: 1) { id } }`).wants(t, `{"payOrder":null}`, "payOrder CONFLICT")
		w.as("bob", `mutation { cancelOrder(id: 1) { id } }`).wants(t, `{"cancelOrder":null}`, "cancelOrder CONFLICT")
		w.as("bob", `mutation { refundOrder(id: 1) { id } }`).wants(t, `{"refundOrder":null}`, "refundOrder FORBIDDEN")
		for range 2 {
			w.as("ada", `mutation { refundOrder(id: 1, amount: 10.1, reason: "Broken.\nDear customer") { status } }`).
				wants(t, `{"refundOrder":null}`, "refundOrder BAD_USER_INPUT reason")
			w.as("ada", `mutation { refundOrder(id: 1, amount: 10.1, reason: "Broken.", idempotencyKey: "k") { status } }`).
				wants(t, `{"refundOrder":{"status":"partially_refunded"}}`)
		}
		w.as("bob", `{ paymentStatus(orderId: 1) { orderId paymentStatus currency amountDue amountPaid amountRefunded payments { status amount } } }`).
			wants(t, `{"paymentStatus":{"orderId":"`+id("Order", 1)+`","paymentStatus":"partially_refunded","currency":"USD","amountDue":0,"amountPaid":39.98,"amountRefunded":10.1,"payments":[{"status":"succeeded","amount":39.98}]}}`)
		w.as("mia", `{ paymentStatus(orderId: 1) { orderId } }`).wants(t, `{"paymentStatus":null}`, "paymentStatus NOT_FOUND")
		for range 2 {
			w.as("bob", `mutation { createPayment(input: {amount: 7.25, currency: "USD"}, idempotencyKey: "p") { id status amount } }`).
				wants(t, `{"createPayment":{"id":"`+id("Payment", 2)+`","status":"succeeded","amount":7.25}}`)
		}
		w.as("bob", `mutation { refundPayment(id: 2) { id } }`).wants(t, `{"refundPayment":null}`, "refundPayment FORBIDDEN")
		for range 2 {
			w.as("ada", `mutation { refundPayment(id: 2, amount: 5, idempotencyKey: "b") { amountRefunded } }`).wants(t, `{"refundPayment":{"amountRefunded":5}}`)
		}
		w.as("ada", `mutation { refundPayment(id: 2, amount: 6, idempotencyKey: "b") { id } }`).wants(t, `{"refundPayment":null}`, "refundPayment IDEMPOTENCY_KEY_REUSED")
		w.as("ada", `mutation { refundPayment(id: 2, amount: 2.26) { id } }`).wants(t, `{"refundPayment":null}`, "refundPayment BAD_USER_INPUT amount")
		w.as("ada", `mutation { refundPayment(id: 99) { id } }`).wants(t, `{"refundPayment":null}`, "refundPayment NOT_FOUND")
		for range 2 { // with a key, once more is the same
			w.as("mia", `mutation { cancelOrder(id: 2, idempotencyKey: "c") { status } }`).wants(t, `{"cancelOrder":{"status":"cancelled"}}`)
		}
		w.as("mia", `mutation { cancelOrder(id: 2) { id } }`).wants(t, `{"cancelOrder":null}`, "cancelOrder CONFLICT")
		w.as("bob", `mutation { createPayment(input: {amount: 7.26, currency: "USD"}, idempotencyKey: "p") { id } }`).wants(t, `{"createPayment":null}`, "createPayment IDEMPOTENCY_KEY_REUSED")
		w.as("bob", `mutation { createPayment(input: {amount: 7.02, currency: "USD"}) { id } }`).wants(t, `{"createPayment":null}`, "createPayment PAYMENT_DECLINED")
		w.as("bob", `mutation { createPayment(input: {amount: 7.001, currency: "USD"}) { id } }`).wants(t, `{"createPayment":null}`, "createPayment BAD_USER_INPUT input.amount")
		w.as("bob", `mutation { createPayment(input: {amount: 7, currency: "USD"}, idempotencyKey: "") { id } }`).wants(t, `{"createPayment":null}`, "createPayment BAD_USER_INPUT idempotencyKey")
	})
}

// late is a gateway that decides later what it is asked for.
type late struct {
	payments.Gateway
	decides payments.Result
}

func (*late) Charge(context.Context, payments.Charge) (payments.Result, error) {
	return payments.Result{Outcome: payments.Pending}, nil
}

func (l *late) Retrieve(context.Context, string) (payments.Result, error) { return l.decides, nil }

// A repetition says what became of a payment that was decided later.
func TestAKeyLearnsWhatWasDecidedLater(t *testing.T) {
	each(t, func(w *world) {
		for i, c := range []struct {
			decides payments.Result
			wants   []string
		}{
			{payments.Result{Outcome: payments.Succeeded}, []string{`{"createPayment":{"status":"succeeded"}}`}},
			{payments.Result{Outcome: payments.Failed, Reason: "no money"}, []string{`{"createPayment":null}`, "createPayment PAYMENT_DECLINED"}},
		} {
			w.cashier.Gateway = &late{w.cashier.Gateway, c.decides}
			ask := func() answer {
				return w.as("bob", fmt.Sprintf(`mutation { createPayment(input: {amount: 3.04, currency: "EUR"}, idempotencyKey: "late %d") { status } }`, i))
			}
			for range 2 {
				ask().wants(t, `{"createPayment":{"status":"processing"}}`)
			}
			if err := w.cashier.Finish(w.system(), checkout.Settlement{PaymentID: int64(i + 1)}); err != nil {
				t.Fatal(err)
			}
			for range 2 {
				ask().wants(t, c.wants[0], c.wants[1:]...)
			}
		}
	})
}
