package checkout_test

import (
	"context"
	"errors"
	"slices"
	"testing"
	"time"

	"github.com/entwine-go/entwine/ent/invoice"
	"github.com/entwine-go/entwine/ent/job"
	"github.com/entwine-go/entwine/internal/checkout"
	"github.com/entwine-go/entwine/internal/invoicing"
	"github.com/entwine-go/entwine/kit/problem"
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

// picky fails to bill some orders, after it has written the invoices.
type picky struct {
	*invoicing.Issuer
	wrong []int64
	err   error
}

func (p picky) Issue(ctx context.Context, since time.Time, most int) ([]int64, error) {
	return p.judge(p.Issuer.Issue(ctx, since, most))
}

func (p picky) IssueOne(ctx context.Context, order int64) ([]int64, error) {
	return p.judge(p.Issuer.IssueOne(ctx, order))
}

func (p picky) judge(orders []int64, err error) ([]int64, error) {
	if slices.ContainsFunc(orders, func(id int64) bool { return slices.Contains(p.wrong, id) }) {
		err = p.err
	}
	return orders, err
}

// Orders that can't be billed keep no others from it, and numbers have no gaps.
func TestAnOrderThatCannotBeBilledIsSetAside(t *testing.T) {
	open(t, func(s *shop) {
		ids := s.paidOrders(9)
		wrong := []int64{ids[2], ids[3], ids[8]}
		s.Invoices = picky{&invoicing.Issuer{DB: s.DB}, wrong, errors.New("it has no seller")}
		for range 2 { // the second finds nothing to do
			s.must(s.Bill(s.system))
			s.billed(ids[0], ids[1], ids[4], ids[5], ids[6], ids[7])
			if n := s.setAside(); n != 3 {
				s.Fatalf("%d orders are set aside, want 3", n)
			}
		}
		if overdue, err := s.Overdue(s.system); err != nil || overdue {
			s.Errorf("orders are overdue that are set aside: %v, %v", overdue, err)
		}
		if err := s.BillLate(s.system, checkout.LateBill{OrderID: wrong[0]}); err == nil {
			s.Error("what can't be billed is billed")
		}
		s.Invoices = &invoicing.Issuer{DB: s.DB}
		for range 2 {
			s.must(s.BillLate(s.system, checkout.LateBill{OrderID: wrong[0]}))
		}
		s.billed(ids[0], ids[1], ids[4], ids[5], ids[6], ids[7], wrong[0])
		if n := s.ent.Job.Query().Where(job.Kind("receipt")).CountX(s.system); n != 7 {
			s.Errorf("%d receipts, want 7", n)
		}
	})
}

// A database that is away sets no order aside, and an error of all orders a few.
func TestWhatIsNoFaultOfAnOrderSetsFewAside(t *testing.T) {
	open(t, func(s *shop) {
		ids := s.paidOrders(14)
		for want, reason := range map[int]error{0: problem.New(problem.Unavailable, "the database is away"), 10: errors.New("there is no such table")} {
			s.ent.Job.Delete().Where(job.Kind("bill_order")).ExecX(s.system)
			s.Invoices = picky{&invoicing.Issuer{DB: s.DB}, ids, reason}
			if err := s.Bill(s.system); !errors.Is(err, reason) {
				s.Errorf("it fails by %v, want %v", err, reason)
			}
			if n := s.setAside(); n != want {
				s.Errorf("%v: %d orders are set aside, want %d", reason, n, want)
			}
		}
	})
}

// paidOrders are orders of ada's that are not billed.
func (s *shop) paidOrders(n int) (ids []int64) {
	s.Helper()
	for range n {
		id := s.order(1000)
		_, err := s.PayOrder(s.ada, id)
		s.must(err)
		ids = append(ids, id)
	}
	return ids
}

// setAside is how many orders are left to jobs of their own.
func (s *shop) setAside() int {
	return s.ent.Job.Query().Where(job.Kind("bill_order")).CountX(s.system)
}

// billed asks that the orders are billed, with the numbers from 1 on in this order.
func (s *shop) billed(orders ...int64) {
	s.Helper()
	var got []int64
	for n, i := range s.ent.Invoice.Query().Order(invoice.ByNumber()).AllX(s.system) {
		got = append(got, int64(i.OrderID))
		if i.Number != int64(n+1) {
			s.Errorf("number %d comes after %d", i.Number, n)
		}
	}
	if !slices.Equal(got, orders) {
		s.Errorf("orders %v are billed, want %v", got, orders)
	}
}
