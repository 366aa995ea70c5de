package gql_test

import (
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
		w.as("nobody", `{ posts { title author { name } } }`).wants(w.T,
			`{"posts":[{"title":"Second","author":{"name":"Ada"}},{"title":"First","author":{"name":"Bob"}}]}`)
		w.as("nobody", `{ posts(author_id: 2) { title } }`).wants(w.T, `{"posts":[{"title":"First"}]}`)
		w.as("bob", `{ searchUsers(query: "ADA@") { name } }`).wants(w.T, `{"searchUsers":[{"name":"Ada"}]}`)
		w.as("nobody", `query P($id: ID!) { post(id: $id) { title } }`, "id", id("Post", 1)).wants(w.T, `{"post":{"title":"First"}}`)
	})
}
