package doors_test

import (
	"slices"

	"github.com/entwine-go/entwine/internal/entity"
)

const (
	badInput  = "the input is not valid"
	anonymous = "401 token required"
	stale     = "412 the resource has changed since it was read"
	notYours  = "403 you are not allowed to do this"
)

// scenarios are the writes whose outcome is written down.
func scenarios() []scenario {
	return slices.Concat(creates(), updates(), deletions(), verbs(), actions(), requests(), marks(), restorations(), bulks())
}

func creates() []scenario {
	return []scenario{
		{
			name: "a post is made", as: "owner", of: entity.Post,
			rest:    `POST /posts {"title":"A","content":"B"}`,
			graphql: `createPost(input: {title: "A", content: "B"}) { id }`,
			want:    "ok",
		}, {
			name: "an anonymous caller makes a post", as: "anonymous", of: entity.Post,
			rest:    `POST /posts {"title":"A","content":"B"}`,
			graphql: `createPost(input: {title: "A", content: "B"}) { id }`,
			want:    anonymous,
		}, {
			name: "an empty title and a category that is not there", as: "owner", of: entity.Post,
			rest:    `POST /posts {"title":"","content":"B","category_id":99}`,
			graphql: `createPost(input: {title: "", content: "B", categoryId: "99"}) { id }`,
			want:    "422 " + badInput + "; title must be 1 to 200 characters, not 0; category_id names no category",
		}, {
			name: "a category whose name can't be one", as: "owner", of: entity.Post,
			rest:    `POST /posts {"title":"A","content":"B","category":"no such\tname"}`,
			graphql: `createPost(input: {title: "A", content: "B", category: "\u0000"}) { id }`,
			want:    "422 " + badInput + "; category names no category",
		}, {
			name: "an author who is another", as: "other", of: entity.Post,
			rest:    `POST /posts {"title":"A","content":"B","author_id":1}`,
			graphql: `createPost(input: {title: "A", content: "B", authorId: "1"}) { id }`,
			want:    notYours + "; author_id is not yours to set",
		}, {
			name: "an admin names another author", as: "admin", of: entity.Post,
			rest:    `POST /posts {"title":"A","content":"B","author_id":${users}}`,
			graphql: `createPost(input: {title: "A", content: "B", authorId: "${User}"}) { id }`,
			want:    "ok",
		}, {
			name: "null where there is a default counts as absent", as: "owner", of: entity.Post,
			rest:    `POST /posts {"title":"A","content":"B","published":null}`,
			graphql: `createPost(input: {title: "A", content: "B", published: null}) { id }`,
			want:    "ok",
		}, {
			name: "null where it can be null counts as absent", as: "owner", of: entity.Post,
			rest:    `POST /posts {"title":"A","content":"B","category_id":null}`,
			graphql: `createPost(input: {title: "A", content: "B", categoryId: null}) { id }`,
			want:    "ok",
		}, {
			name: "text with NUL", as: "owner", of: entity.Post,
			rest:    `POST /posts {"title":"A\u0000","content":"B"}`,
			graphql: `createPost(input: {title: "A\u0000", content: "B"}) { id }`,
			want:    "400 " + badInput + "; title must be valid UTF-8 without NUL",
			restNow: "400 the body is not valid JSON: NUL at byte 11",
		}, {
			name: "a product in a currency that is none", as: "admin", of: entity.Product,
			rest:    `POST /products {"name":"Lamp","price":1,"currency":"XXQ"}`,
			graphql: `createProduct(input: {name: "Lamp", price: 1, currency: "XXQ"}) { id }`,
			want:    "422 " + badInput + "; currency must be the ISO 4217 code of a currency",
		}, {
			name: "a price with more decimals than the currency has", as: "admin", of: entity.Product,
			rest:    `POST /products {"name":"Lamp","price":1.999}`,
			graphql: `createProduct(input: {name: "Lamp", price: 1.999}) { id }`,
			want:    "422 " + badInput + "; price USD has 2 decimals at most",
		}, {
			name: "a negative price", as: "admin", of: entity.Product,
			rest:    `POST /products {"name":"Lamp","price":-1}`,
			graphql: `createProduct(input: {name: "Lamp", price: -1}) { id }`,
			want:    "422 " + badInput + "; price must be at least 0",
		}, {
			name: "stock below zero", as: "admin", of: entity.Product,
			rest:    `POST /products {"name":"Lamp","price":1,"stock":-1}`,
			graphql: `createProduct(input: {name: "Lamp", price: 1, stock: -1}) { id }`,
			want:    "422 " + badInput + "; stock must be 0 to 1000000000000",
		}, {
			name: "a product by a user", as: "owner", of: entity.Product,
			rest:    `POST /products {"name":"Lamp","price":1}`,
			graphql: `createProduct(input: {name: "Lamp", price: 1}) { id }`,
			want:    notYours,
		}, {
			name: "a category whose name is taken", as: "admin", of: entity.Category,
			rest:    `POST /categories {"name":"history"}`,
			graphql: `createCategory(input: {name: "history"}) { id }`,
			want:    "409 another category has this value; name is taken",
		}, {
			name: "a user whose address is taken, in capitals", as: "admin", of: entity.User,
			rest:    `POST /users {"name":"Ada","email":"OWNER@example.com"}`,
			graphql: `createUser(input: {name: "Ada", email: "OWNER@example.com"}) { id }`,
			want:    "409 another user has this value; email is taken",
		}, {
			name: "an age and a role that there are not", as: "admin", of: entity.User,
			rest:    `POST /users {"name":"Ada","email":"a@example.com","age":17}`,
			graphql: `createUser(input: {name: "Ada", email: "a@example.com", age: 17}) { id }`,
			want:    "422 " + badInput + "; age must be 18 to 120",
		}, {
			name: "a whole number that is written as a fraction", as: "admin", of: entity.User,
			rest:    `POST /users {"name":"Ada","email":"a@example.com","age":30.0}`,
			graphql: `createUser(input: {name: "Ada", email: "a@example.com", age: 30}) { id }`,
			want:    "ok",
		}, {
			name: "a whole number with an exponent", as: "admin", of: entity.Product,
			rest:    `POST /products {"name":"Lamp","price":1,"stock":1e3}`,
			graphql: `createProduct(input: {name: "Lamp", price: 1, stock: 1000}) { id }`,
			want:    "ok",
		}, {
			name: "a fraction where there are whole numbers", as: "admin", of: entity.Product,
			rest: `POST /products {"name":"Lamp","price":1,"stock":1.5}`,
			want: "400 " + badInput + "; stock must be a whole number or null",
		}, {
			name: "a name that there is not", as: "owner", of: entity.Post,
			rest: `POST /posts {"title":"A","content":"B","author":1}`,
			want: "400 " + badInput + "; author is unknown; allowed: author_id, category, category_id, content, published, title",
		}, {
			name: "nothing at all", as: "owner", of: entity.Post,
			rest: `POST /posts {}`,
			want: "400 " + badInput + "; title is required; content is required",
		}, {
			name: "a comment on a post that is not there", as: "owner", of: entity.Comment,
			rest:    `POST /posts/999/comments {"text":"Well."}`,
			graphql: `addComment(postId: "999", text: "Well.") { id }`,
			want:    "404 post not found",
		}, {
			name: "a review twice", as: "owner", of: entity.Review,
			rest:    `POST /products/${products}/reviews {"rating":4}`,
			graphql: `createReview(input: {productId: "${Product}", rating: 4}) { id }`,
			want:    "409 another review has this value; product_id is taken; author_id is taken",
		}, {
			name: "a rating that there is not", as: "other", of: entity.Review,
			rest:    `POST /products/${products}/reviews {"rating":6}`,
			graphql: `createReview(input: {productId: "${Product}", rating: 6}) { id }`,
			want:    "422 " + badInput + "; rating must be 1 to 5",
		},
	}
}

