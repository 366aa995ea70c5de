package checkout_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/entwine-go/entwine/ent/job"
	"github.com/entwine-go/entwine/ent/order"
	"github.com/entwine-go/entwine/ent/typedid"
	"github.com/entwine-go/entwine/internal/checkout"
	"github.com/entwine-go/entwine/kit/idempotency"
	"github.com/entwine-go/entwine/kit/payments"
	"github.com/entwine-go/entwine/kit/problem"
	"github.com/entwine-go/entwine/kit/viewer"
)

// The sandbox's amounts, and what becomes of the order in the end.
func TestTheSandboxAnswersByTheAmount(t *testing.T) {
	open(t, func(s *shop) {
		for _, c := range []struct {
			amount  int64
			kind    problem.Kind
			pending bool
			at, end order.Status
		}{
			{1000, 0, false, order.StatusPaid, order.StatusPaid},
			{1002, problem.PaymentDeclined, false, order.StatusPending, order.StatusPending},
			{1003, problem.GatewayTimeout, false, order.StatusProcessing, order.StatusPaid},
			{1005, 0, false, order.StatusPaid, order.StatusPaid},
			{1006, problem.BadGateway, false, order.StatusProcessing, order.StatusPending},
			{0, 0, false, order.StatusPaid, order.StatusPaid},
		} {
			id := s.order(c.amount)
			r, err := s.PayOrder(s.ada, id)
			if problem.KindOf(err) != c.kind || (err == nil) != (c.kind == 0) || r.Pending != c.pending || s.state(id) != c.at {
				s.Errorf("%d: %+v, %v, and the order is %s", c.amount, r, err, s.state(id))
			}
			late, err := s.unsettled()
			s.must(err)
			if n := s.settling(); n != len(late) {
				s.Errorf("%d: %d jobs settle %d payments", c.amount, n, len(late))
			}
			for _, l := range late {
				s.must(s.Finish(s.system, l))
				s.must(s.Finish(s.system, l)) // once more does nothing
			}
			if got := s.state(id); got != c.end {
				s.Errorf("%d: the order ends as %s, want %s", c.amount, got, c.end)
			}
			s.ent.Job.Delete().Where(job.Kind("settle_payment")).ExecX(s.system)
		}
		s.must(s.Bill(s.system))
		if n, want := s.ent.Invoice.Query().CountX(s.system), s.ent.Order.Query().Where(order.StatusEQ(order.StatusPaid)).CountX(s.system); n != want {
			s.Errorf("%d invoices for %d paid orders", n, want)
		}
		if n := s.ent.Job.Query().Where(job.Kind("receipt")).CountX(s.system); n != 4 {
			s.Errorf("%d receipts, want 4", n)
		}
	})
}

// settling is how many jobs are to settle a payment or a refund: none of what the gateway
// has decided.
func (s *shop) settling() int {
	return s.ent.Job.Query().Where(job.Kind("settle_payment")).CountX(s.system)
}

// unsettled are the payments and refunds that are processing.
func (s *shop) unsettled() (all []checkout.Settlement, err error) {
	for _, p := range s.ent.Payment.Query().AllX(s.system) {
		if p.Status == "processing" {
			all = append(all, checkout.Settlement{PaymentID: int64(p.ID)})
		}
	}
	for _, r := range s.ent.Refund.Query().AllX(s.system) {
		if r.Status == "processing" {
			all = append(all, checkout.Settlement{RefundID: int64(r.ID)})
		}
	}
	return all, nil
}

func TestALateAnswerIsPendingUntilItComes(t *testing.T) {
	open(t, func(s *shop) {
		id := s.order(1004)
		r, err := s.PayOrder(s.ada, id)
		s.must(err)
		if !r.Pending || s.state(id) != order.StatusProcessing {
			s.Fatalf("%+v, and the order is %s", r, s.state(id))
		}
		for err = errors.New("not yet"); err != nil; {
			err = s.Finish(s.system, checkout.Settlement{PaymentID: r.ID})
		}
		if s.state(id) != order.StatusPaid {
			s.Errorf("the order is %s", s.state(id))
		}
	})
}

