package reading

import (
	"context"
	"database/sql/driver"
	"fmt"
	"slices"
	"time"

	"github.com/entwine-go/entwine/kit/policy"
	"github.com/entwine-go/entwine/kit/problem"
	"github.com/entwine-go/entwine/kit/viewer"
)

// reading is one run of a reader: for one viewer, one request.
type reading struct {
	*Reader
	viewer  *viewer.Viewer
	deleted bool
	now     time.Time
}

// builder begins a statement of the run.
func (r *reading) builder(v *viewer.Viewer, deleted bool) *builder {
	b := r.Reader.builder(v, deleted)
	b.now = r.now
	return b
}

// root reads the rows of the selection that the query asks for: one more
// than the limit, to know whether there are more.
func (r *reading) root(ctx context.Context, s *Selection, q *Query) (*set, error) {
	rule := s.Entity.Rules.Readable(r.viewer, r.deleted)
	rows := r.newSet(s, q)
	if rule.Never() {
		return rows, rule.Refusal(r.viewer)
	}
	if q.Page.Total {
		rows.extra = 1
	}
	r.join(rows)
	b := r.builder(r.viewer, r.deleted)
	b.now = rows.now
	defer b.release()
	found, byPart, counted := q.finding(s.Entity, rows, rule)
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
			b.count(s.Entity, q.Where, rule)
		}
		b.WriteString(")")
	}
	b.joinedColumns(rows)
	b.from(s.Entity.Table, "t")
	b.joins(rows)
	b.bare = true
	var err error
	if byPart {
		b.also()
		err = found.choose(b)
	} else {
		err = b.chosenBy(rows, q, rule)
	}
	if err != nil {
		return nil, err
	}
	b.bare = false
	if !q.single {
		b.order("t", rows.terms, q.Page.Backward)
		b.limit(&q.Page)
	}
	if err := rows.read(ctx, r.DB, b); err != nil {
		return nil, fmt.Errorf("read %s: %w", s.Entity.Path, err)
	}
	return rows, nil
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
	b.admit(q.Where, rule, "t")
	return b.page("t", rows, q)
}

// limit asks for one row more than the page has.
func (b *builder) limit(p *Page) {
	b.WriteString(" LIMIT ")
	b.int(p.Limit + 1)
	if p.Offset > 0 {
		b.WriteString(" OFFSET ")
		b.Arg(int64(p.Offset))
	}
}

// newSet prepares the set of a query: the columns of the selection and, for
// cursors, those of the order.
func (r *reading) newSet(s *Selection, q *Query) *set {
	rows := &set{selection: s, columns: slices.Clip(s.columns), now: r.now}
	rows.terms = q.order(s.Entity)
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
			s.columns = append(s.columns, t.Field)
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
		b.beyond(alias, rows.terms, []any{k.Value, k.ID}, false)
	}
	return nil
}

// count writes the statement that counts what the filter and the rule admit.
func (b *builder) count(e *Entity, where Filter, rule policy.Rule) {
	b.WriteString("SELECT count(*)")
	b.from(e.Table, "t")
	b.bare = true
	b.admit(where, rule, "t")
	b.bare = false
}

// exactly asks for the total of the filter.
func exactly(where Filter) *Query { return &Query{Where: where, Page: Page{Total: true}} }

// total counts the rows of the query without its page.
func (r *reading) total(ctx context.Context, e *Entity, q *Query) (int64, error) {
	rule := e.Rules.Readable(r.viewer, r.deleted)
	if rule.Never() {
		return 0, rule.Refusal(r.viewer)
	}
	b := r.builder(r.viewer, r.deleted)
	defer b.release()
	found, _, byPart := q.finding(e, &set{terms: q.order(e)}, rule)
	switch {
	case byPart && (!b.postgres || q.Page.Most > 0):
		found.with(b)
		found.total(b)
	default:
		b.count(e, q.Where, rule)
	}
	n, err := scalar(ctx, r.DB, b)
	if err != nil {
		return 0, fmt.Errorf("count %s: %w", e.Path, err)
	}
	return n, nil
}

// relate reads what the selection asks for of other entities, level by level.
// The parents' rows were admitted by the rule, which tells related rows that
// ask the same of them that they need not.
func (r *reading) relate(ctx context.Context, parents *set, rule policy.Rule) error {
	parents.rule = rule
	loads := parents.selection.loads
	if len(loads) == 0 {
		return nil
	}
	parents.groups = make([]group, len(loads))
	for i, l := range loads {
		g, admitted, err := r.related(ctx, parents, l, rule)
		if l.edge.Many && problem.As(err) != nil && !problem.Fault(err) {
			parents.groups[i] = group{err: err}
			continue
		}
		if err != nil {
			return fmt.Errorf("read %s of %s: %w", l.edge.Name, parents.selection.Entity.Path, err)
		}
		parents.groups[i] = g
		if g.set.count == 0 {
			continue
		}
		if err := r.relate(ctx, g.set, admitted); err != nil {
			return err
		}
	}
	return nil
}

