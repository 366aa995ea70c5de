package read

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/entwine-go/entwine/kit/entity"
	"github.com/entwine-go/entwine/kit/policy"
	"github.com/entwine-go/entwine/kit/viewer"
)

// reading is one run of a reader: for one viewer, one request.
type reading struct {
	*Reader
	viewer  *viewer.Viewer
	deleted bool
	now     time.Time
	// atWork is set once a statement has found that a deletion is at work.
	atWork bool
}

// readable says which rows of the entity the viewer reads in the run.
func (r *reading) readable(e *entity.Entity) policy.Rule {
	if r.deleted && !r.hidden {
		return e.Rules.Shown(r.viewer)
	}
	return e.Rules.Readable(r.viewer, r.deleted)
}

// builder begins a statement of the run.
func (r *reading) builder(v *viewer.Viewer, deleted bool) *builder {
	b := r.Reader.builder(v, deleted)
	b.now = r.now
	return b
}

// root reads the rows of the selection that the query asks for: mostly one more
// than the limit, to know whether there are more.
func (r *reading) root(ctx context.Context, s *Selection, q *Query) (*set, error) {
	rule := r.readable(s.Entity)
	rows := r.newSet(s, q)
	if rule.Never() {
		return rows, rule.Refusal(r.viewer)
	}
	if q.Page.Total {
		rows.extra = 1
	}
	r.join(rows)
	estimated := q.single
	write := func(b *builder) error {
		bounded, err := b.root(rows, q, rule)
		if err != nil || bounded || estimated {
			return err
		}
		estimated = true
		return r.afford(ctx, s, q, b)
	}
	if err := r.statement(write, func(b *builder) error { return rows.read(ctx, r.DB, b) }); err != nil {
		return nil, fmt.Errorf("read %s: %w", s.Entity.Path, err)
	}
	return rows, nil
}

// root writes the statement for the rows that the query asks for. It reports whether
// that is bounded by itself, as what is found by parts of texts is.
func (b *builder) root(rows *set, q *Query, rule policy.Rule) (bounded bool, err error) {
	e := rows.selection.Entity
	b.now = rows.now
	found, byPart, counted := q.finding(e, rows, rule)
	counted = counted && q.Page.Total
	if byPart || counted {
		found.with(b)
	}
	b.WriteString("SELECT ")
	b.columns("t", rows.columns)
	if q.Page.Total {
		// The total comes with the first row: a round trip less.
		b.WriteString(", (")
		if counted {
			found.total(b)
		} else {
			b.count(e, q, rule)
		}
		b.WriteString(")")
	}
	b.joinedColumns(rows)
	b.listed(q.single)
	b.from(e.Table, "t")
	b.joins(rows)
	b.bare = true
	if byPart {
		b.also()
		err = found.choose(b)
	} else {
		err = b.chosenBy(rows, q, rule)
	}
	b.bare = false
	if err == nil && !q.single {
		b.order("t", rows.terms, q.Page.Backward)
		b.limit(&q.Page)
	}
	return byPart || counted, err
}

// chosenBy writes which rows the page needs, and perhaps some more: those that
// the filter and the rule admit, within the page's bounds.
func (b *builder) chosenBy(rows *set, q *Query, rule policy.Rule) error {
	if t, ok := q.timeline(); ok {
		b.also()
		if err := b.choose(t, rows, q); err != nil {
			return err
		}
		b.rule(rule, "t")
		return nil
	}
	return b.paged(rows, q, rule, nil)
}

// paged writes which rows the page needs: bound, unless it is nil, writes what they
// fulfil beside the rule.
func (b *builder) paged(rows *set, q *Query, rule policy.Rule, bound func()) error {
	sorted := byComputed(rows.terms)
	return b.admitting(admission{
		where: q.Where, rule: rule, alias: "t", bound: bound, sorted: sorted, walked: !sorted,
		page: func() error { return b.page("t", rows, q) },
	})
}

// limit asks for the rows of the page, and mostly for one more.
func (b *builder) limit(p *Page) {
	b.WriteString(" LIMIT ")
	b.int(p.rows())
	if p.Offset > 0 {
		b.WriteString(" OFFSET ")
		b.Arg(int64(p.Offset))
	}
}

