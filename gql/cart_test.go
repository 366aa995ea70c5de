package gql_test

import (
	"fmt"
	"testing"
)

func TestTheCart(t *testing.T) {
	each(t, func(w *world) {
		rule := w.client.Product.Create().SetName("Slide rule").SetPrice(1999).SetStock(12).SaveX(w.system())
		tea := w.client.Product.Create().SetName("Tea").SetPrice(1250).SetCurrency("KWD").SetStock(1).SaveX(w.system())
		const cart = `{ cart { quantity total currency orderable totals { currency total } items { quantity price priceWhenAdded priceChanged subtotal currency availability availableQuantity product { name } } } }`
		w.as("bob", cart).wants(w.T, `{"cart":{"quantity":0,"total":0,"currency":null,"orderable":false,"totals":[],"items":[]}}`)
		w.as("bob", fmt.Sprintf(`mutation { addToCart(productId: "%d") { quantity } createCartItem(input: {productId: %q, quantity: 4}) { quantity } }`, rule.ID, id("Product", int64(rule.ID)))).
			wants(w.T, `{"addToCart":{"quantity":1},"createCartItem":{"quantity":5}}`)
		for range 2 { // with a key, once more is the same
			w.as("mia", fmt.Sprintf(`mutation { addToCart(productId: "%d", quantity: 3, idempotencyKey: "k") { quantity } }`, rule.ID)).wants(w.T, `{"addToCart":{"quantity":3}}`)
		}
		w.client.Product.UpdateOne(rule).SetPrice(2450).ExecX(w.system())
		const line = `{"quantity":5,"price":24.5,"priceWhenAdded":%s,"priceChanged":%v,"subtotal":122.5,"currency":"USD","availability":"available","availableQuantity":12,"product":{"name":"Slide rule"}}`
		w.as("bob", cart).wants(w.T, `{"cart":{"quantity":5,"total":122.5,"currency":"USD","orderable":true,"totals":[{"currency":"USD","total":122.5}],"items":[`+fmt.Sprintf(line, "19.99", true)+`]}}`)
		if n := len(w.statements); n != 2 {
			w.Errorf("a cart takes %d statements, want 2: %q", n, w.statements)
		}
		w.as("bob", `mutation { updateCartItem(id: "1", input: {quantity: 5}) { quantity priceChanged } }`).wants(w.T, `{"updateCartItem":{"quantity":5,"priceChanged":false}}`)
		w.as("bob", fmt.Sprintf(`mutation { addToCart(productId: "%d", quantity: 2) { availability availableQuantity } }`, tea.ID)).
			wants(w.T, `{"addToCart":{"availability":"insufficient","availableQuantity":1}}`)
		w.as("bob", `{ cart { total currency orderable totals { currency total } } }`).
			wants(w.T, `{"cart":{"total":null,"currency":null,"orderable":false,"totals":[{"currency":"KWD","total":2.5},{"currency":"USD","total":122.5}]}}`)
		for _, c := range []struct{ who, operation, want string }{
			{"bob", `mutation { addToCart(productId: "1", quantity: 0) { id } }`, "addToCart BAD_USER_INPUT quantity"},
			{"bob", `mutation { addToCart(productId: "1", quantity: 9999) { id } }`, "addToCart BAD_USER_INPUT quantity"},
			{"bob", `mutation { addToCart(productId: "99") { id } }`, "addToCart BAD_USER_INPUT productId"},
			{"bob", `mutation { addToCart(productId: "x") { id } }`, "addToCart BAD_USER_INPUT productId"},
			{"mia", `mutation { removeCartItem(id: "1") }`, "removeCartItem NOT_FOUND"},
			{"nobody", `mutation { clearCart }`, "clearCart UNAUTHENTICATED"},
			{"nobody", `{ cart { total } }`, "cart UNAUTHENTICATED"},
		} {
			if got := fmt.Sprint(w.as(c.who, c.operation).codes()); got != "["+c.want+"]" {
				w.Errorf("%s: %s: %s, want %s", c.who, c.operation, got, c.want)
			}
		}
		w.as("bob", `mutation { removeCartItem(id: "1") clearCart }`).wants(w.T, `{"removeCartItem":true,"clearCart":true}`)
		w.as("bob", `{ cart { items { id } } }`).wants(w.T, `{"cart":{"items":[]}}`)
	})
}

func TestManyProductsAtOnce(t *testing.T) {
	each(t, func(w *world) {
		w.as("ada", `mutation { createProducts(input: [{name: "Slide rule", price: 19.99}, {name: "Tea", price: 1.25, currency: "KWD", tags: ["leaf"]}]) { name price currency } }`).
			wants(w.T, `{"createProducts":[{"name":"Slide rule","price":19.99,"currency":"USD"},{"name":"Tea","price":1.25,"currency":"KWD"}]}`)
		w.as("ada", `mutation { createProducts(input: [{name: "a", price: 1}, {name: "", price: 1.999}, {name: "c", price: -1}]) { name } }`).
			wants(w.T, `{"createProducts":null}`, "createProducts BAD_USER_INPUT input[1].name input[1].price input[2].price")
		for range 2 { // with a key, once more is the same
			w.as("ada", `mutation { createProducts(input: [{name: "c", price: 1}, {name: "d", price: 2, tags: ["x"]}], idempotencyKey: "k") { id name } }`).
				wants(w.T, `{"createProducts":[{"id":"`+id("Product", 3)+`","name":"c"},{"id":"`+id("Product", 4)+`","name":"d"}]}`)
		}
		w.as("ada", `mutation { deleteProduct(id: 3) }`).wants(w.T, `{"deleteProduct":true}`)
		w.as("ada", `mutation { createProducts(input: [{name: "c", price: 1}, {name: "d", price: 2, tags: ["x"]}], idempotencyKey: "k") { name } }`).
			wants(w.T, `{"createProducts":[{"name":"d"}]}`)
		w.as("ada", `mutation { createProducts(input: [{name: "c", price: 1}], idempotencyKey: "k") { id } }`).wants(w.T, `{"createProducts":null}`, "createProducts IDEMPOTENCY_KEY_REUSED")
		w.as("ada", `mutation { createProducts(input: []) { name } }`).wants(w.T, `{"createProducts":null}`, "createProducts BAD_USER_INPUT input")
		w.as("bob", `mutation { createProducts(input: []) { name } }`).wants(w.T, `{"createProducts":null}`, "createProducts FORBIDDEN")
		if n := w.client.Product.Query().CountX(w.system()); n != 3 { // and the one that was deleted
			w.Errorf("%d products, want 3", n)
		}
	})
}
