package rest

import (
	"context"
	"io"
	"net/http"

	"github.com/entwine-go/entwine/ent/orm"
	"github.com/entwine-go/entwine/internal/entity"
	"github.com/entwine-go/entwine/internal/invoicing"
	"github.com/entwine-go/entwine/kit/rest/handler"
)

// printed is the media type of invoices to print.
const printed = "application/pdf"

// printInvoice answers with an invoice as PDF: GET /orders/{id}/invoice.
func (o *operations) printInvoice(ctx context.Context, w http.ResponseWriter) error {
	x := handler.From(ctx)
	order := x.PathID("id")
	if err := o.door.Parent(ctx, entity.Order, order); err != nil {
		return err
	}
	document, err := (&invoicing.Printer{Ent: orm.Client(o.DB)}).Print(ctx, order.Int())
	if err != nil {
		return err
	}
	return x.File(ctx, w, handler.File{
		MediaType: printed, Name: document.Name, Size: int64(len(document.PDF)), Tag: handler.Digest(document.PDF),
		Copy: func(_ context.Context, w io.Writer) error {
			_, err := w.Write(document.PDF)
			return err
		},
	})
}
