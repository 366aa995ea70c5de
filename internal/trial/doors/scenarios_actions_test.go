package doors_test

import (
	"github.com/entwine-go/entwine/internal/entity"
)

func actions() []scenario {
	return []scenario{
		{
			name: "a draft is published", as: "owner", of: entity.Post,
			rest: `POST /posts/${posts@draft}/publish`, graphql: `publishPost(id: "${posts@draft}") { id }`, want: "ok",
		}, {
			name: "another's draft is published", as: "other", of: entity.Post,
			rest: `POST /posts/${posts@draft}/publish`, graphql: `publishPost(id: "${posts@draft}") { id }`, want: "404 post not found",
		}, {
			name: "a post that is not there is published", as: "owner", of: entity.Post,
			rest: `POST /posts/999/publish`, graphql: `publishPost(id: "999") { id }`, want: "404 post not found",
		}, {
			name: "a post is archived as it was read", as: "owner", of: entity.Post,
			rest: `[If-Match: "1"] POST /posts/${posts}/archive`, graphql: `archivePost(id: "${Post}", expectedVersion: 1) { id }`, want: "ok",
		}, {
			name: "a post is archived that is another by now", as: "owner", of: entity.Post,
			rest: `[If-Match: "9"] POST /posts/${posts}/archive`, graphql: `archivePost(id: "${Post}", expectedVersion: 9) { id }`, want: stale,
		}, {
			name: "a published post is published that is another by now", as: "owner", of: entity.Post,
			rest: `[If-Match: "9"] POST /posts/${posts}/publish`, graphql: `publishPost(id: "${Post}", expectedVersion: 9) { id }`, want: stale,
		}, {
			name: "another's post is archived that is another by now", as: "other", of: entity.Post,
			rest: `[If-Match: "9"] POST /posts/${posts}/archive`, graphql: `archivePost(id: "${Post}", expectedVersion: 9) { id }`, want: notYours,
		}, {
			name: "a post is archived by an anonymous caller, with what is no JSON", as: "anonymous", of: entity.Post,
			rest: `POST /posts/${posts}/archive {`, want: anonymous,
		}, {
			name: "an account is deactivated by an admin", as: "admin", of: entity.User,
			rest: `POST /users/${users}/deactivate`, graphql: `deactivateUser(id: "${User}") { id }`, want: "ok",
		}, {
			name: "an active account is activated", as: "admin", of: entity.User,
			rest: `POST /users/${users}/activate`, graphql: `activateUser(id: "${User}") { id }`, want: "409 the user is active already; allowed: deactivate",
		}, {
			name: "an order is cancelled that is another by now", as: "owner", of: entity.Order,
			rest: `[If-Match: "9"] POST /orders/${orders}/cancel`, graphql: `cancelOrder(id: "${Order}", expectedVersion: 9) { id }`, want: stale,
		}, {
			name: "a paid order is paid", as: "owner", of: entity.Order,
			rest: `POST /orders/${orders@paid}/pay`, graphql: `payOrder(id: "${orders@paid}") { id }`, want: "409 the order is paid: it can't be paid; allowed: invoice",
		}, {
			name: "a paid order is cancelled by an admin", as: "admin", of: entity.Order,
			rest: `POST /orders/${orders@paid}/cancel`, graphql: `cancelOrder(id: "${orders@paid}") { id }`, want: "409 the order is paid: it can't be cancelled; allowed: refund, invoice",
		}, {
			name: "an order is refunded by who placed it", as: "owner", of: entity.Order,
			rest: `POST /orders/${orders@paid}/refund {"amount":"x"}`, graphql: `refundOrder(id: "${orders@paid}", amount: 1) { id }`, want: notYours,
		}, {
			name: "a refund with more decimals than the currency has", as: "admin", of: entity.Order,
			rest: `POST /orders/${orders@paid}/refund {"amount":1.999}`, graphql: `refundOrder(id: "${orders@paid}", amount: 1.999) { id }`,
			want: "422 " + badInput + "; amount USD has 2 decimals at most",
		}, {
			name: "a negative refund, and a reason of two lines", as: "admin", of: entity.Order,
			rest: `POST /orders/${orders@paid}/refund {"amount":-1,"reason":"a\nb"}`, graphql: `refundOrder(id: "${orders@paid}", amount: -1, reason: "a\nb") { id }`,
			want: "422 " + badInput + "; amount must be at least 0; reason must be one line, without control characters",
		}, {
			name: "a refund with all that can be wrong", as: "admin", of: entity.Order,
			rest: `POST /orders/${orders@paid}/refund {"amount":"1","restock":1,"colour":1}`,
			want: "400 " + badInput + "; colour is unknown; allowed: amount, reason, restock; amount must be a number or null, not a string; restock must be a boolean, not a number",
		}, {
			name: "a refund of an order that is not there", as: "admin", of: entity.Order,
			rest: `POST /orders/999/refund {"amount":1}`, graphql: `refundOrder(id: "999", amount: 1) { id }`, want: "404 order not found",
		}, {
			name: "an order of nothing", as: "owner", of: entity.Order,
			rest: `POST /orders {"items":[]}`, graphql: `createOrder(input: {items: []}) { id }`, want: "422 " + badInput + "; items must be at least 1 item, not 0",
		}, {
			name: "an order of a product that is not there, and of none", as: "owner", of: entity.OrderItem,
			rest:    `POST /orders {"items":[{"product_id":999,"quantity":1},{"product_id":${products},"quantity":0}]}`,
			graphql: `createOrder(input: {items: [{productId: "999", quantity: 1}, {productId: "${Product}", quantity: 0}]}) { id }`,
			want:    "422 " + badInput + "; items[0].product_id names no product; items[1].quantity must be 1 to 10000",
		}, {
			name: "a job that failed is tried again", as: "owner", of: entity.Job,
			rest: `POST /jobs/${jobs}/retry`, graphql: `retryJob(id: "${Job}") { id }`, want: "ok",
		}, {
			name: "another's job is tried again", as: "other", of: entity.Job,
			rest: `POST /jobs/${jobs}/retry`, graphql: `retryJob(id: "${Job}") { id }`, want: "404 job not found",
		}, {
			name: "a key is made anew by a user", as: "owner", of: entity.APIKey,
			rest: `POST /api-keys/${api-keys}/rotate`, graphql: `rotateAPIKey(id: "${api-keys}") { key }`, want: notYours,
		}, {
			name: "minus the first product in the cart", as: "owner", of: entity.CartItem,
			rest:    `POST /cart/items {"product_id":-1}`,
			graphql: `createCartItem(input: {productId: "-1"}) { id }`,
			want:    "422 " + badInput + "; product_id must be at least 1",
		}, {
			name: "an item that is not in the cart", as: "owner", of: entity.CartItem,
			rest: `PATCH /cart/items/999 {"quantity":2}`, graphql: `updateCartItem(id: 999, input: {quantity: 2}) { id }`, want: "404 cart item not found",
		}, {
			name: "none of a product that is not there in the cart", as: "owner", of: entity.CartItem,
			rest:    `POST /cart/items {"product_id":999,"quantity":0}`,
			graphql: `createCartItem(input: {productId: "999", quantity: 0}) { id }`,
			want:    "422 " + badInput + "; quantity must be 1 to 10000; product_id names no product",
		},
	}
}