func updates() []scenario {
	return []scenario{
		{
			name: "a post is changed", as: "owner", of: entity.Post,
			rest:    `PATCH /posts/${posts} {"title":"New"}`,
			graphql: `updatePost(id: "${Post}", input: {title: "New"}) { id }`,
			want:    "ok",
		}, {
			name: "a change of nothing", as: "owner", of: entity.Post,
			rest:    `PATCH /posts/${posts} {}`,
			graphql: `updatePost(id: "${Post}", input: {}) { id }`,
			want:    "ok",
		}, {
			name: "a change of nothing by another", as: "other", of: entity.Post,
			rest:    `PATCH /posts/${posts} {}`,
			graphql: `updatePost(id: "${Post}", input: {}) { id }`,
			want:    notYours,
		}, {
			name: "another's post", as: "other", of: entity.Post,
			rest:    `PATCH /posts/${posts} {"title":"New"}`,
			graphql: `updatePost(id: "${Post}", input: {title: "New"}) { id }`,
			want:    notYours,
		}, {
			name: "another's draft", as: "other", of: entity.Post,
			rest:    `PATCH /posts/${posts@draft} {"title":"New"}`,
			graphql: `updatePost(id: "${posts@draft}", input: {title: "New"}) { id }`,
			want:    "404 post not found",
		}, {
			name: "a post that is not there", as: "owner", of: entity.Post,
			rest:    `PATCH /posts/999 {"title":"New"}`,
			graphql: `updatePost(id: "999", input: {title: "New"}) { id }`,
			want:    "404 post not found",
		}, {
			name: "null for a title", as: "owner", of: entity.Post,
			rest:    `PATCH /posts/${posts} {"title":null}`,
			graphql: `updatePost(id: "${Post}", input: {title: null}) { id }`,
			want:    "400 " + badInput + "; title must not be null",
		}, {
			name: "null for a category", as: "owner", of: entity.Post,
			rest:    `PATCH /posts/${posts} {"category_id":null}`,
			graphql: `updatePost(id: "${Post}", input: {categoryId: null}) { id }`,
			want:    "ok",
		}, {
			name: "a version that is another by now", as: "owner", of: entity.Post,
			rest:    `[If-Match: "9"] PATCH /posts/${posts} {"title":"New"}`,
			graphql: `updatePost(id: "${Post}", input: {title: "New"}, expectedVersion: 9) { id }`,
			want:    stale,
		}, {
			name: "a version of another's post", as: "other", of: entity.Post,
			rest:    `[If-Match: "9"] PATCH /posts/${posts} {"title":"New"}`,
			graphql: `updatePost(id: "${Post}", input: {title: "New"}, expectedVersion: 9) { id }`,
			want:    notYours,
		}, {
			name: "a role of one's own", as: "owner", of: entity.User,
			rest:    `PATCH /users/${users} {"role":"admin"}`,
			graphql: `updateUser(id: "${User}", input: {role: admin}) { id }`,
			want:    notYours + "; role is not yours to set",
		}, {
			name: "a role that is the same", as: "owner", of: entity.User,
			rest:    `PATCH /users/${users} {"role":"user"}`,
			graphql: `updateUser(id: "${User}", input: {role: user}) { id }`,
			want:    "ok",
		}, {
			name: "a currency with fewer decimals at most", as: "admin", of: entity.Product,
			rest:    `PATCH /products/${products} {"currency":"JPY"}`,
			graphql: `updateProduct(id: "${Product}", input: {currency: "JPY"}) { id }`,
			want:    "422 " + badInput + "; price JPY has 0 decimals at most",
		}, {
			name: "a malformed id by an anonymous caller", as: "anonymous", of: entity.Post,
			rest:    `PATCH /posts/none {"title":"New"}`,
			graphql: `updatePost(id: "none", input: {title: "New"}) { id }`,
			want:    anonymous,
		},
	}
}

