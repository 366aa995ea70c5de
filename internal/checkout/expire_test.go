package checkout_test

import (
	"context"
	"sync"
	"testing"
	"time"

	"github.com/entwine-go/entwine/migrate/migratetest"

	"github.com/entwine-go/entwine/ent/order"
	"github.com/entwine-go/entwine/ent/orm"
	"github.com/entwine-go/entwine/internal/checkout"
	"github.com/entwine-go/entwine/kit/store"
	"github.com/entwine-go/entwine/kit/viewer"
)

// However many expire orders at once, each order gives its stock back once.
func TestOrdersExpireOnce(t *testing.T) {
	t.Parallel()
	migratetest.Each(t, func(t *testing.T, db *store.DB) {
		ctx, c := viewer.With(t.Context(), viewer.System()), orm.Client(db)
		lamp := c.Product.Create().SetName("Lamp").SetPrice(1999).SetStock(0).SaveX(ctx)
		const late = 130 // more than go in one transaction
		place := func(status order.Status, expires time.Time) {
			o := c.Order.Create().SetStatus(status).SetTotal(1999).SetCurrency("USD").SetExpiresAt(store.Time(expires)).SaveX(ctx)
			c.OrderItem.Create().SetOrderID(o.ID).SetProductID(lamp.ID).SetName("Lamp").SetPrice(1999).SetQuantity(2).SetTotal(3998).SetCurrency("USD").ExecX(ctx)
		}
		past := time.Now().Add(-time.Minute)
		for range late {
			place(order.StatusPending, past)
		}
		place(order.StatusPending, time.Now().Add(time.Hour))
		place(order.StatusProcessing, past)
		place(order.StatusCancelled, past)
		var all sync.WaitGroup
		for range 4 {
			all.Go(func() { drain(ctx, t, &checkout.Expirer{DB: db}) })
		}
		all.Wait()
		drain(ctx, t, &checkout.Expirer{DB: db}) // what others had locked
		if n := c.Order.Query().Where(order.StatusEQ(order.StatusExpired), order.ClosedAtNotNil(), order.Version(2)).CountX(ctx); n != late {
			t.Errorf("%d orders have expired, want %d", n, late)
		}
		if p := c.Product.GetX(ctx, lamp.ID); p.Stock == nil || *p.Stock != 2*late || !p.InStock {
			t.Errorf("the stock is %v, want %d", p, 2*late)
		}
	})
}

func drain(ctx context.Context, t *testing.T, e *checkout.Expirer) {
	for {
		n, err := e.Expire(ctx)
		if err != nil {
			t.Error(err)
		}
		if n == 0 {
			return
		}
	}
}
