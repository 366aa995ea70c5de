package handler

import (
	"context"
	"net/http"
	"net/url"

	"github.com/entwine-go/entwine/kit/entity"
	"github.com/entwine-go/entwine/kit/gid"
	"github.com/entwine-go/entwine/kit/read"
	"github.com/entwine-go/entwine/kit/rest/params"
	"github.com/entwine-go/entwine/kit/viewer"
	"github.com/entwine-go/entwine/kit/write"
)

// Reading reads a row that is written, in the transaction of the write: a
// [write.Call] takes it.
type Reading = func(context.Context, write.Row) error

// Shape reads the parameters that say how one item is shown.
func (d *Door) Shape(ctx context.Context, r *Resource) (*params.Params, error) {
	return d.shape(ctx, r)
}

// Written is the result of a write.
type Written struct {
	write.Row
	// Pending is set where it is not decided yet: 202, to be asked again.
	Pending bool
	// Once are members that are shown this once.
	Once []Once
}

// Write answers with the row that do makes or changes: 201 and where it is
// for a new one, else 200. do reads the row, or returns it with the insert. The
// scope, where it is not nil, has to admit it, too: of a row that is shown that
// is known.
func (d *Door) Write(ctx context.Context, w http.ResponseWriter, r *Resource, shape *params.Params, scope read.Filter, do func(Reading, *write.Show) (Written, error)) error {
	b := newBuffer()
	defer b.release()
	var info read.Info
	x := From(ctx)
	show := &write.Show{Selection: shape.Selection, JSON: x.Version.BeginItem(b.bytes[:0], r.Entity)}
	row, err := do(func(ctx context.Context, row write.Row) (err error) {
		where := read.ByID(r.Entity, row.ID)
		if scope != nil {
			where = read.And{where, scope}
		}
		info, err = d.item(ctx, b, r.Entity, shape, where)
		return err
	}, show)
	if err != nil {
		return err
	}
	if show.Shown {
		show.JSON = append(show.JSON, x.Version.EndItem()...)
		b.bytes, info = show.JSON, show.Info
	}
	x.showed(r.Entity, row.ID)
	x.once = append(x.once, row.Once...)
	x.reveal(b)
	a := Answer{Body: b.bytes, Version: info.Version, Modified: info.Updated}
	if row.Made {
		a.Status, a.Location = http.StatusCreated, x.located(r, row.Row)
	}
	if row.Pending {
		a.Status = http.StatusAccepted
		w.Header().Set("Retry-After", "1")
	}
	return x.Answer(w, a)
}

// located is the path of a new row: its own, or the request's for the only row
// below its parent.
func (x *Exchange) located(r *Resource, row write.Row) string {
	switch {
	case !r.Located:
		return x.linked()
	case row.Key != "":
		return x.Base + "/" + r.Path + "/" + url.PathEscape(row.Key)
	}
	return x.Base + "/" + r.Path + "/" + x.Version.IDs.Segment(r.Name, row.ID)
}

// Remove answers that a row is deleted: 204, or 200 with the row as it was
// where the request prefers that. remove has it read.
func (d *Door) Remove(ctx context.Context, w http.ResponseWriter, r *Resource, remove func(Reading) error) error {
	x := From(ctx)
	x.Done = r.Singular + " deleted"
	if !x.prefers("return=representation") {
		if err := remove(nil); err != nil {
			return err
		}
		w.WriteHeader(http.StatusNoContent)
		return nil
	}
	b := newBuffer()
	defer b.release()
	err := remove(func(ctx context.Context, row write.Row) error {
		return d.last(ctx, b, r.Entity, row.ID, r.Rules.SoftDelete)
	})
	if err != nil {
		return err
	}
	w.Header().Set("Preference-Applied", "return=representation")
	return x.Answer(w, Answer{Body: b.bytes})
}

// last writes the envelope of a row that is about to be removed, or was hidden.
func (d *Door) last(ctx context.Context, b *buffer, e *entity.Entity, id gid.ID, deleted bool) error {
	p := &params.Params{Selection: read.WholeAs(e, viewer.From(ctx), From(ctx).Version.Names), Query: read.Query{Deleted: deleted}}
	if _, err := d.hidden().item(ctx, b, e, p, read.ByID(e, id)); err != nil {
		return err
	}
	b.bytes = append(b.bytes[:len(b.bytes)-1], `,"message":"`+e.Noun()+` deleted"}`...)
	return nil
}
