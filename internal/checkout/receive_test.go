package checkout_test

import (
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/entwine-go/entwine/ent/job"
	"github.com/entwine-go/entwine/ent/order"
	"github.com/entwine-go/entwine/ent/payment"
	"github.com/entwine-go/entwine/ent/typedid"
	"github.com/entwine-go/entwine/internal/checkout"
	"github.com/entwine-go/entwine/kit/payments"
	"github.com/entwine-go/entwine/kit/problem"
)

// An event settles what the gateway has decided since, once, however often and
// in whatever order events come.
func TestEventsOfTheGatewaySettle(t *testing.T) {
	open(t, func(s *shop) {
		id := s.order(1000)
		genuine := s.Gateway
		s.Gateway = &answering{genuine, payments.Result{Outcome: payments.Pending}}
		paid, err := s.PayOrder(s.ada, id)
		s.must(err)
		key := fmt.Sprintf("payment-%d", paid.ID)
		event := payments.Event{ID: "evt_1", Type: "payment_intent.succeeded", Key: key}

		s.Gateway = &told{genuine, payments.Result{Outcome: payments.Pending}}
		if _, err := s.Receive(s.Context(), event); problem.KindOf(err) != problem.GatewayTimeout || s.state(id) != order.StatusProcessing {
			s.Errorf("while it is pending: %v, and the order is %s", err, s.state(id))
		}
		s.Gateway = &told{genuine, payments.Result{Outcome: payments.Succeeded}}
		var all sync.WaitGroup
		for n := range 6 { // at once, some of them of a failure before
			e := event
			if n%3 == 0 {
				e.ID, e.Type = "evt_0", "payment_intent.payment_failed"
			}
			all.Go(func() {
				if ours, err := s.Receive(s.Context(), e); err != nil || !ours {
					s.Error(ours, err)
				}
			})
		}
		all.Wait()
		s.Gateway = &told{genuine, payments.Result{Outcome: payments.Failed}}
		if _, err := s.Receive(s.Context(), event); err != nil || s.state(id) != order.StatusPaid {
			s.Errorf("told again: %v, and the order is %s", err, s.state(id))
		}
		s.must(s.Bill(s.system))
		if n := s.ent.Job.Query().Where(job.Kind("receipt")).CountX(s.system); n != 1 {
			s.Errorf("%d receipts, want 1", n)
		}
		if n := s.ent.PaymentEvent.Query().CountX(s.system); n != 2 {
			s.Errorf("%d events are kept, want 2", n)
		}
		for name, e := range map[string]payments.Event{
			"of another type":       {ID: "evt_2", Type: "customer.created", Key: key},
			"of no payment":         {ID: "evt_3", Type: "payment_intent.succeeded", Key: "payment-999"},
			"of a key of others":    {ID: "evt_4", Type: "payment_intent.succeeded", Key: "cart-1"},
			"of a key that is none": {ID: "evt_5", Type: "payment_intent.succeeded", Key: "payment--1"},
		} {
			if ours, err := s.Receive(s.Context(), e); err != nil || ours {
				s.Errorf("an event %s: %v, %v", name, ours, err)
			}
		}
	})
}

// A payment whose answer is late is settled by the webhook.
func TestTheSandboxTellsOfWhatItAnswersLate(t *testing.T) {
	open(t, func(s *shop) {
		sandbox := &payments.Sandbox{DB: s.DB}
		r, err := s.Pay(s.ada, checkout.Payment{Amount: 1004, Currency: "USD"})
		s.must(err)
		webhook := &payments.Webhook{Secret: "s"}
		for settled := false; !settled; { // until it has decided
			body, err := sandbox.Message(s.Context(), fmt.Sprintf("payment-%d", r.ID))
			s.must(err)
			event, err := webhook.Read(payments.Sign("s", time.Now(), body), body)
			s.must(err)
			_, err = s.Receive(s.Context(), event)
			s.must(err)
			settled = event.Decisive()
		}
		if p := s.ent.Payment.GetX(s.system, typedid.PaymentID(r.ID)); p.Status != payment.StatusSucceeded {
			s.Errorf("the payment is %s", p.Status)
		}
	})
}
