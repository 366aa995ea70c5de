package apis_test

import (
	"encoding/json"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strings"
	"testing"

	"entgo.io/ent/dialect/sql/schema"

	"github.com/entwine-go/entwine/ent/migrate"
	"github.com/entwine-go/entwine/internal/activities"
	"github.com/entwine-go/entwine/internal/entity"
	generated "github.com/entwine-go/entwine/internal/service"
	"github.com/entwine-go/entwine/kit/app"
	kitentity "github.com/entwine-go/entwine/kit/entity"
	"github.com/entwine-go/entwine/kit/gid"
	"github.com/entwine-go/entwine/kit/graph"
	"github.com/entwine-go/entwine/kit/kittest/storetest"
	"github.com/entwine-go/entwine/kit/store"
	"github.com/entwine-go/entwine/kit/viewer"
	"github.com/entwine-go/entwine/migrate/migratetest"
)

// walker walks the listings of one database through both APIs, as an admin.
type walker struct {
	*testing.T
	rest, gql http.Handler
	fill      *storetest.Filler
}

// Walking a listing of any entity by cursors, through REST and through
// GraphQL, by any field it can be sorted by and in either direction, gives
// every row exactly once, while rows are inserted.
func TestBothAPIsWalkEveryEntity(t *testing.T) {
	t.Parallel()
	migratetest.Each(t, func(t *testing.T, db *store.DB) {
		log := slog.New(slog.DiscardHandler)
		engine := activities.Engine(db, nil, activities.Set{})
		w := &walker{
			T:    t,
			rest: resources(t, db, app.REST{Log: log, Engine: engine}),
			gql:  fields(t, db, app.GraphQL{Options: graph.Options{Logger: log}, Engine: engine}),
			fill: storetest.NewFiller(db, migrate.Tables, 11),
		}
		for _, e := range entity.All {
			for range 10 {
				w.fill.Row(t, w.table(e))
			}
		}
		for _, e := range entity.All {
			for _, f := range e.Fields {
				if f.Sort {
					w.walk(e, f)
				}
			}
		}
	})
}

func (w *walker) table(e *kitentity.Entity) *schema.Table {
	i := slices.IndexFunc(migrate.Tables, func(t *schema.Table) bool { return t.Name == e.Table })
	return migrate.Tables[i]
}

func (w *walker) walk(e *kitentity.Entity, f *kitentity.Field) {
	for _, desc := range []bool{false, true} {
		for name, page := range map[string]func(*kitentity.Entity, *kitentity.Field, bool, string) ([]int64, string, bool){
			"REST": w.restPage, "GraphQL forward": w.gqlForward, "GraphQL backward": w.gqlBackward,
		} {
			before, ok := w.all(e, page, f)
			if !ok {
				continue // no listing of its own in this API
			}
			seen := map[int64]int{}
			cursor, pages := "", 0
			for more := true; more; pages++ {
				var ids []int64
				ids, cursor, more = page(e, f, desc, cursor)
				for _, id := range ids {
					seen[id]++
				}
				if pages == 1 {
					w.fill.Row(w.T, w.table(e))
				}
			}
			for _, id := range before {
				if seen[id] != 1 {
					w.Fatalf("%s, %s by %s, descending %v: row %d came %d times", name, e.Path, f.Name, desc, id, seen[id])
				}
			}
			for id, n := range seen {
				if n != 1 {
					w.Fatalf("%s, %s by %s: row %d came %d times", name, e.Path, f.Name, id, n)
				}
			}
		}
	}
}

// all returns the rows that the listing has, by the order of the ids.
func (w *walker) all(e *kitentity.Entity, page func(*kitentity.Entity, *kitentity.Field, bool, string) ([]int64, string, bool), f *kitentity.Field) (all []int64, ok bool) {
	ids, cursor, more := page(e, e.ID(), false, "")
	if ids == nil {
		return nil, false
	}
	all = ids
	for more {
		ids, cursor, more = page(e, e.ID(), false, cursor)
		all = append(all, ids...)
	}
	return all, true
}

