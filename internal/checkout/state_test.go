package checkout_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/entwine-go/entwine/ent/order"
	"github.com/entwine-go/entwine/ent/payment"
	"github.com/entwine-go/entwine/ent/typedid"
	"github.com/entwine-go/entwine/internal/checkout"
	"github.com/entwine-go/entwine/kit/payments"
	"github.com/entwine-go/entwine/kit/problem"
	"github.com/entwine-go/entwine/kit/runtime/store"
)

var states = []order.Status{
	order.StatusPending, order.StatusProcessing, order.StatusPaid, order.StatusPartiallyRefunded,
	order.StatusRefunded, order.StatusCancelled, order.StatusExpired,
}

// answering is a gateway that answers as it is told.
type answering struct {
	payments.Gateway
	result payments.Result
}

func (a *answering) Charge(context.Context, payments.Charge) (payments.Result, error) {
	return a.result, nil
}

// reach makes an order that has come to the state by itself.
func (s *shop) reach(state order.Status) int64 { return s.reachAt(state, 1000) }

// reachAt is reach for an order at the price.
func (s *shop) reachAt(state order.Status, price int64) int64 {
	s.Helper()
	id := s.order(price)
	pay := func() { _, err := s.PayOrder(s.ada, id); s.must(err) }
	switch state {
	case order.StatusProcessing:
		genuine := s.Gateway
		s.Gateway = &answering{genuine, payments.Result{Outcome: payments.Pending}}
		pay()
		s.Gateway = genuine
	case order.StatusPaid:
		pay()
	case order.StatusPartiallyRefunded:
		pay()
		_, err := s.Refund(s.admin, id, checkout.Return{Amount: "4"})
		s.must(err)
	case order.StatusRefunded:
		pay()
		_, err := s.Refund(s.admin, id, checkout.Return{})
		s.must(err)
	case order.StatusCancelled:
		s.must(s.Cancel(s.ada, id))
	case order.StatusExpired:
		s.ent.Order.UpdateOneID(typedid.OrderID(id)).SetExpiresAt(store.Time(time.Now().Add(-time.Minute))).ExecX(s.system)
		n, err := (&checkout.Expirer{DB: s.DB}).Expire(s.system)
		s.must(err)
		if n != 1 {
			s.Fatalf("%d orders expired", n)
		}
	}
	if got := s.state(id); got != state {
		s.Fatalf("the order is %s, want %s", got, state)
	}
	return id
}

// Every event in every state does what the table says, and nothing else.
func TestEveryEventInEveryState(t *testing.T) {
	events := map[checkout.Event]func(s *shop, id int64) error{
		checkout.Pay:    func(s *shop, id int64) error { _, err := s.PayOrder(s.ada, id); return err },
		checkout.Cancel: func(s *shop, id int64) error { return s.Cancel(s.ada, id) },
		checkout.Refund: func(s *shop, id int64) error { _, err := s.Refund(s.admin, id, checkout.Return{}); return err },
		checkout.Expire: func(s *shop, id int64) error {
			s.ent.Order.UpdateOneID(typedid.OrderID(id)).SetExpiresAt(store.Time(time.Now().Add(-time.Minute))).ExecX(s.system)
			n, err := (&checkout.Expirer{DB: s.DB}).Expire(s.system)
			if err == nil && n == 0 {
				err = problem.New(problem.Conflict, "not due")
			}
			return err
		},
		checkout.Capture: func(s *shop, id int64) error { return s.decide(id, payments.Succeeded) },
		checkout.Fail:    func(s *shop, id int64) error { return s.decide(id, payments.Failed) },
	}
	open(t, func(s *shop) {
		for _, state := range states {
			for event, cause := range events {
				id := s.reach(state)
				err := cause(s, id)
				got := s.state(id)
				i := slices.IndexFunc(checkout.Transitions, func(t checkout.Transition) bool { return t.From == state && t.Event == event })
				switch {
				case i < 0 && got != state:
					s.Errorf("%s of an order that is %s makes it %s", event, state, got)
				case i < 0 && problem.KindOf(err) != problem.Conflict:
					s.Errorf("%s of an order that is %s: %v, want a conflict", event, state, err)
				case i >= 0 && err != nil:
					s.Errorf("%s of an order that is %s: %v", event, state, err)
				case i >= 0 && !slices.Contains(checkout.Transitions[i].To, got):
					s.Errorf("%s of an order that is %s makes it %s, want one of %s", event, state, got, checkout.Transitions[i].To)
				}
				if p := problem.As(err); p != nil && (p.RetryAfter > 0) != (state == order.StatusProcessing && event != checkout.Expire) {
					s.Errorf("%s of an order that is %s: Retry-After is %s", event, state, p.RetryAfter)
				}
			}
		}
	})
}

// decide has the gateway say what becomes of the order's last payment.
func (s *shop) decide(id int64, outcome payments.Outcome) error {
	rows := s.ent.Payment.Query().Where(payment.OrderID(typedid.OrderID(id))).Order(payment.ByID()).AllX(s.system)
	before := s.state(id)
	genuine := s.Gateway
	defer func() { s.Gateway = genuine }()
	s.Gateway = &told{genuine, payments.Result{Outcome: outcome, Reason: "No."}}
	for _, p := range rows {
		s.must(s.Hear(s.system, fmt.Sprintf("payment-%d", p.ID)))
	}
	if before == s.state(id) {
		p := problem.New(problem.Conflict, "nothing changed")
		if before == order.StatusProcessing {
			p.RetryAfter = time.Second
		}
		return p
	}
	return nil
}

// told is a gateway that says of everything that it came to this.
type told struct {
	payments.Gateway
	result payments.Result
}

func (g *told) Retrieve(context.Context, string) (payments.Result, error) { return g.result, nil }

func TestARefusalNamesTheStateAndWhatIsAllowed(t *testing.T) {
	open(t, func(s *shop) {
		id := s.reach(order.StatusPartiallyRefunded)
		err := s.Cancel(s.ada, id)
		if err == nil || !strings.Contains(err.Error(), "partially refunded") || !strings.Contains(err.Error(), "allowed: refund, invoice") {
			s.Error(err)
		}
		for who, ctx := range map[string]context.Context{"bob": s.bob, "nobody": s.Context()} {
			if err := s.Cancel(ctx, id); err == nil || problem.KindOf(err) == problem.Conflict {
				s.Errorf("%s: %v", who, err)
			}
		}
		if _, err := s.Refund(s.ada, id, checkout.Return{}); problem.KindOf(err) != problem.Forbidden {
			s.Errorf("ada refunds: %v", err)
		}
	})
}
