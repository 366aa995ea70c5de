package read

import (
	"context"
	"database/sql/driver"
	"fmt"

	"github.com/entwine-go/entwine/kit/entity"
	"github.com/entwine-go/entwine/kit/gid"
	"github.com/entwine-go/entwine/kit/policy"
	"github.com/entwine-go/entwine/kit/problem"
)

// relate reads what the selection asks for of other entities, level by level.
// The parents' rows were admitted by the rule, so that related rows with the same
// rule over their parent need not check it again.
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
func (s *set) keys(column int) []gid.ID {
	keys := make([]gid.ID, 0, s.count)
	seen := make(map[gid.ID]struct{}, s.count)
	for row := range s.count {
		c := s.cell(row, column)
		if c.null {
			continue
		}
		id := s.idOf(c)
		if _, ok := seen[id]; !ok {
			seen[id] = struct{}{}
			keys = append(keys, id)
		}
	}
	return keys
}

// one reads the rows at the other end of a to-one edge.
func (r *reading) one(ctx context.Context, parents *set, l *load) (group, policy.Rule, error) {
	rule := readable(l.edge, r.viewer, r.deleted)
	keys := parents.keys(l.key)
	rows := &set{selection: l.sub, columns: l.sub.columns, asked: len(keys)}
	g := group{set: rows, spans: make([]span, parents.count)}
	if rule.Never() || len(keys) == 0 {
		return g, rule, rule.Refusal(r.viewer)
	}
	column := l.edge.To.ID().Column
	if !l.edge.Own {
		column, rows.extra, rows.parent = l.edge.Column, 1, l.edge.Of
	}
	if err := r.lookUp(ctx, rows, column, keys, rule); err != nil {
		return g, rule, err
	}
	at := make(map[gid.ID]int32, rows.count)
	for row := range rows.count {
		at[rows.key(row)] = int32(row)
	}
	for row := range parents.count {
		if c := parents.cell(row, l.key); !c.null {
			if found, ok := at[parents.idOf(c)]; ok {
				g.spans[row] = span{start: found, n: 1}
			}
		}
	}
	return g, rule, nil
}

// key returns the value that leads back to the parent: the extra column, or the id.
func (s *set) key(row int) gid.ID {
	if s.extra > 0 {
		return s.idOf(s.cell(row, len(s.columns)))
	}
	return s.id(row)
}

