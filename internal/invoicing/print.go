package invoicing

import (
	"context"
	"fmt"
	"strconv"
	"time"

	"entgo.io/ent/dialect/sql"

	"github.com/entwine-go/entwine/internal/rows"
	"github.com/entwine-go/entwine/kit/mutation"
	"github.com/entwine-go/entwine/kit/problem"
	"github.com/entwine-go/entwine/kit/store"
	"github.com/entwine-go/entwine/schema"
)

// Printer prints invoices.
type Printer struct{ DB *store.DB }

// Document is a printed invoice.
type Document struct {
	// Name is what the file is called.
	Name string
	PDF  []byte
}

// Print prints the invoice of an order, if the viewer can read it and there
// is one: else it is [problem.NotFound]. The same invoice is the same bytes,
// as long as the order stands where it does.
func (p *Printer) Print(ctx context.Context, orderID int64) (*Document, error) {
	i, err := p.read(ctx, orderID)
	if store.IsNotFound(err) {
		return nil, problem.New(problem.NotFound, "invoice not found")
	}
	if err != nil {
		return nil, fmt.Errorf("read invoice of order %d: %w", orderID, err)
	}
	pdf, err := render(i)
	if err != nil {
		return nil, fmt.Errorf("print invoice %d: %w", i.Number, err)
	}
	return &Document{Name: "invoice-" + strconv.FormatInt(i.Number, 10) + ".pdf", PDF: pdf}, nil
}

// invoice is what is printed.
type invoice struct {
	Number, OrderID                                     int64
	CustomerName, CustomerEmail                         string
	SellerName, SellerAddress, SellerTaxID, SellerEmail string
	Lines                                               []schema.InvoiceLine
	Subtotal, Total                                     int64
	Currency                                            string
	CreatedAt                                           time.Time
	// orderStatus is empty where the viewer can't read the order.
	orderStatus string
}

func (p *Printer) read(ctx context.Context, orderID int64) (*invoice, error) {
	r, err := rows.Invoice.Rows.Query(p.DB.Driver(), sql.FieldEQ("order_id", orderID)).Only(ctx)
	if err != nil {
		return nil, err
	}
	text := func(name string) string { return mutation.Get[string](r, name) }
	number := func(name string) int64 { return mutation.Get[int64](r, name) }
	i := &invoice{
		Number: number("number"), OrderID: orderID, CustomerName: text("customer_name"), CustomerEmail: text("customer_email"),
		SellerName: text("seller_name"), SellerAddress: text("seller_address"), SellerTaxID: text("seller_tax_id"), SellerEmail: text("seller_email"),
		Subtotal: number("subtotal"), Total: number("total"), Currency: text("currency"), CreatedAt: mutation.Get[time.Time](r, "created_at"),
	}
	if err := r.Decode("lines", &i.Lines); err != nil {
		return nil, err
	}
	order, err := rows.Order.Rows.Query(p.DB.Driver(), sql.FieldEQ("id", orderID)).Only(ctx)
	if err != nil && !store.IsNotFound(err) {
		return nil, err
	}
	if err == nil {
		i.orderStatus = mutation.Get[string](order, "status")
	}
	return i, nil
}