// related returns the related rows of one load, and the rule that admitted them.
func (r *reading) related(ctx context.Context, parents *set, l *load, rule policy.Rule) (group, policy.Rule, error) {
	if j := parents.joinOf(l); j != nil {
		return parents.carve(j), j.rule, nil
	}
	if l.edge.Many {
		return r.many(ctx, parents, l, rule)
	}
	return r.one(ctx, parents, l)
}

// keys returns the distinct values of the column that leads to the related rows.
func (s *set) keys(column int) []int64 {
	keys := make([]int64, 0, s.count)
	seen := make(map[int64]struct{}, s.count)
	for row := range s.count {
		c := s.cell(row, column)
		if c.null {
			continue
		}
		if _, ok := seen[c.n]; !ok {
			seen[c.n] = struct{}{}
			keys = append(keys, c.n)
		}
	}
	return keys
}

// one reads the rows at the other end of a to-one edge.
func (r *reading) one(ctx context.Context, parents *set, l *load) (group, policy.Rule, error) {
	rule := l.edge.readable(r.viewer, r.deleted)
	rows := &set{selection: l.sub, columns: l.sub.columns}
	g := group{set: rows, spans: make([]span, parents.count)}
	keys := parents.keys(l.key)
	if rule.Never() || len(keys) == 0 {
		return g, rule, rule.Refusal(r.viewer)
	}
	column := "id"
	if !l.edge.Own {
		column, rows.extra = l.edge.Column, 1
	}
	if err := r.lookUp(ctx, rows, column, keys, rule); err != nil {
		return g, rule, err
	}
	at := make(map[int64]int32, rows.count)
	for row := range rows.count {
		at[rows.key(row)] = int32(row)
	}
	for row := range parents.count {
		if c := parents.cell(row, l.key); !c.null {
			if found, ok := at[c.n]; ok {
				g.spans[row] = span{start: found, n: 1}
			}
		}
	}
	return g, rule, nil
}

// key returns the value that leads back to the parent: the extra column, or the id.
func (s *set) key(row int) int64 {
	if s.extra > 0 {
		return s.cell(row, len(s.columns)).n
	}
	return s.id(row)
}

// many reads the rows at the other end of a to-many edge, a page for each parent.
func (r *reading) many(ctx context.Context, parents *set, l *load, admitted policy.Rule) (group, policy.Rule, error) {
	rule := l.edge.readable(r.viewer, r.deleted)
	q := l.query
	if len(q.Sort) == 0 {
		q.Sort = l.edge.Order()
	}
	rows := r.newSet(l.sub, &q)
	keys := parents.keys(0)
	rows.extra = 1
	rows.belong(parents.selection.Entity, l.edge, keys)
	r.join(rows)
	g := group{set: rows, spans: make([]span, parents.count), limit: q.Page.Limit, query: q}
	if rule.Never() || len(keys) == 0 {
		if l.total {
			g.total = make([]int64, parents.count)
		}
		return g, rule, rule.Refusal(r.viewer)
	}
	filter := rule
	if l.edge.Join == nil && l.edge.Tree == nil {
		filter = rule.Given(l.edge.Column, parents.selection.Entity.Table, admitted)
	}
	rows.counted = filter
	if err := r.pages(ctx, rows, l.edge, &q, keys, filter); err != nil {
		return g, rule, err
	}
	g.place(parents)
	if l.told {
		keys = g.cut(parents)
	}
	var err error
	if l.total || l.told && len(keys) > 0 {
		err = r.totals(ctx, &g, parents, l, keys, filter)
	}
	return g, rule, err
}

// place finds each parent's run of rows, which stand together and in order.
func (g *group) place(parents *set) {
	rows := g.set
	at := make(map[int64]span, parents.count)
	for row := 0; row < rows.count; {
		end := row + 1
		for end < rows.count && rows.key(end) == rows.key(row) {
			end++
		}
		at[rows.key(row)] = span{start: int32(row), n: int32(end - row)}
		row = end
	}
	for row := range parents.count {
		g.spans[row] = at[parents.id(row)]
	}
}

// pages reads one page for each of the parents' ids in one statement.
func (r *reading) pages(ctx context.Context, rows *set, e *Edge, q *Query, keys []int64, rule policy.Rule) error {
	b := r.builder(r.viewer, r.deleted)
	b.now = rows.now
	defer b.release()
	var err error
	if b.postgres {
		err = b.lateral(rows, e, q, keys, rule)
	} else {
		err = b.chosen(rows, e, q, keys, rule)
	}
	if err != nil {
		return err
	}
	return rows.read(ctx, r.DB, b)
}