// requests are actions without a row that is there before.
func requests() []scenario {
	return []scenario{
		{
			name: "a payment in a currency that is none", as: "owner", of: entity.Payment,
			rest: `POST /payments {"amount":1,"currency":"XXQ"}`, graphql: `createPayment(input: {amount: 1, currency: "XXQ"}) { id }`,
			want: "422 " + badInput + "; currency must be the ISO 4217 code of a currency",
		}, {
			name: "a payment with more decimals than the currency has", as: "owner", of: entity.Payment,
			rest: `POST /payments {"amount":1.5,"currency":"JPY"}`, graphql: `createPayment(input: {amount: 1.5, currency: "JPY"}) { id }`,
			want: "422 " + badInput + "; amount JPY has 0 decimals at most",
		}, {
			name: "a payment for another's order", as: "other", of: entity.Payment,
			rest:    `POST /payments {"amount":19.99,"currency":"USD","order_id":${orders}}`,
			graphql: `createPayment(input: {amount: 19.99, currency: "USD", orderId: "${Order}"}) { id }`,
			want:    "422 " + badInput + "; order_id names no order",
		}, {
			name: "a payment by an API key", as: "write-key", of: entity.Payment,
			rest: `POST /payments {"amount":-1,"currency":"USD"}`, graphql: `createPayment(input: {amount: -1, currency: "USD"}) { id }`, want: notYours,
		}, {
			name: "a payment by an anonymous caller", as: "anonymous", of: entity.Payment,
			rest: `POST /payments {`, graphql: `createPayment(input: {amount: -1, currency: "USD"}) { id }`, want: anonymous,
		}, {
			name: "a payment is refunded by who made it", as: "owner", of: entity.Payment,
			rest: `POST /payments/${payments}/refund`, graphql: `refundPayment(id: "${Payment}") { id }`, want: notYours,
		}, {
			name: "a payment is refunded with more decimals than its currency has", as: "admin", of: entity.Payment,
			rest: `POST /payments/${payments}/refund {"amount":1.999}`, graphql: `refundPayment(id: "${Payment}", amount: 1.999) { id }`,
			want: "422 " + badInput + "; amount USD has 2 decimals at most",
		}, {
			name: "a key for nobody to do nothing", as: "admin", of: entity.APIKey,
			rest: `POST /api-keys {"client_name":"","permissions":[]}`, graphql: `createAPIKey(input: {clientName: "", permissions: []}) { key }`,
			want: "422 " + badInput + "; client_name must be 1 to 100 characters, not 0; permissions must be at least 1 item, not 0",
		}, {
			name: "a key is made by a user", as: "owner", of: entity.APIKey,
			rest: `POST /api-keys {"client_name":"","permissions":[]}`, graphql: `createAPIKey(input: {clientName: "", permissions: []}) { key }`, want: notYours,
		}, {
			name: "a message to no address", as: "admin", of: entity.Email,
			rest: `POST /emails/send {"to":"nobody","subject":"A","text":"B"}`, graphql: `sendEmail(input: {to: "nobody", subject: "A", text: "B"}) { id }`,
			want: "422 " + badInput + "; to must be an e-mail address",
		}, {
			name: "a message to no address, of nothing", as: "admin", of: entity.Email,
			rest: `POST /emails/send {"to":"nobody"}`, graphql: `sendEmail(input: {to: "nobody"}) { id }`,
			want: "400 " + badInput + "; to must be an e-mail address; subject is required; text is required",
		}, {
			name: "a key that has expired, for nobody", as: "admin", of: entity.APIKey,
			rest:    `POST /api-keys {"client_name":"","permissions":["read"],"expires_at":"2020-01-01T00:00:00Z"}`,
			graphql: `createAPIKey(input: {clientName: "", permissions: [read], expiresAt: "2020-01-01T00:00:00Z"}) { key }`,
			want:    "422 " + badInput + "; client_name must be 1 to 100 characters, not 0; expires_at must be in the future",
		}, {
			name: "a report of a time that ends before it begins, in no format", as: "admin", of: entity.Job,
			rest: `POST /reports/generate {"type":"sales","format":"pdf","from":"2026-02-02","to":"2026-01-01"}`,
			want: "422 " + badInput + "; format must be one of csv, json, xlsx; from must be before to",
		}, {
			name: "a report by a user", as: "owner", of: entity.Job,
			rest: `POST /reports/generate {"type":"sales","format":"csv"}`, graphql: `generateReport(input: {type: sales, format: csv}) { id }`, want: notYours,
		}, {
			name: "a report between days that are none", as: "admin", of: entity.Job,
			rest:    `POST /reports/generate {"type":"sales","format":"csv","from":"2026-02-30","to":"yesterday"}`,
			graphql: `generateReport(input: {type: sales, format: csv, from: "2026-02-30", to: "yesterday"}) { id }`,
			want: "422 " + badInput + "; from must be a time such as 2026-01-31T12:00:00Z, or a day such as 2026-01-31" +
				"; to must be a time such as 2026-01-31T12:00:00Z, or a day such as 2026-01-31",
		},
	}
}

