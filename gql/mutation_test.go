package gql_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/entwine-go/entwine/ent/user"
)

func TestSpecifiedMutations(t *testing.T) {
	each(t, func(w *world) {
		w.as("ada", `mutation { createUser(input: {name: "Eve", email: "eve@example.com", age: 30}) { id name email age role is_active version } }`).wants(w.T,
			`{"createUser":{"id":"`+id("User", 4)+`","name":"Eve","email":"eve@example.com","age":30,"role":"user","is_active":true,"version":1}}`)
		w.as("ada", `mutation($in: UpdateUserInput!) { updateUser(id: "4", input: $in) { name age version } }`, "in", map[string]any{"name": "Eva", "age": nil}).wants(w.T,
			`{"updateUser":{"name":"Eva","age":null,"version":2}}`)
		w.as("bob", `mutation { createPost(input: {title: "T", content: "C", published: true}) { title published author { name } comments { id } } }`).wants(w.T,
			`{"createPost":{"title":"T","published":true,"author":{"name":"Bob"},"comments":[]}}`)
		w.as("mia", `mutation { addComment(postId: "`+id("Post", 1)+`", text: "Yes.") { text author { name } post { comments { text } } } }`).wants(w.T,
			`{"addComment":{"text":"Yes.","author":{"name":"Mia"},"post":{"comments":[{"text":"Yes."}]}}}`)
		w.as("ada", `mutation { deleteUser(id: 4) }`).wants(w.T, `{"deleteUser":true}`)
		w.as("ada", `mutation { deleteUser(id: 4) }`).wants(w.T, `null`, "deleteUser NOT_FOUND")
		w.as("ada", `{ user(id: 4) { name } }`).wants(w.T, `{"user":null}`, "user NOT_FOUND")
	})
}

// A mutation with an idempotency key creates one row, also while other users use the same
// key.
func TestCreateOnce(t *testing.T) {
	each(t, func(w *world) {
		w.post(2, "Bob's", 1)
		for range 2 {
			w.as("bob", `mutation { createPost(input: {title: "T", content: "C"}, idempotencyKey: "k") { id title } }`).wants(w.T,
				`{"createPost":{"id":"`+id("Post", 2)+`","title":"T"}}`)
			w.as("mia", `mutation { createComment(input: {postId: 1, text: "Yes."}, idempotencyKey: "k") { id } }`).wants(w.T,
				`{"createComment":{"id":"`+id("Comment", 1)+`"}}`)
			w.as("ada", `mutation { createUser(input: {name: "Eve", email: "eve@example.com", password: "a password 1"}, idempotencyKey: "k") { id } }`).wants(w.T,
				`{"createUser":{"id":"`+id("User", 4)+`"}}`)
		}
		w.as("bob", `mutation { createPost(input: {title: "Another", content: "C"}, idempotencyKey: "k") { id } }`).wants(w.T, `null`, "createPost IDEMPOTENCY_KEY_REUSED")
		w.as("bob", `mutation { createPost(input: {title: "", content: "C"}, idempotencyKey: "l") { id } }`).wants(w.T, `null`, "createPost BAD_USER_INPUT input.title")
		w.as("bob", `mutation { createPost(input: {title: "T", content: "C"}, idempotencyKey: "l") { id } }`).wants(w.T, `{"createPost":{"id":"`+id("Post", 3)+`"}}`)
	})
}

// A final refusal is repeated, and a row is shown in its current state.
func TestWhatACallIsAnsweredAgain(t *testing.T) {
	each(t, func(w *world) {
		const user = `mutation { createUser(input: {name: "Eve", email: "%s"}, idempotencyKey: "%s") { name } }`
		w.as("ada", fmt.Sprintf(user, "eve@example.com", "first")).wants(w.T, `{"createUser":{"name":"Eve"}}`)
		for range 2 {
			w.as("ada", fmt.Sprintf(user, "eve@example.com", "second")).wants(w.T, `null`, "createUser DUPLICATE_RESOURCE input.email")
			w.as("ada", `mutation { updateUser(id: 4, input: {name: "Eva", email: "eva@example.com"}) { name } }`).wants(w.T, `{"updateUser":{"name":"Eva"}}`)
		}
		w.as("ada", fmt.Sprintf(user, "eve@example.com", "first")).wants(w.T, `{"createUser":{"name":"Eva"}}`)
		w.as("bob", fmt.Sprintf(user, "eve@example.com", "first")).wants(w.T, `null`, "createUser FORBIDDEN")
		w.as("ada", `mutation { deleteUser(id: 4) }`).wants(w.T, `{"deleteUser":true}`)
		w.as("ada", fmt.Sprintf(user, "eve@example.com", "first")).wants(w.T, `null`, "createUser NOT_FOUND")

		w.as("ada", `mutation { createCategory(input: {name: "news"}) { name } }`).wants(w.T, `{"createCategory":{"name":"news"}}`)
		const post = `mutation { createPost(input: {title: "T", content: "C", category: "news"}, idempotencyKey: "p") { category { name } } }`
		w.as("bob", post).wants(w.T, `{"createPost":{"category":{"name":"news"}}}`)
		w.as("ada", `mutation { updateCategory(id: 1, input: {name: "old-news"}) { name } }`).wants(w.T, `{"updateCategory":{"name":"old-news"}}`)
		w.as("bob", post).wants(w.T, `{"createPost":{"category":{"name":"old-news"}}}`)
		if n := w.client.Post.Query().CountX(w.system()); n != 1 {
			w.Errorf("%d posts, want 1", n)
		}
	})
}