// counting counts what a gateway is asked, and can end like a killed process.
type counting struct {
	payments.Gateway
	charges atomic.Int64
	die     func()
}

func (g *counting) Charge(ctx context.Context, c payments.Charge) (payments.Result, error) {
	g.charges.Add(1)
	if g.die != nil {
		g.die()
	}
	return g.Gateway.Charge(ctx, c)
}

func TestOfManyPayersOneIsCharged(t *testing.T) {
	open(t, func(s *shop) {
		id := s.order(1000)
		gateway := &counting{Gateway: s.Gateway}
		s.Gateway = gateway
		var all sync.WaitGroup
		var paid atomic.Int64
		for range 30 {
			all.Go(func() {
				_, err := s.PayOrder(s.ada, id)
				switch {
				case err == nil:
					paid.Add(1)
				case problem.KindOf(err) != problem.Conflict:
					s.Error(err)
				}
			})
		}
		all.Wait()
		if paid.Load() != 1 || gateway.charges.Load() != 1 {
			s.Errorf("%d are paid, %d charged", paid.Load(), gateway.charges.Load())
		}
	})
}

// A process that is killed before or after the gateway has been asked leaves
// something that settles, and a key that repeats the true outcome.
func TestAKeyTellsTheTruthAfterACrash(t *testing.T) {
	open(t, func(s *shop) {
		for _, asked := range []bool{false, true} {
			id := s.order(1000)
			genuine := s.Gateway
			gateway := &counting{Gateway: genuine, die: func() { panic("killed") }}
			s.Gateway = gateway
			if asked {
				s.Gateway = &dying{genuine}
			}
			ticket := func() context.Context {
				k := &idempotency.Keeper{DB: s.DB}
				return k.With(s.ada, idempotency.NewRequest(fmt.Sprint("key", asked), viewer.From(s.ada), "pay", "", nil, nil))
			}
			func() {
				defer func() { _ = recover() }()
				_, _ = s.Cashier.PayOrder(ticket(), id)
			}()
			s.Gateway = genuine
			_, err := s.Cashier.PayOrder(ticket(), id)
			if p := problem.As(err); p == nil || p.Kind != problem.Conflict || p.RetryAfter == 0 {
				s.Errorf("asked %t: while it is processing, the key answers %v", asked, err)
			}
			open, err := s.unsettled()
			s.must(err)
			for _, one := range open {
				s.must(s.Finish(s.system, one))
			}
			r, err := s.Cashier.PayOrder(ticket(), id)
			if asked && (err != nil || !r.Again || s.state(id) != order.StatusPaid) {
				s.Errorf("after it was taken: %+v, %v, the order is %s", r, err, s.state(id))
			}
			if !asked && (problem.KindOf(err) != problem.PaymentDeclined || s.state(id) != order.StatusPending) {
				s.Errorf("after it was not taken: %+v, %v, the order is %s", r, err, s.state(id))
			}
		}
		// A call that was still on its way when its payment had been given up.
		p := s.ent.Payment.Query().FirstX(s.system)
		result, err := s.Gateway.Charge(s.system, payments.Charge{Key: fmt.Sprintf("payment-%d", p.ID), Amount: 1000, Currency: "USD"})
		if err != nil || result.Outcome != payments.Failed {
			s.Errorf("a charge that was given up: %+v, %v", result, err)
		}
	})
}

// dying is a gateway whose caller is killed when it answers.
type dying struct{ payments.Gateway }

func (g *dying) Charge(ctx context.Context, c payments.Charge) (payments.Result, error) {
	_, _ = g.Gateway.Charge(ctx, c)
	panic("killed")
}

