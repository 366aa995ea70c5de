package read

import (
	"github.com/entwine-go/entwine/kit/entity"
	"github.com/entwine-go/entwine/kit/policy"
)

// Timeline filters for the rows of a user and of the users that they follow: shown
// rows, by the owners that a table leads to.
//
// In the order of [Timeline.Order] a page of it costs the same however many
// rows there are, however deep it is, and whatever the owners have: see
// [builder.choose].
type Timeline struct {
	// Owner is the foreign key to a row's owner, At the time from which it is shown.
	Owner, At *entity.Field
	// Shown says which rows are; it implies that every viewer reads them. An
	// index over (Owner, At, id) and one over (At, id, Owner) are of these.
	Shown policy.Rule
	// Table leads From a user To those whom they follow.
	Table, From, To string
	// Of is the following user.
	Of int64
}

func (Timeline) filter() {}

// Order is the newest first. A shown row has a time.
func (t Timeline) Order() []entity.Term {
	at := *t.At
	at.Nullable = false
	return []entity.Term{{Field: &at, Desc: true}}
}

// timeline returns the query's filter where it is a timeline in its order.
func (q *Query) timeline() (Timeline, bool) {
	t, ok := q.Where.(Timeline)
	if and, listed := q.Where.(And); listed && len(and) == 1 {
		t, ok = and[0].(Timeline)
	}
	return t, ok && len(q.Sort) == 1 && q.Sort[0].Desc && q.Sort[0].Field.Column == t.At.Column && !q.Sort[0].Field.Nullable && q.Page.Keyset == nil
}

// timeline writes the filter as a condition.
func (b *builder) timeline(t Timeline, alias string) {
	b.WriteString("(")
	b.column(alias, t.Owner.Column)
	b.WriteString(" IN (")
	b.owners(t)
	b.WriteString(") AND ")
	t.Shown.Write(b, alias)
	b.WriteString(")")
}

// owners writes a query for those whose rows are in the timeline.
func (b *builder) owners(t Timeline) {
	b.WriteString(`SELECT "` + t.To + `" FROM "` + t.Table + `" WHERE "` + t.From + `" = `)
	b.Arg(t.Of)
	b.WriteString(" UNION ALL SELECT CAST(")
	b.Arg(t.Of)
	b.WriteString(" AS bigint)")
}

// window is how many of the newest rows of all owners are looked through.
const window = 2000

// choose writes that the row called t is one of those that the page needs.
//
// A user who follows many users, or users who write much, finds a page among the
// newest rows of all. Where these do not fill it, the owners are merged: one seek
// for each owner's newest row, and then the rows of the few owners who have the
// newest of these, because no others have a row on the page. So neither a reader
// of rare writers reads all rows there are, nor one of a thousand owners a page of
// each, and no statistics have to be right for that.
func (b *builder) choose(t Timeline, rows *set, q *Query) error {
	c := choice{builder: b, t: t, rows: rows, q: q}
	b.column("t", "id")
	b.WriteString(` IN (WITH "owners"("id") AS MATERIALIZED (`)
	b.owners(t)
	b.WriteString(`), "recent"("id") AS MATERIALIZED (SELECT "c"."id" FROM (`)
	if err := c.newest("", window); err != nil {
		return err
	}
	b.WriteString(`) AS "c" WHERE (`)
	b.column("c", t.Owner.Column)
	b.WriteString(` IN (SELECT "id" FROM "owners")) IS TRUE`) // looked up for each, and not joined
	c.first("c")
	b.WriteString(`), "latest"("id") AS MATERIALIZED (SELECT "o"."id" FROM "owners" AS "o"`)
	if err := c.each("o", "n", 1); err != nil {
		return err
	}
	b.WriteString(` WHERE (SELECT count(*) FROM "recent") < `)
	c.size(c.q)
	c.first("n")
	b.WriteString(`) SELECT "id" FROM "recent" WHERE (SELECT count(*) FROM "recent") >= `)
	c.size(c.q)
	b.WriteString(` UNION ALL SELECT "id" FROM (SELECT "n"."id" FROM "latest" AS "o"`)
	if err := c.each("o", "n", c.q.needed()); err != nil {
		return err
	}
	c.first("n")
	b.WriteString(`) AS "merged")`)
	return nil
}

// choice is the part that is common to all parts of the choice.
type choice struct {
	*builder
	t    Timeline
	rows *set
	q    *Query
}

// needed is how many rows the page needs, those before it included.
func (q *Query) needed() int { return q.Page.Offset + q.Page.rows() }

// size writes that.
func (b *builder) size(q *Query) { b.number(q, q.needed()) }

// number writes a number that follows from the offset, which is an argument,
// so that texts do not depend on it.
func (b *builder) number(q *Query, n int) {
	if q.Page.Offset > 0 {
		b.WriteString("CAST(")
		b.Arg(int64(n))
		b.WriteString(" AS bigint)")
		return
	}
	b.int(n)
}

// first writes the order of the rows called alias, and that it takes as many
// as the page needs.
func (c *choice) first(alias string) {
	c.order(alias, c.rows.terms, c.q.Page.Backward)
	c.WriteString(" LIMIT ")
	c.size(c.q)
}

// newest writes a query for the newest rows within the page's bounds: of the
// owner, an expression, or of all owners where it is empty.
func (c *choice) newest(owner string, n int) error {
	c.WriteString("SELECT ")
	c.column("c", "id")
	if owner == "" || c.postgres {
		c.WriteString(", ")
		c.column("c", c.t.At.Column)
		c.WriteString(", ")
		c.column("c", c.t.Owner.Column)
	}
	c.from(c.rows.selection.Entity.Table, "c")
	c.WriteString(" WHERE ")
	if owner != "" {
		c.column("c", c.t.Owner.Column)
		c.WriteString(" = " + owner + " AND ")
	}
	c.t.Shown.Write(c, "c")
	if err := c.page("c", c.rows, c.q); err != nil {
		return err
	}
	c.order("c", c.rows.terms, c.q.Page.Backward)
	c.WriteString(" LIMIT ")
	if n == 1 || n == window {
		c.int(n)
	} else {
		c.number(c.q, n)
	}
	return nil
}

// each joins the n newest rows of each owner, by the name of alias. SQLite has
// no LATERAL.
func (c *choice) each(owner, alias string, n int) error {
	open, end := ` CROSS JOIN LATERAL (`, `) AS "`+alias+`"`
	if !c.postgres {
		open, end = ` JOIN "`+c.rows.selection.Entity.Table+`" AS "`+alias+`" ON "`+alias+`"."id" IN (`, `)`
	}
	c.WriteString(open)
	if err := c.newest(`"`+owner+`"."id"`, n); err != nil {
		return err
	}
	c.WriteString(end)
	return nil
}
