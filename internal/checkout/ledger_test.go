package checkout_test

import (
	"context"
	"flag"
	"fmt"
	"math/rand/v2"
	"sync"
	"testing"
	"time"

	"entgo.io/ent/dialect/sql"

	"github.com/entwine-go/entwine/ent/invoice"
	"github.com/entwine-go/entwine/ent/job"
	"github.com/entwine-go/entwine/ent/order"
	"github.com/entwine-go/entwine/ent/payment"
	"github.com/entwine-go/entwine/ent/refund"
	"github.com/entwine-go/entwine/ent/typedid"
	"github.com/entwine-go/entwine/internal/checkout"
	"github.com/entwine-go/entwine/internal/reporting"
	"github.com/entwine-go/entwine/kit/kittest/storetest"
	"github.com/entwine-go/entwine/kit/payments"
	"github.com/entwine-go/entwine/kit/store"
)

var ledgerOrders = flag.Int("ledger", 150, "how many orders TestTheLedgerAddsUp trades on each database")

// crashing is a gateway whose caller dies now and then, before it has asked or
// before it has heard.
type crashing struct{ payments.Gateway }

const crash = "crash"

func (g crashing) Charge(ctx context.Context, c payments.Charge) (payments.Result, error) {
	return g.between(func() (payments.Result, error) { return g.Gateway.Charge(ctx, c) })
}

func (g crashing) Refund(ctx context.Context, r payments.Refund) (payments.Result, error) {
	return g.between(func() (payments.Result, error) { return g.Gateway.Refund(ctx, r) })
}

func (crashing) between(ask func() (payments.Result, error)) (payments.Result, error) {
	when := rand.IntN(40)
	if when == 0 {
		panic(crash)
	}
	r, err := ask()
	if when == 1 {
		panic(crash)
	}
	return r, err
}

// survives runs a function that may crash. Its result is checked elsewhere.
func survives(f func()) {
	defer func() {
		if r := recover(); r != nil && r != crash {
			panic(r)
		}
	}()
	f()
}

// After a day of trade, with declines, refunds, expiries and crashes, what was
// taken and paid back is what the orders, the sales and the gateway's own
// books say, to the last minor unit of each currency.
func TestTheLedgerAddsUp(t *testing.T) {
	open(t, func(s *shop) {
		s.Gateway = crashing{s.Gateway}
		var products []int64
		currencies := []string{"USD", "EUR", "JPY", "KWD"}
		for _, currency := range currencies {
			for range 6 {
				p := s.ent.Product.Create().SetName("P").SetPrice(rand.Int64N(3000) + 1).SetCurrency(currency).SetStock(1 << 30).SaveX(s.system)
				products = append(products, int64(p.ID))
			}
		}
		work := make(chan int)
		var all sync.WaitGroup
		for range 6 {
			all.Go(func() {
				for n := range work {
					s.trade(products[n%4*6:][:6])
				}
			})
		}
		for n := range *ledgerOrders {
			work <- n
		}
		close(work)
		all.Wait()
		s.closeTheDay()
		for _, currency := range currencies {
			s.audit(currency)
		}
		paid := s.ent.Order.Query().Where(order.PaidAtNotNil()).CountX(s.system)
		if n := s.ent.Invoice.Query().CountX(s.system); n != paid {
			s.Errorf("%d invoices for %d paid orders", n, paid)
		}
		if n := s.ent.Invoice.Query().Order(invoice.ByNumber(sql.OrderDesc())).FirstX(s.system).Number; n != int64(paid) {
			s.Errorf("the last of %d invoices has number %d", paid, n)
		}
		if n := s.ent.Job.Query().Where(job.Kind("receipt")).CountX(s.system); n != paid {
			s.Errorf("%d receipts for %d paid orders", n, paid)
		}
		s.Logf("%d of %d orders were paid, and %d refunds made", paid, *ledgerOrders, s.ent.Refund.Query().Where(refund.StatusEQ(refund.StatusSucceeded)).CountX(s.system))
	})
}

