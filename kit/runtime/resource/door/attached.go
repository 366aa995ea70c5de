package door

import (
	"context"
	"net/http"

	"github.com/entwine-go/entwine/kit/runtime/reading"
	"github.com/entwine-go/entwine/kit/runtime/writing"
)

// Attach answers with the row that something has been attached to: 201 where it
// was not attached before, else 200. attach has the row read.
func (d *Door) Attach(ctx context.Context, w http.ResponseWriter, r *Resource, shape *reading.Params, attach func(Reading) (writing.Row, error)) error {
	b := newBuffer()
	defer b.release()
	var info reading.Info
	row, err := attach(func(ctx context.Context, row writing.Row) (err error) {
		info, err = d.item(ctx, b, r.Entity, shape, reading.ByID(r.Entity, row.ID))
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
