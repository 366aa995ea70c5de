package read_test

import (
	"encoding/json"
	"errors"
	"net/url"
	"slices"
	"strings"
	"testing"

	"entgo.io/ent"
	"entgo.io/ent/schema"
	"entgo.io/ent/schema/field"

	"github.com/entwine-go/entwine/kit/entity"
	"github.com/entwine-go/entwine/kit/expose"
	"github.com/entwine-go/entwine/kit/policy"
	"github.com/entwine-go/entwine/kit/problem"
	"github.com/entwine-go/entwine/kit/read"
	"github.com/entwine-go/entwine/kit/rest/params"
	"github.com/entwine-go/entwine/kit/store"
	"github.com/entwine-go/entwine/kit/viewer"
)

// measured is the schema of the book's computed values.
type measured struct{ ent.Schema }

func (measured) Annotations() []schema.Annotation {
	return []schema.Annotation{expose.Resource{Calcs: []expose.Calc{
		{
			Name: "distance", Shape: expose.Decimal, Comment: "How far its length is from another.",
			Input: []ent.Field{expose.Range(field.Int64("to"), 0, 10_000), field.Float("scale").Default(1)},
			SQL:   `abs({row}."pages" - :to) * :scale`,
		},
		{
			Name: "matches", Shape: expose.Flag, Comment: "Whether its title has the word.",
			Input:    []ent.Field{expose.Length(field.String("word"), 1, 20)},
			Postgres: `position(lower(:word) IN lower({row}."title")) > 0`,
			SQLite:   `instr(lower({row}."title"), lower(:word)) > 0`,
		},
		{
			Name: "age", Shape: expose.Decimal, Comment: "Its age in days.",
			Postgres: `EXTRACT(EPOCH FROM (:now - {row}."created_at")) / 86400`,
			SQLite:   `julianday(:now) - julianday({row}."created_at")`,
		},
		{
			Name: "share", Shape: expose.Count, Comment: "Its pages, divided.",
			Input: []ent.Field{field.Int64("by").Optional()},
			SQL:   `{row}."pages" / :by`,
		},
		{
			Name: "times", Shape: expose.Count, Comment: "Its pages, multiplied.",
			Input: []ent.Field{field.Int64("by"), field.Int64("over").Default(1)},
			SQL:   `{row}."pages" * :by / :over`,
		},
		{
			Name: "exceeds", Shape: expose.Flag, Comment: "Whether its pages, multiplied, are more.",
			Input: []ent.Field{field.Int64("by")},
			SQL:   `{row}."pages" * :by > 100`,
		},
		{
			Name: "grown", Shape: expose.Decimal, Comment: "Its pages, multiplied twice.",
			Input: []ent.Field{field.Float("by")},
			SQL:   `{row}."pages" * :by * :by`,
		},
		{Name: "noted", Shape: expose.Text, Comment: "Its note, shouted.", SQL: `upper({row}."note")`},
	}}}
}

// calculated is the book with computed values.
func calculated() *entity.Entity {
	e := *book
	named := func(name string, kind entity.Kind) *entity.Field {
		return &entity.Field{Name: name, Column: name, REST: name, GraphQL: []string{name}, Kind: kind, Nullable: true}
	}
	argument := func(name string, kind entity.Kind, required bool) *entity.Argument {
		return &entity.Argument{Field: named(name, kind), Required: required}
	}
	e.Calcs = read.Calculated(measured{},
		&entity.Calc{
			Field: named("distance", entity.Float), Reads: []*entity.Field{book.Field("pages")},
			Arguments: []*entity.Argument{argument("to", entity.Int, true), argument("scale", entity.Float, false)},
		},
		&entity.Calc{Field: named("matches", entity.Bool), Arguments: []*entity.Argument{argument("word", entity.String, true)}},
		&entity.Calc{Field: named("age", entity.Float)},
		&entity.Calc{Field: named("share", entity.Int), Arguments: []*entity.Argument{argument("by", entity.Int, false)}},
		&entity.Calc{
			Field: named("times", entity.Int), Reads: []*entity.Field{book.Field("pages")},
			Arguments: []*entity.Argument{argument("by", entity.Int, true), argument("over", entity.Int, false)},
		},
		&entity.Calc{Field: named("exceeds", entity.Bool), Reads: []*entity.Field{book.Field("pages")}, Arguments: []*entity.Argument{argument("by", entity.Int, true)}},
		&entity.Calc{Field: named("grown", entity.Float), Reads: []*entity.Field{book.Field("pages")}, Arguments: []*entity.Argument{argument("by", entity.Float, true)}},
		&entity.Calc{Field: named("noted", entity.String), Reads: []*entity.Field{book.Field("note")}},
	)
	return &e
}