func marks() []scenario {
	return []scenario{
		{
			name: "a post is liked", as: "other", of: entity.Like,
			rest: `POST /posts/${posts}/like`, graphql: `likePost(postId: "${Post}") { __typename }`, want: "ok",
		}, {
			name: "a post is liked again", as: "owner", of: entity.Like,
			rest: `POST /posts/${posts}/like`, graphql: `likePost(postId: "${Post}") { __typename }`, want: "ok",
		}, {
			name: "an anonymous caller likes a post that is not there", as: "anonymous", of: entity.Like,
			rest: `POST /posts/999/like`, graphql: `likePost(postId: "999") { __typename }`, want: anonymous,
		}, {
			name: "an API key likes a post", as: "write-key", of: entity.Like,
			rest: `POST /posts/${posts}/like`, graphql: `likePost(postId: "${Post}") { __typename }`, want: notYours,
		}, {
			name: "a post is liked that is not there", as: "other", of: entity.Like,
			rest: `POST /posts/999/like`, graphql: `likePost(postId: "999") { __typename }`, want: "404 post not found",
		}, {
			name: "another's draft is liked", as: "other", of: entity.Like,
			rest: `POST /posts/${posts@draft}/like`, graphql: `likePost(postId: "${posts@draft}") { __typename }`, want: "404 post not found",
		}, {
			name: "a post is liked in another's name", as: "other", of: entity.Like,
			rest: `POST /posts/${posts}/like {"user_id":${users}}`, graphql: `likePost(postId: "${Post}", userId: "${User}") { __typename }`,
			want: notYours + "; user_id is not yours to set",
		}, {
			name: "a post is liked in the name of nobody", as: "admin", of: entity.Like,
			rest: `POST /posts/${posts}/like {"user_id":999}`, graphql: `likePost(postId: "${Post}", userId: "999") { __typename }`,
			want: "422 " + badInput + "; user_id names no user",
		}, {
			name: "a post is liked with what there is not", as: "other", of: entity.Like,
			rest: `POST /posts/${posts}/like {"colour":1}`, want: "400 " + badInput + "; colour is unknown; allowed: user_id",
		}, {
			name: "a liking is taken back that there was not", as: "other", of: entity.Like,
			rest: `DELETE /posts/${posts}/like`, graphql: `unlikePost(postId: "${Post}") { __typename }`, want: "ok",
		}, {
			name: "a liking is taken back of what is not there", as: "other", of: entity.Like,
			rest: `DELETE /posts/999/like`, graphql: `unlikePost(postId: "999") { __typename }`, want: "404 post not found",
		}, {
			name: "a post is shared", as: "other", of: entity.Share,
			rest: `POST /posts/${posts}/share`, graphql: `sharePost(postId: "${Post}") { __typename }`, want: "ok",
		}, {
			name: "a user is followed", as: "other", of: entity.Follow,
			rest: `POST /users/${users}/follow`, graphql: `followUser(userId: "${User}") { __typename }`, want: "ok",
		}, {
			name: "a user is followed who is not there", as: "other", of: entity.Follow,
			rest: `POST /users/999/follow`, graphql: `followUser(userId: "999") { __typename }`, want: "404 user not found",
		}, {
			name: "one who is deleted is followed", as: "other", of: entity.Follow,
			rest: `POST /users/${users@deleted}/follow`, graphql: `followUser(userId: "${users@deleted}") { __typename }`, want: "404 user not found",
		},
	}
}

