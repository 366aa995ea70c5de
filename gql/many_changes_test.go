package gql_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/entwine-go/entwine/ent"
	"github.com/entwine-go/entwine/ent/typedid"
)

// Each of many changes is judged, refused and answered as the change of one row is.
func TestManyRowsAreChangedAtOnce(t *testing.T) {
	each(t, func(w *world) {
		p := w.client.Product.Create().SetName("Slide rule").SetPrice(100).SetCurrency("EUR").SaveX(w.system())
		q := w.client.Product.Create().SetName("Abacus").SetPrice(100).SetCurrency("EUR").SaveX(w.system())
		w.as("ada", fmt.Sprintf(`mutation { updateProducts(input: [
			{id: %d, input: {price: 19.99}}, {id: %d, input: {price: -1}}, {id: 999, input: {price: 1}}, {id: "x", input: {}}, {id: %[2]d, input: {price: 3}, expectedVersion: 9}
			]) { status product { name price } error { code fields { field } } } }`, p.ID, q.ID)).wants(w.T, `{"updateProducts":[
			{"status":200,"product":{"name":"Slide rule","price":19.99},"error":null},
			{"status":422,"product":null,"error":{"code":"BAD_USER_INPUT","fields":[{"field":"input[1].input.price"}]}},
			{"status":404,"product":null,"error":{"code":"NOT_FOUND","fields":[]}},
			{"status":400,"product":null,"error":{"code":"BAD_USER_INPUT","fields":[{"field":"input[3].id"}]}},
			{"status":412,"product":null,"error":{"code":"PRECONDITION_FAILED","fields":[]}}]}`)
		if got := w.as("mia", `mutation { updateProducts(input: [{id: 1, input: {price: 1}}]) { status } }`).codes(); !slices.Equal(got, []string{"updateProducts FORBIDDEN"}) {
			w.Errorf("mia: %q", got)
		}
	})
}

// An action of many posts asks of each what the action of one asks.
func TestManyPostsArePublishedAtOnce(t *testing.T) {
	each(t, func(w *world) {
		draft := func(author typedid.UserID) *ent.Post {
			return w.client.Post.Create().SetAuthorID(author).SetTitle("Draft").SetContent("…").SaveX(w.system())
		}
		mine, his := draft(2), draft(3)
		query := fmt.Sprintf(`mutation { publishPosts(ids: [%d, %d, %[1]d], idempotencyKey: "once") { status post { published } error { code } } }`, mine.ID, his.ID)
		want := `{"publishPosts":[
			{"status":200,"post":{"published":true},"error":null},
			{"status":404,"post":null,"error":{"code":"NOT_FOUND"}},
			{"status":409,"post":null,"error":{"code":"CONFLICT"}}]}`
		w.as("bob", query).wants(w.T, want)
		w.as("bob", query).wants(w.T, want)
		w.as("bob", fmt.Sprintf(`mutation { archivePosts(ids: [%d]) { status } deletePosts(ids: [%[1]d]) { status } }`, mine.ID)).wants(w.T, `{"archivePosts":[{"status":200}],"deletePosts":[{"status":204}]}`)
	})
}
