package gql_test

import (
	"slices"
	"testing"
)

func TestAPostNamesItsCategory(t *testing.T) {
	each(t, func(w *world) {
		w.client.Category.Create().SetName("engines").SaveX(w.system())
		for _, c := range []struct{ who, mutation, data, code string }{
			{"bob", `createPost(input: {title: "T", content: "c", category: "engines"}) { category { name } }`, `{"createPost":{"category":{"name":"engines"}}}`, ""},
			{"bob", `createPost(input: {title: "", content: "c", category: "nowhere"}) { id }`, `null`, "createPost BAD_USER_INPUT input.title input.category"},
			{"bob", `updatePost(id: 1, input: {category: null}) { category { name } }`, `{"updatePost":{"category":null}}`, ""},
			{"bob", `updatePost(id: 1, input: {category: "engines"}) { category { name } }`, `{"updatePost":{"category":{"name":"engines"}}}`, ""},
			{"bob", `updatePost(id: 1, input: {category: "engines", categoryId: 1}) { id }`, `{"updatePost":null}`, "updatePost BAD_USER_INPUT input.category"},
			{"bob", `createPost(input: {title: "T", content: "c", category: null, categoryId: null}) { category { name } }`, `{"createPost":{"category":null}}`, ""},
			{"bob", `createPost(input: {title: "T", content: "c", category: "engines", categoryId: null}) { category { name } }`, `{"createPost":{"category":{"name":"engines"}}}`, ""},
			{"bob", `createPost(input: {title: "T", content: "c", category: null, categoryId: 1}) { category { name } }`, `{"createPost":{"category":{"name":"engines"}}}`, ""},
			{"nobody", `updatePost(id: 1, input: {category: "engines", categoryId: 1}) { id }`, `{"updatePost":null}`, "updatePost UNAUTHENTICATED"},
			{"bob", `updatePost(id: 1, input: {title: "Still there"}) { category { name } }`, `{"updatePost":{"category":{"name":"engines"}}}`, ""},
		} {
			a := w.as(c.who, `mutation { `+c.mutation+` }`)
			want := []string{c.code}
			if c.code == "" {
				want = nil
			}
			if got := a.codes(); compact(w.T, a.Data) != c.data || !slices.Equal(got, want) {
				w.Errorf("%s: %s: %s %q, want %s %q", c.who, c.mutation, a.Data, got, c.data, want)
			}
		}
	})
}
