package checkout_test

import (
	"testing"
	"time"
)

// The first order that is ever paid is billed even if its process ended before it was billed,
// and the next one starts days later.
func TestTheFirstPaidOrderIsBilledDaysLater(t *testing.T) {
	open(t, func(s *shop) {
		id := s.order(1000)
		_, err := s.PayOrder(s.ada, id)
		s.must(err)
		paid := s.ent.Order.Query().OnlyX(s.system).PaidAt
		s.Now = func() time.Time { return paid.Add(72 * time.Hour) }
		if overdue, err := s.Overdue(s.system); err != nil || !overdue {
			s.Fatalf("the order is overdue: %v, %v", overdue, err)
		}
		s.must(s.Bill(s.system))
		if overdue, err := s.Overdue(s.system); err != nil || overdue {
			s.Errorf("the order is still overdue: %v, %v", overdue, err)
		}
		if got := s.ent.Invoice.Query().OnlyX(s.system).OrderID; int64(got) != id {
			s.Errorf("the invoice is of order %d, want %d", got, id)
		}
	})
}