func TestWhoMayChange(t *testing.T) {
	each(t, func(w *world) {
		w.post(2, "Bob's", 1)
		for _, c := range []struct{ who, mutation, want string }{
			{"nobody", `createUser(input: {name: "Eve", email: "e@example.com"}) { id }`, "createUser UNAUTHENTICATED"},
			{"bob", `createUser(input: {name: "Eve", email: "e@example.com"}) { id }`, "createUser FORBIDDEN"},
			{"bob", `createUser(input: {name: "x", email: "no"}) { id }`, "createUser FORBIDDEN"},
			{"nobody", `createPost(input: {title: "T", content: "C"}) { id }`, "createPost UNAUTHENTICATED"},
			{"bob", `createPost(input: {title: "T", content: "C", authorId: 1}) { id }`, "createPost FORBIDDEN input.authorId"},
			{"mia", `updatePost(id: 1, input: {title: "Mine"}) { id }`, "updatePost FORBIDDEN"},
			{"mia", `updatePost(id: 1, input: {}) { id }`, "updatePost FORBIDDEN"},
			{"nobody", `updatePost(id: 1, input: {title: "Mine"}) { id }`, "updatePost UNAUTHENTICATED"},
			{"bob", `updatePost(id: 9, input: {title: "Mine"}) { id }`, "updatePost NOT_FOUND"},
			{"bob", `updatePost(id: 9, input: {}) { id }`, "updatePost NOT_FOUND"},
			{"bob", `updateUser(id: 2, input: {role: admin}) { id }`, "updateUser FORBIDDEN input.role"},
			{"bob", `updateUser(id: 2, input: {isActive: false, name: "Rob"}) { id }`, "updateUser FORBIDDEN input.isActive"},
			{"bob", `updateUser(id: 2, input: {salary: 2000}) { id }`, "updateUser FORBIDDEN input.salary"},
			{"bob", `updateUser(id: 1, input: {name: "Rob"}) { id }`, "updateUser FORBIDDEN"},
			{"bob", `deleteUser(id: 2)`, "deleteUser FORBIDDEN"},
			{"bob", `addComment(postId: 9, text: "?") { id }`, "addComment NOT_FOUND"},
			{"nobody", `addComment(postId: 1, text: "?") { id }`, "addComment UNAUTHENTICATED"},
		} {
			if got := w.as(c.who, `mutation { `+c.mutation+` }`).codes(); !slices.Equal(got, []string{c.want}) {
				w.Errorf("%s: %s: %q, want %q", c.who, c.mutation, got, c.want)
			}
		}
		w.as("bob", `{ user(id: 2) { name role isActive version } post(id: 1) { title version } }`).wants(w.T,
			`{"user":{"name":"Bob","role":"user","isActive":true,"version":1},"post":{"title":"Bob's","version":1}}`)
		w.as("bob", `mutation { updateUser(id: 2, input: {role: user, isActive: true, name: "Rob"}) { name version } }`).
			wants(w.T, `{"updateUser":{"name":"Rob","version":2}}`)
		w.as("bob", `mutation { updateUser(id: 2, input: {}) { version updatedAt @skip(if: true) } }`).wants(w.T, `{"updateUser":{"version":2}}`)
		w.as("ada", `mutation { createPost(input: {title: "T", content: "C", authorId: "2"}) { author { name } } }`).wants(w.T, `{"createPost":{"author":{"name":"Rob"}}}`)
		w.as("mia", `mutation { deletePost(id: 1) }`).wants(w.T, `{"deletePost":true}`)
		if u := w.client.User.Query().Where(user.ID(2)).OnlyX(w.system()); u.Role != user.RoleUser {
			w.Errorf("bob became %s", u.Role)
		}
	})
}