func deletions() []scenario {
	return []scenario{
		{
			name: "a post is deleted", as: "owner", of: entity.Post,
			rest: `DELETE /posts/${posts}`, graphql: `deletePost(id: "${Post}")`, want: "ok",
		}, {
			name: "another's post is deleted", as: "other", of: entity.Post,
			rest: `DELETE /posts/${posts}`, graphql: `deletePost(id: "${Post}")`, want: notYours,
		}, {
			name: "a moderator deletes another's post", as: "moderator", of: entity.Post,
			rest: `DELETE /posts/${posts}`, graphql: `deletePost(id: "${Post}")`, want: "ok",
		}, {
			name: "a post that is not there is deleted", as: "owner", of: entity.Post,
			rest: `DELETE /posts/999`, graphql: `deletePost(id: "999")`, want: "404 post not found",
		}, {
			name: "a removal for good by the owner", as: "owner", of: entity.Post,
			rest: `DELETE /posts/${posts}?hard=true`, graphql: `deletePost(id: "${Post}", hard: true)`, want: notYours,
		}, {
			name: "a deletion of a version that is another by now", as: "owner", of: entity.Post,
			rest: `[If-Match: "9"] DELETE /posts/${posts}`, graphql: `deletePost(id: "${Post}", expectedVersion: 9)`,
			want: stale,
		}, {
			name: "a restoration of what is not deleted", as: "admin", of: entity.User,
			rest: `POST /users/${users}/restore`, graphql: `restoreUser(id: "${User}") { id }`, want: "409 the user is not deleted",
		},
	}
}

