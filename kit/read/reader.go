// Package read reads entities for both APIs: pages, cursors, sort,
// filters, search, expansion, counts.
//
// It is one package because a page, its total, its edges and its filters are parts of
// one SQL statement: they share the builder of that statement, and none of them is of
// use alone.
//
// A [Selection] has the fields that are read and their form in JSON, for either
// API; a [Query] selects the rows. A [Reader] runs it: one SQL statement for the
// page, its total and the rows that its to-one edges lead to, one for each edge to
// many and one for each total of these, whatever the number of rows, and appends
// JSON. The texts of the statements are constant for a shape of query, so that
// each is prepared once. Policies, field visibility and soft delete are part of
// every statement at every level.
//
// Package entity describes the entities. REST's query parameters are read by
// package rest/params, GraphQL's arguments by graph/plan.
package read

import (
	"context"
	"database/sql/driver"
	"fmt"
	"time"

	"github.com/entwine-go/entwine/kit/entity"
	"github.com/entwine-go/entwine/kit/gid"
	"github.com/entwine-go/entwine/kit/problem"
	"github.com/entwine-go/entwine/kit/store"
	"github.com/entwine-go/entwine/kit/viewer"
)

// Querier runs statements: a store.DB, which joins the transaction of the context, or
// its Reads, which replicas may answer. Each and EachSent call row with the values of
// each row. Estimate returns the database's estimate of its work. EachSent may return
// [store.ErrMoved].
type Querier interface {
	Each(ctx context.Context, text string, args []any, row func(values []driver.Value) error) error
	EachSent(ctx context.Context, text string, args []any, row func(values []driver.Value) error) error
	Estimate(ctx context.Context, table, text string, args []any) (store.Estimate, error)
}

// Reader reads for the viewer of the context.
type Reader struct {
	DB Querier
	// Dialect is the database's.
	Dialect store.Dialect
	// Asked are called before rows of an entity are read, by its name: they make rows that
	// are made when they are asked for.
	Asked map[string]func(ctx context.Context) error

	hidden bool // see Hidden
}

// Hidden returns a reader that reads soft-deleted rows whatever the rule of
// [policy.ReadDeleted] says, where it is asked for deleted ones: for the row of a
// write that its viewer has made, or is about to make.
func (r *Reader) Hidden() *Reader {
	hidden := *r
	hidden.hidden = true
	return &hidden
}

// Info describes a page that was written.
type Info struct {
	Count       int
	Total       int64 // where it was asked for, else -1
	AtLeast     bool  // there may be more than Total: see Page.Most
	HasNext     bool
	HasPrevious bool
	Start, End  string // the cursors of its ends, empty for an empty page
	// Before is the cursor that asks for the page before this one, empty on the first
	// page.
	Before string
	// Last holds the values of a keyset for the next page.
	Last *Keyset
	// Members counts the members of the objects that were written, at any depth,
	// and more for totals.
	Members int
	// Errors are fields that could not be shown, with their paths.
	Errors []PathError
	// Later has the deferred parts of the selection, nil without any.
	Later *Later
	// ID is that of the row that [Reader.Inserted] made.
	ID gid.ID
	// Version is that of the row that [Reader.One] wrote, 0 where it has none.
	Version int64
	// Updated is when the row that [Reader.One] wrote was last changed: the
	// zero time where that was not read, or where rows of others were too or
	// what follows from them: derived and tallied fields.
	Updated time.Time
}

// PathError is an error at a place of the written JSON.
type PathError struct {
	Path []any
	Err  error
}

// ByID is the filter of one row.
func ByID(e *entity.Entity, id gid.ID) Filter {
	return Cond{Field: e.ID(), Op: EQ, Value: id.Any()}
}

func (r *Reader) reading(ctx context.Context, deleted bool) *reading {
	return &reading{Reader: r, viewer: viewer.From(ctx), deleted: deleted, now: moment()}
}

