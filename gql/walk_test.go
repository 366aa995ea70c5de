package gql_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"entgo.io/ent/dialect/sql/schema"

	"github.com/entwine-go/entwine/ent/migrate"
	"github.com/entwine-go/entwine/gql"
	"github.com/entwine-go/entwine/internal/entity"
	"github.com/entwine-go/entwine/internal/storetest"
	"github.com/entwine-go/entwine/internal/viewer"
)

// TestEveryConnectionWalks walks the connection of every entity by its
// cursors, forward and backward, in every order, over rows with ties and
// nulls, and wants every row exactly once.
func TestEveryConnectionWalks(t *testing.T) {
	each(t, func(w *world) {
		w.viewers["system"] = viewer.System()
		filler := storetest.NewFiller(w.db, migrate.Tables, 7)
		filler.IDs["users"] = []int64{1, 2, 3}
		for _, e := range entity.All {
			i := slices.IndexFunc(migrate.Tables, func(t *schema.Table) bool { return t.Name == e.Table })
			for range 11 {
				filler.Row(w.T, migrate.Tables[i])
			}
		}
		walked := 0
		for _, f := range gql.Schema().Query.Fields {
			name, ok := strings.CutSuffix(f.Type.Name(), "Connection")
			orders := gql.Schema().Types[name+"OrderField"]
			if !ok || orders == nil || f.Arguments.ForName("orderBy") == nil {
				continue
			}
			walked++
			for _, order := range orders.EnumValues {
				for _, direction := range []string{"ASC", "DESC"} {
					w.walk(f.Name, fmt.Sprintf("[{field: %s, direction: %s}]", order.Name, direction))
				}
			}
			w.walk(f.Name, "[]")
		}
		if walked < 10 {
			w.Errorf("only %d connections were walked", walked)
		}
	})
}

// walk compares pages of 4 in both directions with the whole listing.
func (w *world) walk(field, order string) {
	w.Helper()
	whole, _, _ := w.ids(field, order, "first: 100")
	var forward, backward []string
	for after := "null"; after != ""; {
		ids, _, next := w.ids(field, order, "first: 4, after: "+after)
		forward, after = append(forward, ids...), next
	}
	for before := "null"; before != ""; {
		ids, previous, _ := w.ids(field, order, "last: 4, before: "+before)
		backward, before = append(ids, backward...), previous
	}
	if len(whole) == 0 || !slices.Equal(forward, whole) || !slices.Equal(backward, whole) {
		w.Errorf("%s by %s:\n   whole %v\n forward %v\nbackward %v", field, order, whole, forward, backward)
	}
}

// ids reads a page: its ids, and the cursors of the pages around it.
func (w *world) ids(field, order, page string) (ids []string, previous, next string) {
	w.Helper()
	a := w.as("system", fmt.Sprintf(`{ c: %s(orderBy: %s, %s) { nodes { id } pageInfo { hasNextPage hasPreviousPage startCursor endCursor } } }`, field, order, page))
	var data struct {
		C struct {
			Nodes    []struct{ ID string }
			PageInfo struct {
				HasNextPage, HasPreviousPage bool
				StartCursor, EndCursor       string
			}
		}
	}
	if err := json.Unmarshal(a.Data, &data); err != nil || a.Errors != nil {
		w.Fatalf("%s by %s, %s: %v %q", field, order, page, err, a.codes())
	}
	for _, n := range data.C.Nodes {
		ids = append(ids, n.ID)
	}
	if info := data.C.PageInfo; info.HasNextPage && strings.HasPrefix(page, "first") {
		next = fmt.Sprintf("%q", info.EndCursor)
	} else if info.HasPreviousPage && strings.HasPrefix(page, "last") {
		previous = fmt.Sprintf("%q", info.StartCursor)
	}
	return ids, previous, next
}
