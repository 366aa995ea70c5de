package read_test

import (
	"context"
	"errors"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/entwine-go/entwine/kit/entity"
	"github.com/entwine-go/entwine/kit/gid"
	"github.com/entwine-go/entwine/kit/policy"
	"github.com/entwine-go/entwine/kit/problem"
	"github.com/entwine-go/entwine/kit/read"
	"github.com/entwine-go/entwine/kit/rest/params"
	"github.com/entwine-go/entwine/kit/store"
	"github.com/entwine-go/entwine/kit/viewer"
)

// library is two shelves and six books: 1 to 3 on shelf 1, 4 and 5 on shelf
// 2, 6 on none; 2 and 5 are private, 5 and 6 another's, 4 is deleted.
func library(t *testing.T, db *store.DB) {
	t.Helper()
	exec(t, db, `INSERT INTO shelves (id, name) VALUES (1, 'one'), (2, 'two')`)
	day := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	for _, b := range []struct {
		id            int64
		title, folded string
		shelf         any
		owner         int64
		public        bool
		deleted       any
		tags          string
	}{
		{1, "50% off_ürbs", "50% off_ürbs", int64(1), 7, true, nil, `["go","sql"]`},
		{2, "Secret", "secret", int64(1), 7, false, nil, `[]`},
		{3, `Quote " and \ and tab	`, `quote`, int64(1), 7, true, nil, `["go"]`},
		{4, "Gone", "gone", int64(2), 7, true, day, `[]`},
		{5, "Theirs", "theirs", int64(2), 8, false, nil, `[]`},
		{6, "Loose", "loose", nil, 8, true, nil, `["x"]`},
	} {
		exec(t, db, `INSERT INTO books (id, title, title_fold, public, created_at, shelf_id, owner_id, deleted_at, tags, lent) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, 1 = 2)`,
			b.id, b.title, b.folded, b.public, day.AddDate(0, 0, int(b.id)), b.shelf, b.owner, b.deleted, b.tags)
	}
}

func as(t *testing.T, v *viewer.Viewer) (context.Context, *store.Log) {
	log := &store.Log{}
	return viewer.With(store.WithStatementLog(t.Context(), log), v), log
}

// get runs a REST query and returns the books' ids.
func get(t *testing.T, r *read.Reader, v *viewer.Viewer, query string) []int {
	t.Helper()
	ctx, _ := as(t, v)
	values, err := url.ParseQuery(query)
	if err != nil {
		t.Fatal(err)
	}
	p, err := params.Parse(ctx, book, values, params.Options{})
	if err != nil {
		t.Fatalf("%s: %v", query, err)
	}
	text, _, err := r.Page(ctx, nil, p.Selection, p.Query)
	if err != nil {
		t.Fatalf("%s: %v", query, err)
	}
	return ids(decode(t, text))
}

func TestListingsShowWhatTheViewerCanRead(t *testing.T) {
	each(t, func(t *testing.T, db *store.DB, r *read.Reader) {
		library(t, db)
		for _, c := range []struct {
			name  string
			v     *viewer.Viewer
			query string
			want  []int
		}{
			{"anonymous callers see public books", viewer.Anonymous(), "", []int{6, 3, 1}},
			{"owners see their own too", owner, "", []int{6, 3, 2, 1}},
			{"admins see all", admin, "", []int{6, 5, 3, 2, 1}},
			{"deleted ones come where asked for", admin, "include_deleted=true", []int{6, 5, 4, 3, 2, 1}},
			{"wildcards are taken literally", owner, "search=0%25+o", []int{1}},
			{"underscores too", owner, "search=_", []int{1}},
			{"search leaves case out of account", owner, "search=ÜRB", []int{1}},
			{"search stays among what is readable", viewer.Anonymous(), "search=secret", []int{}},
			{"filters by a foreign key", owner, "shelf=1&sort=id", []int{1, 2, 3}},
			{"filters by several", owner, "id[in]=1,3,5&sort=id", []int{1, 3}},
			{"filters by a range", owner, "id[gt]=1&id[lte]=3&sort=id", []int{2, 3}},
			{"filters by an element", owner, "tags=go&sort=id", []int{1, 3}},
			{"filters by one of some elements", owner, "tags[in]=sql,x&sort=id", []int{1, 6}},
			{"several elements are separated by commas", owner, "tags=sql,x&sort=id", []int{1, 6}},
			{"a range has names of its own", owner, "minID=2&maxID=3&sort=id", []int{2, 3}},
			{"a day bounds as a whole", owner, "from=2026-03-03&to=2026-03-04&sort=id", []int{2, 3}},
			{"order gives the direction", owner, "sort=id&order=desc", []int{6, 3, 2, 1}},
		} {
			t.Run(c.name, func(t *testing.T) {
				if got := get(t, r, c.v, c.query); !slices.Equal(got, c.want) {
					t.Errorf("%s: got %v, want %v", c.query, got, c.want)
				}
			})
		}
	})
}

