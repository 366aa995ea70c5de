package gql_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
)

// Variables have to match their types: numbers as JSON has them, a single value for a list
// of one, and never a text for a number.
func TestVariables(t *testing.T) {
	each(t, func(w *world) {
		ask := func(query, variables string) answer {
			body, _ := json.Marshal(map[string]any{"query": query, "variables": json.RawMessage(variables)})
			r := httptest.NewRequest(http.MethodPost, "/graphql", bytes.NewReader(body))
			r.Header.Set("Content-Type", "application/json")
			return w.send("ada", r)
		}
		const (
			update  = `mutation($i: UpdateUserInput!) { updateUser(id: 2, input: $i) { age salary } }`
			where   = `query($w: UserWhereInput) { usersConnection(where: $w) { totalCount } }`
			order   = `query($o: [UserOrder!]) { usersConnection(orderBy: $o) { nodes { name } } }`
			size    = `query($n: Int) { users(limit: $n) { name } }`
			search  = `query($q: String!) { searchUsers(query: $q) { name } }`
			byID    = `query($id: ID!) { user(id: $id) { name } }`
			product = `mutation($i: CreateProductInput!) { createProduct(input: $i) { price stock tags } }`
		)
		for _, c := range []struct{ query, variables, data string }{
			{update, `{"i": {"age": 21, "salary": 5}}`, `{"updateUser":{"age":21,"salary":5}}`},
			{update, `{"i": {"age": 22.0, "salary": 5.5}}`, `{"updateUser":{"age":22,"salary":5.5}}`},
			{update, `{"i": {"age": null}}`, `{"updateUser":{"age":null,"salary":5.5}}`},
			{`mutation($a: Int, $v: Int) { updateUser(id: 2, input: {age: $a}, expectedVersion: $v) { age } }`, `{"a": 23, "v": 4}`, `{"updateUser":{"age":23}}`},
			{product, `{"i": {"name": "Cup", "price": 2, "stock": 3, "tags": "new"}}`, `{"createProduct":{"price":2,"stock":3,"tags":["new"]}}`},
			{where, `{"w": {"roleIn": "user"}}`, `{"usersConnection":{"totalCount":1}}`},
			{where, `{"w": {"and": {"role": "user"}}}`, `{"usersConnection":{"totalCount":1}}`},
			{where, `{"w": {"idIn": 1, "ageIn": 36}}`, `{"usersConnection":{"totalCount":1}}`},
			{order, `{"o": {"field": "NAME"}}`, `{"usersConnection":{"nodes":[{"name":"Ada"},{"name":"Bob"},{"name":"Mia"}]}}`},
			{`query($o: [UserOrder!] = {field: NAME, direction: DESC}) { usersConnection(orderBy: $o, first: 1) { nodes { name } } }`, `{}`, `{"usersConnection":{"nodes":[{"name":"Mia"}]}}`},
			{size, `{"n": 1.0}`, `{"users":[{"name":"Mia"}]}`},
			{byID, `{"id": 1}`, `{"user":{"name":"Ada"}}`},
			{byID, `{"id": "1"}`, `{"user":{"name":"Ada"}}`},
			{byID, `{"id": 9223372036854775808}`, `{"user":null}`},

			{update, `{"i": {"age": "21"}}`, ``},
			{update, `{"i": {"age": 21.5}}`, ``},
			{update, `{"i": {"age": 4294967317}}`, ``},
			{update, `{"i": {"salary": "5"}}`, ``},
			{update, `{"i": {"name": 5}}`, ``},
			{update, `{"i": {"role": "USER"}}`, ``},
			{size, `{"n": "1"}`, ``},
			{size, `{"n": 2147483648}`, ``},
			{search, `{"q": 5}`, ``},
			{byID, `{"id": 1.5}`, ``},
			{`query($c: Cursor) { usersConnection(after: $c) { totalCount } }`, `{"c": 5}`, ``},
		} {
			got := ask(c.query, c.variables)
			if c.data == "" {
				if string(got.Data) != "null" || len(got.Errors) != 1 || got.Errors[0].Extensions["code"] != "GRAPHQL_VALIDATION_FAILED" {
					w.Errorf("%s with %s: %s %v, want a refusal", c.query, c.variables, got.Data, got.Errors)
				}
				continue
			}
			if string(got.Data) != c.data {
				w.Errorf("%s with %s: %s %v, want %s", c.query, c.variables, got.Data, got.Errors, c.data)
			}
		}
	})
}

