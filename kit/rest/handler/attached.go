package handler

import (
	"context"
	"net/http"

	"github.com/entwine-go/entwine/kit/read"
	"github.com/entwine-go/entwine/kit/rest/params"
	"github.com/entwine-go/entwine/kit/write"
)

// Attach answers with the row that something has been attached to: 201 where it
// was not attached before, else 200. attach has the row read.
func (d *Door) Attach(ctx context.Context, w http.ResponseWriter, r *Resource, shape *params.Params, attach func(Reading) (write.Row, error)) error {
	b := newBuffer()
	defer b.release()
	var info read.Info
	row, err := attach(func(ctx context.Context, row write.Row) (err error) {
		info, err = d.item(ctx, b, r.Entity, shape, read.ByID(r.Entity, row.ID))
		return err
	})
	if err != nil {
		return err
	}
	a := Answer{Body: b.bytes, Version: info.Version, Modified: info.Updated}
	if row.Made {
		a.Status = http.StatusCreated
	}
	return From(ctx).Answer(w, a)
}
