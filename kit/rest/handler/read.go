package handler

import (
	"context"
	"net/http"
	"net/url"

	"github.com/entwine-go/entwine/kit/entity"
	"github.com/entwine-go/entwine/kit/read"
	"github.com/entwine-go/entwine/kit/rest/apiversion"
	"github.com/entwine-go/entwine/kit/rest/negotiate"
	"github.com/entwine-go/entwine/kit/rest/params"
)

// List answers with a page of the rows that the viewer can read. scope, where
// it is not nil, are the rows below the path's parent.
func (d *Door) List(ctx context.Context, w http.ResponseWriter, r *Resource, scope read.Filter) error {
	return d.ListWith(ctx, w, r, params.Options{Scope: scope})
}

// ListWith is [Door.List] for a path with parameters of its own.
func (d *Door) ListWith(ctx context.Context, w http.ResponseWriter, r *Resource, opt params.Options) error {
	x := From(ctx)
	if err := x.Admit(ctx, r.Entity); err != nil {
		return err
	}
	values := x.Request.URL.Query()
	opt.Base, opt.Names = x.Base, x.Version.Names
	if x.Media == negotiate.Events {
		return d.follow(ctx, w, r, opt)
	}
	opt.All = negotiate.IsCSV(x.Media) || x.Media == negotiate.NDJSON
	p, err := params.Parse(ctx, r.Entity, values, opt)
	if err != nil {
		return err
	}
	if err := Charge(ctx, p.Scans()); err != nil {
		return err
	}
	if p.All {
		return d.stream(ctx, w, r, p)
	}
	b := newBuffer()
	defer b.release()
	var list apiversion.List
	b.bytes, list = x.Version.BeginList(b.bytes, r.Entity)
	dst, info, err := d.Reader.Page(ctx, b.bytes, p.Selection, p.Query)
	if err != nil {
		return err
	}
	l := newLinks(x, values, p, info)
	dst = append(list.End(dst, info.Count), `,"pagination":`...)
	dst = appendPagination(dst, x.Version, p, info)
	dst = append(dst, `,"links":`...)
	dst = l.appendJSON(dst)
	dst = append(dst, '}')
	b.bytes = dst
	if negotiate.IsCSV(x.Media) {
		x.Columns = p.Selection.Columns()
	}
	return x.Answer(w, Answer{Body: b.bytes, Cache: r.Cache, Link: l.header()})
}

// Search answers with a page of the rows that the parameters ask for, which
// the body of the request has said: so there are no links to other pages.
func (d *Door) Search(ctx context.Context, w http.ResponseWriter, r *Resource, values url.Values) error {
	x := From(ctx)
	p, err := params.Parse(ctx, r.Entity, values, params.Options{Base: x.Base, Names: x.Version.Names})
	if err != nil {
		return err
	}
	if err := Charge(ctx, p.Scans()); err != nil {
		return err
	}
	b := newBuffer()
	defer b.release()
	dst, list := x.Version.BeginList(b.bytes, r.Entity)
	dst, info, err := d.Reader.Page(ctx, dst, p.Selection, p.Query)
	if err != nil {
		return err
	}
	dst = append(list.End(dst, info.Count), `,"pagination":`...)
	b.bytes = append(appendPagination(dst, x.Version, p, info), '}')
	return x.Answer(w, Answer{Body: b.bytes})
}

// Read answers with the row that the filter admits.
func (d *Door) Read(ctx context.Context, w http.ResponseWriter, r *Resource, where read.Filter) error {
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
func (d *Door) shape(ctx context.Context, r *Resource) (*params.Params, error) {
	x := From(ctx)
	return params.Parse(ctx, r.Entity, x.Request.URL.Query(), params.Options{Single: true, Base: x.Base, Names: x.Version.Names})
}

// item writes the envelope of the row into the buffer, and returns its version
// and when it was last changed, where that is known.
func (d *Door) item(ctx context.Context, b *buffer, e *entity.Entity, p *params.Params, where read.Filter) (read.Info, error) {
	v := From(ctx).Version
	dst, info, err := d.Reader.One(ctx, v.BeginItem(b.bytes[:0], e), p.Selection, where, p.Query.Deleted)
	if err != nil {
		return info, err
	}
	if info.Count == 0 {
		return info, read.NotFound(e)
	}
	dst = append(dst, v.EndItem()...)
	b.bytes = dst
	return info, nil
}
