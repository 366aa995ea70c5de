package gql_test

import (
	"slices"
	"sync"
	"testing"
)

func TestAProfileIsMadeWhereThereIsNone(t *testing.T) {
	each(t, func(w *world) {
		for _, c := range []struct{ who, mutation, data, code string }{
			{"nobody", `setProfile(userId: "x", input: {}) { bio }`, `{"setProfile":null}`, "setProfile UNAUTHENTICATED"},
			{"bob", `setProfile(userId: "x", input: {}) { bio }`, `{"setProfile":null}`, "setProfile BAD_USER_INPUT userId"},
			{"bob", `setProfile(userId: 99, input: {}) { bio }`, `{"setProfile":null}`, "setProfile NOT_FOUND"},
			{"mia", `setProfile(userId: 2, input: {bio: "Not his"}) { bio }`, `{"setProfile":null}`, "setProfile FORBIDDEN"},
			{"bob", `setProfile(userId: 2, input: {website: "javascript:x"}) { bio }`, `{"setProfile":null}`, "setProfile BAD_USER_INPUT input.website"},
			{"bob", `setProfile(userId: 2, input: {bio: "Builder"}) { bio website user { name } }`, `{"setProfile":{"bio":"Builder","website":null,"user":{"name":"Bob"}}}`, ""},
			{"bob", `setProfile(userId: "` + id("User", 2) + `", input: {website: "https://bob.example"}) { bio website }`, `{"setProfile":{"bio":"Builder","website":"https://bob.example"}}`, ""},
			{"mia", `setProfile(userId: 2, input: {bio: "Not his"}) { bio }`, `{"setProfile":null}`, "setProfile FORBIDDEN"},
			{"ada", `setProfile(userId: 2, input: {bio: null}) { bio website }`, `{"setProfile":{"bio":null,"website":"https://bob.example"}}`, ""},
			{"bob", `setProfile(userId: 2, input: {bio: "Late"}, expectedVersion: 1) { bio }`, `{"setProfile":null}`, "setProfile PRECONDITION_FAILED"},
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
		var wg sync.WaitGroup
		for range 8 { // of many at once one makes it, and all change it
			wg.Go(func() {
				if a := w.as("mia", `mutation { setProfile(userId: 3, input: {bio: "Reader"}) { bio } }`); len(a.codes()) > 0 {
					t.Errorf("at once: %q", a.codes())
				}
			})
		}
		wg.Wait()
	})
}

func TestAdminsReadWhatIsDeleted(t *testing.T) {
	each(t, func(w *world) {
		w.post(2, "Gone", 1)
		w.as("ada", `mutation { deletePost(id: 1) }`)
		for _, c := range []struct{ who, query, data, code string }{
			{"ada", `postsConnection { totalCount }`, `{"postsConnection":{"totalCount":0}}`, ""},
			{"ada", `postsConnection(includeDeleted: true) { totalCount nodes { title } }`, `{"postsConnection":{"totalCount":1,"nodes":[{"title":"Gone"}]}}`, ""},
			{"bob", `postsConnection(includeDeleted: true) { totalCount }`, `{"postsConnection":null}`, "postsConnection FORBIDDEN"},
			{"nobody", `postsConnection(includeDeleted: true) { totalCount }`, `{"postsConnection":null}`, "postsConnection UNAUTHENTICATED"},
		} {
			a := w.as(c.who, `{ `+c.query+` }`)
			want := []string{c.code}
			if c.code == "" {
				want = nil
			}
			if got := a.codes(); compact(w.T, a.Data) != c.data || !slices.Equal(got, want) {
				w.Errorf("%s: %s: %s %q, want %s %q", c.who, c.query, a.Data, got, c.data, want)
			}
		}
	})
}