func restorations() []scenario {
	return []scenario{
		{
			name: "a deleted user comes back", as: "admin", of: entity.User,
			rest: `POST /users/${users@deleted}/restore`, graphql: `restoreUser(id: "${users@deleted}") { id }`, want: "ok",
		}, {
			name: "a user brings another back", as: "owner", of: entity.User,
			rest: `POST /users/${users@deleted}/restore`, graphql: `restoreUser(id: "${users@deleted}") { id }`, want: notYours,
		}, {
			name: "an anonymous caller brings a user back", as: "anonymous", of: entity.User,
			rest: `POST /users/${users@deleted}/restore`, graphql: `restoreUser(id: "${users@deleted}") { id }`, want: anonymous,
		}, {
			name: "a deleted user comes back who is another by now", as: "admin", of: entity.User,
			rest: `[If-Match: "9"] POST /users/${users@deleted}/restore`, graphql: `restoreUser(id: "${users@deleted}", expectedVersion: 9) { id }`, want: stale,
		}, {
			name: "a user comes back who is not there", as: "admin", of: entity.User,
			rest: `POST /users/999/restore`, graphql: `restoreUser(id: "999") { id }`, want: "404 user not found",
		}, {
			name: "a post comes back that is not deleted", as: "admin", of: entity.Post,
			rest: `POST /posts/${posts}/restore`, graphql: `restorePost(id: "${Post}") { id }`, want: "409 the post is not deleted",
		}, {
			name: "a deleted user is changed", as: "admin", of: entity.User,
			rest: `PATCH /users/${users@deleted} {"name":"New"}`, graphql: `updateUser(id: "${users@deleted}", input: {name: "New"}) { id }`, want: "404 user not found",
		}, {
			name: "a deleted user is deactivated", as: "admin", of: entity.User,
			rest: `POST /users/${users@deleted}/deactivate`, graphql: `deactivateUser(id: "${users@deleted}") { id }`, want: "404 user not found",
		}, {
			name: "a deleted user is deleted", as: "admin", of: entity.User,
			rest: `DELETE /users/${users@deleted}`, graphql: `deleteUser(id: "${users@deleted}")`, want: "404 user not found",
		},
	}
}