// page reads a page with everything the selection asks for.
func (r *reading) page(ctx context.Context, s *Selection, q *Query) (page, error) {
	if err := r.asked(ctx, s); err != nil {
		return page{}, err
	}
	rows, err := r.root(ctx, s, q)
	if err != nil {
		return page{}, err
	}
	p := newPage(rows, 0, rows.count, q)
	if q.Page.Total {
		if p.total, p.atLeast, err = r.totalOf(ctx, rows, q); err != nil {
			return page{}, err
		}
	}
	if p.more { // the extra row has shown that there are more: its relations are not read
		rows.count = p.n
		rows.cells = rows.cells[:p.n*rows.width()]
	}
	if err := r.relate(ctx, rows, r.readable(s.Entity)); err != nil {
		return page{}, err
	}
	return p, nil
}

// asked calls what is to be called before the rows of the selection are read.
func (r *reading) asked(ctx context.Context, s *Selection) error {
	if len(r.Asked) == 0 {
		return nil
	}
	if prepare := r.Asked[s.Entity.Name]; prepare != nil {
		if err := prepare(ctx); err != nil {
			return fmt.Errorf("prepare %s: %w", s.Entity.Path, err)
		}
	}
	for _, l := range s.loads {
		if err := r.asked(ctx, l.sub); err != nil {
			return err
		}
	}
	return nil
}

// totalOf returns the total that came with the page's first row. A page
// without rows has none to bring it, and is no proof that there are none
// elsewhere.
func (r *reading) totalOf(ctx context.Context, rows *set, q *Query) (total int64, atLeast bool, err error) {
	e := rows.selection.Entity
	switch {
	case rows.count > 0:
		total = rows.cell(0, len(rows.columns)).n
	case q.Page.Offset == 0 && q.Page.After == "" && q.Page.Before == "" && q.Page.Keyset == nil && q.Page.Limit > 0:
	default:
		total, err = r.total(ctx, e, q)
	}
	if err == nil && q.Page.Most > 0 {
		total, atLeast, err = r.bounded(ctx, e, q, total)
	}
	if err != nil || atLeast {
		return total, atLeast, err
	}
	atLeast, err = r.cutWalk(ctx, q, total)
	return total, atLeast, err
}

// Page appends the rows of the query as a JSON array.
func (r *Reader) Page(ctx context.Context, dst []byte, s *Selection, q Query) ([]byte, Info, error) {
	reading := r.reading(ctx, q.Deleted)
	p, err := reading.page(ctx, s, &q)
	if err != nil {
		return dst, Info{}, err
	}
	var w writer
	dst = w.list(dst, p, s)
	return dst, reading.info(&p, &w), nil
}

// Connection appends the rows of the query as a connection with the parts of
// the shape. The total is read where the shape asks for it; see [Page.Most].
func (r *Reader) Connection(ctx context.Context, dst []byte, s *Selection, q Query, shape *Shape) ([]byte, Info, error) {
	q.Page.Total = wants(shape.Parts, PartTotal, PartTotalExact)
	q.Page.Most, q.Page.Endless = MostCounted, true
	q.Page.shown(shape.Parts)
	reading := r.reading(ctx, q.Deleted)
	p, err := reading.page(ctx, s, &q)
	if err != nil {
		return dst, Info{}, err
	}
	var w writer
	dst = w.connection(dst, p, shape.Parts)
	return dst, reading.info(&p, &w), nil
}

