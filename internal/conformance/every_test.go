package conformance_test

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"entgo.io/ent/dialect/sql/schema"

	"github.com/entwine-go/entwine/ent/migrate"
	"github.com/entwine-go/entwine/internal/entity"
	kitentity "github.com/entwine-go/entwine/kit/entity"
	"github.com/entwine-go/entwine/kit/gid"
	"github.com/entwine-go/entwine/kit/kittest/storetest"
	"github.com/entwine-go/entwine/kit/read"
	"github.com/entwine-go/entwine/kit/search"
	"github.com/entwine-go/entwine/kit/store"
	"github.com/entwine-go/entwine/kit/viewer"
	"github.com/entwine-go/entwine/migrate/migratetest"
)

// everyWorld is a database with some rows of every entity.
func everyWorld(t *testing.T, test func(t *testing.T, db *store.DB, fill *storetest.Filler)) {
	migratetest.Each(t, func(t *testing.T, db *store.DB) {
		fill := storetest.NewFiller(db, migrate.Tables, 7)
		for _, e := range entity.All {
			for range 12 {
				fill.Row(t, table(t, e))
			}
		}
		test(t, db, fill)
	})
}

func table(t *testing.T, e *kitentity.Entity) *schema.Table {
	t.Helper()
	for _, table := range migrate.Tables {
		if table.Name == e.Table {
			return table
		}
	}
	t.Fatalf("%s has no table", e.Name)
	return nil
}

// Every entity's listing, by any of its orders and in either direction, gives
// every row exactly once while rows are inserted.
func TestWalkOfEveryEntity(t *testing.T) {
	everyWorld(t, func(t *testing.T, db *store.DB, fill *storetest.Filler) {
		r := &read.Reader{DB: db, Dialect: db.Dialect}
		rnd := rand.New(rand.NewPCG(3, 4))
		for _, e := range entity.All {
			var sortable []*kitentity.Field
			for _, f := range e.Fields {
				if f.Sort {
					sortable = append(sortable, f)
				}
			}
			for _, f := range sortable {
				for _, desc := range []bool{false, true} {
					terms := []kitentity.Term{{Field: f, Desc: desc}}
					if other := sortable[rnd.IntN(len(sortable))]; other != f {
						terms = append(terms, kitentity.Term{Field: other, Desc: rnd.IntN(2) == 0})
					}
					backward := rnd.IntN(2) == 0
					before := len(fill.IDs[e.Table])
					seen := walkEntity(t, r, e, terms, backward, func() { fill.Row(t, table(t, e)) })
					for _, id := range fill.IDs[e.Table][:before] {
						if n := count(seen, int(id)); n != 1 {
							t.Fatalf("%s by %s backward %v: row %d came %d times", e.Path, describe(terms), backward, id, n)
						}
					}
					if doubled := firstDouble(seen); doubled != 0 {
						t.Fatalf("%s by %s: row %d came twice", e.Path, describe(terms), doubled)
					}
				}
			}
		}
	})
}

func walkEntity(t *testing.T, r *read.Reader, e *kitentity.Entity, terms []kitentity.Term, backward bool, between func()) (seen []int) {
	t.Helper()
	ctx := viewer.With(t.Context(), viewer.System())
	sel := read.Select(e)
	sel.Field("id", e.ID())
	q := read.Query{Sort: terms, Deleted: true, Page: read.Page{Limit: 3, Backward: backward, Cursors: true}}
	for page := 0; ; page++ {
		text, info, err := r.Page(ctx, nil, sel, q)
		if err != nil {
			t.Fatalf("%s by %s: %v", e.Path, describe(terms), err)
		}
		seen = append(seen, ids(decode(t, text))...)
		if backward && !info.HasPrevious || !backward && !info.HasNext {
			return seen
		}
		q.Page.After, q.Page.Before = info.End, ""
		if backward {
			q.Page.After, q.Page.Before = "", info.Start
		}
		if page == 1 {
			between()
		}
	}
}

// No listing, filter, order, search, count, expansion or single read reveals a row or field
// to viewers without read access.
func TestNoEntityLeaks(t *testing.T) {
	viewers := map[string]*viewer.Viewer{
		"anonymous": viewer.Anonymous(),
		"user":      {UserID: 1, Role: "user"},
		"moderator": {UserID: 2, Role: "moderator"},
		"editor":    {UserID: 3, Role: "editor"},
		"admin":     {UserID: 4, Role: viewer.Admin},
		"read key":  {KeyID: 1, Permissions: []viewer.Permission{viewer.Read}},
	}
	everyWorld(t, func(t *testing.T, db *store.DB, fill *storetest.Filler) {
		r := &read.Reader{DB: db, Dialect: db.Dialect}
		for name, v := range viewers {
			ctx := viewer.With(t.Context(), v)
			readable := map[*kitentity.Entity][]int{}
			for _, e := range entity.All {
				readable[e] = admitted(t, db, e, v)
			}
			for _, e := range entity.All {
				l := leak{t: t, r: r, ctx: ctx, v: v, who: name, e: e, readable: readable}
				l.single(fill.IDs[e.Table])
				l.filters()
				l.expansions()
				l.searches()
			}
		}
	})
}

// admitted asks the policy's SQL alone which rows v can read.
func admitted(t *testing.T, db *store.DB, e *kitentity.Entity, v *viewer.Viewer) (all []int) {
	t.Helper()
	w := &plain{postgres: db.Postgres()}
	w.WriteString(`SELECT "id" FROM "` + e.Table + `" WHERE `)
	e.Rules.Readable(v, false).Write(w, e.Table)
	rows, err := db.QueryContext(t.Context(), w.text, w.args...)
	if err != nil {
		t.Fatalf("%s: %v", w.text, err)
	}
	defer rows.Close()
	for rows.Next() {
		var id int
		if err := rows.Scan(&id); err != nil {
			t.Fatal(err)
		}
		all = append(all, id)
	}
	return all
}