// A number beyond 32 bits is said to be one, and what is wrong with a variable
// stands where that is declared.
func TestWhereAndWhatIsWrong(t *testing.T) {
	each(t, func(w *world) {
		for _, c := range []struct {
			query     string
			variables []any
			message   string
			at        string
		}{
			{`{ users(limit: 99999999999) { id } }`, nil, "Int takes whole numbers from -2147483648 to 2147483647 only", "1:16"},
			{`{ usersConnection(first: -2147483649) { totalCount } }`, nil, "Int takes whole numbers from -2147483648 to 2147483647 only", "1:26"},
			{`{ productsConnection(where: {priceGTE: 1e999}) { totalCount } }`, nil, "Float takes numbers up to 1.79", "1:40"},
			{`{ productsConnection(where: {or: [{stockGTE: 99999999999999999999}]}) { totalCount } }`, nil, "Int takes whole numbers from -2147483648 to 2147483647 only", "1:46"},
			{`query($n: Int) { users(limit: $n) { id } }`, []any{"n", json.Number("9007199254740993")}, "variable $n: Int takes whole numbers from -2147483648 to 2147483647 only", "1:7"},
			{`query($n: Int) { users(limit: $n) { id } }`, []any{"n", json.Number("1e999")}, "variable $n: Int takes whole numbers from -2147483648 to 2147483647 only", "1:7"},
			{`{ usersConnection(first: 1, after: -1e400) { totalCount } }`, nil, "Float takes numbers up to 1.79", "1:36"},
			{`{ usersConnection(first: 1, before: 99999999999999999999) { totalCount } }`, nil, "Int takes whole numbers from -9223372036854775808 to 9223372036854775807 only", "1:37"},
			{`query($n: Int = 2147483648) { users(limit: $n) { id } }`, nil, "Int takes whole numbers from -2147483648 to 2147483647 only", "1:17"},
			{`query($n: Int) { users(limit: $n) { id } }`, []any{"n", 2147483648}, "variable $n: Int takes whole numbers from -2147483648 to 2147483647 only", "1:7"},
			{`query($a: Int, $n: Int) { users(limit: $n, page: $a) { id } }`, []any{"n", "x"}, "variable $n: Int takes whole numbers from -2147483648 to 2147483647 only", "1:16"},
			{`mutation($s: Float) { updateUser(id: 1, input: {salary: $s}) { id } }`, []any{"s", json.Number("1e400")}, "variable $s: Float takes numbers up to 1.79", "1:10"},
			{"query(\n  $id: ID!\n) { user(id: $id) { id } }", nil, "variable $id: is required", "2:3"},
			{`query($w: UserWhereInput) { usersConnection(where: $w) { totalCount } }`, []any{"w", map[string]any{"x": 1}}, "variable $w: UserWhereInput has no field x", "1:7"},
		} {
			got := w.as("bob", c.query, c.variables...)
			if len(got.Errors) != 1 || !strings.Contains(got.Errors[0].Message, c.message) || len(got.Errors[0].Locations) != 1 {
				w.Errorf("%s: %+v, want %q", c.query, got.Errors, c.message)
				continue
			}
			place := got.Errors[0].Locations[0].(map[string]any)
			if at := fmt.Sprintf("%v:%v", place["line"], place["column"]); at != c.at {
				w.Errorf("%s: at %s, want %s", c.query, at, c.at)
			}
		}
		w.as("bob", `{ user(id: 99999999999) { id } }`).wants(t, `{"user":null}`, "user NOT_FOUND")
	})
}