// One appends the only row that the filter admits as a JSON object. Where the
// viewer can read none, it appends nothing and Info.Count is 0. Deleted
// includes the soft-deleted rows that the viewer can read: see [policy.Rules.Shown].
func (r *Reader) One(ctx context.Context, dst []byte, s *Selection, where Filter, deleted bool) ([]byte, Info, error) {
	q := Query{Where: where, Deleted: deleted, Page: Page{Limit: 1}, single: true}
	reading := r.reading(ctx, deleted)
	p, err := reading.page(ctx, s, &q)
	if err != nil || p.n == 0 {
		return dst, Info{Total: -1}, err
	}
	var w writer
	dst, ok := w.object(dst, p.set, p.row(0), s)
	if !ok {
		dst = append(dst, "null"...)
	}
	info := reading.info(&p, &w)
	info.Version = p.set.version(p.row(0))
	if len(s.loads) == 0 && !s.derives() {
		info.Updated = p.set.updated(p.row(0))
	}
	return dst, info, nil
}

// Nodes appends the rows with the ids as a JSON array in the order of the
// ids, null for one that the viewer cannot read.
func (r *Reader) Nodes(ctx context.Context, dst []byte, s *Selection, ids []gid.ID) ([]byte, Info, error) {
	q := Query{Where: Cond{Field: s.Entity.ID(), Op: In, Value: ids}, Sort: []entity.Term{{Field: s.Entity.ID()}}, Page: Page{Limit: len(ids)}}
	reading := r.reading(ctx, false)
	p, err := reading.page(ctx, s, &q)
	if err != nil {
		return dst, Info{}, err
	}
	at := make(map[gid.ID]int, p.n)
	for i := range p.n {
		at[p.set.id(p.row(i))] = p.row(i)
	}
	var w writer
	dst = append(dst, '[')
	for i, id := range ids {
		if i > 0 {
			dst = append(dst, ',')
		}
		w.path = append(w.path[:0], step{index: i})
		row, found := at[id]
		if found {
			dst, found = w.object(dst, p.set, row, s)
		}
		if !found {
			dst = append(dst, "null"...)
		}
	}
	return append(dst, ']'), reading.info(&p, &w), nil
}

// Readable reports whether the viewer can read the row.
func (r *Reader) Readable(ctx context.Context, e *entity.Entity, id gid.ID) (bool, error) {
	return r.Exists(ctx, e, ByID(e, id))
}

// Exists reports whether the filter admits a row that the viewer can read.
func (r *Reader) Exists(ctx context.Context, e *entity.Entity, where Filter) (bool, error) {
	n, err := r.reading(ctx, false).total(ctx, e, exactly(where))
	return n > 0, err
}

// IDOf returns the id of the only row that the filter admits, and false where
// the viewer can read none. Deleted is as in [Reader.One].
func (r *Reader) IDOf(ctx context.Context, e *entity.Entity, where Filter, deleted bool) (id gid.ID, found bool, err error) {
	p, err := r.reading(ctx, deleted).page(ctx, Select(e), &Query{Where: where, Deleted: deleted, Page: Page{Limit: 1}, single: true})
	if err != nil || p.n == 0 {
		return gid.ID{}, false, err
	}
	return p.set.id(p.row(0)), true, nil
}

// NotFound answers for a row that is not there, or not for this viewer.
func NotFound(e *entity.Entity) error {
	p := problem.New(problem.NotFound, "%s not found", e.Noun())
	p.Subject = e.Singular
	return p
}

func (r *reading) info(p *page, w *writer) Info {
	info := Info{Count: p.n, Total: p.total, AtLeast: p.atLeast, HasNext: p.hasNext(), HasPrevious: p.hasPrevious(), Members: w.members, Errors: w.errors, Later: r.later(w.pending)}
	if p.n == 0 {
		return info
	}
	if p.query.Page.Cursors {
		last := p.row(p.n - 1)
		info.Last = &Keyset{Value: p.set.value(last, p.set.sorted[0]), ID: p.set.id(last)}
		info.Start = string(appendCursor(nil, p.set, p.row(0)))
		info.End = string(appendCursor(nil, p.set, p.row(p.n-1)))
		if info.HasPrevious {
			info.Before = string(appendCursorAs(nil, backwardVersion, p.set, p.row(0)))
		}
	}
	return info
}
