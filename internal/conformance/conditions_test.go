package conformance_test

import (
	"context"
	"net/url"
	"strings"
	"testing"

	"github.com/entwine-go/entwine/internal/entity"
	kitentity "github.com/entwine-go/entwine/kit/entity"
	"github.com/entwine-go/entwine/kit/read"
	"github.com/entwine-go/entwine/kit/rest/params"
	"github.com/entwine-go/entwine/kit/store"
	"github.com/entwine-go/entwine/kit/viewer"
	"github.com/entwine-go/entwine/migrate/migratetest"
)

// A statement says what it asks for: no condition that always holds stands
// before another, and a total is a subquery, because a window would read all
// rows that it counts.
func TestStatementsHaveNoEmptyConditions(t *testing.T) {
	t.Parallel()
	empty := []read.Filter{
		nil, read.And{}, read.And{nil, read.And{}}, read.Or{}, read.Or{read.And{}}, read.Not{},
		read.Not{Filter: read.Or{}}, read.Match{Text: "ada"},
	}
	migratetest.Each(t, func(t *testing.T, db *store.DB) {
		r := &read.Reader{DB: db, Dialect: db.Dialect}
		for _, v := range []*viewer.Viewer{viewer.System(), viewer.Anonymous(), {UserID: 1, Role: "user"}, {UserID: 1, Role: viewer.Admin}} {
			var log store.Log
			ctx := store.WithStatementLog(viewer.With(t.Context(), v), &log)
			for _, e := range entity.All {
				sorts := [][]kitentity.Term{nil}
				for _, f := range e.Fields {
					if f.Sort && f.Nullable && f.Visible(v) {
						sorts = append(sorts, []kitentity.Term{{Field: f}}, []kitentity.Term{{Field: f, Desc: true}})
					}
				}
				shape := read.Select(e)
				shape.Field("id", e.ID())
				for _, where := range empty {
					for _, sort := range sorts {
						if _, _, err := r.Page(ctx, nil, shape, read.Query{Where: where, Sort: sort, Page: read.Page{Limit: 5, Total: true}}); err != nil {
							t.Fatalf("%s where %#v: %v", e.Name, where, err)
						}
					}
				}
				for _, query := range []string{"", "cursor=", "search=ada", "search=a", "search=ada&page=3"} {
					values, _ := url.ParseQuery(query)
					p, err := params.Parse(ctx, e, values, params.Options{})
					if err != nil {
						continue // the entity is not searched
					}
					if _, _, err := r.Page(ctx, nil, p.Selection, p.Query); err != nil {
						t.Fatalf("%s?%s: %v", e.Path, query, err)
					}
				}
			}
			for _, text := range log.Statements() {
				for _, not := range []string{"1=1", "1=0", "TRUE AND", "FALSE OR ", "WHERE AND", "WHERE TRUE", "OVER ("} {
					if strings.Contains(text, not) {
						t.Errorf("%s in %s", not, text)
					}
				}
			}
		}
	})
}

// Behind a row of an order that may have nulls and two directions there are the
// same rows as ever.
func TestCursorsOfOrdersWithNulls(t *testing.T) {
	t.Parallel()
	migratetest.Each(t, func(t *testing.T, db *store.DB) {
		ctx := viewer.With(t.Context(), viewer.System())
		crowd(t, db, "30")
		if _, err := db.ExecContext(ctx, `UPDATE users SET age = 20 + id % 4 WHERE id % 3 > 0`); err != nil {
			t.Fatal(err)
		}
		r := &read.Reader{DB: db, Dialect: db.Dialect}
		for _, sort := range []string{"age", "-age", "age,-role", "-age,role,-name"} {
			whole, _, err := pageOf(ctx, r, "fields=id&limit=100&sort="+sort)
			if err != nil {
				t.Fatal(err)
			}
			var pieces []string
			for cursor := ""; ; {
				piece, info, err := pageOf(ctx, r, "fields=id&limit=7&sort="+sort+"&cursor="+cursor)
				if err != nil {
					t.Fatal(err)
				}
				pieces = append(pieces, strings.Trim(piece, "[]"))
				if cursor = info.End; !info.HasNext {
					break
				}
			}
			if got := "[" + strings.Join(pieces, ",") + "]"; got != whole {
				t.Errorf("sort=%s: %s, want %s", sort, got, whole)
			}
		}
	})
}

// pageOf reads a page of users.
func pageOf(ctx context.Context, r *read.Reader, query string) (string, read.Info, error) {
	values, err := url.ParseQuery(query)
	if err != nil {
		return "", read.Info{}, err
	}
	p, err := params.Parse(ctx, entity.User, values, params.Options{})
	if err != nil {
		return "", read.Info{}, err
	}
	text, info, err := r.Page(ctx, nil, p.Selection, p.Query)
	return string(text), info, err
}