// paged are the books with the pages 100, 200, 300, 200 and none.
func paged(t *testing.T, db *store.DB) {
	t.Helper()
	library(t, db)
	exec(t, db, `UPDATE books SET pages = CASE id WHEN 1 THEN 100 WHEN 2 THEN 200 WHEN 3 THEN 300 WHEN 5 THEN 200 END, public = 1 = 1, note = 'psst'`)
}

// ask runs a REST query of the books.
func ask(t *testing.T, r *read.Reader, v *viewer.Viewer, query string) ([]map[string]any, read.Info, error) {
	t.Helper()
	return askOf(t, r, calculated(), v, query)
}

func askOf(t *testing.T, r *read.Reader, e *entity.Entity, v *viewer.Viewer, query string) ([]map[string]any, read.Info, error) {
	t.Helper()
	ctx, _ := as(t, v)
	values, err := url.ParseQuery(query)
	if err != nil {
		t.Fatal(err)
	}
	p, err := params.Parse(ctx, e, values, params.Options{})
	if err != nil {
		return nil, read.Info{}, err
	}
	text, info, err := r.Page(ctx, nil, p.Selection, p.Query)
	if err != nil {
		return nil, info, err
	}
	return decode(t, text), info, nil
}

func TestComputedValuesAreReadFilteredAndSorted(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, db *store.DB, r *read.Reader) {
		paged(t, db)
		for _, c := range []struct {
			query string
			want  []int
		}{
			{"distance.to=250&sort=distance,id", []int{2, 3, 5, 1, 6}},
			{"distance.to=250&sort=-distance,id", []int{1, 2, 3, 5, 6}},
			{"distance.to=250&distance[lte]=50&sort=id", []int{2, 3, 5}},
			{"distance.to=250&distance.scale=2.5&distance[lt]=126&distance[gt]=124&sort=id", []int{2, 3, 5}},
			{"distance.to=100&distance=0&sort=id", []int{1}},
			{"distance.to=100&distance[in]=0,200&sort=id", []int{1, 3}},
			{"matches.word=SEC&matches=true&sort=id", []int{2}},
			{"matches.word=sec&matches=false&sort=id", []int{1, 3, 5, 6}},
			{"age[gt]=1&sort=age", []int{6, 5, 3, 2, 1}},
			{"share.by=100&share=2&sort=id", []int{2, 5}},
			{"share=2&sort=id", nil},
			{"distance.to=250&sort=distance,id&search=e&limit=3", []int{2, 3, 5}},
		} {
			items, _, err := ask(t, r, owner, c.query)
			if err != nil || !slices.Equal(ids(items), c.want) {
				t.Errorf("%s: %v, %v, want %v", c.query, ids(items), err, c.want)
			}
		}
		items, _, err := ask(t, r, owner, "distance.to=250&distance.scale=0.5&sort=id&share.by=7&limit=2")
		if err != nil || len(items) != 2 || items[1]["distance"] != 25.0 || items[1]["share"] != 28.0 || items[1]["title"] == nil || items[1]["age"] != nil {
			t.Errorf("with arguments and without fields: %v, %v", items, err)
		}
		items, _, err = ask(t, r, owner, "distance.to=250&fields=id,age,matches&matches.word=go&sort=-id&limit=1")
		if text, _ := json.Marshal(items); err != nil || len(items[0]) != 3 || items[0]["matches"] != false {
			t.Errorf("with fields: %s, %v", text, err)
		}
		items, _, err = ask(t, r, owner, "distance.to=1&id=6")
		if value, shown := items[0]["distance"]; err != nil || value != nil || !shown {
			t.Errorf("of null: %v, %v", items, err)
		}
	})
}

