package gql_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/entwine-go/entwine/kit/kittest/storetest"
	"github.com/entwine-go/entwine/kit/viewer"
)

func TestTheStandingOfUsers(t *testing.T) {
	each(t, func(w *world) {
		w.viewers["key"] = &viewer.Viewer{KeyID: 1, Permissions: []viewer.Permission{viewer.Read, viewer.Write}}
		w.post(2, "Kept", 1)
		for _, c := range []struct{ who, mutation, data, code string }{
			{"nobody", `activateUser(id: 2) { id }`, `{"activateUser":null}`, "activateUser UNAUTHENTICATED"},
			{"nobody", `deactivateUser(id: "x") { id }`, `{"deactivateUser":null}`, "deactivateUser UNAUTHENTICATED"},
			{"bob", `deactivateUser(id: 2) { id }`, `{"deactivateUser":null}`, "deactivateUser FORBIDDEN"},
			{"mia", `restoreUser(id: "x") { id }`, `{"restoreUser":null}`, "restoreUser FORBIDDEN"},
			{"key", `deactivateUser(id: 2) { id }`, `{"deactivateUser":null}`, "deactivateUser FORBIDDEN"},
			{"ada", `deactivateUser(id: "x") { id }`, `{"deactivateUser":null}`, "deactivateUser BAD_USER_INPUT id"},
			{"ada", `deactivateUser(id: "02") { id }`, `{"deactivateUser":null}`, "deactivateUser BAD_USER_INPUT id"},
			{"ada", `deactivateUser(id: 9) { id }`, `{"deactivateUser":null}`, "deactivateUser NOT_FOUND"},
			{"ada", `activateUser(id: 2) { id }`, `{"activateUser":null}`, "activateUser CONFLICT"},
			{"ada", `deactivateUser(id: 2) { isActive is_active version }`, `{"deactivateUser":{"isActive":false,"is_active":false,"version":2}}`, ""},
			{"ada", `deactivateUser(id: 2) { id }`, `{"deactivateUser":null}`, "deactivateUser CONFLICT"},
			{"ada", `activateUser(id: "` + id("User", 2) + `") { isActive posts { title } }`, `{"activateUser":{"isActive":true,"posts":[{"title":"Kept"}]}}`, ""},
			{"ada", `restoreUser(id: 2) { id }`, `{"restoreUser":null}`, "restoreUser CONFLICT"},
			{"ada", `deleteUser(id: 2)`, `{"deleteUser":true}`, ""},
			{"ada", `restoreUser(id: 2) { name deletedAt posts { title } }`, `{"restoreUser":{"name":"Bob","deletedAt":null,"posts":[{"title":"Kept"}]}}`, ""},
			{"mia", `deletePost(id: 1, hard: true)`, `{"deletePost":null}`, "deletePost FORBIDDEN"},
			{"ada", `deleteUser(id: 2, hard: false)`, `{"deleteUser":true}`, ""},
			{"ada", `deleteUser(id: 2, hard: true, expectedVersion: 1)`, `null`, "deleteUser NOT_FOUND"},
			{"ada", `deleteUser(id: 2, hard: true)`, `{"deleteUser":true}`, ""},
			{"ada", `deleteUser(id: 2, hard: true)`, `null`, "deleteUser NOT_FOUND"},
			{"ada", `restoreUser(id: 2) { id }`, `{"restoreUser":null}`, "restoreUser NOT_FOUND"},
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

// A user with much is gone for all who ask once the mutation is answered, though a job removes
// what belongs to them.
func TestARemovedUserIsGoneAtOnce(t *testing.T) {
	each(t, func(w *world) {
		const many = 1100
		w.post(2, "Kept", 1)
		storetest.Do(t, w.db, fmt.Sprintf(`WITH RECURSIVE s(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM s WHERE n < %d)
			INSERT INTO comments (text, post_id, author_id, created_at, updated_at, version) SELECT 'Bob', 1, 2, now(), now(), 1 FROM s`, many))
		posts := `{ postsConnection(includeDeleted: true) { nodes { title author { name } commentsConnection(first: 1) { totalCount } } } }`
		w.as("ada", posts).wants(w.T, fmt.Sprintf(`{"postsConnection":{"nodes":[{"title":"Kept","author":{"name":"Bob"},"commentsConnection":{"totalCount":%d}}]}}`, many))
		w.as("ada", `mutation { deleteUser(id: 2, hard: true) }`).wants(w.T, `{"deleteUser":true}`)
		if n := storetest.Count(w.T, w.db, "comments"); n != many {
			w.Errorf("the mutation left %d comments, want all", n)
		}
		w.as("ada", posts).wants(w.T, `{"postsConnection":{"nodes":[]}}`)
		w.as("ada", `mutation { deleteUser(id: 2, hard: true) }`).wants(w.T, `null`, "deleteUser NOT_FOUND")
		w.as("ada", `mutation { restoreUser(id: 2) { id } }`).wants(w.T, `{"restoreUser":null}`, "restoreUser NOT_FOUND")
	})
}
