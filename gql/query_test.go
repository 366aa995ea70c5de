package gql_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
)

func TestSpecifiedQueries(t *testing.T) {
	each(t, func(w *world) {
		w.post(2, "First", 1)
		w.post(1, "Second", 2)
		w.as("bob", `{ user(id: "1") { id name email role age is_active isActive created_at createdAt version } }`).wants(w.T,
			`{"user":{"id":"`+id("User", 1)+`","name":"Ada","email":"ada@example.com","role":"admin","age":36,"is_active":true,"isActive":true,
			"created_at":"2026-01-01T12:00:00Z","createdAt":"2026-01-01T12:00:00Z","version":1}}`)
		w.as("bob", `{ users { name } }`).wants(w.T, `{"users":[{"name":"Mia"},{"name":"Bob"},{"name":"Ada"}]}`)
		w.as("bob", `{ users(page: 2, limit: 2) { name } }`).wants(w.T, `{"users":[{"name":"Ada"}]}`)
		w.as("bob", `{ users(page: 9) { name } }`).wants(w.T, `{"users":[]}`)
		w.as("nobody", `{ posts { title author { name } } }`).wants(w.T,
			`{"posts":[{"title":"Second","author":{"name":"Ada"}},{"title":"First","author":{"name":"Bob"}}]}`)
		w.as("nobody", `{ posts(author_id: 2) { title } }`).wants(w.T, `{"posts":[{"title":"First"}]}`)
		w.as("bob", `{ searchUsers(query: "ADA@") { name } }`).wants(w.T, `{"searchUsers":[{"name":"Ada"}]}`)
		w.as("bob", `{ searchUsers(query: "%") { name } }`).wants(w.T, `{"searchUsers":[]}`)
		w.as("nobody", `query P($id: ID!) { post(id: $id) { title } }`, "id", id("Post", 1)).wants(w.T, `{"post":{"title":"First"}}`)
	})
}

func TestLanguage(t *testing.T) {
	each(t, func(w *world) {
		w.post(2, "First", 1)
		for story, c := range map[string]struct{ query, data string }{
			"aliases": {`{ a: user(id: 1) { n: name email } b: user(id: 2) { name } }`,
				`{"a":{"n":"Ada","email":"ada@example.com"},"b":{"name":"Bob"}}`},
			"fragments, merged": {`query { post(id: 1) { ...P author { id } } } fragment P on Post { title author { name ... on User { age } } ... on Node { id } }`,
				`{"post":{"title":"First","author":{"name":"Bob","age":null,"id":"` + id("User", 2) + `"},"id":"` + id("Post", 1) + `"}}`},
			"include and skip": {`query($no: Boolean = false) { post(id: 1) { title @include(if: $no) id @skip(if: true) author @include(if: true) { name } } user(id: 1) @include(if: $no) { name } }`,
				`{"post":{"author":{"name":"Bob"}}}`},
			"typenames": {`{ __typename post(id: 1) { __typename author { __typename } } postsConnection { __typename pageInfo { __typename } edges { __typename node { __typename } } } }`,
				`{"__typename":"Query","post":{"__typename":"Post","author":{"__typename":"User"}},"postsConnection":{"__typename":"PostConnection","pageInfo":{"__typename":"PageInfo"},"edges":[{"__typename":"PostEdge","node":{"__typename":"Post"}}]}}`},
			"an id that leads to a row that is shown before": {`{ post(id: 1) { author { name } authorId } }`,
				`{"post":{"author":{"name":"Bob"},"authorId":"` + id("User", 2) + `"}}`},
			"what may be deferred comes at once": {`{ post(id: 1) { title ... @defer(label: "later") { author { name } } } }`,
				`{"post":{"title":"First","author":{"name":"Bob"}}}`},
			"introspection beside data": {`{ __type(name: "User") { kind } user(id: 1) { name } }`,
				`{"__type":{"kind":"OBJECT"},"user":{"name":"Ada"}}`},
			"variables": {`query($n: Int = 1, $where: UserWhereInput, $by: [UserOrder!]) { usersConnection(first: $n, where: $where, orderBy: $by) { nodes { name } } }`,
				`{"usersConnection":{"nodes":[{"name":"Mia"}]}}`},
		} {
			w.Log(story)
			w.as("bob", c.query).wants(w.T, c.data)
		}
	})
}

func TestSeveralOperations(t *testing.T) {
	each(t, func(w *world) {
		body := `{"query":"query A { user(id: 1) { name } } query B { user(id: 2) { name } }","operationName":"B"}`
		r := httptest.NewRequest(http.MethodPost, "/graphql", strings.NewReader(body))
		r.Header.Set("Content-Type", "application/json")
		w.send("bob", r).wants(w.T, `{"user":{"name":"Bob"}}`)
	})
}

func TestGet(t *testing.T) {
	each(t, func(w *world) {
		get := func(query, variables string) answer {
			values := url.Values{"query": {query}, "variables": {variables}}
			return w.send("bob", httptest.NewRequest(http.MethodGet, "/graphql?"+values.Encode(), nil))
		}
		get(`query($id: ID!) { user(id: $id) { name } }`, `{"id": 1}`).wants(w.T, `{"user":{"name":"Ada"}}`)
		a := get(`mutation { deleteUser(id: 1) }`, "")
		a.wants(w.T, `null`, " METHOD_NOT_ALLOWED")
		if a.Status != http.StatusMethodNotAllowed {
			w.Errorf("status %d, want 405", a.Status)
		}
	})
}

