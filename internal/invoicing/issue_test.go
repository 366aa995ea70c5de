package invoicing_test

import (
	"context"
	"errors"
	"reflect"
	"sync"
	"testing"

	"github.com/entwine-go/entwine/migrate/migratetest"

	"github.com/entwine-go/entwine/ent"
	"github.com/entwine-go/entwine/ent/invoice"
	"github.com/entwine-go/entwine/ent/orm"
	"github.com/entwine-go/entwine/internal/invoicing"
	"github.com/entwine-go/entwine/kit/problem"
	"github.com/entwine-go/entwine/kit/store"
	"github.com/entwine-go/entwine/kit/viewer"
	"github.com/entwine-go/entwine/schema"
)

// office is a database with a customer, and who bills.
type office struct {
	*testing.T
	ctx      context.Context
	db       *store.DB
	c        *ent.Client
	issuer   *invoicing.Issuer
	customer *ent.User
}

func each(t *testing.T, test func(o *office)) {
	t.Parallel()
	migratetest.Each(t, func(t *testing.T, db *store.DB) {
		ctx, c := viewer.With(t.Context(), viewer.System()), orm.Client(db)
		ada := c.User.Create().SetName("Ada Lovelace").SetEmail("ada@example.com").SaveX(ctx)
		test(&office{T: t, ctx: ctx, db: db, c: c, issuer: &invoicing.Issuer{DB: db, Seller: engines}, customer: ada})
	})
}

// engines sells.
var engines = invoicing.Seller{Name: "Analytical Engines Ltd", Address: []string{"1 Analytical Row", "London"}, TaxID: "GB123456789", Email: "billing@example.com"}

// order places an order of two lines that is paid.
func (o *office) order() int64 {
	o.Helper()
	placed := o.c.Order.Create().SetStatus("paid").SetTotal(4597).SetCurrency("USD").SetUserID(o.customer.ID).SaveX(o.ctx)
	for _, l := range lines {
		o.c.OrderItem.Create().SetOrderID(placed.ID).SetName(l.Name).SetPrice(l.Price).SetQuantity(l.Quantity).
			SetTotal(l.Total).SetCurrency("USD").ExecX(o.ctx)
	}
	return int64(placed.ID)
}

var lines = []schema.InvoiceLine{
	{Name: "Slide rule", Quantity: 2, Price: 1999, Total: 3998},
	{Name: "Tea", Quantity: 1, Price: 599, Total: 599},
}

// numbers returns the numbers that were given, in order.
func (o *office) numbers() []int64 {
	o.Helper()
	var numbers []int64
	for _, i := range o.c.Invoice.Query().Order(invoice.ByNumber()).AllX(o.ctx) {
		numbers = append(numbers, i.Number)
	}
	return numbers
}

func upTo(n int) []int64 {
	numbers := make([]int64, n)
	for i := range numbers {
		numbers[i] = int64(i + 1)
	}
	return numbers
}

func TestAnInvoiceIsACopy(t *testing.T) {
	each(t, func(o *office) {
		id := o.order()
		for range 2 {
			if err := o.issuer.Issue(o.Context(), id); err != nil { // for whom does not matter
				o.Fatal(err)
			}
		}
		o.c.User.UpdateOne(o.customer).SetName("Countess of Lovelace").SetEmail("countess@example.com").ExecX(o.ctx)
		o.issuer.Seller.Name = "Difference Engines Ltd"
		if err := o.issuer.Issue(o.Context(), id); err != nil {
			o.Fatal(err)
		}
		i := o.c.Invoice.Query().OnlyX(o.ctx)
		if i.SellerName != engines.Name || i.SellerAddress != "1 Analytical Row\nLondon" || i.SellerTaxID != engines.TaxID || i.SellerEmail != engines.Email {
			o.Errorf("the invoice names as the seller %q, %q, %q, %q", i.SellerName, i.SellerAddress, i.SellerTaxID, i.SellerEmail)
		}
		if i.Number != 1 || i.CustomerName != "Ada Lovelace" || i.CustomerEmail != "ada@example.com" ||
			i.Subtotal != 4597 || i.Total != 4597 || i.Currency != "USD" || int64(i.OrderID) != id || !reflect.DeepEqual(i.Lines, lines) {
			o.Errorf("the invoice is %+v", i)
		}
	})
}

func TestARemovedCustomerIsBilledAsSuch(t *testing.T) {
	each(t, func(o *office) {
		id := o.order()
		o.c.User.DeleteOne(o.customer).ExecX(o.ctx)
		if err := o.issuer.Issue(o.ctx, id); err != nil {
			o.Fatal(err)
		}
		if i := o.c.Invoice.Query().OnlyX(o.ctx); i.CustomerName != "removed customer" || i.CustomerEmail != "" || i.UserID != nil {
			o.Errorf("the invoice is %+v", i)
		}
	})
}

func TestThereIsNothingToBill(t *testing.T) {
	each(t, func(o *office) {
		if err := o.issuer.Issue(o.ctx, 404); problem.KindOf(err) != problem.NotFound {
			o.Errorf("an absent order: %v, want not found", err)
		}
	})
}

// However many orders are paid at once, some of them in vain and some of them
// twice, every invoice has a number of its own and there is no gap.
func TestNumbersHaveNoGaps(t *testing.T) {
	each(t, func(o *office) {
		const paid = 50
		declined := errors.New("declined")
		var all sync.WaitGroup
		for n := range paid {
			id := o.order()
			fails := n%5 == 4
			if fails {
				all.Go(func() { o.pay(id, declined) })
			}
			for range 1 + n%2 {
				all.Go(func() { o.pay(id, nil) })
			}
		}
		all.Wait()
		if got := o.numbers(); !reflect.DeepEqual(got, upTo(paid)) {
			o.Errorf("the numbers are %v, want 1 to %d", got, paid)
		}
	})
}

// pay bills the order in a transaction of which that is a part, and which
// fails afterwards with the error.
func (o *office) pay(id int64, after error) {
	err := o.db.InTx(o.ctx, func(ctx context.Context) error {
		if err := o.issuer.Issue(ctx, id); err != nil {
			return err
		}
		return after
	})
	if !errors.Is(err, after) {
		o.Errorf("pay order %d: %v, want %v", id, err, after)
	}
}
