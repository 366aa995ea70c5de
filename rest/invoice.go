package rest

import (
	"context"
	"io"
	"net/http"

	"github.com/entwine-go/entwine/internal/entity"
	"github.com/entwine-go/entwine/internal/invoicing"
	"github.com/entwine-go/entwine/kit/problem"
	"github.com/entwine-go/entwine/kit/rest/handler"
)

// printInvoice answers with an invoice as PDF: GET /orders/{id}/invoice.
func (o *operations) printInvoice(ctx context.Context, w http.ResponseWriter) error {
	x := handler.From(ctx)
	order := x.PathID("id")
	if err := o.door.Parent(ctx, entity.Order, order); err != nil {
		return err
	}
	if o.Files == nil {
		return problem.New(problem.Unavailable, "files are not kept here")
	}
	if err := o.Cashier.BillAsked(ctx); err != nil {
		return err
	}
	f, err := (&invoicing.Printer{DB: o.DB, Files: o.Files}).Print(ctx, order.Int())
	if err != nil {
		return err
	}
	return x.File(ctx, w, handler.File{
		MediaType: f.MediaType, Name: f.Name, Size: f.Size, Tag: f.SHA256, Modified: f.CreatedAt,
		Open: func(ctx context.Context, offset, length int64) (io.ReadCloser, error) {
			return o.Files.Open(ctx, f, offset, length)
		},
	})
}
