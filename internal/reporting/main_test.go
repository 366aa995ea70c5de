package reporting_test

import (
	"context"
	"testing"
	"time"

	"github.com/entwine-go/entwine/migrate/migratetest"

	"github.com/entwine-go/entwine/ent"
	"github.com/entwine-go/entwine/ent/orm"
	"github.com/entwine-go/entwine/internal/reporting"
	"github.com/entwine-go/entwine/kit/store"
	"github.com/entwine-go/entwine/kit/store/statement"
	"github.com/entwine-go/entwine/kit/viewer"
)

// shop is a database with sales, and what is asked of it.
type shop struct {
	*testing.T
	db       *store.DB
	ctx      context.Context // of the system
	admin    context.Context
	reporter *reporting.Reporter
	now      time.Time
}

// each runs the test on both databases. It is Wednesday, 15 July 2026, noon.
func each(t *testing.T, test func(s *shop)) {
	t.Parallel()
	migratetest.Each(t, func(t *testing.T, db *store.DB) {
		s := &shop{
			T: t, db: db, ctx: viewer.With(t.Context(), viewer.System()),
			admin: viewer.With(t.Context(), &viewer.Viewer{UserID: 1, Role: viewer.Admin}),
			now:   time.Date(2026, 7, 15, 12, 0, 0, 0, time.UTC),
		}
		s.reporter = &reporting.Reporter{DB: db, Now: func() time.Time { return s.now }}
		test(s)
	})
}

func at(text string) time.Time {
	t, err := time.Parse(time.RFC3339, text)
	if err != nil {
		panic(err)
	}
	return t
}

func (s *shop) client() *ent.Client { return orm.Client(s.db) }

// product makes a product with a price in minor units.
func (s *shop) product(name, currency string, price int64) *ent.Product {
	s.Helper()
	p, err := s.client().Product.Create().SetName(name).SetPrice(price).SetCurrency(currency).SetStock(7).SetCreatedAt(at("2026-01-01T00:00:00Z")).Save(s.ctx)
	if err != nil {
		s.Fatal(err)
	}
	return p
}

// sell makes an order of the products that is paid at the moment, and
// returns its payment.
func (s *shop) sell(when time.Time, quantity int64, products ...*ent.Product) *ent.Payment {
	s.Helper()
	var total int64
	for _, p := range products {
		total += p.Price * quantity
	}
	currency := products[0].Currency
	o, err := s.client().Order.Create().SetStatus("paid").SetTotal(total).SetCurrency(currency).SetPaidAt(when).Save(s.ctx)
	if err != nil {
		s.Fatal(err)
	}
	for _, p := range products {
		err := s.client().OrderItem.Create().SetOrderID(o.ID).SetProductID(p.ID).SetName(p.Name).
			SetPrice(p.Price).SetQuantity(quantity).SetTotal(p.Price * quantity).SetCurrency(currency).Exec(s.ctx)
		if err != nil {
			s.Fatal(err)
		}
	}
	p, err := s.client().Payment.Create().SetStatus("succeeded").SetAmount(total).SetCurrency(currency).
		SetGateway("test").SetOrderID(o.ID).SetCapturedAt(when).Save(s.ctx)
	if err != nil {
		s.Fatal(err)
	}
	return p
}

func (s *shop) refund(p *ent.Payment, when time.Time, amount int64) {
	s.Helper()
	err := s.client().Refund.Create().SetStatus("succeeded").SetAmount(amount).SetCurrency(p.Currency).
		SetPaymentID(p.ID).SetRefundedAt(when).Exec(s.ctx)
	if err != nil {
		s.Fatal(err)
	}
}

// joined makes a user who joined at the moment.
func (s *shop) joined(name, email string, when time.Time) {
	s.Helper()
	if err := s.client().User.Create().SetName(name).SetEmail(email).SetCreatedAt(when).Exec(s.ctx); err != nil {
		s.Fatal(err)
	}
}

var fillUsers = statement.Of(`
	WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < $1)
	INSERT INTO users (name, email, email_fold, name_fold, role, is_active, followers_count, following_count, version, created_at, updated_at)
	SELECT 'User ' || i, 'user' || i || '@example.com', 'user' || i || '@example.com', 'user ' || i, 'user', TRUE, 0, 0, 1, now(), now() FROM n`)
