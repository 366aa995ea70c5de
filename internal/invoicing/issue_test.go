package invoicing_test

import (
	"context"
	"errors"
	"reflect"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/entwine-go/entwine/migrate/migratetest"

	"github.com/entwine-go/entwine/ent"
	"github.com/entwine-go/entwine/ent/invoice"
	"github.com/entwine-go/entwine/ent/orm"
	"github.com/entwine-go/entwine/internal/invoicing"
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
	placed := o.c.Order.Create().SetStatus("paid").SetPaidAt(store.Time(time.Now())).SetTotal(4597).SetCurrency("USD").SetUserID(o.customer.ID).SaveX(o.ctx)
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
			o.issue() // for whom does not matter
		}
		o.c.User.UpdateOne(o.customer).SetName("Countess of Lovelace").SetEmail("countess@example.com").ExecX(o.ctx)
		o.issuer.Seller.Name = "Difference Engines Ltd"
		o.issue()
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
		o.order()
		o.c.User.DeleteOne(o.customer).ExecX(o.ctx)
		o.issue()
		if i := o.c.Invoice.Query().OnlyX(o.ctx); i.CustomerName != "removed customer" || i.CustomerEmail != "" || i.UserID != nil {
			o.Errorf("the invoice is %+v", i)
		}
	})
}

func TestOnlyWhatIsPaidIsBilled(t *testing.T) {
	each(t, func(o *office) {
		o.c.Order.Create().SetTotal(4597).SetCurrency("USD").SetUserID(o.customer.ID).ExecX(o.ctx)
		if billed := o.issue(); billed != nil {
			o.Errorf("billed %v", billed)
		}
		before := o.order()
		if billed, err := o.issuer.Issue(o.ctx, store.Time(time.Now()), 10); err != nil || billed != nil {
			o.Errorf("order %d was paid before: billed %v, %v", before, billed, err)
		}
	})
}

// Numbers are in the order of the payments, at most so many at once.
func TestNumbersFollowThePayments(t *testing.T) {
	each(t, func(o *office) {
		var orders []int64
		for range 5 {
			orders = append(orders, o.order())
		}
		var billed []int64
		for range 3 {
			some, err := o.issuer.Issue(o.ctx, time.Time{}, 2)
			if err != nil {
				o.Fatal(err)
			}
			billed = append(billed, some...)
		}
		if !slices.Equal(billed, orders) {
			o.Errorf("billed %v, want %v", billed, orders)
		}
		for n, i := range o.c.Invoice.Query().Order(invoice.ByNumber()).AllX(o.ctx) {
			if int64(i.OrderID) != orders[n] {
				o.Errorf("invoice %d is of order %d, want %d", i.Number, i.OrderID, orders[n])
			}
		}
	})
}

// However many bill at once, some of them in vain, every paid order has one invoice and
// there is no gap.
func TestNumbersHaveNoGaps(t *testing.T) {
	each(t, func(o *office) {
		const paid = 50
		undone := errors.New("undone")
		var all sync.WaitGroup
		for n := range paid {
			o.order()
			all.Go(func() {
				after := error(nil)
				if n%5 == 4 {
					after = undone
				}
				err := o.db.InTx(o.ctx, func(ctx context.Context) error {
					_, err := o.issuer.Issue(ctx, time.Time{}, 10)
					return errors.Join(err, after)
				})
				if !errors.Is(err, after) {
					o.Errorf("bill: %v, want %v", err, after)
				}
			})
		}
		all.Wait()
		for o.issue() != nil {
		}
		if got := o.numbers(); !reflect.DeepEqual(got, upTo(paid)) {
			o.Errorf("the numbers are %v, want 1 to %d", got, paid)
		}
	})
}

// issue bills what is paid.
func (o *office) issue() []int64 {
	o.Helper()
	var billed []int64
	err := o.db.InTx(o.Context(), func(ctx context.Context) (err error) {
		billed, err = o.issuer.Issue(ctx, time.Time{}, 100)
		return err
	})
	if err != nil {
		o.Fatal(err)
	}
	return billed
}
