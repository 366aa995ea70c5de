package invoicing

import (
	"context"
	"fmt"
	"strconv"

	"github.com/entwine-go/entwine/ent"
	entinvoice "github.com/entwine-go/entwine/ent/invoice"
	"github.com/entwine-go/entwine/ent/order"
	"github.com/entwine-go/entwine/ent/typedid"
	"github.com/entwine-go/entwine/kit/problem"
	"github.com/entwine-go/entwine/kit/store"
)

// Printer prints invoices.
type Printer struct{ Ent *ent.Client }

// Document is a printed invoice.
type Document struct {
	// Name is the file's name.
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

// invoice is a printed invoice.
type invoice struct {
	*ent.Invoice
	// orderStatus is empty where the viewer can't read the order.
	orderStatus order.Status
}

func (p *Printer) read(ctx context.Context, orderID int64) (*invoice, error) {
	i, err := p.Ent.Invoice.Query().Where(entinvoice.OrderID(typedid.OrderID(orderID))).WithOrder().Only(ctx)
	if err != nil {
		return nil, err
	}
	printed := &invoice{Invoice: i}
	if i.Edges.Order != nil {
		printed.orderStatus = i.Edges.Order.Status
	}
	return printed, nil
}
