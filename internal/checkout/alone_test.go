package checkout_test

import (
	"sync"
	"sync/atomic"
	"testing"

	"github.com/entwine-go/entwine/ent/job"
	"github.com/entwine-go/entwine/ent/order"
	"github.com/entwine-go/entwine/ent/payment"
	"github.com/entwine-go/entwine/ent/refund"
	"github.com/entwine-go/entwine/ent/typedid"
	"github.com/entwine-go/entwine/internal/checkout"
	"github.com/entwine-go/entwine/kit/problem"
)

// alone is a payment of ada's that is for no order.
func (s *shop) alone(amount int64) int64 {
	s.Helper()
	r, err := s.Pay(s.ada, checkout.Payment{Amount: amount, Currency: "USD"})
	s.must(err)
	return r.ID
}

func TestAPaymentOfItsOwnIsRefunded(t *testing.T) {
	open(t, func(s *shop) {
		id := s.alone(1000)
		declined, err := s.Pay(s.ada, checkout.Payment{Amount: 1002, Currency: "USD"})
		if problem.KindOf(err) != problem.PaymentDeclined {
			s.Fatal(err)
		}
		ordered := s.order(500)
		paid, err := s.PayOrder(s.ada, ordered)
		s.must(err)
		for name, c := range map[string]struct {
			refund func() error
			kind   problem.Kind
		}{
			"its owner":        {func() error { _, err := s.RefundPayment(s.ada, id, checkout.Return{}); return err }, problem.Forbidden},
			"somebody else":    {func() error { _, err := s.RefundPayment(s.bob, id, checkout.Return{}); return err }, problem.Forbidden},
			"too much":         {func() error { _, err := s.RefundPayment(s.admin, id, back(1001)); return err }, problem.Unprocessable},
			"nothing":          {func() error { _, err := s.RefundPayment(s.admin, id, back(0)); return err }, problem.Unprocessable},
			"what is not":      {func() error { _, err := s.RefundPayment(s.admin, 999, checkout.Return{}); return err }, problem.NotFound},
			"what was refused": {func() error { _, err := s.RefundPayment(s.admin, declined.ID, checkout.Return{}); return err }, problem.Conflict},
		} {
			if err := c.refund(); problem.KindOf(err) != c.kind {
				s.Errorf("%s: %v, want kind %v", name, err, c.kind)
			}
		}
		for _, amount := range []*int64{new(int64(400)), nil} {
			_, err := s.RefundPayment(s.admin, id, checkout.Return{Amount: amount, Reason: "By mistake."})
			s.must(err)
		}
		if _, err := s.RefundPayment(s.admin, id, checkout.Return{}); problem.KindOf(err) != problem.Conflict {
			s.Errorf("when all is paid back: %v", err)
		}
		if p := s.ent.Payment.GetX(s.system, typedid.PaymentID(id)); p.AmountRefunded != 1000 || p.Status != payment.StatusSucceeded {
			s.Errorf("the payment is %v", p)
		}
		if n := s.ent.Job.Query().Where(job.Kind("refund_notice")).CountX(s.system); n != 2 {
			s.Errorf("%d letters, want 2", n)
		}
		_, err = s.RefundPayment(s.admin, paid.ID, back(200))
		s.must(err)
		if got := s.state(ordered); got != order.StatusPartiallyRefunded {
			s.Errorf("the order of a payment that is paid back is %s", got)
		}
	})
}

// Refunds of one payment at once never come to more than it.
func TestRefundsStayWithinThePayment(t *testing.T) {
	open(t, func(s *shop) {
		id := s.alone(1000)
		var all sync.WaitGroup
		var made atomic.Int64
		for range 8 {
			all.Go(func() {
				switch _, err := s.RefundPayment(s.admin, id, back(300)); problem.KindOf(err) {
				case problem.Conflict, problem.Unprocessable:
				default:
					s.must(err)
					made.Add(1)
				}
			})
		}
		all.Wait()
		if n := s.ent.Refund.Query().Where(refund.StatusEQ(refund.StatusSucceeded)).CountX(s.system); n != 3 || made.Load() != 3 {
			s.Errorf("%d refunds of 3 of a payment of 10, %d answered", n, made.Load())
		}
	})
}