func TestBadInput(t *testing.T) {
	each(t, func(w *world) {
		w.post(2, "Bob's", 1)
		for _, c := range []struct{ who, mutation, want string }{
			{"ada", `createUser(input: {name: "x", email: "no", age: 7}) { id }`, "createUser BAD_USER_INPUT input.name input.email input.age"},
			{"ada", `createUser(input: {name: "Bo", email: "BOB@example.com"}) { id }`, "createUser DUPLICATE_RESOURCE input.email"},
			{"ada", `createPost(input: {title: null, content: "C"}) { id }`, " GRAPHQL_VALIDATION_FAILED"},
			{"bob", `updateUser(id: 2, input: {name: null, age: 200}) { id }`, "updateUser BAD_USER_INPUT input.name input.age"},
			{"bob", `updateUser(id: "` + id("Post", 2) + `", input: {}) { id }`, "updateUser BAD_USER_INPUT id"},
			{"ada", `createPost(input: {title: "T", content: "C", authorId: "` + id("Post", 1) + `"}) { id }`, "createPost BAD_USER_INPUT input.authorId"},
			{"ada", `createPost(input: {title: "T", content: "C", authorId: 99}) { id }`, "createPost BAD_USER_INPUT input.authorId"},
			{"bob", `createPost(input: {title: "", content: "\u0000"}) { id }`, "createPost BAD_USER_INPUT input.title input.content"},
			{"bob", `createComment(input: {postId: "x", text: ""}) { id }`, "createComment BAD_USER_INPUT input.text input.postId"},
			{"bob", `createComment(input: {postId: 9, text: "?"}) { id }`, "createComment BAD_USER_INPUT input.postId"},
			{"bob", `addComment(postId: "x", text: "?") { id }`, "addComment BAD_USER_INPUT postId"},
			{"bob", `addComment(postId: 1, text: "") { id }`, "addComment BAD_USER_INPUT text"},
		} {
			a := w.as(c.who, `mutation { `+c.mutation+` }`)
			if got := a.codes(); !slices.Equal(got, []string{c.want}) {
				w.Errorf("%s: %s: %q, want %q", c.who, c.mutation, got, c.want)
			}
		}
		status := func(mutation string) any {
			return w.as("ada", `mutation { `+mutation+` }`).Errors[0].Extensions["status"]
		}
		if got := status(`createUser(input: {name: "x", email: "a@b.cd"}) { id }`); got != 422.0 {
			w.Errorf("a broken rule is %v, want 422", got)
		}
		if got := status(`updateUser(id: 1, input: {name: null}) { id }`); got != 400.0 {
			w.Errorf("a null that cannot be is %v, want 400", got)
		}
	})
}

func TestAHiddenPostTakesNoComments(t *testing.T) {
	each(t, func(w *world) {
		w.client.Post.Create().SetAuthorID(2).SetTitle("Draft").SetContent("…").SaveX(w.system())
		w.as("mia", `mutation { addComment(postId: 1, text: "?") { id } }`).wants(w.T, `null`, "addComment NOT_FOUND")
		w.as("bob", `mutation { addComment(postId: 1, text: "?") { text } }`).wants(w.T, `{"addComment":{"text":"?"}}`)
	})
}

func TestExpectedVersion(t *testing.T) {
	each(t, func(w *world) {
		w.as("bob", `mutation { updateUser(id: 2, input: {name: "Rob"}, expectedVersion: 1) { version } }`).wants(w.T, `{"updateUser":{"version":2}}`)
		w.as("bob", `mutation { updateUser(id: 2, input: {name: "Bob"}, expectedVersion: 1) { version } }`).wants(w.T, `null`, "updateUser PRECONDITION_FAILED")
		w.as("bob", `mutation { updateUser(id: 2, input: {}, expectedVersion: 1) { version } }`).wants(w.T, `null`, "updateUser PRECONDITION_FAILED")
		w.as("bob", `mutation { updateUser(id: 1, input: {name: "Rob"}, expectedVersion: 1) { version } }`).wants(w.T, `null`, "updateUser FORBIDDEN")
		for _, stale := range []string{`updateUser(id: 1, input: {name: "Rob"}, expectedVersion: 9) { id }`, `updateUser(id: 1, input: {}, expectedVersion: 9) { id }`} {
			w.as("bob", `mutation { `+stale+` }`).wants(w.T, `null`, "updateUser FORBIDDEN")
		}
		w.as("ada", `mutation { deleteUser(id: 2, expectedVersion: 1) }`).wants(w.T, `null`, "deleteUser PRECONDITION_FAILED")
		w.as("ada", `mutation { deleteUser(id: 2, expectedVersion: 2) }`).wants(w.T, `{"deleteUser":true}`)
	})
}

func TestADeleteTakesAlongWhatBelongsToIt(t *testing.T) {
	each(t, func(w *world) {
		w.comment(2, w.post(1, "Ada's", 1), "…")
		w.post(2, "Bob's", 2)
		w.as("ada", `mutation { deleteUser(id: 2) }`).wants(w.T, `{"deleteUser":true}`)
		w.as("mia", `{ posts { title comments { text } } }`).wants(w.T, `{"posts":[{"title":"Ada's","comments":[]}]}`)
	})
}

