package checkout

import (
	"context"
	"fmt"

	"github.com/entwine-go/entwine/internal/rows"
	"github.com/entwine-go/entwine/kit/gid"
	"github.com/entwine-go/entwine/kit/problem"
	"github.com/entwine-go/entwine/kit/write"
)

// Orders are the methods behind the actions of schema.Order.
type Orders struct{ *Cashier }

// Crowds are the actions that many do to one row at a time.
func Crowds() map[string]func(write.Values) string {
	return map[string]func(write.Values) string{"Order.create": wantedProduct}
}

// Asked bills the orders whose invoices are asked for.
func Asked(c *Cashier) map[string]func(context.Context) error {
	return map[string]func(context.Context) error{"Invoice": c.BillAsked}
}

// wantedProduct names the product where all items are of one, as those who want what
// has just come on sale order it: its row is locked from when the stock is taken until that
// is committed. Orders of several products lock them by themselves, in the order of their ids.
func wantedProduct(in write.Values) string {
	id := int64(0)
	for _, item := range write.Of[[]write.Values](in, "items") {
		switch of := write.Of[int64](item, "product_id"); id {
		case 0:
			id = of
		case of:
		default:
			return ""
		}
	}
	if id == 0 {
		return ""
	}
	return fmt.Sprintf("products %d", id)
}

// Create places an order.
func (o Orders) Create(ctx context.Context, in rows.OrderCreate) (write.Result, error) {
	var items []Item
	for _, item := range in.Items {
		items = append(items, Item(item))
	}
	id, err := o.place(ctx, items) // the action is a transaction: a savepoint in it would be one more to commit
	return write.Result{Row: write.Row{ID: gid.Int(id), Made: true}}, err
}

// Pay takes the money for the order.
func (o Orders) Pay(ctx context.Context, id int64) (write.Result, error) {
	r, err := o.PayOrder(ctx, id)
	return write.Result{Pending: r.Pending}, err
}

// Cancel gives the products of the order back, which is cancelled by now.
func (o Orders) Cancel(ctx context.Context, id int64) (write.Result, error) {
	return write.Result{}, giveBack(ctx, o.DB, []orderID{{id}})
}

// Refund pays back what was paid for the order.
func (o Orders) Refund(ctx context.Context, id int64, in rows.OrderRefund) (write.Result, error) {
	r, err := o.Cashier.Refund(ctx, id, Return{Amount: in.Amount, Reason: in.Reason, Restock: in.Restock})
	return write.Result{Pending: r.Pending}, err
}

// Payments are the methods behind the actions of schema.Payment.
type Payments struct{ *Cashier }

// Create takes money, for an order or alone.
func (p Payments) Create(ctx context.Context, in rows.PaymentRequest) (write.Result, error) {
	asked := Payment{Amount: in.Amount, Currency: in.Currency}
	if in.OrderID != nil {
		asked.OrderID = *in.OrderID
	}
	r, err := p.Cashier.Pay(ctx, asked)
	if err == nil && r.ID == 0 {
		err = problem.New(problem.Conflict, "the order costs nothing: pay the order itself")
	}
	return write.Result{Row: write.Row{ID: gid.Int(r.ID), Made: !r.Again, Found: r.Again}, Pending: r.Pending}, err
}

// Refund pays back of the payment.
func (p Payments) Refund(ctx context.Context, id int64, in rows.PaymentRefund) (write.Result, error) {
	r, err := p.RefundPayment(ctx, id, Return{Amount: in.Amount, Reason: in.Reason})
	return write.Result{Pending: r.Pending}, err
}
