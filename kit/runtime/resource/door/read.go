package door

import (
	"context"
	"net/http"
	"net/url"

	"github.com/entwine-go/entwine/kit/runtime/reading"
	"github.com/entwine-go/entwine/kit/runtime/resource/represent"
)

const start = `{"status":"success","data":`

// List answers with a page of the rows that the viewer can read. scope, where
// it is not nil, are the rows below the path's parent.
func (d *Door) List(ctx context.Context, w http.ResponseWriter, r *Resource, scope reading.Filter) error {
	return d.ListWith(ctx, w, r, reading.ParamOptions{Scope: scope})
}

// ListWith is [Door.List] for a path with parameters of its own.
func (d *Door) ListWith(ctx context.Context, w http.ResponseWriter, r *Resource, opt reading.ParamOptions) error {
	x := From(ctx)
	if err := x.Admit(ctx, r.Entity); err != nil {
		return err
	}
	values := x.Request.URL.Query()
	opt.Base = x.Base
	p, err := reading.ParseParams(ctx, r.Entity, values, opt)
	if err != nil {
		return err
	}
	if err := Charge(ctx, p.Scans()); err != nil {
		return err
	}
	b := newBuffer()
	defer b.release()
	b.bytes = append(b.bytes, start...)
	dst, info, err := d.Reader.Page(ctx, b.bytes, p.Selection, p.Query)
	if err != nil {
		return err
	}
	l := newLinks(x, values, p, info)
	dst = append(dst, `,"pagination":`...)
	dst = appendPagination(dst, p, info)
	dst = append(dst, `,"links":`...)
	dst = l.appendJSON(dst)
	dst = append(dst, '}')
	b.bytes = dst
	if represent.IsCSV(x.Media) {
		x.Columns = p.Selection.Columns()
	}
	return x.Answer(w, Answer{Body: b.bytes, Cache: r.Cache, Link: l.header()})
}

// Search answers with a page of the rows that the parameters ask for, which
// the body of the request has said: so there are no links to other pages.
func (d *Door) Search(ctx context.Context, w http.ResponseWriter, r *Resource, values url.Values) error {
	p, err := reading.ParseParams(ctx, r.Entity, values, reading.ParamOptions{Base: From(ctx).Base})
	if err != nil {
		return err
	}
	if err := Charge(ctx, p.Scans()); err != nil {
		return err
	}
	b := newBuffer()
	defer b.release()
	dst, info, err := d.Reader.Page(ctx, append(b.bytes, start...), p.Selection, p.Query)
	if err != nil {
		return err
	}
	b.bytes = append(appendPagination(append(dst, `,"pagination":`...), p, info), '}')
	return From(ctx).Answer(w, Answer{Body: b.bytes})
}

// Read answers with the row that the filter admits.
func (d *Door) Read(ctx context.Context, w http.ResponseWriter, r *Resource, where reading.Filter) error {
	x := From(ctx)
	if err := x.Admit(ctx, r.Entity); err != nil {
		return err
	}
	p, err := d.shape(ctx, r)
	if err != nil {
		return err
	}
	b := newBuffer()
	defer b.release()
	info, err := d.item(ctx, b, r.Entity, p, where)
	if err != nil {
		return err
	}
	return x.Answer(w, Answer{Body: b.bytes, Cache: r.Cache, Version: info.Version, Modified: info.Updated})
}

// shape reads the parameters that say how one item is shown.
func (d *Door) shape(ctx context.Context, r *Resource) (*reading.Params, error) {
	x := From(ctx)
	return reading.ParseParams(ctx, r.Entity, x.Request.URL.Query(), reading.ParamOptions{Single: true, Base: x.Base})
}

// item writes the envelope of the row into the buffer, and returns its version
// and when it was last changed, where that is known.
func (d *Door) item(ctx context.Context, b *buffer, e *reading.Entity, p *reading.Params, where reading.Filter) (reading.Info, error) {
	dst, info, err := d.Reader.One(ctx, append(b.bytes[:0], start...), p.Selection, where, p.Query.Deleted)
	if err != nil {
		return info, err
	}
	if info.Count == 0 {
		return info, reading.NotFound(e)
	}
	dst = append(dst, '}')
	b.bytes = dst
	return info, nil
}
