package rest

import (
	"context"
	"io"
	"net/http"

	"github.com/entwine-go/entwine/internal/entity"
	"github.com/entwine-go/entwine/internal/invoicing"
	"github.com/entwine-go/entwine/kit/runtime/resource/door"
	"github.com/entwine-go/entwine/rest/oas/server"
)

// printed is the media type of invoices to print.
const printed = "application/pdf"

// ReadInvoiceOfOrder answers with the invoice of an order, as a PDF where that
// is asked for: GET /orders/{id}/invoice.
func (o *operations) ReadInvoiceOfOrder(ctx context.Context, params server.ReadInvoiceOfOrderParams, w http.ResponseWriter) error {
	x := door.From(ctx)
	if x.Media != printed {
		return o.Invoice.ReadInvoiceOfOrder(ctx, params, w)
	}
	if err := o.Invoice.Door.Parent(ctx, entity.Order, params.ID); err != nil {
		return err
	}
	document, err := (&invoicing.Printer{Client: o.Invoice.Client}).Print(ctx, params.ID)
	if err != nil {
		return err
	}
	return x.File(ctx, w, door.File{
		MediaType: printed, Name: document.Name, Size: int64(len(document.PDF)), Tag: door.Digest(document.PDF),
		Copy: func(_ context.Context, w io.Writer) error {
			_, err := w.Write(document.PDF)
			return err
		},
	})
}
