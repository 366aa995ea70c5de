package read

import (
	"context"
	"strconv"

	"github.com/entwine-go/entwine/kit/entity"
	"github.com/entwine-go/entwine/kit/gid"
	"github.com/entwine-go/entwine/kit/policy"
)

// mostReached is how many rows of a tree are walked to for one row, the nearest
// first: what lies beyond is not shown, so that a listing of what is below a
// root has a bound. Totals of that say that they are not exact.
const mostReached = 10_000

// TreeOrder is that of a list over the edge which asks for none, nil for the
// entity's own: of rows above, the nearest is first.
func TreeOrder(g *entity.Edge) []entity.Term {
	if g.Tree == nil || !g.Tree.Up {
		return nil
	}
	return []entity.Term{{Field: level(g), Desc: true}}
}

// level is the number of levels above a row, and its own, as a field.
func level(g *entity.Edge) *entity.Field {
	key := `"` + g.Tree.Column + `"`
	return &entity.Field{
		Name: "level", Column: "tree_level", Kind: entity.Int,
		Expression: `WITH RECURSIVE "up"("next", "level") AS (SELECT {row}.` + key + `, 1 UNION ALL SELECT "above".` + key + `, "up"."level" + 1 FROM "up" JOIN "` +
			g.To.Table + `" AS "above" ON "above"."id" = "up"."next" WHERE "up"."level" < ` + strconv.Itoa(g.Tree.Levels) + `) SELECT max("level") FROM "up"`,
	}
}

// reached writes that the row called alias is one that the tree's edge leads to
// from the row whose id is written by from. The way leads only over rows that the
// viewer can read: rows below a hidden row are not shown to be below the rows
// above it.
//
// PostgreSQL gets the ids as an array: of a set it would not know how few there
// are, and might read the whole table to find their rows.
func (b *builder) reached(alias string, g *entity.Edge, from func()) {
	b.column(alias, "id")
	if b.postgres {
		b.WriteString(" = ANY(ARRAY(")
	} else {
		b.WriteString(" IN (")
	}
	rule := readable(g, b.viewer, b.deleted)
	b.WriteString(`WITH RECURSIVE "walk"("id", "next", "step") AS (`)
	b.step(g, "1")
	b.WriteString(` WHERE `)
	if g.Tree.Up {
		b.WriteString(`"node"."id" = (SELECT "start"."` + g.Tree.Column + `" FROM "` + g.To.Table + `" AS "start" WHERE "start"."id" = `)
		from()
		b.WriteString(")")
	} else {
		b.column("node", g.Tree.Column)
		b.WriteString(" = ")
		from()
	}
	b.rule(rule, "node")
	b.WriteString(" UNION ALL ")
	b.step(g, `"walk"."step" + 1`)
	b.WriteString(` JOIN "walk" ON `)
	if g.Tree.Up {
		b.column("node", "id")
	} else {
		b.column("node", g.Tree.Column)
	}
	b.WriteString(` = "walk"."next" WHERE "walk"."step" < `)
	b.int(g.Tree.Levels)
	b.rule(rule, "node")
	if b.postgres { // it stops there, for it makes the rows one by one
		b.WriteString(`) SELECT "id" FROM "walk" LIMIT `)
		b.int(mostReached)
		b.WriteString("))")
		return
	}
	b.WriteString(" LIMIT ")
	b.int(mostReached)
	b.WriteString(`) SELECT "id" FROM "walk")`)
}

// step writes what is known of a row that is walked to: its id, and what the
// next step is compared with.
func (b *builder) step(g *entity.Edge, number string) {
	next := "id"
	if g.Tree.Up {
		next = g.Tree.Column
	}
	b.WriteString(`SELECT "node"."id", `)
	b.column("node", next)
	b.WriteString(", " + number)
	b.from(g.To.Table, "node")
}

// bounded reports whether what the edge leads to is bounded by [mostReached].
func bounded(g *entity.Edge) bool { return g.Tree != nil && !g.Tree.Up }

// unwalked returns which of the ids have more rows below them than are walked to.
// Of what is not filtered, the counts tell; else the walk is counted.
func (r *reading) unwalked(ctx context.Context, g *entity.Edge, filtered bool, ids []gid.ID, rule policy.Rule, counts map[gid.ID]int64) (map[gid.ID]bool, error) {
	if filtered {
		var err error
		if counts, _, err = r.counts(ctx, g, &Query{}, ids, rule); err != nil {
			return nil, err
		}
	}
	more := map[gid.ID]bool{}
	for id, n := range counts {
		if n >= mostReached {
			more[id] = true
		}
	}
	return more, nil
}

// cutWalk reports whether the query lists what is below a row of a tree, of which
// there is more than is walked to.
func (r *reading) cutWalk(ctx context.Context, q *Query, total int64) (bool, error) {
	all, ok := q.Where.(And)
	if !ok {
		all = And{q.Where}
	}
	for _, one := range all {
		if w, ok := one.(Reached); ok && bounded(w.Edge) {
			more, err := r.unwalked(ctx, w.Edge, len(all) > 1, []gid.ID{w.ID}, readable(w.Edge, r.viewer, r.deleted), map[gid.ID]int64{w.ID: total})
			return more[w.ID], err
		}
	}
	return false, nil
}
