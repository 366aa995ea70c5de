package gql_test

import (
	"testing"
)

func TestHiddenFields(t *testing.T) {
	each(t, func(w *world) {
		w.post(2, "First", 1)
		w.as("ada", `{ user(id: 2) { name salary } }`).wants(w.T, `{"user":{"name":"Bob","salary":2000}}`)
		w.as("bob", `{ user(id: 2) { name salary } }`).wants(w.T, `{"user":{"name":"Bob","salary":null}}`, "user.salary FORBIDDEN")
		w.as("bob", `{ users { pay: salary } }`).wants(w.T, `{"users":[{"pay":null},{"pay":null},{"pay":null}]}`,
			"users.0.pay FORBIDDEN", "users.1.pay FORBIDDEN", "users.2.pay FORBIDDEN")
		w.as("nobody", `{ post(id: 1) { author { name email } } }`).wants(w.T,
			`{"post":{"author":{"name":"Bob","email":null}}}`, "post.author.email UNAUTHENTICATED")
		w.as("bob", `{ usersConnection { edges { node { name salary } } nodes { id salary } } }`).wants(w.T, `{"usersConnection":{
			"edges":[{"node":{"name":"Mia","salary":null}},{"node":{"name":"Bob","salary":null}},{"node":{"name":"Ada","salary":null}}],
			"nodes":[{"id":"`+id("User", 3)+`","salary":null},{"id":"`+id("User", 2)+`","salary":null},{"id":"`+id("User", 1)+`","salary":null}]}}`,
			"usersConnection.edges.0.node.salary FORBIDDEN", "usersConnection.edges.1.node.salary FORBIDDEN", "usersConnection.edges.2.node.salary FORBIDDEN",
			"usersConnection.nodes.0.salary FORBIDDEN", "usersConnection.nodes.1.salary FORBIDDEN", "usersConnection.nodes.2.salary FORBIDDEN")
	})
}

func TestHiddenFieldsCannotBeAskedAbout(t *testing.T) {
	each(t, func(w *world) {
		w.post(2, "First", 1)
		for query, want := range map[string]string{
			`{ usersConnection(where: {salaryGT: 1}) { totalCount } }`:                      "usersConnection FORBIDDEN",
			`{ usersConnection(where: {not: {or: [{salaryIsNil: true}]}}) { totalCount } }`: "usersConnection FORBIDDEN",
			`{ usersConnection(orderBy: [{field: SALARY}]) { totalCount } }`:                "usersConnection FORBIDDEN",
			`{ postsConnection(where: {hasAuthorWith: [{salaryGT: 1}]}) { totalCount } }`:   "postsConnection FORBIDDEN",
			`{ post(id: 1) { comments(where: {hasAuthorWith: {salaryGT: 1}}) { id } } }`:    "post.comments FORBIDDEN",
		} {
			if got := w.as("bob", query).codes(); len(got) != 1 || got[0] != want {
				w.Errorf("%s: %q, want %q", query, got, want)
			}
			if got := w.as("ada", query).codes(); len(got) != 0 {
				w.Errorf("an admin's %s: %q", query, got)
			}
		}
		w.as("nobody", `{ postsConnection(where: {hasAuthorWith: [{email: "bob@example.com"}]}) { totalCount } }`).
			wants(w.T, `{"postsConnection":null}`, "postsConnection UNAUTHENTICATED")
	})
}