// Of deleted rows a viewer reads those that the rule for it admits: in listings and
// their totals, alone, and at the end of an edge.
func TestDeletedRowsAreReadByTheirRule(t *testing.T) {
	kept, filing := *book, *shelf
	kept.Rules.Verbs = policy.Verbs{policy.ReadDeleted: policy.Any(policy.Owner("owner_id"), policy.Roles(viewer.Admin))}
	filing.Edges = []*entity.Edge{{Name: "books", To: &kept, Many: true, Column: "shelf_id"}}
	each(t, func(t *testing.T, db *store.DB, r *read.Reader) {
		library(t, db)
		exec(t, db, `UPDATE books SET deleted_at = created_at WHERE id = 6`)
		for _, c := range []struct {
			name    string
			v       *viewer.Viewer
			all     []int
			shelved int
		}{
			{"an owner reads their own", owner, []int{1, 2, 3, 4}, 1},
			{"an admin reads all", admin, []int{1, 2, 3, 4, 5, 6}, 2},
			{"others read none", viewer.Anonymous(), []int{1, 3}, 0},
		} {
			t.Run(c.name, func(t *testing.T) {
				ctx, _ := as(t, c.v)
				text, info, err := r.Page(ctx, nil, read.Whole(&kept, c.v), read.Query{Deleted: true, Sort: []entity.Term{{Field: kept.ID()}}, Page: read.Page{Limit: 9, Total: true}})
				if err != nil || !slices.Equal(ids(decode(t, text)), c.all) || int(info.Total) != len(c.all) {
					t.Errorf("got %s, %d, %v, want %v", text, info.Total, err, c.all)
				}
				for id := 4; id <= 6; id += 2 {
					_, info, err := r.One(ctx, nil, read.Whole(&kept, c.v), read.ByID(&kept, gid.Int(int64(id))), true)
					if there := slices.Contains(c.all, id); err != nil || info.Count > 0 != there {
						t.Errorf("row %d: %d, %v, want %t", id, info.Count, err, there)
					}
				}
				s := read.Select(&filing)
				s.Expand("books", filing.Edges[0], read.Whole(&kept, c.v))
				text, _, err = r.One(ctx, nil, s, read.ByID(&filing, gid.Int(2)), true)
				if n := strings.Count(string(text), `"id":`); err != nil || n != c.shelved {
					t.Errorf("the shelf is %s, %v, want %d books", text, err, c.shelved)
				}
			})
		}
	})
}

// A non-public field is shown to callers whom the rule of the row admits, and filters and
// sorts only for callers who see it in all rows.
func TestTheWholeOfARowIsShownByItsRule(t *testing.T) {
	kept := *book
	kept.Rules.Verbs = policy.Verbs{policy.ReadWhole: policy.Any(policy.Owner("owner_id"), policy.Roles(viewer.Admin))}
	kept.Fields = slices.Clone(book.Fields)
	for i, f := range kept.Fields {
		if f.Name != "id" && f.Name != "title" && f.Name != "note" {
			known := *f
			known.Known, known.Of = true, &kept
			kept.Fields[i] = &known
		}
	}
	kept.Sort = []entity.Term{{Field: kept.ID()}}
	each(t, func(t *testing.T, db *store.DB, r *read.Reader) {
		library(t, db)
		for _, c := range []struct {
			name string
			v    *viewer.Viewer
			want string
		}{
			{"anonymous callers see what is public", viewer.Anonymous(), `[{"id":1},{"id":3},{"id":6}]`},
			{"owners the whole of their own", owner, `[{"id":1,"owner_id":7},{"id":2,"owner_id":7},{"id":3,"owner_id":7},{"id":6}]`},
			{"admins of all", admin, `[{"id":1,"owner_id":7},{"id":2,"owner_id":7},{"id":3,"owner_id":7},{"id":5,"owner_id":8},{"id":6,"owner_id":8}]`},
		} {
			t.Run(c.name, func(t *testing.T) {
				ctx, _ := as(t, c.v)
				query := url.Values{"fields": {"id,owner_id"}}
				if c.v.UserID == 0 {
					query.Set("fields", "id")
				}
				p, err := params.Parse(ctx, &kept, query, params.Options{})
				if err != nil {
					t.Fatal(err)
				}
				if text, _, err := r.Page(ctx, nil, p.Selection, p.Query); err != nil || string(text) != c.want {
					t.Errorf("got %s, %v, want %s", text, err, c.want)
				}
				for _, name := range []string{"owner_id", "lent", "from"} {
					_, err := params.Parse(ctx, &kept, url.Values{name: {map[string]string{"owner_id": "7", "lent": "true", "from": "2026-01-01"}[name]}}, params.Options{})
					if sees := c.v == admin; (err == nil) != sees {
						t.Errorf("a filter by %s: %v", name, err)
					}
				}
				if _, err := params.Parse(ctx, &kept, url.Values{"sort": {"pages"}}, params.Options{}); (err == nil) != (c.v == admin) {
					t.Errorf("a sort: %v", err)
				}
			})
		}
	})
}