// Each root mutation is a transaction of its own, in the order of the document.
func TestMutationsInOrder(t *testing.T) {
	each(t, func(w *world) {
		w.as("bob", `mutation {
			a: createPost(input: {title: "One", content: "C", published: true}) { title author { posts { title } } }
			b: updateComment(id: 9, input: {text: "?"}) { id }
			c: createComment(input: {postId: 1, text: "Two"}) { post { title comments { text } } }
			__typename
		}`).wants(w.T, `{"a":{"title":"One","author":{"posts":[{"title":"One"}]}},"b":null,
			"c":{"post":{"title":"One","comments":[{"text":"Two"}]}},"__typename":"Mutation"}`, "b NOT_FOUND")
		a := w.as("bob", `mutation { a: createPost(input: {title: "Kept", content: "C"}) { id } b: deleteUser(id: 1) }`)
		a.wants(w.T, `null`, "b FORBIDDEN")
		w.as("bob", `{ posts { title } }`).wants(w.T, `{"posts":[{"title":"Kept"},{"title":"One"}]}`)
	})
}

func TestMoney(t *testing.T) {
	each(t, func(w *world) {
		w.as("ada", `mutation { createProduct(input: {name: "Rule", price: 19.99, tags: ["wood"]}) { price currency tags inStock } }`).
			wants(w.T, `{"createProduct":{"price":19.99,"currency":"USD","tags":["wood"],"inStock":true}}`)
		w.as("ada", `mutation { updateProduct(id: 1, input: {price: 2000, currency: "JPY"}) { price currency } }`).
			wants(w.T, `{"updateProduct":{"price":2000,"currency":"JPY"}}`)
		w.as("ada", `mutation { updateProduct(id: 1, input: {price: 20.5}) { price } }`).
			wants(w.T, `{"updateProduct":null}`, "updateProduct BAD_USER_INPUT input.price")
		w.as("ada", `mutation { updateProduct(id: 1, input: {currency: "USD"}) { price currency } }`).
			wants(w.T, `{"updateProduct":{"price":2000,"currency":"USD"}}`)
		w.as("ada", `mutation { a: updateProduct(id: 1, input: {price: 20.5}) { price } b: updateProduct(id: 1, input: {currency: "JPY"}) { price } }`).
			wants(w.T, `{"a":{"price":20.5},"b":null}`, "b BAD_USER_INPUT input.price")
		below := w.as("ada", `mutation { updateProduct(id: 1, input: {price: -1.5, currency: "USD"}) { price } }`)
		below.wants(w.T, `{"updateProduct":null}`, "updateProduct BAD_USER_INPUT input.price")
		if got := fmt.Sprint(below.Errors[0].Extensions["fields"]); !strings.Contains(got, "value:-1.5") {
			w.Errorf("%s: the price is not repeated as it was sent", got)
		}
		w.as("nobody", `{ productsConnection(where: {tagsHas: "wood", priceGTE: 19}) { nodes { name } } }`).wants(w.T, `{"productsConnection":{"nodes":[{"name":"Rule"}]}}`)
		w.as("nobody", `{ productsConnection(where: {tagsHasAny: ["tin", "steel"]}) { nodes { name } } }`).wants(w.T, `{"productsConnection":{"nodes":[]}}`)
	})
}

func TestStatementsOfMutations(t *testing.T) {
	each(t, func(w *world) {
		w.post(2, "First", 1)
		for _, c := range []struct {
			mutation string
			want     int
		}{
			{`createPost(input: {title: "T", content: "C"}) { title }`, 1},
			{`updatePost(id: 1, input: {title: "T"}) { title }`, 2},
			{`addComment(postId: 1, text: "T") { text author { name } }`, 3},
			{`addComment(postId: 1, text: "T") { text author_id: authorId version }`, 1},
			{`deletePost(id: 1)`, 1},
		} {
			a := w.as("bob", `mutation { `+c.mutation+` }`)
			if len(w.statements) != c.want || a.Errors != nil {
				w.Errorf("%s: %d statements (%v), want %d\n%s", c.mutation, len(w.statements), a.codes(), c.want, strings.Join(w.statements, "\n"))
			}
		}
	})
}

func TestRaces(t *testing.T) {
	each(t, func(w *world) {
		done := make(chan answer)
		for i := range 8 {
			go func() {
				done <- w.as("bob", fmt.Sprintf(`mutation { updateUser(id: 2, input: {name: "N%d"}, expectedVersion: 1) { version } }`, i))
			}()
		}
		won := 0
		for range 8 {
			if a := <-done; a.Errors == nil {
				won++
			}
		}
		if won != 1 {
			w.Errorf("%d updates of version 1 took effect, want 1", won)
		}
	})
}