// trade places an order, and does with it what comes to mind.
func (s *shop) trade(products []int64) {
	var items []checkout.Item
	for range 1 + rand.IntN(3) {
		items = append(items, checkout.Item{ProductID: products[rand.IntN(len(products))], Quantity: 1 + rand.Int64N(3)})
	}
	if rand.IntN(8) == 0 {
		s.tradeAlone(s.ent.Product.GetX(s.system, typedid.ProductID(products[0])).Currency)
		return
	}
	id, err := s.Place(s.ada, items)
	if err != nil {
		s.Error(err)
		return
	}
	switch rand.IntN(10) {
	case 0:
		survives(func() { _ = s.Cancel(s.ada, id) })
		return
	case 1:
		s.ent.Order.UpdateOneID(typedid.OrderID(id)).SetExpiresAt(store.Time(time.Now().Add(-time.Minute))).ExecX(s.system)
		return
	}
	for range 1 + rand.IntN(2) { // some try again
		survives(func() { _, _ = s.PayOrder(s.ada, id) })
	}
	if rand.IntN(4) == 0 {
		if err := s.Bill(s.system); err != nil {
			s.Error(err)
		}
	}
	for range rand.IntN(4) {
		back := checkout.Return{Restock: rand.IntN(2) == 0}
		if rand.IntN(3) > 0 {
			o := s.ent.Order.GetX(s.system, typedid.OrderID(id))
			back.Amount = new(1 + rand.Int64N(o.Total))
		}
		survives(func() { _, _ = s.Refund(s.admin, id, back) })
	}
}

// tradeAlone takes a payment for no order, and pays some of it back.
func (s *shop) tradeAlone(currency string) {
	amount := 100 + rand.Int64N(3000)
	survives(func() {
		paid, err := s.Pay(s.ada, checkout.Payment{Amount: amount, Currency: currency})
		if err != nil {
			return
		}
		for range rand.IntN(3) {
			part := back(1 + rand.Int64N(amount))
			survives(func() { _, _ = s.RefundPayment(s.admin, paid.ID, part) })
		}
	})
}

// closeTheDay settles and expires what is left.
func (s *shop) closeTheDay() {
	for {
		left, err := s.unsettled()
		s.must(err)
		if len(left) == 0 {
			break
		}
		for _, one := range left {
			_ = s.Finish(s.system, one) // what is not decided yet comes up again
		}
	}
	for n := 1; n > 0; {
		var err error
		n, err = (&checkout.Expirer{DB: s.DB}).Expire(s.system)
		s.must(err)
	}
	s.must(s.Bill(s.system))
}

// audit compares the books of one currency.
func (s *shop) audit(currency string) {
	var ordered, taken, repaid, booked, bookedBack int64
	back := map[int64]int64{}
	for _, r := range s.ent.Refund.Query().Where(refund.StatusEQ(refund.StatusSucceeded), refund.Currency(currency)).WithPayment().AllX(s.system) {
		repaid += r.Amount
		if p := r.Edges.Payment; p.OrderID == nil {
			ordered -= r.Amount
		} else {
			back[int64(*p.OrderID)] += r.Amount
		}
	}
	for _, p := range s.ent.Payment.Query().Where(payment.StatusEQ(payment.StatusSucceeded), payment.Currency(currency)).AllX(s.system) {
		taken += p.Amount
		if p.OrderID == nil { // it stands for itself, where others stand for their orders
			ordered += p.Amount
		}
	}
	for _, o := range s.ent.Order.Query().Where(order.Currency(currency)).AllX(s.system) {
		was := back[int64(o.ID)]
		want := o.Status
		switch {
		case o.PaidAt == nil && was == 0:
		case was == 0:
			want = order.StatusPaid
		case was == o.Total:
			want = order.StatusRefunded
		default:
			want = order.StatusPartiallyRefunded
		}
		if o.Status != want || o.Status == order.StatusProcessing {
			s.Errorf("order %d of %d is %s after %d were paid back", o.ID, o.Total, o.Status, was)
		}
		if o.PaidAt != nil {
			ordered += o.Total - was
		}
	}
	const books = "SELECT COALESCE(SUM(amount), 0) FROM sandbox_charges WHERE status = 'succeeded' AND currency = $1 AND charge_key IS "
	booked += storetest.Ask[int64](s.T, s.DB, books+"NULL", currency)[0]
	bookedBack += storetest.Ask[int64](s.T, s.DB, books+"NOT NULL", currency)[0]
	sales, err := (&reporting.Reporter{DB: s.DB}).Sales(s.admin, nil, nil, "day")
	s.must(err)
	var gross, refunded int64
	for _, f := range sales.Totals {
		if f.Currency == currency {
			gross, refunded = f.Gross, f.Refunded
		}
	}
	got := fmt.Sprint(taken-repaid, ordered, gross-refunded, booked-bookedBack)
	if want := fmt.Sprint(ordered, ordered, ordered, ordered); got != want || taken == 0 || taken != gross || taken != booked || repaid != refunded {
		s.Errorf("%s: payments less refunds, orders, sales and the gateway come to %s", currency, got)
	}
}
