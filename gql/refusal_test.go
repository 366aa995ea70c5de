package gql_test

import (
	"fmt"
	"strings"
	"testing"
)

// A message says enough to know the mistake: it names the types of GraphQL, and begins with
// the first one found.
func TestWhatMessagesSay(t *testing.T) {
	each(t, func(w *world) {
		w.post(1, "First", 1)
		for _, c := range []struct {
			query     string
			variables []any
			message   string
		}{
			{`query($n: Int) { postsConnection(first: $n) { totalCount } }`, []any{"n", 1.5}, "variable $n: Int takes whole numbers from -2147483648 to 2147483647 only"},
			{`query($n: Int) { postsConnection(first: $n) { totalCount } }`, []any{"n", []int{1}}, "variable $n: Int takes whole numbers from -2147483648 to 2147483647 only"},
			{`query($n: Int) { postsConnection(first: $n) { totalCount } }`, []any{"n", map[string]any{"a": 1}}, "variable $n: Int takes whole numbers from -2147483648 to 2147483647 only"},
			{`query($w: PostWhereInput) { postsConnection(where: $w) { totalCount } }`, []any{"w", []any{1}}, "variable $w: PostWhereInput takes an object only"},
			{`query($w: PostWhereInput) { postsConnection(where: $w) { totalCount } }`, []any{"w", map[string]any{"idIn": []any{nil}}}, "variable $w.idIn[0]: must not be null"},
			{`query($o: [PostOrder!]) { postsConnection(orderBy: $o) { totalCount } }`, []any{"o", map[string]any{"field": "NO"}}, "variable $o.field: is not a value of PostOrderField"},
			{`query($o: [PostOrder!]) { postsConnection(orderBy: $o) { totalCount } }`, []any{"o", map[string]any{}}, "variable $o.field: is required"},
			{`query($b: Boolean!) { posts { id @skip(if: $b) } }`, []any{"b", "yes"}, "variable $b: Boolean takes true and false only"},

			{`{ postsConnection(where: {publishedAt: null}) { totalCount } }`, nil, "where.publishedAt: must not be null: publishedAtIsNil says it"},
			{`query($w: PostWhereInput) { postsConnection(where: $w) { totalCount } }`, []any{"w", map[string]any{"publishedAt": nil}}, "where.publishedAt: must not be null: publishedAtIsNil says it"},
			{`query($at: Time) { postsConnection(where: {publishedAt: $at}) { totalCount } }`, []any{"at", nil}, "where.publishedAt: must not be null: publishedAtIsNil says it"},
			{`query($at: Time) { postsConnection(where: {publishedAt: $at}) { totalCount } }`, nil, ""}, // it is left out
			{`{ posts { author { posts(where: {not: {title: null}}) { id } } } }`, nil, "where.not.title: must not be null: leave it out"},
			{`{ postsConnection(where: {or: null}) { totalCount } }`, nil, "where.or: must not be null: leave it out"},
			{`query($d: OrderDirection) { postsConnection(orderBy: {field: ID, direction: $d}) { totalCount } }`, []any{"d", nil}, "orderBy[0].direction: must not be null"},
			{`query($d: OrderDirection) { postsConnection(orderBy: {field: ID, direction: $d}) { totalCount } }`, nil, ""},
			{`mutation { createUser(input: {name: "", email: "x"}) { id } }`, nil, "input.name: must be 2 to 100 characters, not 0 (and 1 more)"},
		} {
			got := w.as("ada", c.query, c.variables...)
			if c.message == "" && got.Errors == nil {
				continue
			}
			if len(got.Errors) == 0 || got.Errors[0].Message != c.message {
				t.Errorf("%s with %v: %+v, want %q", c.query, c.variables, got.Errors, c.message)
			}
		}
	})
}

// A variable that is declared twice and used is one error, and not unused as well.
func TestAVariableIsDeclaredTwice(t *testing.T) {
	each(t, func(w *world) {
		for query, want := range map[string]string{
			`query($a: Int, $a: Int) { postsConnection(first: $a) { totalCount } }`: `There can be only one variable named "$a".`,
			`query($a: Int, $b: Int) { postsConnection(first: $a) { totalCount } }`: `Variable "$b" is never used.`,
		} {
			if got := w.as("ada", query, "a", 1); len(got.Errors) != 1 || got.Errors[0].Message != want {
				t.Errorf("%s: %+v, want %q alone", query, got.Errors, want)
			}
		}
	})
}