func verbs() []scenario {
	return []scenario{
		{
			name: "a post that is published is published", as: "owner", of: entity.Post,
			rest: `POST /posts/${posts}/publish`, graphql: `publishPost(id: "${Post}") { id }`, want: "409 the post is published already; allowed: archive",
		}, {
			name: "another's post is archived", as: "other", of: entity.Post,
			rest: `POST /posts/${posts}/archive`, graphql: `archivePost(id: "${Post}") { id }`, want: notYours,
		}, {
			name: "a pending order is refunded", as: "admin", of: entity.Order,
			rest: `POST /orders/${orders}/refund {}`, graphql: `refundOrder(id: "${Order}") { id }`, want: "409 the order is pending: it can't be refunded; allowed: pay, cancel",
		}, {
			name: "an order is cancelled with what it has no use for", as: "owner", of: entity.Order,
			rest: `POST /orders/${orders}/cancel {"reason":"late"}`, want: "400 " + badInput + "; reason is unknown: this action takes no input",
		}, {
			name: "an order is cancelled with what is no JSON", as: "owner", of: entity.Order,
			rest: `POST /orders/${orders}/cancel {`, want: "400 the body is not valid JSON: the text ends too early",
		}, {
			name: "an order is paid with an amount of one's own", as: "owner", of: entity.Order,
			rest: `POST /orders/${orders}/pay {"amount":1}`, want: "400 " + badInput + "; amount is unknown: this action takes no input",
		}, {
			name: "an order is cancelled with a body", as: "owner", of: entity.Order,
			rest: `POST /orders/${orders}/cancel {}`, graphql: `cancelOrder(id: "${Order}") { id }`, want: "ok",
		}, {
			name: "another's order is paid", as: "other", of: entity.Order,
			rest: `POST /orders/${orders}/pay`, graphql: `payOrder(id: "${Order}") { id }`, want: "404 order not found",
		}, {
			name: "one follows oneself", as: "owner", of: entity.User,
			rest: `POST /users/${users}/follow`, want: "422 " + badInput + "; id is the follower: users cannot follow themselves",
		}, {
			name: "a job that failed is cancelled", as: "owner", of: entity.Job,
			rest: `POST /jobs/${jobs}/cancel`, graphql: `cancelJob(id: "${Job}") { id }`, want: "409 the job is failed: it can't be cancelled; allowed: retry",
		}, {
			name: "a malformed id of a job by an anonymous caller", as: "anonymous", of: entity.Job,
			rest: `POST /jobs/none/cancel`, graphql: `cancelJob(id: "none") { id }`, want: anonymous,
		}, {
			name: "an account is deactivated by another", as: "other", of: entity.User,
			rest: `POST /users/${users}/deactivate`, graphql: `deactivateUser(id: "${User}") { id }`, want: notYours,
		},
	}
}
