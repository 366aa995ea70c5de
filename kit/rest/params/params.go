// Package params reads the query parameters of a REST request on the rows of an
// entity: fields and expand, filters, search, sort and paging, arguments of computed
// values.
//
// It makes a [read.Selection] and a [read.Query] of them, as the viewer may ask and as
// a version of the API names things, and reports whatever is wrong with any of them at
// once. Reading is left to package read, headers and paths to package handler.
package params

import (
	"context"
	"net/url"

	"github.com/entwine-go/entwine/kit/entity"
	"github.com/entwine-go/entwine/kit/problem"
	"github.com/entwine-go/entwine/kit/read"
	"github.com/entwine-go/entwine/kit/viewer"
)

// Mode is how a REST listing is paged.
type Mode uint8

// The modes (doc/api/pagination.md).
const (
	ByOffset Mode = iota
	ByCursor
	ByKeyset
)

// Params has the parsed query parameters of a REST read.
type Params struct {
	Selection *read.Selection
	Query     read.Query
	Mode      Mode
	// Page counts from 1, in ByOffset.
	Page int
	// All is set where all rows are asked for, limit=all: the query is for the first
	// batch of them, and each next one begins behind the cursor of the one before.
	All bool

	asked int // what the filters cost that are the client's: see [Params.Scans]
}

// Options are the parameters that a path adds to those of its entity.
type Options struct {
	// Base is where the paths of this version begin, for links: "/api/v1".
	Base string
	// Names are those of the version, in parameters and in what is shown: nil
	// for the first.
	Names *read.Names
	// Scope restricts the rows to those below the path's parent.
	Scope read.Filter
	// Single reads one row: only fields, expand and include_deleted are allowed.
	Single bool
	// Plain allows only fields, expand and paging by page or cursor.
	Plain bool
	// Written shows rows that one request writes together: only fields and what
	// Elsewhere names are allowed, since what an edge leads to is not bounded there.
	Written bool
	// Filters are parameters of this path alone, by name.
	Filters map[string]func(value string) (read.Filter, error)
	// Sort is the order of a request that does not choose one, the entity's
	// own if empty.
	Sort []entity.Term
	// Mode is the paging of a request that does not choose one.
	Mode Mode
	// All says that the list can be asked for as a whole.
	All bool
	// Elsewhere names parameters that others read, each of which is given once.
	Elsewhere []string
}

// Parse reads the query parameters of a REST request for the viewer of the
// context. All faults are reported together, as 400.
func Parse(ctx context.Context, e *entity.Entity, values url.Values, opt Options) (*Params, error) {
	v := viewer.From(ctx)
	if len(values) == 0 {
		return plainParams(e, v, opt), nil
	}
	p := &parser{
		entity: e, viewer: v, opt: opt, values: values,
		params: &Params{Mode: opt.Mode, Page: 1, Query: read.Query{Sort: opt.Sort, Page: read.Page{Limit: e.Limit, Cursors: opt.Mode != ByOffset}}},
	}
	p.translate()
	p.read()
	if p.forbidden != nil && len(p.details) == 0 {
		return nil, p.forbidden
	}
	if err := problem.Inputs(p.details...); err != nil {
		return nil, err
	}
	return p.params, nil
}

// plainParams is the answer to a request without parameters.
func plainParams(e *entity.Entity, v *viewer.Viewer, opt Options) *Params {
	p := &Params{
		Selection: whole(e, v, opt), Mode: opt.Mode, Page: 1,
		Query: read.Query{Where: opt.Scope, Sort: opt.Sort, Page: read.Page{Limit: e.Limit, Cursors: opt.Mode != ByOffset, Total: opt.Mode == ByOffset}},
	}
	if opt.Single {
		p.Query.Page = read.Page{Limit: 1}
	}
	return p
}

// whole selects what a request shows that does not choose.
func whole(e *entity.Entity, v *viewer.Viewer, opt Options) *read.Selection {
	if opt.Single {
		return read.WholeAs(e, v, opt.Names)
	}
	return read.WholeOfMany(e, v, opt.Names)
}

// Scans estimates the rows that the database reads for a listing beside those in
// the answer: for its total, and for the client's filters.
func (p *Params) Scans() int {
	sum := p.asked
	if p.Query.Page.Total {
		sum += read.TotalCost
	}
	for _, t := range p.Query.Sort {
		if t.Field.Computed != nil {
			sum += read.CalcCost
		}
	}
	return sum
}