// bulks are many writes in one request: an error names the place of its item,
// under the name that the list has in each API.
func bulks() []scenario {
	return []scenario{
		{
			name: "two products", as: "admin", of: entity.Product,
			rest:    `POST /products/bulk {"products":[{"name":"A","price":1},{"name":"B","price":2}]}`,
			graphql: `createProducts(input: [{name: "A", price: 1}, {name: "B", price: 2}]) { id }`,
			want:    "ok",
		}, {
			name: "products by a user", as: "owner", of: entity.Product,
			rest:    `POST /products/bulk {"products":[{"name":"","price":1}]}`,
			graphql: `createProducts(input: [{name: "", price: 1}]) { id }`,
			want:    notYours,
		}, {
			name: "products by an anonymous caller", as: "anonymous", of: entity.Product,
			rest:    `POST /products/bulk {"products":[{"name":"","price":1}]}`,
			graphql: `createProducts(input: [{name: "", price: 1}]) { id }`,
			want:    anonymous,
		}, {
			name: "users, each for itself", as: "admin", of: entity.User,
			rest:    `POST /users/bulk {"users":[{"name":"Ann","email":"ann@example.com"},{"name":"","email":"owner@example.com"}]}`,
			graphql: `createUsers(input: [{name: "Ann", email: "ann@example.com"}, {name: "", email: "owner@example.com"}]) { __typename }`,
			want:    "ok",
		}, {
			name: "users by a user", as: "owner", of: entity.User,
			rest:    `POST /users/bulk {"users":[{"name":"Ann","email":"ann@example.com"}]}`,
			graphql: `createUsers(input: [{name: "Ann", email: "ann@example.com"}]) { __typename }`,
			want:    notYours,
		}, {
			name: "many users are deleted by a user", as: "owner", of: entity.User,
			rest: `DELETE /users/bulk {"ids":[${users},999]}`, graphql: `deleteUsers(ids: ["${User}", "999"]) { __typename }`, want: notYours,
		}, {
			name: "many users are deleted, each for itself", as: "admin", of: entity.User,
			rest: `DELETE /users/bulk {"ids":[${users},999]}`, graphql: `deleteUsers(ids: ["${User}", "999"]) { __typename }`, want: "ok",
		}, {
			name: "no users are deleted", as: "admin", of: entity.User,
			rest: `DELETE /users/bulk {"ids":[]}`, graphql: `deleteUsers(ids: []) { __typename }`, want: "422 " + badInput + "; ids must be at least 1 item, not 0",
		}, {
			name: "many users are removed for good by a moderator", as: "moderator", of: entity.User,
			rest: `DELETE /users/bulk?hard=true {"ids":[${users}]}`, graphql: `deleteUsers(ids: ["${User}"], hard: true) { __typename }`, want: notYours,
		},
	}
}