func TestAnEntityWithAKeyIsFilteredByIt(t *testing.T) {
	keyed, filed := *shelf, *book
	keyed.Key = shelf.Field("name")
	filed.Edges = []*entity.Edge{{Name: "shelf", To: &keyed, Column: "shelf_id", Own: true}}
	each(t, func(t *testing.T, db *store.DB, r *read.Reader) {
		library(t, db)
		ctx, _ := as(t, admin)
		for query, want := range map[string][]int{"shelf=two": {5}, "shelf_id=2": {5}, "shelf=three": {}} {
			values, _ := url.ParseQuery(query)
			p, err := params.Parse(ctx, &filed, values, params.Options{})
			if err != nil {
				t.Fatalf("%s: %v", query, err)
			}
			text, _, err := r.Page(ctx, nil, p.Selection, p.Query)
			if err != nil {
				t.Fatalf("%s: %v", query, err)
			}
			if got := ids(decode(t, text)); !slices.Equal(got, want) {
				t.Errorf("%s: got %v, want %v", query, got, want)
			}
		}
	})
}

func TestRelationsToManyCostOneStatementEach(t *testing.T) {
	each(t, func(t *testing.T, db *store.DB, r *read.Reader) {
		library(t, db)
		ctx, log := as(t, owner)
		p, err := params.Parse(ctx, shelf, url.Values{"expand": {"books.shelf"}, "fields": {"name"}}, params.Options{})
		if err != nil {
			t.Fatal(err)
		}
		text, info, err := r.Page(ctx, nil, p.Selection, p.Query)
		if err != nil {
			t.Fatal(err)
		}
		if info.Total != 2 || len(log.Statements()) != 2 {
			t.Errorf("total %d in %d statements, want 2 in 2 (page with total, books with their shelves)", info.Total, len(log.Statements()))
		}
		shelves := decode(t, text)
		books := shelves[0]["books"].([]any)
		if len(books) != 3 || shelves[0]["name"] != "one" || shelves[0]["id"] != nil {
			t.Errorf("shelf one: %s", text)
		}
		first := books[0].(map[string]any)
		if first["title"] != "Quote \" and \\ and tab\t" || first["shelf"].(map[string]any)["name"] != "one" {
			t.Errorf("first book: %v", first)
		}
		if theirs := shelves[1]["books"].([]any); len(theirs) != 0 {
			t.Errorf("shelf two shows %v", theirs)
		}
	})
}

func TestConnectionOfEachParent(t *testing.T) {
	each(t, func(t *testing.T, db *store.DB, r *read.Reader) {
		library(t, db)
		ctx, log := as(t, admin)
		node := read.SelectGlobal(book, nil)
		node.Field("id", book.ID())
		sel := read.SelectGlobal(shelf, nil)
		shape := &read.Shape{Parts: []read.Part{
			{Kind: read.PartTotal, Key: "totalCount"},
			{Kind: read.PartEdges, Key: "edges", Parts: []read.Part{{Kind: read.PartNode, Key: "node", Items: node}}},
			{Kind: read.PartPageInfo, Key: "pageInfo", Parts: []read.Part{{Kind: read.PartHasNext, Key: "hasNextPage"}}},
		}}
		sel.Many("books", shelf.Edge("books"), node, read.Query{Page: read.Page{Limit: 2}}, shape)
		text, _, err := r.Page(ctx, nil, sel, read.Query{Page: read.Page{Limit: 10}})
		if err != nil {
			t.Fatal(err)
		}
		const want = `[{"books":{"totalCount":3,"edges":[{"node":{"id":"Qm9vazoz"}},{"node":{"id":"Qm9vazoy"}}],"pageInfo":{"hasNextPage":true}}},` +
			`{"books":{"totalCount":1,"edges":[{"node":{"id":"Qm9vazo1"}}],"pageInfo":{"hasNextPage":false}}}]`
		if string(text) != want {
			t.Errorf("got  %s\nwant %s", text, want)
		}
		if n := len(log.Statements()); n != 3 {
			t.Errorf("%d statements, want 3 (shelves, books, totals)", n)
		}
	})
}