// lateral runs a subquery for each parent, which stops at the limit.
func (b *builder) lateral(rows *set, e *Edge, q *Query, keys []int64, rule policy.Rule) error {
	b.WriteString("SELECT ")
	b.names("t", rows.columns)
	b.WriteString(`, "p"."id"`)
	b.namedColumns("t", rows)
	b.WriteString(" FROM unnest(CAST(")
	b.Arg(array(keys))
	b.WriteString(` AS bigint[])) AS "p"("id") CROSS JOIN LATERAL (SELECT `)
	b.inner("t", rows.columns)
	b.nameColumns(rows)
	b.related(e, rows, `"p"."id"`)
	if err := b.tail(rows, q, rule); err != nil {
		return err
	}
	b.order("t", rows.terms, q.Page.Backward)
	b.WriteString(" LIMIT ")
	b.int(q.Page.Limit + 1)
	b.WriteString(`) AS "t"`)
	return nil
}

// chosen looks up the rows whose ids a subquery chooses for each parent, which
// stops at the limit: SQLite has no LATERAL, and numbering rows by a window
// would read all rows of every parent.
func (b *builder) chosen(rows *set, e *Edge, q *Query, keys []int64, rule policy.Rule) error {
	b.WriteString("SELECT ")
	b.columns("t", rows.columns)
	b.WriteString(`, "p"."value"`)
	b.joinedColumns(rows)
	b.WriteString(" FROM json_each(")
	b.Arg(jsonList(keys))
	b.WriteString(`) AS "p" JOIN "` + e.To.Table + `" AS "t" ON "t"."id" IN (SELECT "t"."id"`)
	b.related(e, nil, `"p"."value"`)
	if err := b.tail(rows, q, rule); err != nil {
		return err
	}
	b.order("t", rows.terms, q.Page.Backward)
	b.WriteString(" LIMIT ")
	b.int(q.Page.Limit + 1)
	b.WriteString(")")
	b.joins(rows)
	b.order("t", rows.terms, q.Page.Backward, `"p"."key"`)
	return nil
}

// parent names the column that leads back to the parent.
func (g *Edge) parent() (alias, column string) {
	if g.Join != nil {
		return "j", g.Join.From
	}
	return "t", g.Column
}

// related writes FROM, with the joins of the rows, and the condition that
// binds them to their parent: to the expression, or, where it is empty, up to
// the column alone.
func (b *builder) related(e *Edge, rows *set, parent string) {
	b.from(e.To.Table, "t")
	if rows != nil {
		b.joins(rows)
	}
	if e.Join != nil {
		b.WriteString(` JOIN "` + e.Join.Table + `" AS "j" ON "j"."` + e.Join.To + `" = "t"."id"`)
	}
	b.WriteString(" WHERE ")
	if e.Tree != nil {
		b.reached("t", e, func() { b.WriteString(parent) })
		return
	}
	alias, column := e.parent()
	b.column(alias, column)
	if parent != "" {
		b.WriteString(" = ")
		b.WriteString(parent)
	}
}

func (b *builder) tail(rows *set, q *Query, rule policy.Rule) error {
	b.admit(q.Where, rule, "t")
	return b.page("t", rows, q)
}

// totals counts the related rows of each parent in one statement, and in another
// whether there are more, where that is asked for and they do not tell.
func (r *reading) totals(ctx context.Context, g *group, parents *set, l *load, keys []int64, rule policy.Rule) error {
	counts, err := r.counts(ctx, l.edge, &g.query, keys, rule)
	if err != nil {
		return err
	}
	var more map[int64]bool
	if (l.bound || l.told) && l.edge.bounded() {
		if more, err = r.unwalked(ctx, l.edge, !trivial(g.query.Where), keys, rule, counts); err != nil {
			return err
		}
	}
	g.total, g.atLeast = make([]int64, parents.count), make([]bool, parents.count)
	for row := range parents.count {
		id := parents.id(row)
		g.total[row], g.atLeast[row] = counts[id], more[id]
	}
	return nil
}

// counts counts the related rows by the parents' ids.
func (r *reading) counts(ctx context.Context, e *Edge, q *Query, keys []int64, rule policy.Rule) (map[int64]int64, error) {
	b := r.builder(r.viewer, r.deleted)
	defer b.release()
	if e.Tree != nil {
		b.countReached(e, q, keys, rule)
	} else {
		b.countRelated(e, q, keys, rule)
	}
	if b.refused != nil {
		return nil, b.refused
	}
	counts := make(map[int64]int64, len(keys))
	err := r.DB.Each(ctx, string(b.text), b.args, func(values []driver.Value) error {
		id, err := number(values[0])
		if err != nil {
			return err
		}
		counts[id], err = number(values[1])
		return err
	})
	if err != nil {
		return nil, b.blamed(err)
	}
	return counts, nil
}

// countRelated writes the statement that counts them by the column, or the
// table between, that leads to the parents.
func (b *builder) countRelated(e *Edge, q *Query, keys []int64, rule policy.Rule) {
	alias, column := e.parent()
	b.WriteString("SELECT ")
	b.column(alias, column)
	b.WriteString(", count(*)")
	b.related(e, nil, "")
	b.in(keys)
	b.admit(q.Where, rule, "t")
	b.WriteString(" GROUP BY ")
	b.column(alias, column)
}
