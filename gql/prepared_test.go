package gql_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

// The cache of parsed documents must not leak the query of one caller to another, nor the
// variables of one request to another.
func TestTheSameDocumentAgain(t *testing.T) {
	each(t, func(w *world) {
		for n := 1; n <= 3; n++ {
			w.comment(2, w.post(2, fmt.Sprintf("Post %d", n), n), fmt.Sprintf("Comment %d", n))
		}
		const document = `query($id: ID!, $pay: Boolean!, $n: Int, $who: String) {
			user(id: $id) { name ...Secret @include(if: $pay) }
			postsConnection(first: $n, where: {hasAuthorWith: {name: $who}}) { totalCount nodes { ...Post } }
		}
		fragment Secret on User { salary }
		fragment Post on Post { title author @skip(if: $pay) { name } }`
		const deep = `query($n: Int!) { posts { title comments(first: $n) { text } } }`
		secret := func(shown string) string {
			return `{"user":{"name":"Bob","salary":` + shown + `},"postsConnection":{"totalCount":3,"nodes":[{"title":"Post 3"}]}}`
		}
		for range 2 {
			w.as("ada", document, "id", 2, "pay", true, "n", 1, "who", "Bob").wants(w.T, secret("2000"))
			w.as("bob", document, "id", 2, "pay", true, "n", 1, "who", "Bob").wants(w.T, secret("null"), "user.salary FORBIDDEN")
			w.as("nobody", document, "id", 2, "pay", true, "n", 0, "who", "Mia").wants(w.T,
				`{"user":null,"postsConnection":{"totalCount":0,"nodes":[]}}`, "user UNAUTHENTICATED")
			w.as("bob", document, "id", 3, "pay", false, "n", 2, "who", "Bob").wants(w.T, `{"user":{"name":"Mia"},"postsConnection":{"totalCount":3,"nodes":[
				{"title":"Post 3","author":{"name":"Bob"}},{"title":"Post 2","author":{"name":"Bob"}}]}}`)
			w.as("bob", deep, "n", 0).wants(w.T, `{"posts":[{"title":"Post 3","comments":[]},{"title":"Post 2","comments":[]},{"title":"Post 1","comments":[]}]}`)
			w.as("bob", deep, "n", 1).wants(w.T, `{"posts":[{"title":"Post 3","comments":[{"text":"Comment 3"}]},
				{"title":"Post 2","comments":[{"text":"Comment 2"}]},{"title":"Post 1","comments":[{"text":"Comment 1"}]}]}`)
		}
		two := `query A { users { name } } query B { users { id } }`
		for _, name := range []string{"A", "B", "A"} {
			r := httptest.NewRequest(http.MethodPost, "/graphql", strings.NewReader(`{"query":"`+two+`","operationName":"`+name+`"}`))
			r.Header.Set("Content-Type", "application/json")
			if got := string(w.send("bob", r).Data); strings.Contains(got, "name") != (name == "A") {
				w.Errorf("operation %s: %s", name, got)
			}
		}
	})
}
