package checkout

import (
	"context"
	"fmt"

	"github.com/entwine-go/entwine/ent/order"
	"github.com/entwine-go/entwine/ent/orm"
	"github.com/entwine-go/entwine/ent/typedid"
	"github.com/entwine-go/entwine/kit/policy"
	"github.com/entwine-go/entwine/kit/runtime/store"
)

// Cancel ends an order that nobody has paid, and gives its products back.
func (c *Cashier) Cancel(ctx context.Context, id int64) error {
	return c.DB.InTx(ctx, func(ctx context.Context) error {
		n, err := orm.Client(c.DB).Order.Update().
			Where(order.ID(typedid.OrderID(id)), order.StatusIn(from(Cancel)...)).
			SetStatus(order.StatusCancelled).SetClosedAt(store.Time(c.now())).AddVersion(1).
			Save(policy.As(ctx, "cancel"))
		if err != nil {
			return fmt.Errorf("cancel order %d: %w", id, err)
		}
		if n == 0 {
			return c.refused(ctx, id, Cancel)
		}
		return giveBack(ctx, c.DB, []orderID{{id}})
	})
}
