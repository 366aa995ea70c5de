package gql_test

import (
	"encoding/json"
	"fmt"
	"testing"
	"time"

	"github.com/entwine-go/entwine/kit/store"
)

func TestSearchFindsEveryType(t *testing.T) {
	each(t, func(w *world) {
		w.post(1, "The Engine", 1)
		w.client.Post.Create().SetAuthorID(2).SetTitle("Engine to come").SetContent("…").SaveX(w.system())
		w.client.Product.Create().SetName("Engine").SetPrice(1999).SaveX(w.system())
		const query = `{ searchConnection(query: "engine") {
			totalCount totalCountExact counts { type count exact }
			nodes { __typename ... on Node { id } }
			edges { title snippet node { ... on Post { title author { name email } } ... on Product { price } ... on SearchResult { __typename } } }
		} }`
		w.as("nobody", query).wants(t, `{"searchConnection":{"totalCount":2,"totalCountExact":true,
			"counts":[{"type":"posts","count":1,"exact":true},{"type":"products","count":1,"exact":true}],
			"nodes":[{"__typename":"Product","id":"`+id("Product", 1)+`"},{"__typename":"Post","id":"`+id("Post", 1)+`"}],
			"edges":[{"title":"Engine","snippet":"\u003cmark\u003eEngine\u003c/mark\u003e","node":{"price":19.99,"__typename":"Product"}},
				{"title":"The Engine","snippet":"The \u003cmark\u003eEngine\u003c/mark\u003e","node":{"title":"The Engine","author":{"name":"Ada","email":null},"__typename":"Post"}}]}}`,
			"searchConnection.edges.1.node.author.email UNAUTHENTICATED")
		if n := len(w.statements); n > 10 { // of each type: two to find (PostgreSQL), one for snippets, one for each place of nodes
			t.Errorf("%d statements: %q", n, w.statements)
		}
		w.as("bob", `{ searchConnection(query: "bob", types: [users]) { edges { node { ... on User { name salary } } } } }`).
			wants(t, `{"searchConnection":{"edges":[{"node":{"name":"Bob","salary":null}}]}}`, "searchConnection.edges.0.node.salary FORBIDDEN")
		w.as("nobody", `{ searchConnection(query: "bob", types: [users]) { totalCount } }`).wants(t, `{"searchConnection":null}`, "searchConnection UNAUTHENTICATED")
		w.as("bob", `{ searchConnection(query: " ") { totalCount } }`).wants(t, `{"searchConnection":null}`, "searchConnection BAD_USER_INPUT query")
	})
}

func TestSearchPages(t *testing.T) {
	each(t, func(w *world) {
		for i := range 5 {
			w.post(1, fmt.Sprintf("Engine %d", i), 1)
		}
		var titles []string
		var after any
		for range 3 {
			var page struct {
				SearchConnection struct {
					PageInfo struct {
						HasNextPage, HasPreviousPage bool
						EndCursor                    string
					}
					Nodes []struct{ Title string }
				}
			}
			a := w.as("bob", `query($after: Cursor) { searchConnection(query: "engine", types: [posts], first: 2, after: $after) {
				pageInfo { hasNextPage hasPreviousPage endCursor } nodes { ... on Post { title } } } }`, "after", after)
			if err := json.Unmarshal(a.Data, &page); err != nil || len(a.Errors) > 0 {
				t.Fatalf("%v %v", err, a.Errors)
			}
			for _, n := range page.SearchConnection.Nodes {
				titles = append(titles, n.Title)
			}
			after = page.SearchConnection.PageInfo.EndCursor
			if info := page.SearchConnection.PageInfo; info.HasNextPage != (len(titles) < 5) || info.HasPreviousPage != (len(titles) > 2) {
				t.Errorf("after %d: %+v", len(titles), info)
			}
		}
		if got, want := fmt.Sprint(titles), "[Engine 4 Engine 3 Engine 2 Engine 1 Engine 0]"; got != want {
			t.Errorf("pages: %s, want %s", got, want)
		}
		w.as("bob", `query($after: Cursor) { searchConnection(query: "other", first: 2, after: $after) { totalCount } }`, "after", after).
			wants(t, `{"searchConnection":null}`, "searchConnection BAD_USER_INPUT")
	})
}

// Near misses of words that the viewer cannot read are answered as if these were
// not there, with as many statements.
func TestNearMissesOfHiddenWords(t *testing.T) {
	each(t, func(w *world) {
		w.post(1, "The machine shop", 1)
		ask := func() (all []string) {
			for _, query := range []string{`{ searchConnection(query: "machinery") { totalCount nodes { __typename } } }`, `{ searchConnection(query: "machinry", types: [posts]) { edges { snippet score } } }`} {
				a := w.as("nobody", query)
				all = append(all, fmt.Sprintf("%s: %d statements, %s %v", query, len(w.statements), a.Data, a.Errors))
			}
			return all
		}
		before := ask()
		for _, word := range []string{"machinery", "machinry", "machines", "machinist", "machining", "machinal"} {
			w.client.Post.Create().SetAuthorID(2).SetTitle(word).SetContent(word).SaveX(w.system())
			w.client.Product.Create().SetName(word).SetPrice(1).SetDeletedAt(store.Time(time.Now())).SaveX(w.system())
			w.client.User.Create().SetName(word).SetEmail(word + "@example.com").SaveX(w.system())
		}
		for i, now := range ask() {
			if now != before[i] {
				t.Errorf("beside hidden rows: %s\nwithout them: %s", now, before[i])
			}
		}
	})
}