func TestRefundsComeToThePayment(t *testing.T) {
	open(t, func(s *shop) {
		lamp := s.product("Lamp", 1000, 5)
		id, err := s.Place(s.ada, []checkout.Item{{lamp, 2}})
		s.must(err)
		_, err = s.PayOrder(s.ada, id)
		s.must(err)
		for _, c := range []struct {
			back  checkout.Return
			kind  problem.Kind
			state order.Status
		}{
			{back(0), problem.Unprocessable, order.StatusPaid},
			{back(2001), problem.Unprocessable, order.StatusPaid},
			{back(102), problem.PaymentDeclined, order.StatusPaid},
			{checkout.Return{Amount: new(int64(500)), Reason: "Broken."}, 0, order.StatusPartiallyRefunded},
			{back(1501), problem.Unprocessable, order.StatusPartiallyRefunded},
			{back(103), problem.GatewayTimeout, order.StatusPartiallyRefunded},
			{back(1400), problem.Unprocessable, order.StatusPartiallyRefunded}, // 1.03 may be on its way
			{checkout.Return{Restock: true}, 0, order.StatusPartiallyRefunded},
			{checkout.Return{}, problem.Conflict, order.StatusPartiallyRefunded},
		} {
			_, err := s.Refund(s.admin, id, c.back)
			if problem.KindOf(err) != c.kind || (err == nil) != (c.kind == 0) || s.state(id) != c.state {
				s.Errorf("%+v: %v, and the order is %s", c.back, err, s.state(id))
			}
		}
		if s.stock(lamp) != 3 {
			s.Errorf("%d are in stock before all is paid back", s.stock(lamp))
		}
		open, err := s.unsettled()
		s.must(err)
		for _, one := range open {
			s.must(s.Finish(s.system, one))
			s.must(s.Finish(s.system, one))
		}
		if s.state(id) != order.StatusRefunded || s.stock(lamp) != 5 {
			s.Errorf("the order is %s, and %d are in stock", s.state(id), s.stock(lamp))
		}
		status, err := s.PaymentStatus(s.ada, id)
		s.must(err)
		if status.Status != "refunded" || status.Due != 0 || status.Paid != 2000 || status.Refunded != 2000 || len(status.Payments) != 1 {
			s.Errorf("the status is %+v", status)
		}
		if _, err := s.PaymentStatus(s.bob, id); problem.KindOf(err) != problem.NotFound {
			s.Errorf("bob reads it: %v", err)
		}
		if o := s.ent.Order.GetX(s.system, typedid.OrderID(id)); o.PaidAt == nil {
			s.Error("the order was never paid")
		}
	})
}

// A message about a wrong amount shows the amount that was sent, and mail writes amounts as
// people do.
func TestAmountsAreReadAsTheyAreWritten(t *testing.T) {
	open(t, func(s *shop) {
		id := s.order(1050)
		wants := func(err error, value string) {
			s.Helper()
			if p := problem.As(err); p == nil || len(p.Details) != 1 || p.Details[0].Value != json.Number(value) {
				s.Errorf("%v: %+v, want the value %s", err, problem.As(err), value)
			}
		}
		_, err := s.Pay(s.ada, checkout.Payment{Amount: 1049, Currency: "USD", OrderID: id})
		wants(err, "10.49")
		_, err = s.Pay(s.ada, checkout.Payment{Amount: 0, Currency: "USD"})
		wants(err, "0")
		_, err = s.PayOrder(s.ada, id)
		s.must(err)
		for written, amount := range map[string]int64{"10.51": 1051, "0": 0} {
			_, err = s.Refund(s.admin, id, back(amount))
			wants(err, written)
		}
		l, err := checkout.ReceiptLetter{OrderID: id}.Letter(s.system, s.DB, s.ent)
		if err != nil || l.Data["total"] != "10.50" {
			s.Errorf("the receipt says %v, %v", l.Data["total"], err)
		}
	})
}