// many reads the rows at the other end of a to-many edge, a page for each parent.
func (r *reading) many(ctx context.Context, parents *set, l *load, admitted policy.Rule) (group, policy.Rule, error) {
	rule := readable(l.edge, r.viewer, r.deleted)
	q := l.query
	if len(q.Sort) == 0 {
		q.Sort = TreeOrder(l.edge)
	}
	rows := r.newSet(l.sub, &q)
	keys := parents.keys(0)
	rows.extra, rows.parent, rows.asked = 1, l.edge.Of, len(keys)*q.Page.rows()
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
	at := make(map[gid.ID]span, parents.count)
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
func (r *reading) pages(ctx context.Context, rows *set, e *entity.Edge, q *Query, keys []gid.ID, rule policy.Rule) error {
	return r.statement(func(b *builder) error {
		b.now = rows.now
		if b.postgres {
			return b.lateral(rows, e, q, keys, rule)
		}
		return b.chosen(rows, e, q, keys, rule)
	}, func(b *builder) error { return rows.read(ctx, r.DB, b) })
}

// lateral runs a subquery for each parent, which stops at the limit.
func (b *builder) lateral(rows *set, e *entity.Edge, q *Query, keys []gid.ID, rule policy.Rule) error {
	b.WriteString("SELECT ")
	b.names("t", rows.columns)
	b.WriteString(`, "p"."id"`)
	b.namedColumns("t", rows)
	b.WriteString(" FROM unnest(CAST(")
	b.Arg(array(keys))
	b.WriteString(` AS ` + e.Of.KeyType() + `[])) AS "p"("id") CROSS JOIN LATERAL (SELECT `)
	b.inner("t", rows.columns)
	b.nameColumns(rows)
	b.related(e, rows, `"p"."id"`)
	if err := b.paged(rows, q, rule, b.belonging(e, b.equals(`"p"."id"`))); err != nil {
		return err
	}
	b.order("t", rows.terms, q.Page.Backward)
	b.WriteString(" LIMIT ")
	b.int(q.Page.rows())
	b.WriteString(`) AS "t"`)
	return nil
}

// chosen looks up the rows whose ids a subquery chooses for each parent, which
// stops at the limit: SQLite has no LATERAL, and numbering rows by a window
// would read all rows of every parent.
func (b *builder) chosen(rows *set, e *entity.Edge, q *Query, keys []gid.ID, rule policy.Rule) error {
	b.WriteString("SELECT ")
	b.columns("t", rows.columns)
	b.WriteString(`, "p"."value"`)
	b.joinedColumns(rows)
	b.listed(false)
	b.WriteString(" FROM json_each(")
	b.Arg(jsonList(keys))
	b.WriteString(`) AS "p" JOIN "` + e.To.Table + `" AS "t" ON "t"."` + e.To.ID().Column + `" IN (SELECT "t"."` + e.To.ID().Column + `"`)
	b.related(e, nil, `"p"."value"`)
	if err := b.paged(rows, q, rule, b.belonging(e, b.equals(`"p"."value"`))); err != nil {
		return err
	}
	b.order("t", rows.terms, q.Page.Backward)
	b.WriteString(" LIMIT ")
	b.int(q.Page.rows())
	b.WriteString(")")
	b.joins(rows)
	b.order("t", rows.terms, q.Page.Backward, `"p"."key"`)
	return nil
}

// parent names the column that leads back to the parent.
func parentColumn(g *entity.Edge) (alias, column string) {
	if g.Join != nil {
		return "j", g.Join.From
	}
	return "t", g.Column
}

// related writes FROM, with the joins of the rows, and the condition that
// binds them to their parent: to the expression, or, where it is empty, up to
// the column alone.
func (b *builder) related(e *entity.Edge, rows *set, parent string) {
	b.from(e.To.Table, "t")
	if rows != nil {
		b.joins(rows)
	}
	if e.Join != nil {
		b.WriteString(` JOIN "` + e.Join.Table + `" AS "j" ON "j"."` + e.Join.To + `" = "t"."` + e.To.ID().Column + `"`)
	}
	b.WriteString(" WHERE ")
	if e.Tree != nil {
		b.reached("t", e, func() { b.WriteString(parent) })
		return
	}
	alias, column := parentColumn(e)
	b.column(alias, column)
	if parent != "" {
		b.WriteString(" = ")
		b.WriteString(parent)
	}
}

// belonging returns what writes that the row called t belongs to a parent whose id
// is compared: the rule may say nothing of a row that follows from that. It is nil
// where the rule is all of it.
func (b *builder) belonging(e *entity.Edge, compare func()) func() {
	if e.Join != nil || e.Tree != nil {
		return nil
	}
	return func() {
		b.column("t", e.Column)
		compare()
	}
}

func (b *builder) equals(expression string) func() {
	return func() { b.WriteString(" = " + expression) }
}

// totals counts the related rows of each parent in one statement, and in another
// whether there are more, where that is asked for and they do not tell.
func (r *reading) totals(ctx context.Context, g *group, parents *set, l *load, keys []gid.ID, rule policy.Rule) error {
	counts, more, err := r.counts(ctx, l.edge, &g.query, keys, rule)
	if err != nil {
		return err
	}
	if (l.bound || l.told) && bounded(l.edge) {
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

// counts counts the related rows by the parents' ids, [MostCounted] of each at the
// most, and says of which parents there are more.
func (r *reading) counts(ctx context.Context, e *entity.Edge, q *Query, keys []gid.ID, rule policy.Rule) (counts map[gid.ID]int64, more map[gid.ID]bool, err error) {
	counts, more = make(map[gid.ID]int64, len(keys)), map[gid.ID]bool{}
	err = r.statement(func(b *builder) error {
		b.countRelated(e, q, keys, rule)
		return nil
	}, func(b *builder) error {
		return b.each(ctx, r.DB.Each, 2, func(values []driver.Value) error {
			id, err := idFrom(values[0])
			if err != nil {
				return err
			}
			n, err := number(values[1])
			counts[id], more[id] = min(n, MostCounted), n > MostCounted
			return err
		})
	})
	if err != nil {
		return nil, nil, err
	}
	return counts, more, nil
}

// countRelated writes the statement that counts, for each parent, the rows that the
// edge leads to: as far as [MostCounted], so that a parent of very many costs no more.
func (b *builder) countRelated(e *entity.Edge, q *Query, keys []gid.ID, rule policy.Rule) {
	parent := `"p"."id"`
	if !b.postgres {
		parent = `"p"."value"`
	}
	b.WriteString("SELECT " + parent + ", (")
	b.counting(MostCounted, func() {
		b.related(e, nil, parent)
		_ = b.admitting(admission{ // which only a page fails
			where: q.Where, rule: rule, alias: "t", bound: b.belonging(e, b.equals(parent)),
		})
	})
	b.WriteString(") FROM ")
	if b.postgres {
		b.WriteString("unnest(CAST(")
		b.Arg(array(keys))
		b.WriteString(` AS ` + e.Of.KeyType() + `[])) AS "p"("id")`)
		return
	}
	b.WriteString("json_each(")
	b.Arg(jsonList(keys))
	b.WriteString(`) AS "p"`)
}
