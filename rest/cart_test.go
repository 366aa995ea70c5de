package rest_test

import (
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/entwine-go/entwine/ent"
	"github.com/entwine-go/entwine/kit/viewer"
)

const cartPath, cartItems = "/api/v1/cart", "/api/v1/cart/items"

func (w *world) product(name, currency string, price, stock int64) *ent.Product {
	w.t.Helper()
	return w.ent.Product.Create().SetName(name).SetPrice(price).SetCurrency(currency).SetStock(stock).SaveX(w.system)
}

// add puts so many of the product into the cart and returns the item's path.
func (w *world) add(v *viewer.Viewer, p *ent.Product, quantity, status int) string {
	w.t.Helper()
	a := w.do(v, "POST", cartItems, fmt.Sprintf(`{"product_id":%d,"quantity":%d}`, p.ID, quantity)).want(status)
	return fmt.Sprintf("%s/%v", cartItems, a.data()["id"])
}

func TestTheCartAddsUp(t *testing.T) {
	each(t, func(w *world) {
		empty := w.do(w.ada, "GET", cartPath, "").want(200)
		if want := `{"items":[],"quantity":0,"total":0,"currency":null,"totals":[],"orderable":false}`; !strings.Contains(empty.Raw, want) {
			t.Errorf("an empty cart: %s, want %s", empty.Raw, want)
		}
		rule, tea := w.product("Slide rule", "USD", 1999, 12), w.product("Tea", "KWD", 1250, 1)
		item := w.add(w.ada, rule, 2, 201)
		if again := w.add(w.ada, rule, 3, 200); again != item {
			t.Errorf("the same product is at %s and %s", item, again)
		}
		w.add(w.bob, rule, 1, 201)
		c := w.do(w.ada, "GET", cartPath, "").want(200)
		if !strings.Contains(c.Raw, `"quantity":5,"total":99.95,"currency":"USD","totals":[{"currency":"USD","total":99.95}],"orderable":true`) ||
			!strings.Contains(c.Raw, `"price":19.99,"price_when_added":19.99,"price_changed":false,"subtotal":99.95,"currency":"USD","currency_when_added":"USD","availability":"available","available_quantity":12,"product":{"id":`) {
			t.Errorf("five slide rules: %s", c.Raw)
		}
		if n := len(w.log.Statements()); n != 3 {
			t.Errorf("a cart takes %d statements, want 3: %q", n, w.log.Statements())
		}
		w.add(w.ada, tea, 2, 201)
		c = w.do(w.ada, "GET", cartPath, "").want(200)
		if !strings.Contains(c.Raw, `"total":null,"currency":null,"totals":[{"currency":"KWD","total":2.5},{"currency":"USD","total":99.95}],"orderable":false`) ||
			!strings.Contains(c.Raw, `"availability":"insufficient","available_quantity":1`) {
			t.Errorf("two currencies: %s", c.Raw)
		}
		if xml := w.do(w.ada, "GET", cartPath, "", "Accept", "application/xml").want(200); !strings.Contains(xml.Raw, "<subtotal>99.95</subtotal>") {
			t.Errorf("as XML: %s", xml.Raw)
		}
		w.do(w.ada, "DELETE", cartPath, "").want(204)
		w.do(w.ada, "DELETE", cartPath, "").want(204)
		if again := w.do(w.ada, "GET", cartPath, "").want(200); again.Raw != empty.Raw {
			t.Errorf("emptied: %s", again.Raw)
		}
		if bobs := w.do(w.bob, "GET", cartPath, "").want(200); len(bobs.data()["items"].([]any)) != 1 {
			t.Errorf("another's cart: %s", bobs.Raw)
		}
	})
}

func TestTheCartTellsWhatChanged(t *testing.T) {
	each(t, func(w *world) {
		rule := w.product("Slide rule", "USD", 1999, 12)
		item := w.add(w.ada, rule, 2, 201)
		shows := func(a *answer, want ...any) {
			t.Helper()
			data := a.data()
			got := []any{data["price"], data["price_when_added"], data["price_changed"], data["availability"], data["available_quantity"]}
			if fmt.Sprint(got...) != fmt.Sprint(want...) {
				t.Errorf("%s shows %v, want %v", a.asked, got, want)
			}
		}
		before := w.do(w.ada, "GET", item, "").want(200)
		shows(before, 19.99, 19.99, false, "available", 12)
		w.do(w.admin, "PATCH", fmt.Sprintf("/api/v1/products/%d", rule.ID), `{"price":24.5}`).want(200)
		shows(w.do(w.ada, "GET", item, "", "If-None-Match", before.Header.Get("ETag")).want(200), 24.5, 19.99, true, "available", 12)
		shows(w.do(w.ada, "PATCH", item, `{"quantity":1}`).want(200), 24.5, 24.5, false, "available", 12)
		w.do(w.admin, "PATCH", fmt.Sprintf("/api/v1/products/%d", rule.ID), `{"currency":"JPY","price":1999}`).want(200)
		w.do(w.ada, "GET", item, "").want(200).has(`"price":1999,"price_when_added":24.5,"price_changed":true,`).has(`"currency":"JPY","currency_when_added":"USD"`)
		w.do(w.admin, "PATCH", fmt.Sprintf("/api/v1/products/%d", rule.ID), `{"currency":"EUR","price":24.5}`).want(200)
		shows(w.do(w.ada, "GET", item, "").want(200), 24.5, 24.5, true, "available", 12) // the same number of another currency
		shows(w.do(w.ada, "PATCH", item, `{"quantity":2}`).want(200), 24.5, 24.5, false, "available", 12)
		w.do(w.admin, "PATCH", fmt.Sprintf("/api/v1/products/%d", rule.ID), `{"stock":0}`).want(200)
		shows(w.do(w.ada, "PUT", item, `{"quantity":3}`).want(200), 24.5, 24.5, false, "out_of_stock", 0)
		w.do(w.admin, "DELETE", fmt.Sprintf("/api/v1/products/%d", rule.ID), "").want(204)
		shows(w.do(w.ada, "GET", item+"?expand=product", "").want(200), 24.5, 24.5, false, "removed", 0)
		if c := w.do(w.ada, "GET", cartPath, "").want(200); !strings.Contains(c.Raw, `"quantity":3,"total":0,`) || !strings.Contains(c.Raw, `"name":"Slide rule"`) {
			t.Errorf("a removed product: %s", c.Raw)
		}
		w.do(w.admin, "DELETE", fmt.Sprintf("/api/v1/products/%d?hard=true", rule.ID), "").want(204)
		w.do(w.ada, "GET", item, "").want(404)
	})
}