// Where the caller does not ask whether there are more rows, none beyond the page is read.
func TestNoRowTooManyIsReadInVain(t *testing.T) {
	each(t, func(t *testing.T, db *store.DB, r *read.Reader) {
		library(t, db)
		node := read.SelectGlobal(book, nil)
		node.Field("id", book.ID())
		edges := read.Part{Kind: read.PartEdges, Key: "edges", Parts: []read.Part{{Kind: read.PartNode, Key: "node", Items: node}}}
		info := read.Part{Kind: read.PartPageInfo, Key: "pageInfo", Parts: []read.Part{{Kind: read.PartHasNext, Key: "hasNextPage"}}}
		for _, c := range []struct {
			parts []read.Part
			read  string
		}{
			{[]read.Part{edges}, "LIMIT 2"},
			{[]read.Part{edges, info}, "LIMIT 3"},
			{[]read.Part{edges, read.DeferredPart("", read.SelectGlobal(book, nil), []read.Part{info})}, "LIMIT 3"},
		} {
			ctx, log := as(t, admin)
			sel := read.SelectGlobal(shelf, nil)
			sel.Many("books", shelf.Edge("books"), node, read.Query{Page: read.Page{Limit: 2}}, &read.Shape{Parts: c.parts})
			sel.Many("again", shelf.Edge("books"), node, read.Query{Page: read.Page{Limit: 2}}, &read.Shape{Parts: []read.Part{edges}})
			if _, _, err := r.Page(ctx, nil, sel, read.Query{Page: read.Page{Limit: 10}}); err != nil {
				t.Fatal(err)
			}
			if _, _, err := r.Connection(ctx, nil, node, read.Query{Page: read.Page{Limit: 2}}, &read.Shape{Parts: c.parts}); err != nil {
				t.Fatal(err)
			}
			all := log.Statements()
			if len(all) != 3 { // shelves, their books once, and the books of no shelf
				t.Fatalf("%q", all)
			}
			for _, text := range all[1:] {
				if !strings.Contains(text, c.read) {
					t.Errorf("%s is read by %s", c.read, text)
				}
			}
		}
	})
}

func TestFilterOverAnEdgeFindsNoHiddenRow(t *testing.T) {
	each(t, func(t *testing.T, db *store.DB, r *read.Reader) {
		library(t, db)
		ctx, _ := as(t, viewer.Anonymous())
		secret := read.Cond{Field: book.Field("title"), Op: read.EQ, Value: "Secret"}
		sel := read.Select(shelf)
		sel.Field("id", shelf.ID())
		for _, c := range []struct {
			where read.Filter
			want  []int
		}{
			{read.Has{Edge: shelf.Edge("books"), Filter: secret}, nil},
			{read.Not{Filter: read.Has{Edge: shelf.Edge("books"), Filter: secret}}, []int{1, 2}},
			{read.Has{Edge: shelf.Edge("books")}, []int{1}},
		} {
			text, _, err := r.Page(ctx, nil, sel, read.Query{Where: c.where, Page: read.Page{Limit: 10}})
			if err != nil {
				t.Fatal(err)
			}
			if got := ids(decode(t, text)); !slices.Equal(got, c.want) {
				t.Errorf("%+v: got %v, want %v", c.where, got, c.want)
			}
		}
	})
}

// A bare date is the whole day in UTC.
func TestADayIsAWhole(t *testing.T) {
	each(t, func(t *testing.T, db *store.DB, r *read.Reader) {
		library(t, db)
		for query, want := range map[string][]int{
			"created_at=2026-03-04":                             {3},
			"created_at[gte]=2026-03-03":                        {6, 3, 2},
			"created_at[gt]=2026-03-03":                         {6, 3},
			"created_at[lte]=2026-03-03":                        {2, 1},
			"created_at[lt]=2026-03-03":                         {1},
			"created_at[in]=2026-03-02,2026-03-04T12:00:00Z":    {3, 1},
			"created_at[in]=2026-03-02T12:00:00Z":               {1},
			"from=2026-03-03&to=2026-03-03":                     {2},
			"from=2026-03-03T12:00:00Z&to=2026-03-04T12:00:00Z": {3, 2},
			"created_at[lte]=9999-12-31":                        {6, 3, 2, 1},
			"created_at[gt]=9999-12-31":                         nil,
		} {
			if got := get(t, r, owner, query); !slices.Equal(got, want) {
				t.Errorf("%s: %v, want %v", query, got, want)
			}
		}
	})
}

