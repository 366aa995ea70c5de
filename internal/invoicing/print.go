package invoicing

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"path"
	"strconv"

	"github.com/entwine-go/entwine/ent"
	entinvoice "github.com/entwine-go/entwine/ent/invoice"
	"github.com/entwine-go/entwine/ent/order"
	"github.com/entwine-go/entwine/ent/orm"
	"github.com/entwine-go/entwine/ent/typedid"
	"github.com/entwine-go/entwine/kit/files"
	"github.com/entwine-go/entwine/kit/mail"
	"github.com/entwine-go/entwine/kit/problem"
	"github.com/entwine-go/entwine/kit/store"
	"github.com/entwine-go/entwine/kit/viewer"
)

// Printer prints invoices, each into a file that is the invoice's.
type Printer struct {
	DB    *store.DB
	Files *files.Keeper
}

// MediaType is the media type of printed invoices.
const MediaType = "application/pdf"

// tries is how often an invoice is printed at most that changes meanwhile.
const tries = 5

// errChanged is the cause where another has printed the invoice, or it says something else by now.
var errChanged = errors.New("the invoice has changed")

// Print returns the printed invoice of an order, if the viewer can read it and there is one: else
// it is [problem.NotFound]. It is printed the first time, and again when the order was paid back or
// the customer's data have left. Of several who print it at once one is kept.
func (p *Printer) Print(ctx context.Context, orderID int64) (*files.File, error) {
	for range tries {
		i, err := p.read(ctx, orderID)
		if store.IsNotFound(err) {
			return nil, problem.New(problem.NotFound, "invoice not found")
		}
		if err != nil {
			return nil, fmt.Errorf("read invoice of order %d: %w", orderID, err)
		}
		f, err := p.file(ctx, i)
		if !errors.Is(err, errChanged) {
			return f, err
		}
	}
	return nil, problem.New(problem.Unavailable, "the invoice changes too often to be printed: try again")
}

// Attachment is the printed invoice of an order for a mail, with the bytes that [Printer.Print] would keep.
// It is kept nowhere: a file that few ask for would cost every paid order two commits.
func (p *Printer) Attachment(ctx context.Context, orderID int64) (a mail.Attachment, err error) {
	i, err := p.read(ctx, orderID)
	if store.IsNotFound(err) {
		return a, problem.New(problem.NotFound, "invoice not found")
	}
	if err != nil {
		return a, fmt.Errorf("read invoice of order %d: %w", orderID, err)
	}
	pdf, err := render(i)
	if err != nil {
		return a, fmt.Errorf("print invoice %d: %w", i.Number, err)
	}
	return mail.Attachment{
		Name: i.name(), MediaType: MediaType, Size: int64(len(pdf)),
		Open: func(context.Context) (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(pdf)), nil },
	}, nil
}

// file is the invoice's file, which is made where there is none of what it says now.
func (p *Printer) file(ctx context.Context, i *invoice) (*files.File, error) {
	if i.Document != nil && i.DocumentOf == i.standing() {
		f, err := p.Files.Find(ctx, path.Base(*i.Document))
		if problem.KindOf(err) == problem.NotFound { // another has printed it since it was read
			return nil, errChanged
		}
		return f, err
	}
	pdf, err := render(i)
	if err != nil {
		return nil, fmt.Errorf("print invoice %d: %w", i.Number, err)
	}
	target, known := p.Files.Issued(entinvoice.Table, entinvoice.FieldDocument)
	if !known {
		return nil, errors.New("print an invoice: its files are kept nowhere")
	}
	d, err := p.Files.Draft()
	if err != nil {
		return nil, err
	}
	defer d.Discard()
	if _, err := d.Write(pdf); err != nil {
		return nil, err
	}
	issue := files.Issue{Target: target, Name: i.name(), MediaType: MediaType}
	return p.Files.Issue(viewer.With(ctx, viewer.System()), issue, d, func(ctx context.Context, f *files.File, record func(context.Context) error) error {
		return p.DB.InTx(ctx, func(ctx context.Context) error {
			if err := record(ctx); err != nil {
				return err
			}
			return p.attach(ctx, i, f)
		})
	})
}

// attach has the invoice have the file, if it still says what is printed.
func (p *Printer) attach(ctx context.Context, i *invoice, f *files.File) error {
	was := entinvoice.DocumentIsNil()
	if i.Document != nil {
		was = entinvoice.Document(*i.Document)
	}
	n, err := orm.Client(p.DB).Invoice.Update().
		Where(entinvoice.ID(i.ID), was, entinvoice.CustomerName(i.CustomerName), entinvoice.CustomerEmail(i.CustomerEmail)).
		SetDocument(f.Address).SetDocumentOf(i.standing()).Save(ctx)
	if err != nil {
		return fmt.Errorf("keep the print of invoice %d: %w", i.Number, err)
	}
	if n == 0 {
		return errChanged
	}
	return nil
}

// invoice is a printed invoice.
type invoice struct {
	*ent.Invoice
	// orderStatus is empty where the viewer can't read the order.
	orderStatus order.Status
}

// name is the name of the file.
func (i *invoice) name() string { return "invoice-" + strconv.FormatInt(i.Number, 10) + ".pdf" }

// standing is where the order stands, as far as a print shows it.
func (i *invoice) standing() string {
	switch i.orderStatus {
	case order.StatusPartiallyRefunded:
		return "Partially refunded"
	case order.StatusRefunded:
		return "Refunded"
	}
	return "Paid"
}

func (p *Printer) read(ctx context.Context, orderID int64) (*invoice, error) {
	i, err := orm.Client(p.DB).Invoice.Query().Where(entinvoice.OrderID(typedid.OrderID(orderID))).WithOrder().Only(ctx)
	if err != nil {
		return nil, err
	}
	printed := &invoice{Invoice: i}
	if i.Edges.Order != nil {
		printed.orderStatus = i.Edges.Order.Status
	}
	return printed, nil
}