// All that is wrong with variables is said at once, each with its place: a hundred
// of them, and how many more there are.
func TestAllThatIsWrongWithVariables(t *testing.T) {
	each(t, func(w *world) {
		where := map[string]any{"nope": 1, "other": 1, "idIn": []any{nil, true, "1"}, "not": map[string]any{"roleIn": []any{"boss"}}}
		got := w.as("bob", "query($n: Int,\n $id: ID!, $w: UserWhereInput) { users(limit: $n) { id } user(id: $id) { id } usersConnection(where: $w) { totalCount } }", "n", "x", "w", where)
		var found []string
		for _, err := range got.Errors {
			at := err.Locations[0].(map[string]any)
			found = append(found, fmt.Sprintf("%v:%v %v %s", at["line"], at["column"], err.Extensions["code"], err.Message))
		}
		const code = " GRAPHQL_VALIDATION_FAILED variable "
		want := []string{
			"1:7" + code + "$n: Int takes whole numbers from -2147483648 to 2147483647 only", "2:2" + code + "$id: is required",
			"2:12" + code + "$w.not.roleIn[0]: is not a value of UserRole",
			"2:12" + code + "$w.idIn[0]: must not be null", "2:12" + code + "$w.idIn[1]: ID takes texts and whole numbers only",
			"2:12" + code + "$w: UserWhereInput has no field nope", "2:12" + code + "$w: UserWhereInput has no field other",
		}
		if !slices.Equal(found, want) {
			w.Errorf("found %q,\nwant %q", found, want)
		}
		got = w.as("bob", "query($w: UserWhereInput, $n: Int) { usersConnection(where: $w, first: $n) { totalCount } }", "n", "x", "w", map[string]any{"idIn": make([]any, 120)})
		last := got.Errors[len(got.Errors)-1]
		if len(got.Errors) != 101 || last.Extensions["code"] != "MORE_ERRORS" || last.Extensions["more"] != 21.0 || !strings.HasPrefix(last.Message, "21 more errors") {
			w.Errorf("%d errors, the last of them %+v", len(got.Errors), last)
		}
	})
}

// A cursor that is no text is refused in a document, too.
func TestCursorLiterals(t *testing.T) {
	each(t, func(w *world) {
		for _, cursor := range []string{"5", "true", "[1]", "{a: 1}"} {
			w.as("ada", `{ usersConnection(after: `+cursor+`) { totalCount } postsConnection(last: 1, before: `+cursor+`) { totalCount } searchConnection(query: "a", after: `+cursor+`) { totalCount } }`).
				wants(t, `{"usersConnection":null,"postsConnection":null,"searchConnection":null}`,
					"usersConnection BAD_USER_INPUT after", "postsConnection BAD_USER_INPUT before", "searchConnection BAD_USER_INPUT after")
		}
	})
}

// An error of the whole operation says what is meant, and has no path: it is
// about nothing in the response.
func TestRefusedOperations(t *testing.T) {
	each(t, func(w *world) {
		for _, c := range []struct{ query, message string }{
			{`query($id: ID!) { user(id: $id) { name } }`, "variable $id: is required"},
			{`query($id: ID = 1, $w: UserWhereInput = {roleIn: [null]}) { user(id: $id) { name } usersConnection(where: $w) { totalCount } }`, ""},
			{`query A { me { name } } query B { me { name } }`, "the document has several operations: operationName must name one"},
		} {
			got := w.as("ada", c.query)
			if len(got.Errors) != 1 || got.Errors[0].Path != nil || c.message != "" && got.Errors[0].Message != c.message {
				w.Errorf("%s: %+v, want %q", c.query, got.Errors, c.message)
			}
		}
		null := w.as("ada", `query($id: ID = 1) { user(id: $id) { name } }`, "id", nil)
		null.wants(t, `{"user":null}`, "user BAD_USER_INPUT id")
		if got := fmt.Sprint(null.Errors[0].Extensions["fields"]); !strings.Contains(got, "cannot be null") {
			w.Error(got)
		}
	})
}