// newSet prepares the set of a query: the columns of the selection and, for
// cursors, those of the order.
func (r *reading) newSet(s *Selection, q *Query) *set {
	rows := &set{selection: s, columns: slices.Clip(s.columns), now: r.now, asked: q.Page.rows()}
	rows.terms = q.Order(s.Entity)
	rows.backward = q.Page.Backward
	if q.Page.Cursors {
		rows.sort()
	}
	if q.cursors() {
		r.digests(rows, q)
	}
	return rows
}

// digests has the set know cursors of the query's listing, and the time that one
// of them holds.
func (r *reading) digests(rows *set, q *Query) {
	b := r.builder(r.viewer, r.deleted)
	defer b.release()
	b.postgres, b.now = false, time.Time{} // a cursor is the same on every database, at any time
	b.where(q.Where, "t")
	e, cursor := rows.selection.Entity, q.Page.After+q.Page.Before
	rows.digest = listingDigest(e, rows.terms, b.text, b.args)
	if cursor != "" {
		rows.before = pastDigest(e, rows.terms, b.text, b.args)
	}
	if cursor != "" && byNow(rows.terms) {
		rows.now = cursorMoment(cursor, r.now)
	}
	if !r.deleted {
		return
	}
	rows.digest = rows.digest.text("deleted") // a filter like any other
	if rows.before != 0 {
		rows.before = rows.before.text("deleted")
	}
}

// sort adds the columns of the order to those that are read.
func (s *set) sort() {
	s.sorted = make([]int, len(s.terms))
	for i, t := range s.terms {
		if s.sorted[i] = s.position(t.Field); s.sorted[i] < 0 {
			s.sorted[i] = len(s.columns)
			s.columns = append(s.columns, column{Field: t.Field})
		}
	}
}

// cursors reports whether the query takes or gives cursors.
func (q *Query) cursors() bool {
	return q.Page.Cursors || q.Page.After != "" || q.Page.Before != ""
}

// page writes the bounds of the page.
func (b *builder) page(alias string, rows *set, q *Query) error {
	for _, bound := range []struct {
		cursor   string
		backward bool
	}{{q.Page.After, false}, {q.Page.Before, true}} {
		if bound.cursor == "" {
			continue
		}
		values, err := rows.decodeCursor(bound.cursor)
		if err != nil {
			return err
		}
		b.also()
		b.beyond(alias, rows.terms, values, bound.backward)
	}
	if k := q.Page.Keyset; k != nil {
		b.also()
		b.beyond(alias, rows.terms, []any{k.Value, k.ID.Any()}, false)
	}
	return nil
}

// count writes the statement that counts what the filter and the rule admit, one
// row beyond [Page.Most] at the most.
func (b *builder) count(e *entity.Entity, q *Query, rule policy.Rule) {
	b.counting(q.Page.Most, func() {
		b.from(e.Table, "t")
		b.bare = true
		b.admit(q.Where, rule)
		b.bare = false
	})
}

// counting writes the statement that counts the rows of FROM and WHERE, which rows
// writes, one beyond most at the most: all of them where it is 0. The database
// stops at the limit, so that a total costs the same however large the table is.
func (b *builder) counting(most int, rows func()) {
	if most == 0 {
		b.WriteString("SELECT count(*)")
		rows()
		return
	}
	b.WriteString("SELECT count(*) FROM (SELECT 1")
	rows()
	b.WriteString(" LIMIT ")
	b.int(most + 1)
	b.WriteString(`) AS "counted"`)
}

// exactly asks for the total of the filter.
func exactly(where Filter) *Query { return &Query{Where: where, Page: Page{Total: true}} }

// total counts the rows of the query without its page.
func (r *reading) total(ctx context.Context, e *entity.Entity, q *Query) (int64, error) {
	rule := r.readable(e)
	if rule.Never() {
		return 0, rule.Refusal(r.viewer)
	}
	found, _, byPart := q.finding(e, &set{terms: q.Order(e)}, rule)
	n, err := r.number(ctx, func(b *builder) {
		if byPart && (!b.postgres || q.Page.Most > 0) {
			found.with(b)
			found.total(b)
			return
		}
		b.count(e, q, rule)
	})
	if err != nil {
		return 0, fmt.Errorf("count %s: %w", e.Path, err)
	}
	return n, nil
}

// number runs a statement of one row with one number.
func (r *reading) number(ctx context.Context, write func(*builder)) (n int64, err error) {
	err = r.statement(func(b *builder) error {
		write(b)
		return nil
	}, func(b *builder) (err error) {
		n, err = scalar(ctx, r.DB, b)
		return err
	})
	return n, err
}