func TestBadParametersAreReportedTogether(t *testing.T) {
	ctx := viewer.With(t.Context(), owner)
	for query, fields := range map[string]string{
		"limit=0":                                "limit",
		"limit=-1&page=x":                        "limit page",
		"page=1&cursor=":                         "page",
		"page=100000&limit=100":                  "page",
		"sort=nonsense":                          "sort",
		"sort=note":                              "sort", // hidden from this viewer
		"note=x":                                 "note",
		"fields=id,note":                         "fields",
		"expand=owner":                           "expand",
		"pages=many&lent=1":                      "pages lent",
		"created_at[gte]=yesterday":              "created_at[gte]",
		"created_at[lt]=0000-01-01":              "created_at[lt]",
		"colour=red&size=3":                      "colour size",
		"after=2026-01-01T00:00:00Z":             "after",
		"after=x&after_id=1&sort=title":          "after",
		"title=a%00":                             "title",
		"order=up":                               "order",
		"id=99999999999999999999":                "id",
		"id[in]=1" + strings.Repeat(",1", 100):   "id[in]",
		"tags=sql" + strings.Repeat(",sql", 100): "tags",
		"expand=shelf.books.shelf.books":         "expand",
	} {
		values, _ := url.ParseQuery(query)
		_, err := params.Parse(ctx, book, values, params.Options{})
		var p *problem.Error
		if !errors.As(err, &p) || p.Kind != problem.Invalid {
			t.Errorf("%s: %v, want a problem of kind Invalid", query, err)
			continue
		}
		var got []string
		for _, d := range p.Details {
			got = append(got, d.Field)
		}
		slices.Sort(got)
		want := strings.Fields(fields)
		slices.Sort(want)
		if !slices.Equal(got, want) {
			t.Errorf("%s: details of %v, want %v", query, got, want)
		}
	}
}

func TestCursorOfAnotherListingIsRefused(t *testing.T) {
	each(t, func(t *testing.T, db *store.DB, r *read.Reader) {
		library(t, db)
		ctx, _ := as(t, owner)
		sel := read.Whole(book, owner)
		q := read.Query{Page: read.Page{Limit: 1, Cursors: true}}
		_, info, err := r.Page(ctx, nil, sel, q)
		if err != nil {
			t.Fatal(err)
		}
		for name, other := range map[string]read.Query{
			"another order":  {Sort: []entity.Term{{Field: book.Field("title")}}},
			"another filter": {Where: read.Cond{Field: book.Field("lent"), Value: false}},
			"deleted ones":   {Deleted: true},
			"another value":  {Where: read.Cond{Field: book.Field("lent"), Value: true}},
		} {
			other.Page = read.Page{Limit: 1, After: info.End}
			if _, _, err := r.Page(ctx, nil, sel, other); !errors.Is(err, read.ErrCursor) {
				t.Errorf("%s: %v, want ErrCursor", name, err)
			}
		}
		for _, garbage := range []string{"x", "AQ", info.End + "AA", strings.Repeat("A", 9000)} {
			q.Page.After = garbage
			if _, _, err := r.Page(ctx, nil, sel, q); !errors.Is(err, read.ErrCursor) {
				t.Errorf("cursor %.20q: %v, want ErrCursor", garbage, err)
			}
		}
	})
}

// An order by a field whose index goes on with the default order reads a page by that
// index: its terms are the index's, in one direction.
func TestAnOrderGoesOnAsItsIndexDoes(t *testing.T) {
	t.Parallel()
	lent, title := book.Field("lent"), book.Field("title")
	for _, c := range []struct {
		sort []entity.Term
		want string
	}{
		{nil, "-created_at -id"},
		{[]entity.Term{{Field: lent}}, "lent created_at id"},
		{[]entity.Term{{Field: lent, Desc: true}}, "-lent -created_at -id"},
		{[]entity.Term{{Field: lent}, {Field: title}}, "lent title id"},
		{[]entity.Term{{Field: title, Desc: true}}, "-title -id"},
	} {
		q := read.Query{Sort: c.sort}
		var got []string
		for _, term := range q.Order(book) {
			got = append(got, map[bool]string{true: "-"}[term.Desc]+term.Field.Name)
		}
		if strings.Join(got, " ") != c.want {
			t.Errorf("%v, want %s", got, c.want)
		}
	}
}