func TestTheCartHasBounds(t *testing.T) {
	each(t, func(w *world) {
		rule := w.product("Slide rule", "USD", 1999, 12)
		gone := w.product("Gone", "USD", 1, 1)
		w.do(w.admin, "DELETE", fmt.Sprintf("/api/v1/products/%d", gone.ID), "").want(204)
		item := w.add(w.ada, rule, 9_999, 201)
		for body, want := range map[string]string{
			fmt.Sprintf(`{"product_id":%d,"quantity":0}`, rule.ID):     "quantity",
			fmt.Sprintf(`{"product_id":%d,"quantity":-1}`, rule.ID):    "quantity",
			fmt.Sprintf(`{"product_id":%d,"quantity":10001}`, rule.ID): "quantity",
			fmt.Sprintf(`{"product_id":%d,"quantity":2}`, rule.ID):     "quantity",
			fmt.Sprintf(`{"product_id":%d}`, gone.ID):                  "product_id",
			`{"product_id":999999}`:                                    "product_id",
		} {
			if a := w.do(w.ada, "POST", cartItems, body).want(422); a.details()[want] == "" {
				t.Errorf("%s: %v, want %s", body, a.details(), want)
			}
		}
		w.do(w.ada, "POST", cartItems, `{"quantity":1}`).want(400)
		w.do(w.ada, "POST", cartItems, fmt.Sprintf(`{"product_id":%d,"quantity":1.5}`, rule.ID)).want(400)
		for _, method := range []string{"PATCH", "PUT"} {
			w.do(w.ada, method, item, `{"quantity":0}`).want(422)
			w.do(w.bob, method, item, `{"quantity":1}`).want(404)
		}
		w.do(w.bob, "DELETE", item, "").want(404)
		key := &viewer.Viewer{KeyID: 1, Permissions: []viewer.Permission{viewer.Read, viewer.Write}}
		for who, status := range map[*viewer.Viewer]int{w.nobody: 401, key: 403} {
			w.do(who, "GET", cartPath, "").want(status)
			w.do(who, "DELETE", cartPath, "").want(status)
			w.do(who, "POST", cartItems, fmt.Sprintf(`{"product_id":%d}`, rule.ID)).want(status)
		}
		for i := range 99 {
			w.add(w.ada, w.product(fmt.Sprint("Product ", i), "USD", 1, 1), 1, 201)
		}
		a := w.do(w.ada, "POST", cartItems, fmt.Sprintf(`{"product_id":%d}`, w.product("One more", "USD", 1, 1).ID)).want(422)
		if a.details()["product_id"] == "" {
			t.Errorf("the 101st: %v", a.details())
		}
		if c := w.do(w.ada, "GET", cartPath, "").want(200); len(c.data()["items"].([]any)) != 100 {
			t.Errorf("%d items", len(c.data()["items"].([]any)))
		}
	})
}

// However many requests add to a cart at once, it has what they added.
func TestAddingAtOnceAddsUp(t *testing.T) {
	each(t, func(w *world) {
		rule := w.product("Slide rule", "USD", 1999, 12)
		statuses := make([]int, 20)
		var all sync.WaitGroup
		for i := range statuses {
			all.Go(func() {
				statuses[i] = w.send(w.ada, "POST", cartItems, fmt.Sprintf(`{"product_id":%d,"quantity":%d}`, rule.ID, i+1)).Status
			})
		}
		all.Wait()
		made := 0
		for _, status := range statuses {
			if status == 201 {
				made++
			} else if status != 200 {
				t.Errorf("status %d", status)
			}
		}
		if c := w.do(w.ada, "GET", cartPath, "").want(200); made != 1 || c.data()["quantity"] != 210. {
			t.Errorf("%d were new; the cart is %s", made, c.Raw)
		}
	})
}