func TestArgumentsOfComputedValuesAreJudged(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, db *store.DB, r *read.Reader) {
		paged(t, db)
		for query, want := range map[string]string{
			"sort=distance":                            "distance.to is required",
			"fields=distance&sort=distance":            "distance.to is required",
			"distance[lte]=5":                          "distance.to is required",
			"distance.scale=2":                         "distance.to is required",
			"distance.to=x":                            "distance.to must be a whole number",
			"distance.to=10001":                        "distance.to must be",
			"distance.to=1&distance.to=2":              "distance.to is given 2 times",
			"distance.to=1&distance.scale=NaN":         "distance.scale must be a number",
			"distance.to=1&distance[lte]=far":          "distance[lte] must be a number",
			"distance.to=1&distance.from=2":            "distance.from is not a parameter",
			"matches.word=":                            "matches.word must be",
			"matches.word=a%00":                        "matches.word is not valid UTF-8",
			"sort=distance,-distance&distance.to=1":    `sort names "distance" twice`,
			"sort=noted":                               `sort cannot be by "noted"`,
			"fields=noted":                             `fields has no field "noted"`,
			"noted=PSST":                               "noted is not a parameter",
			"expand=shelf&fields=shelf.distance":       `fields has no field "shelf.distance"`,
			"distance.to=1&sort=pages,distance,-pages": `sort names "pages" twice`,
		} {
			_, _, err := ask(t, r, owner, query)
			p := problem.As(err)
			if p == nil || len(p.Details) != 1 || !strings.Contains(p.Details[0].Field+" "+p.Details[0].Message, want) {
				t.Errorf("%s: %v %+v, want one finding: %s", query, err, p, want)
			}
		}
		if items, _, err := ask(t, r, admin, "noted=PSST&fields=noted,id&sort=noted"); err != nil || len(items) == 0 || items[0]["noted"] != "PSST" {
			t.Errorf("an admin, who sees what it is computed of: %v, %v", items, err)
		}
		items, _, err := ask(t, r, owner, "share.by=0&fields=share,id&sort=id")
		switch p := problem.As(err); {
		case db.Postgres() && (p == nil || p.Kind != problem.Invalid || !strings.Contains(p.Message, "share")):
			t.Errorf("divided by zero: %v, want a problem of the caller's", err)
		case !db.Postgres() && (err != nil || items[0]["share"] != nil):
			t.Errorf("divided by zero: %v, %v, want null", items, err)
		}
	})
}

func TestPagesOfComputedOrders(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, db *store.DB, r *read.Reader) {
		paged(t, db)
		for query, want := range map[string][]int{
			"distance.to=250&sort=distance,id":    {2, 3, 5, 1, 6},
			"distance.to=250&sort=-distance,-id":  {1, 5, 3, 2, 6},
			"age[gt]=1&sort=age":                  {6, 5, 3, 2, 1},
			"matches.word=E&sort=-matches,id":     {2, 3, 5, 6, 1},
			"share.by=100&sort=share,-id":         {1, 5, 2, 3, 6},
			"distance.to=250&sort=-age,-distance": {1, 2, 3, 5, 6},
		} {
			var got []int
			cursor := ""
			for len(got) <= len(want) {
				items, info, err := ask(t, r, owner, query+"&fields=id&limit=2&cursor="+cursor)
				if err != nil {
					t.Fatalf("%s after %v: %v", query, got, err)
				}
				if got = append(got, ids(items)...); !info.HasNext {
					break
				}
				cursor = info.End
			}
			if !slices.Equal(got, want) {
				t.Errorf("%s by cursor: %v, want %v", query, got, want)
			}
			for _, other := range []string{"distance.to=251", "matches.word=e", "share.by=50"} {
				name, _, _ := strings.Cut(other, "=")
				_, rest, _ := strings.Cut(query, "&")
				if !strings.Contains(query, name) {
					continue
				}
				changed := other + "&" + rest
				if _, _, err := ask(t, r, owner, changed+"&fields=id&limit=2&cursor="+cursor); !errors.Is(err, read.ErrCursor) {
					t.Errorf("%s with the cursor of %s: %v, want it refused", changed, query, err)
				}
			}
		}
	})
}

func TestAValueWithOtherArgumentsIsAnotherColumn(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, db *store.DB, r *read.Reader) {
		paged(t, db)
		ctx, log := as(t, owner)
		distance := calculated().Calc("distance")
		near, far := distance.With([]any{int64(200), 1.0}), distance.With([]any{int64(1000), 1.0})
		sub := read.Select(book)
		sub.Field("near", near)
		sub.Field("far", far)
		sub.Field("again", distance.With([]any{int64(200), 1.0}))
		s := read.Select(shelf)
		s.Field("name", shelf.Field("name"))
		s.Many("books", shelf.Edges[0], sub, read.Query{
			Sort: []entity.Term{{Field: near}, {Field: book.Field("id")}}, Where: read.Cond{Field: far, Op: read.GTE, Value: 700.0}, Page: read.Page{Limit: 2},
		}, nil)
		text, _, err := r.Page(ctx, nil, s, read.Query{Page: read.Page{Limit: 10}})
		want := `[{"name":"one","books":[{"near":0,"far":800,"again":0},{"near":100,"far":900,"again":100}]},{"name":"two","books":[{"near":0,"far":800,"again":0}]}]`
		if err != nil || string(text) != want {
			t.Errorf("%s, %v\nwant %s", text, err, want)
		}
		if len(log.Statements()) != 2 {
			t.Errorf("%d statements, want 2", len(log.Statements()))
		}
	})
}