// plain writes a policy for a test.
type plain struct {
	text     string
	args     []any
	postgres bool
}

func (p *plain) WriteString(text string) { p.text += text }
func (p *plain) Arg(value any) {
	p.args = append(p.args, value)
	if p.postgres {
		p.text += fmt.Sprintf("$%d", len(p.args))
	} else {
		p.text += fmt.Sprintf("?%d", len(p.args))
	}
}

// leak looks for one viewer's leaks in one entity.
type leak struct {
	t        *testing.T
	r        *read.Reader
	ctx      context.Context
	v        *viewer.Viewer
	who      string
	e        *kitentity.Entity
	readable map[*kitentity.Entity][]int
}

func (l *leak) single(all []int64) {
	for _, id := range all {
		got, err := l.r.Readable(l.ctx, l.e, gid.Int(id))
		if err != nil {
			l.t.Fatal(err)
		}
		if want := slices.Contains(l.readable[l.e], int(id)); got != want {
			l.t.Errorf("%s reads %s %d: %v, want %v", l.who, l.e.Singular, id, got, want)
		}
	}
}

// filters asks for every row in ways that a hidden one could answer.
func (l *leak) filters() {
	sel := read.Select(l.e)
	sel.Field("id", l.e.ID())
	wheres := []read.Filter{nil, read.Not{Filter: read.Cond{Field: l.e.ID(), Value: int64(-1)}}, read.Or{read.Cond{Field: l.e.ID(), Op: read.GT, Value: int64(0)}}}
	for _, f := range l.e.Fields {
		if f.Nullable && f.Expression == "" {
			wheres = append(wheres, read.Or{read.Cond{Field: f, Op: read.IsNull}, read.Cond{Field: f, Op: read.NotNull}})
		}
	}
	for _, where := range wheres {
		text, info, err := l.r.Page(l.ctx, nil, sel, read.Query{Where: where, Page: read.Page{Limit: 1000, Total: true}})
		if err != nil {
			l.t.Fatal(err)
		}
		got := ids(decode(l.t, text))
		slices.Sort(got)
		want := slices.Clone(l.readable[l.e])
		slices.Sort(want)
		if !slices.Equal(got, want) || int(info.Total) != len(want) {
			l.t.Errorf("%s lists %s where %v: %v, total %d, want %v", l.who, l.e.Path, where, got, info.Total, want)
		}
	}
}

// expansions expands every edge and looks at what comes.
func (l *leak) expansions() {
	for _, edge := range l.e.Edges {
		sub := read.Select(edge.To)
		sub.Field("id", edge.To.ID())
		sel := read.Select(l.e)
		if edge.Many {
			sel.Many("related", edge, sub, read.Query{Page: read.Page{Limit: 100}}, nil)
		} else {
			sel.One("related", edge, sub, false)
		}
		text, _, err := l.r.Page(l.ctx, nil, sel, read.Query{Page: read.Page{Limit: 1000}})
		if err != nil {
			l.t.Fatal(err)
		}
		for _, item := range decode(l.t, text) {
			for _, id := range related(item["related"]) {
				if !edge.Through && !slices.Contains(l.readable[edge.To], id) {
					l.t.Errorf("%s sees %s %d by way of %s.%s", l.who, edge.To.Singular, id, l.e.Singular, edge.Name)
				}
			}
		}
	}
}

// searches asks full-text search for every word that rows have: it finds what
// a literal match in the rows that can be read finds, and counts that.
func (l *leak) searches() {
	if len(l.e.Search) == 0 {
		return
	}
	s := search.New(l.r, []*kitentity.Entity{l.e})
	for _, word := range []string{"alpha", "beta", "gamma", "zulu", "élan", "ωmega"} {
		q, err := search.Parse(word)
		if err != nil {
			l.t.Fatal(err)
		}
		result, err := s.Search(l.ctx, search.Request{Query: q, Limit: 1000})
		if err != nil {
			l.t.Fatal(err)
		}
		var fields []*kitentity.Field
		for _, f := range l.e.Search {
			if f.Visible(l.v) {
				fields = append(fields, f)
			}
		}
		sel := read.Select(l.e)
		sel.Field("id", l.e.ID())
		text, _, err := l.r.Page(l.ctx, nil, sel, read.Query{Where: read.Match{Fields: fields, Text: word}, Page: read.Page{Limit: 1000}})
		if err != nil {
			l.t.Fatal(err)
		}
		want := ids(decode(l.t, text))
		var got []int
		for _, hit := range result.Hits {
			got = append(got, int(hit.ID.Int()))
			if !strings.Contains(hit.Snippet, "<mark>") {
				l.t.Errorf("%s finds %q in %s %v and sees %q", l.who, word, l.e.Singular, hit.ID, hit.Snippet)
			}
		}
		slices.Sort(got)
		slices.Sort(want)
		if !slices.Equal(got, want) || result.Total != len(want) {
			l.t.Errorf("%s finds %q in %s: %v, total %d, want %v", l.who, word, l.e.Path, got, result.Total, want)
		}
	}
}

func related(v any) (all []int) {
	text, _ := json.Marshal(v)
	var one struct{ ID int }
	var many []struct{ ID int }
	if json.Unmarshal(text, &many) == nil {
		for _, m := range many {
			all = append(all, m.ID)
		}
	} else if json.Unmarshal(text, &one) == nil && one.ID != 0 {
		all = append(all, one.ID)
	}
	return all
}
