package checkout_test

import (
	"context"
	"log/slog"
	"testing"
	"time"

	"github.com/entwine-go/entwine/kit/gid"
	"github.com/entwine-go/entwine/migrate/migratetest"

	"github.com/entwine-go/entwine/ent"
	"github.com/entwine-go/entwine/ent/order"
	"github.com/entwine-go/entwine/ent/orm"
	"github.com/entwine-go/entwine/ent/typedid"
	"github.com/entwine-go/entwine/internal/checkout"
	"github.com/entwine-go/entwine/internal/invoicing"
	"github.com/entwine-go/entwine/internal/rows"
	"github.com/entwine-go/entwine/kit/jobs"
	"github.com/entwine-go/entwine/kit/payments"
	"github.com/entwine-go/entwine/kit/pubsub"
	"github.com/entwine-go/entwine/kit/store"
	"github.com/entwine-go/entwine/kit/viewer"
	"github.com/entwine-go/entwine/kit/write"
)

// shop is a cashier over a database of the test's own, and some customers.
type shop struct {
	*testing.T
	*checkout.Cashier
	ent    *ent.Client
	system context.Context
	ada    context.Context
	bob    context.Context
	admin  context.Context
	adaID  typedid.UserID
}

// open runs the test on both databases.
func open(t *testing.T, test func(s *shop)) {
	t.Parallel()
	migratetest.Each(t, func(t *testing.T, db *store.DB) { test(newShop(t, db)) })
}

func newShop(t *testing.T, db *store.DB) *shop {
	transport := jobs.Embed()
	t.Cleanup(func() { _ = transport.Close() })
	log := slog.New(slog.NewTextHandler(t.Output(), nil))
	sandbox := &payments.Sandbox{DB: db, Delay: time.Millisecond}
	s := &shop{T: t, ent: orm.Client(db), system: viewer.With(t.Context(), viewer.System()), Cashier: &checkout.Cashier{
		DB: db, Ent: orm.Client(db), Gateway: sandbox, Log: log, Invoices: &invoicing.Issuer{DB: db}, Together: -1,
		Jobs: &jobs.Client{DB: db, Bell: jobs.NewBell(transport), Bus: new(pubsub.Memory), Log: log},
	}}
	sandbox.Notify = func(ctx context.Context, key string) { s.must(s.Hear(ctx, key)) }
	s.adaID, s.ada = s.person("ada", "user")
	_, s.bob = s.person("bob", "user")
	_, s.admin = s.person("grace", viewer.Admin)
	return s
}

func (s *shop) person(name string, role viewer.Role) (typedid.UserID, context.Context) {
	u, err := s.ent.User.Create().SetName(name + " " + name).SetEmail(name + "@example.com").Save(s.system)
	s.must(err)
	return u.ID, viewer.With(s.Context(), &viewer.Viewer{UserID: int64(u.ID), Role: role})
}

func (s *shop) must(err error) {
	s.Helper()
	if err != nil {
		s.Fatal(err)
	}
}

// act does to the row what is declared of it, as the APIs do: where the method
// touches nothing, the engine says why.
func (s *shop) act(ctx context.Context, of *write.Entity, id int64, verb string, method func(context.Context) error) error {
	a := *of.Action(verb)
	a.Input, a.Run = nil, func(ctx context.Context, _ any, _ gid.ID, _ write.Values) (write.Result, error) {
		return write.Result{}, method(ctx)
	}
	engine := rows.Engine(s.DB)
	engine.Methods = struct{}{} // the method needs none
	_, err := engine.Act(ctx, write.Call{Entity: of, ID: gid.Int(id)}, &a)
	return err
}

// PayOrder is the cashier's, as the APIs call it. So are the others.
func (s *shop) PayOrder(ctx context.Context, id int64) (r checkout.Receipt, err error) {
	err = s.act(ctx, rows.Order, id, "pay", func(ctx context.Context) (err error) {
		r, err = s.Cashier.PayOrder(ctx, id)
		return err
	})
	return r, err
}

func (s *shop) Cancel(ctx context.Context, id int64) error {
	return s.act(ctx, rows.Order, id, "cancel", func(ctx context.Context) error {
		_, err := checkout.Orders{Cashier: s.Cashier}.Cancel(ctx, id)
		return err
	})
}

func (s *shop) Refund(ctx context.Context, id int64, back checkout.Return) (r checkout.Receipt, err error) {
	err = s.act(ctx, rows.Order, id, "refund", func(ctx context.Context) (err error) {
		r, err = s.Cashier.Refund(ctx, id, back)
		return err
	})
	return r, err
}

func (s *shop) RefundPayment(ctx context.Context, id int64, back checkout.Return) (r checkout.Receipt, err error) {
	err = s.act(ctx, rows.Payment, id, "refund", func(ctx context.Context) (err error) {
		r, err = s.Cashier.RefundPayment(ctx, id, back)
		return err
	})
	return r, err
}

// back asks for an amount in minor units.
func back(minor int64) checkout.Return { return checkout.Return{Amount: &minor} }

// product sells something at a price in minor units.
func (s *shop) product(name string, price, stock int64) int64 {
	s.Helper()
	p, err := s.ent.Product.Create().SetName(name).SetPrice(price).SetStock(stock).Save(s.system)
	s.must(err)
	return int64(p.ID)
}

// order is one by ada for something at the price.
func (s *shop) order(price int64) int64 {
	s.Helper()
	id, err := s.Place(s.ada, []checkout.Item{{ProductID: s.product("Lamp", price, 5), Quantity: 1}})
	s.must(err)
	return id
}

func (s *shop) state(id int64) order.Status {
	s.Helper()
	return s.ent.Order.GetX(s.system, typedid.OrderID(id)).Status
}

func (s *shop) stock(product int64) int64 {
	s.Helper()
	return *s.ent.Product.GetX(s.system, typedid.ProductID(product)).Stock
}
