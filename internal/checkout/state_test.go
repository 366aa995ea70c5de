package checkout_test

import (
	"context"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/entwine-go/entwine/ent/order"
	"github.com/entwine-go/entwine/ent/payment"
	"github.com/entwine-go/entwine/ent/typedid"
	"github.com/entwine-go/entwine/internal/checkout"
	"github.com/entwine-go/entwine/kit/payments"
	"github.com/entwine-go/entwine/kit/problem"
	"github.com/entwine-go/entwine/kit/store"
)

var states = []order.Status{
	order.StatusPending, order.StatusProcessing, order.StatusPaid, order.StatusPartiallyRefunded,
	order.StatusRefunded, order.StatusCancelled, order.StatusExpired,
}

// answering is a gateway with prepared answers.
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
		_, err := s.Refund(s.admin, id, back(400))
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

// can has, for each event of an order, the states in which it can happen and those to which
// it leads. The gateway decides about the state processing.
var can = map[string]map[order.Status][]order.Status{
	"pay":     {order.StatusPending: {order.StatusPaid}},
	"cancel":  {order.StatusPending: {order.StatusCancelled}},
	"expire":  {order.StatusPending: {order.StatusExpired}},
	"capture": {order.StatusProcessing: {order.StatusPaid}},
	"fail":    {order.StatusProcessing: {order.StatusPending}},
	"refund": {
		order.StatusPaid:              {order.StatusRefunded},
		order.StatusPartiallyRefunded: {order.StatusRefunded},
	},
}

// Every event in every state does what the table says, and nothing else.
func TestEveryEventInEveryState(t *testing.T) {
	events := map[string]func(s *shop, id int64) error{
		"pay":    func(s *shop, id int64) error { _, err := s.PayOrder(s.ada, id); return err },
		"cancel": func(s *shop, id int64) error { return s.Cancel(s.ada, id) },
		"refund": func(s *shop, id int64) error { _, err := s.Refund(s.admin, id, checkout.Return{}); return err },
		"expire": func(s *shop, id int64) error {
			s.ent.Order.UpdateOneID(typedid.OrderID(id)).SetExpiresAt(store.Time(time.Now().Add(-time.Minute))).ExecX(s.system)
			n, err := (&checkout.Expirer{DB: s.DB}).Expire(s.system)
			if err == nil && n == 0 {
				err = problem.New(problem.Conflict, "not due")
			}
			return err
		},
		"capture": func(s *shop, id int64) error { return s.decide(id, payments.Succeeded) },
		"fail":    func(s *shop, id int64) error { return s.decide(id, payments.Failed) },
	}
	open(t, func(s *shop) {
		for _, state := range states {
			for event, cause := range events {
				id := s.reach(state)
				err := cause(s, id)
				got := s.state(id)
				to := can[event][state]
				switch {
				case to == nil && got != state:
					s.Errorf("%s of an order that is %s makes it %s", event, state, got)
				case to == nil && problem.KindOf(err) != problem.Conflict:
					s.Errorf("%s of an order that is %s: %v, want a conflict", event, state, err)
				case to != nil && err != nil:
					s.Errorf("%s of an order that is %s: %v", event, state, err)
				case to != nil && !slices.Contains(to, got):
					s.Errorf("%s of an order that is %s makes it %s, want one of %s", event, state, got, to)
				}
				if p := problem.As(err); p != nil && (p.RetryAfter > 0) != (state == order.StatusProcessing && event != "expire") {
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

// told is a gateway that reports this outcome for everything.
type told struct {
	payments.Gateway
	result payments.Result
}

func (g *told) Retrieve(context.Context, string) (payments.Result, error) { return g.result, nil }

func TestARefusalNamesTheStateAndWhatIsAllowed(t *testing.T) {
	open(t, func(s *shop) {
		id := s.reach(order.StatusPartiallyRefunded)
		for allowed, ctx := range map[string]context.Context{"invoice": s.ada, "refund, invoice": s.admin} {
			want := "the order is partially refunded: it can't be cancelled; allowed: " + allowed
			if err := s.Cancel(ctx, id); err == nil || err.Error() != want {
				s.Errorf("%v, want %s", err, want)
			}
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