// A connection below another that fails is null alone, with its own path, and
// its neighbours are answered.
func TestAnErrorInANestedConnectionIsItsOwn(t *testing.T) {
	each(t, func(w *world) {
		post := w.post(1, "First", 1)
		w.comment(2, post, "Yes.")
		for arguments, code := range map[string]string{`after: "x"`: "", `first: -1`: " first", `where: {id: null}`: " where.id", `first: 1, last: 1`: " last"} {
			w.as("bob", `{ posts { title bad: commentsConnection(`+arguments+`) { totalCount } commentsConnection { totalCount } author { name bad: postsConnection(`+arguments+`) { totalCount } } } }`).
				wants(w.T, `{"posts":[{"title":"First","bad":null,"commentsConnection":{"totalCount":1},"author":{"name":"Ada","bad":null}}]}`,
					"posts.0.bad BAD_USER_INPUT"+code, "posts.0.author.bad BAD_USER_INPUT"+code)
		}
	})
}

// An error of the rows of a list is reported for each row, up to a hundred times, and then
// counted; an error of arguments, which are the same for all rows, is reported once.
func TestErrorsThatAreAlikeAreCounted(t *testing.T) {
	each(t, func(w *world) {
		for i := range 25 {
			w.post(int64(i%3+1), fmt.Sprint("Post ", i), 1)
		}
		got := w.as("bob", `{ posts { author { salary a: salary postsConnection(after: "x") { totalCount } } } }`)
		last := map[string]any{}
		count := map[string]int{}
		for _, e := range got.Errors {
			alias := fmt.Sprint(e.Path[3])
			count[alias]++
			last[alias] = e.Extensions["more"]
		}
		for alias, listed := range map[string]int{"salary": 25, "a": 25, "postsConnection": 1} {
			more := map[bool]any{false: float64(25 - listed)}[listed == 25]
			if count[alias] != listed || last[alias] != more {
				t.Errorf("%s is refused %d times, and the last says that there are %v more: want %d and the rest of 25 rows", alias, count[alias], last[alias], listed)
			}
		}
		if !strings.Contains(string(got.Data), `{"author":{"salary":null,"a":null,"postsConnection":null}}`) {
			t.Errorf("%s", got.Data)
		}
		for i := range 3 {
			w.client.Product.Create().SetName(fmt.Sprint("Lamp ", i)).SetPrice(1999).SaveX(w.system())
		}
		got = w.as("bob", `query($much: Int!) { productsConnection { nodes { low: priceWith(percent: -10) a: priceWith(percent: 20000) b: priceWith(percent: $much) } } }`, "much", 30000)
		for i, alias := range []string{"a", "b"} {
			if len(got.Errors) != 2 || fmt.Sprint(got.Errors[i].Path) != "[productsConnection nodes 0 "+alias+"]" || got.Errors[i].Extensions["more"] != 2.0 {
				t.Errorf("%s is refused as %+v: want it once, and 2 more", alias, got.Errors)
			}
		}
		if data := string(got.Data); strings.Count(data, `"a":null,"b":null`) != 3 || strings.Contains(data, `"low":null`) {
			t.Errorf("the products are %s", data)
		}
		for i := range 100 {
			w.post(int64(i%3+1), fmt.Sprint("More ", i), 1)
		}
		for document, listed := range map[string]int{
			`{ posts { author { salary a: salary } } }`:                                            100,
			`{ posts { author { salary a: salary } } user(id: "` + id("User", 999) + `") { id } }`: 101, // that of the user, too
		} {
			got := w.as("bob", document)
			end := got.Errors[len(got.Errors)-1]
			if len(got.Errors) != listed+1 || end.Extensions["code"] != "MORE_ERRORS" || end.Extensions["more"] != 100.0 || !strings.HasPrefix(end.Message, "100 more errors") {
				t.Errorf("%s has %d errors and ends with %+v: want %d, and one that says that there are 100 more", document, len(got.Errors), end, listed)
			}
		}
		if few := w.as("bob", `{ users { salary } }`); len(few.Errors) != 3 || few.Errors[2].Extensions["more"] != nil {
			t.Errorf("%+v", few.Errors)
		}
	})
}