// A value out of its range is the same error on both databases, whatever is done
// with it.
func TestComputedValuesOutOfRange(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, db *store.DB, r *read.Reader) {
		paged(t, db)
		exec(t, db, `UPDATE books SET pages = 4611686018427387904 WHERE id = 3`)
		for _, query := range []string{
			"times.by=2&fields=times", "times.by=-3&sort=times", "times.by=2&times[gte]=0", "times.by=4&times.over=4&fields=times",
			"exceeds.by=2&exceeds=true", "grown.by=1e150&fields=grown", "grown.by=-1e150&sort=-grown", "distance.to=1&distance.scale=1e300&distance[lt]=5",
		} {
			_, _, err := ask(t, r, owner, query)
			if p := problem.As(err); p == nil || p.Kind != problem.Invalid || !strings.Contains(p.Message, "can't be computed of every row with these arguments") {
				t.Errorf("%s: %v, want that it can't be computed", query, err)
			}
		}
		for query, want := range map[string][]int{
			"times.by=1&sort=-times,id": {3, 2, 5, 1, 6}, "times.by=-2&sort=times,id": {3, 2, 5, 1, 6}, "times.by=2&times.over=0&id=1": {1},
			"times.by=2&times[gte]=400&sort=id&id[lt]=3": {2}, "exceeds.by=1&exceeds=true&sort=id": {2, 3, 5},
		} {
			if db.Postgres() && strings.Contains(query, "over=0") {
				continue // a division by zero is null on SQLite
			}
			items, _, err := ask(t, r, owner, query+"&fields=id")
			if err != nil || !slices.Equal(ids(items), want) {
				t.Errorf("%s: %v, %v, want %v", query, ids(items), err, want)
			}
		}
	})
}

// Values are computed of rows that the viewer reads: of others they may fail, and
// nothing says so, in filters, orders, pages by cursor, totals, searches, and over
// edges.
func TestHiddenRowsAreNotComputed(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, db *store.DB, r *read.Reader) {
		paged(t, db)
		exec(t, db, `UPDATE books SET pages = 9000000000000000000, public = 1 = 0, owner_id = 99 WHERE id IN (3, 5)`)
		exec(t, db, `UPDATE shelves SET name = 'hidden' WHERE id = 2`)
		if db.Postgres() {
			exec(t, db, `ANALYZE books`)
			exec(t, db, `ANALYZE shelves`)
		}
		of := func(read policy.Rule) *entity.Entity {
			e := calculated()
			e.Rules.Read = read
			return e
		}
		shown := policy.In("name", "one")
		for name, e := range map[string]*entity.Entity{
			"by columns":    of(policy.Any(policy.Is("public", true), policy.Owner("owner_id"))),
			"by other rows": of(policy.Related("owner_id", "books", policy.Is("public", true))),
			"by both":       of(policy.All(policy.Is("public", true), policy.Not(policy.Related("shelf_id", "shelves", policy.Not(shown))))),
		} {
			for _, query := range []string{
				"times.by=3&times[gte]=0", "times.by=3&sort=times", "times.by=3&sort=-times,id&limit=1&cursor=", "exceeds.by=3&exceeds=true", "grown.by=1e150&grown[gte]=0",
				"times.by=3&times[in]=300,600&fields=times&search=e", "grown.by=1e140&sort=grown&fields=grown", "times.by=3&times[lte]=1000&sort=-title&page=2&limit=1",
			} {
				_, _, err := askOf(t, r, e, owner, query)
				if err != nil {
					t.Errorf("%s, %s: %v", name, query, err)
				}
			}
			overEdges(t, r, e)
		}
	})
}

// overEdges filters, orders and counts the books of shelves, and shelves by their
// books.
func overEdges(t *testing.T, r *read.Reader, e *entity.Entity) {
	t.Helper()
	ctx, _ := as(t, owner)
	times := e.Calc("times").With([]any{int64(3), int64(1)})
	some := read.Cond{Field: times, Op: read.GTE, Value: int64(0)}
	from := *shelf
	books := &entity.Edge{Name: "books", To: e, Many: true, Column: "shelf_id", Filter: true}
	from.Edges = []*entity.Edge{books}
	sub := read.Select(e)
	sub.Field("times", times)
	s := read.Select(&from)
	s.Field("name", shelf.Field("name"))
	s.Many("books", books, sub, read.Query{Sort: []entity.Term{{Field: times}}, Where: some, Page: read.Page{Limit: 2, Total: true}}, nil)
	for _, where := range []read.Filter{nil, read.Has{Edge: books, Filter: some}, read.Not{Filter: read.Has{Edge: books, Filter: some}}} {
		if _, _, err := r.Page(ctx, nil, s, read.Query{Where: where, Page: read.Page{Limit: 10, Total: true}}); err != nil {
			t.Errorf("over edges: %v", err)
		}
	}
}