func TestIDs(t *testing.T) {
	each(t, func(w *world) {
		w.post(2, "First", 1)
		for _, c := range []struct {
			query, data string
			errors      []string
		}{
			{`{ user(id: 1) { name } }`, `{"user":{"name":"Ada"}}`, nil},
			{`{ user(id: "` + id("User", 1) + `") { name } }`, `{"user":{"name":"Ada"}}`, nil},
			{`{ user(id: "` + id("Post", 1) + `") { name } }`, `{"user":null}`, []string{"user BAD_USER_INPUT id"}},
			{`{ user(id: "x") { name } }`, `{"user":null}`, []string{"user BAD_USER_INPUT id"}},
			{`{ user(id: 0) { name } }`, `{"user":null}`, []string{"user BAD_USER_INPUT id"}},
			{`{ user(id: 99) { name } }`, `{"user":null}`, []string{"user NOT_FOUND"}},
			{`{ posts(author_id: "` + id("Post", 1) + `") { title } }`, `null`, []string{"posts BAD_USER_INPUT author_id"}},
			{`{ node(id: "` + id("Post", 1) + `") { id ... on Post { title } } }`, `{"node":{"id":"` + id("Post", 1) + `","title":"First"}}`, nil},
			{`{ node(id: "1") { id } }`, `{"node":null}`, []string{"node BAD_USER_INPUT id"}},
			{`{ node(id: "` + id("Nothing", 1) + `") { id } }`, `{"node":null}`, []string{"node BAD_USER_INPUT id"}},
			{`{ node(id: "` + id("User", 99) + `") { id } }`, `{"node":null}`, nil},
			{`{ nodes(ids: ["` + id("User", 2) + `", "` + id("Post", 1) + `", "` + id("User", 99) + `"]) { __typename ... on User { name } } }`,
				`{"nodes":[{"__typename":"User","name":"Bob"},{"__typename":"Post"},null]}`, nil},
			{`{ nodes(ids: ["` + id("User", 2) + `", "junk", "` + id("Post", 1) + `", "1"]) { __typename ... on User { name } } }`,
				`{"nodes":[{"__typename":"User","name":"Bob"},null,{"__typename":"Post"},null]}`,
				[]string{"nodes.1 BAD_USER_INPUT ids[1]", "nodes.3 BAD_USER_INPUT ids[3]"}},
			{`{ usersConnection(where: {idIn: ["1", "` + id("User", 2) + `"]}, orderBy: {field: ID}) { nodes { name } } }`,
				`{"usersConnection":{"nodes":[{"name":"Ada"},{"name":"Bob"}]}}`, nil},
			{`{ usersConnection(where: {idIn: ["1", "` + id("Post", 2) + `"]}) { nodes { name } } }`,
				`{"usersConnection":null}`, []string{"usersConnection BAD_USER_INPUT where.idIn[1]"}},
		} {
			w.Log(c.query)
			w.as("bob", c.query).wants(w.T, c.data, c.errors...)
		}
	})
}

func TestPageSizes(t *testing.T) {
	each(t, func(w *world) {
		for i := range 105 {
			w.client.User.Create().SetName(fmt.Sprintf("User %d", i)).SetEmail(fmt.Sprintf("u%d@example.com", i)).SaveX(w.system())
			if i < 25 {
				w.comment(2, w.post(2, fmt.Sprintf("Post %d", i), 1), "…")
			}
		}
		for query, want := range map[string]int{
			`{ usersConnection { nodes { id } } }`:             10,
			`{ usersConnection(first: 3) { nodes { id } } }`:   3,
			`{ usersConnection(first: 0) { nodes { id } } }`:   0,
			`{ usersConnection(last: 1000) { nodes { id } } }`: 100,
			`{ users { id } }`:                                                          10,
			`{ users(limit: 500) { id } }`:                                              100,
			`{ searchUsers(query: "") { id } }`:                                         100,
			`{ postsConnection { nodes { id } } }`:                                      20,
			`{ posts { id } }`:                                                          25,
			`{ user(id: 2) { posts { id } } }`:                                          25,
			`{ user(id: 2) { posts(first: 4) { id } } }`:                                4,
			`{ user(id: 2) { postsConnection { nodes { id } } } }`:                      20,
			`{ user(id: 2) { commentsConnection(last: 3) { edges { node { id } } } } }`: 3,
		} {
			a := w.as("bob", query)
			if got := strings.Count(string(a.Data), `"id":`); got != want || a.Errors != nil {
				w.Errorf("%s: %d rows (%v), want %d", query, got, a.Errors, want)
			}
		}
		w.as("bob", `{ usersConnection(first: -1) { nodes { id } } }`).wants(w.T, `{"usersConnection":null}`, "usersConnection BAD_USER_INPUT first")
		w.as("bob", `{ usersConnection(first: 1, last: 1) { nodes { id } } }`).wants(w.T, `{"usersConnection":null}`, "usersConnection BAD_USER_INPUT last")
		w.as("bob", `{ users(limit: 0) { id } }`).wants(w.T, `null`, "users BAD_USER_INPUT limit")
		w.as("bob", `{ users(page: 0) { id } }`).wants(w.T, `null`, "users BAD_USER_INPUT page")
		w.as("bob", `{ users(page: 100000) { id } }`).wants(w.T, `null`, "users BAD_USER_INPUT page")
	})
}