func TestHiddenRows(t *testing.T) {
	each(t, func(w *world) {
		w.post(2, "Shown", 2)
		draft := w.client.Post.Create().SetAuthorID(2).SetTitle("Draft").SetContent("…").SetCreatedAt(day(1)).SaveX(w.system())
		w.comment(2, draft, "to myself")
		for who, titles := range map[string]string{
			"bob": `[{"title":"Shown"},{"title":"Draft"}]`, "ada": `[{"title":"Shown"},{"title":"Draft"}]`,
			"mia": `[{"title":"Shown"}]`, "nobody": `[{"title":"Shown"}]`,
		} {
			w.as(who, `{ posts { title } }`).wants(w.T, `{"posts":`+titles+`}`)
		}
		w.as("mia", `{ post(id: 2) { title } }`).wants(w.T, `{"post":null}`, "post NOT_FOUND")
		w.as("mia", `{ node(id: "`+id("Post", 2)+`") { id } comment(id: 1) { text } commentsConnection { totalCount } }`).
			wants(w.T, `{"node":null,"comment":null,"commentsConnection":{"totalCount":0}}`, "comment NOT_FOUND")
		w.as("mia", `{ user(id: 2) { posts { title } postsConnection { totalCount } comments { text } } }`).
			wants(w.T, `{"user":{"posts":[{"title":"Shown"}],"postsConnection":{"totalCount":1},"comments":[]}}`)
		w.as("nobody", `{ post(id: 1) { author { followers { name } followersConnection { totalCount } } } }`).
			wants(w.T, `{"post":{"author":{"followers":[],"followersConnection":{"totalCount":0}}}}`)
		w.as("mia", `{ commentsConnection(where: {hasPostWith: [{title: "Draft"}]}) { totalCount } }`).wants(w.T, `{"commentsConnection":{"totalCount":0}}`)
	})
}

func TestWhoIsNobody(t *testing.T) {
	each(t, func(w *world) {
		w.as("nobody", `{ users { name } }`).wants(w.T, `null`, "users UNAUTHENTICATED")
		w.as("nobody", `{ user(id: 1) { name } posts { title } }`).wants(w.T, `{"user":null,"posts":[]}`, "user UNAUTHENTICATED")
		w.as("nobody", `{ node(id: "`+id("User", 1)+`") { id } }`).wants(w.T, `{"node":null}`, "node UNAUTHENTICATED")
		if message := w.as("nobody", `{ user(id: 1) { name } }`).Errors[0].Message; message != "token required" {
			w.Errorf("message %q, want the specification's", message)
		}
	})
}

// An error in a non-null field makes its parent null, up to the next nullable one.
func TestNullsPropagate(t *testing.T) {
	each(t, func(w *world) {
		w.post(2, "First", 1)
		w.post(2, "Second", 2)
		const denied = " UNAUTHENTICATED"
		w.as("nobody", `{ post(id: 1) { title author { is_active } } }`).wants(w.T, `{"post":null}`, "post.author.is_active"+denied)
		w.as("nobody", `{ posts { title author { is_active } } }`).wants(w.T, `null`, "posts.0.author.is_active"+denied, "posts.1.author.is_active"+denied)
		w.as("nobody", `{ postsConnection { nodes { author { is_active } } edges { node { author { is_active } } cursor @skip(if: true) } totalCount } }`).wants(w.T,
			`{"postsConnection":{"nodes":[null,null],"edges":[{"node":null},{"node":null}],"totalCount":2}}`,
			"postsConnection.nodes.0.author.is_active"+denied, "postsConnection.nodes.1.author.is_active"+denied,
			"postsConnection.edges.0.node.author.is_active"+denied, "postsConnection.edges.1.node.author.is_active"+denied)
		w.as("nobody", `{ post(id: 1) { title author { posts { author { is_active } } name } } }`).wants(w.T,
			`{"post":{"title":"First","author":{"posts":null,"name":"Bob"}}}`,
			"post.author.posts.0.author.is_active"+denied, "post.author.posts.1.author.is_active"+denied)
		w.as("bob", `{ node(id: "`+id("User", 9)+`") { id } user(id: 9) { name } users(limit: 1) { name } }`).
			wants(w.T, `{"node":null,"user":null,"users":[{"name":"Mia"}]}`, "user NOT_FOUND")
	})
}

func TestTheAuthorStaysWhenDeleted(t *testing.T) {
	each(t, func(w *world) {
		p := w.post(1, "First", 1)
		w.comment(2, p, "…")
		for _, text := range []string{
			"UPDATE users SET deleted_at = created_at WHERE id = 2",
			"UPDATE comments SET deleted_at = NULL, deleted_with = NULL", // restored alone
		} {
			if _, err := w.db.ExecContext(w.Context(), text); err != nil {
				w.Fatal(err)
			}
		}
		w.as("mia", `{ user(id: 2) { name } posts { comments { author { name } } } }`).wants(w.T,
			`{"user":null,"posts":[{"comments":[{"author":{"name":"Bob"}}]}]}`, "user NOT_FOUND")
	})
}