func (w *walker) serve(h http.Handler, r *http.Request) []byte {
	w.Helper()
	recorder := httptest.NewRecorder()
	h.ServeHTTP(recorder, r.WithContext(viewer.With(w.Context(), &viewer.Viewer{UserID: 1, Role: viewer.Admin})))
	if recorder.Code == http.StatusNotFound {
		return nil
	}
	if recorder.Code != http.StatusOK {
		w.Fatalf("%s %s: %d %s", r.Method, r.URL, recorder.Code, recorder.Body)
	}
	return recorder.Body.Bytes()
}

// restPage reads three rows; nil where the entity has no listing.
func (w *walker) restPage(e *kitentity.Entity, f *kitentity.Field, desc bool, cursor string) (ids []int64, next string, more bool) {
	w.Helper()
	sort := f.REST
	if desc {
		sort = "-" + sort
	}
	query := url.Values{"limit": {"3"}, "cursor": {cursor}, "sort": {sort}, "fields": {"id"}}
	if e.Field("id").REST == "" {
		query.Del("fields")
	}
	body := w.serve(w.rest, httptest.NewRequest(http.MethodGet, "/api/v1/"+e.Path+"?"+query.Encode(), nil))
	if body == nil {
		return nil, "", false
	}
	var page struct {
		Data       []struct{ ID int64 }
		Pagination struct {
			HasMore bool    `json:"has_more"`
			Next    *string `json:"next_cursor"`
		}
	}
	if err := json.Unmarshal(body, &page); err != nil {
		w.Fatalf("%s: %v", body, err)
	}
	ids = []int64{}
	for _, item := range page.Data {
		ids = append(ids, item.ID)
	}
	if page.Pagination.Next != nil {
		next = *page.Pagination.Next
	}
	return ids, next, page.Pagination.HasMore
}

func (w *walker) gqlForward(e *kitentity.Entity, f *kitentity.Field, desc bool, cursor string) ([]int64, string, bool) {
	return w.gqlPage(e, f, desc, "first: 3, after", cursor)
}

func (w *walker) gqlBackward(e *kitentity.Entity, f *kitentity.Field, desc bool, cursor string) ([]int64, string, bool) {
	return w.gqlPage(e, f, desc, "last: 3, before", cursor)
}

// gqlPage reads three rows of the entity's connection; nil where it has none.
func (w *walker) gqlPage(e *kitentity.Entity, f *kitentity.Field, desc bool, bounds, cursor string) (ids []int64, next string, more bool) {
	w.Helper()
	root := connection(e)
	if root == "" {
		return nil, "", false
	}
	direction := "ASC"
	if desc {
		direction = "DESC"
	}
	after := "null"
	if cursor != "" {
		after = `"` + cursor + `"`
	}
	query := fmt.Sprintf(`{ c: %s(%s: %s, orderBy: [{field: %s, direction: %s}]) { edges { node { id } } pageInfo { hasNextPage hasPreviousPage startCursor endCursor } } }`,
		root, bounds, after, strings.ToUpper(f.Name), direction)
	text, err := json.Marshal(map[string]string{"query": query})
	if err != nil {
		w.Fatal(err)
	}
	r := httptest.NewRequest(http.MethodPost, "/graphql", strings.NewReader(string(text)))
	r.Header.Set("Content-Type", "application/json")
	body := w.serve(w.gql, r)
	var page struct {
		Data struct {
			C struct {
				Edges    []struct{ Node struct{ ID string } }
				PageInfo struct {
					HasNextPage, HasPreviousPage bool
					StartCursor, EndCursor       string
				}
			}
		}
		Errors []json.RawMessage
	}
	if err := json.Unmarshal(body, &page); err != nil || len(page.Errors) > 0 {
		w.Fatalf("%s: %v %s", query, err, body)
	}
	ids = []int64{}
	for _, edge := range page.Data.C.Edges {
		id, err := gid.Parse(e.Name, edge.Node.ID)
		if err != nil {
			w.Fatal(err)
		}
		ids = append(ids, id.Int())
	}
	info := page.Data.C.PageInfo
	if strings.HasPrefix(bounds, "last") {
		return ids, info.StartCursor, info.HasPreviousPage
	}
	return ids, info.EndCursor, info.HasNextPage
}

// connection returns the root field of the entity's connection, empty where it has none.
func connection(e *kitentity.Entity) string {
	for _, f := range generated.Generated(nil).GraphQL().Query.Fields {
		if f.Type.Name() == e.Name+"Connection" && f.Arguments.ForName("orderBy") != nil {
			return f.Name
		}
	}
	return ""
}
