package gql_test

import (
	"bytes"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"testing"
)

// Relay's deletion takes the global id of anything that can be deleted, and the
// entity's policy and version hold.
func TestDeleteNode(t *testing.T) {
	each(t, func(w *world) {
		post := id("Post", int64(w.post(2, "Bob's", 1).ID))
		for _, c := range []struct{ who, mutation, data, code string }{
			{"nobody", `deleteNode(id: "` + post + `") { deletedId }`, `{"deleteNode":null}`, "deleteNode UNAUTHENTICATED"},
			{"nobody", `deleteNode(id: "1") { deletedId }`, `{"deleteNode":null}`, "deleteNode UNAUTHENTICATED"},
			{"nobody", `deleteNode(id: "` + id("Order", 1) + `") { deletedId }`, `{"deleteNode":null}`, "deleteNode UNAUTHENTICATED"},
			{"bob", `deleteNode(id: "1") { deletedId }`, `{"deleteNode":null}`, "deleteNode BAD_USER_INPUT id"},
			{"bob", `deleteNode(id: "` + id("Order", 1) + `") { deletedId }`, `{"deleteNode":null}`, "deleteNode BAD_USER_INPUT id"},
			{"bob", `deleteNode(id: "` + id("User", 1) + `") { deletedId }`, `{"deleteNode":null}`, "deleteNode FORBIDDEN"},
			{"bob", `deleteNode(id: "` + post + `", expectedVersion: 2) { deletedId }`, `{"deleteNode":null}`, "deleteNode PRECONDITION_FAILED"},
			{"bob", `deleteNode(id: "` + post + `", expectedVersion: 1) { __typename deletedId }`, `{"deleteNode":{"__typename":"DeleteNodePayload","deletedId":"` + post + `"}}`, ""},
			{"bob", `deleteNode(id: "` + post + `") { deletedId }`, `{"deleteNode":null}`, "deleteNode NOT_FOUND"},
		} {
			a := w.as(c.who, `mutation { `+c.mutation+` }`)
			if c.code == "" {
				a.wants(w.T, c.data)
			} else {
				a.wants(w.T, c.data, c.code)
			}
		}
	})
}

// A caller with the right to restore brings back a softly deleted row.
func TestRestore(t *testing.T) {
	each(t, func(w *world) {
		w.post(2, "Bob's", 1)
		w.as("bob", `mutation { deletePost(id: 1) }`).wants(w.T, `{"deletePost":true}`)
		w.as("bob", `mutation { restorePost(id: 1) { id } }`).wants(w.T, `{"restorePost":null}`, "restorePost FORBIDDEN")
		for range 2 {
			w.as("ada", `mutation { restorePost(id: 1, idempotencyKey: "r") { title } }`).wants(w.T, `{"restorePost":{"title":"Bob's"}}`)
		}
		w.as("ada", `mutation { restorePost(id: 1) { title } }`).wants(w.T, `{"restorePost":null}`, "restorePost CONFLICT")
		w.as("nobody", `mutation { restorePost(id: "x") { title } }`).wants(w.T, `{"restorePost":null}`, "restorePost UNAUTHENTICATED")
		w.as("ada", `mutation { restorePost(id: "x") { title } }`).wants(w.T, `{"restorePost":null}`, "restorePost BAD_USER_INPUT id")
	})
}

// Updates and deletes with a key take effect once, whichever way it comes, and
// a repetition is not judged by what is there by then.
func TestWritesOnce(t *testing.T) {
	each(t, func(w *world) {
		post := w.post(2, "Bob's", 1)
		w.as("ada", `mutation { createCategory(input: {name: "news"}) { name } }`)
		ask := func(key, query string) (string, string) {
			body, _ := json.Marshal(map[string]string{"query": query})
			r := httptest.NewRequest(http.MethodPost, "/graphql", bytes.NewReader(body))
			r.Header.Set("Content-Type", "application/json")
			r.Header.Set("Idempotency-Key", key)
			got := w.record("bob", r)
			var answer struct{ Data json.RawMessage }
			if err := json.Unmarshal(got.Body.Bytes(), &answer); err != nil {
				w.Fatal(err)
			}
			return string(answer.Data), got.Header().Get("Idempotency-Replayed")
		}
		for i, want := range []string{"", "true"} {
			for key, c := range map[string]struct{ mutation, data string }{
				"update":  {`updatePost(id: 1, input: {title: "New", category: "news"}, expectedVersion: 1) { title version }`, `{"updatePost":{"title":"New","version":2}}`},
				"comment": {`addComment(postId: 1, text: "Yes.") { id }`, `{"addComment":{"id":"` + id("Comment", 1) + `"}}`},
			} {
				if data, replayed := ask(key, `mutation { `+c.mutation+` }`); data != c.data || replayed != want {
					w.Errorf("%d: %s answered %s, replayed %q", i, c.mutation, data, replayed)
				}
			}
			w.as("ada", `mutation { updateCategory(id: 1, input: {name: "old"}) { name } }`)
		}
		for range 2 {
			w.as("bob", `mutation { deletePost(id: 1, idempotencyKey: "d") }`).wants(w.T, `{"deletePost":true}`)
		}
		if data, _ := ask("comment", `mutation { addComment(postId: 1, text: "Yes.") { id } }`); data != `{"addComment":null}` && data != `null` {
			w.Errorf("a comment on post %d that is gone: %s", post.ID, data)
		}
	})
}
