package rest_test

import (
	"fmt"
	"testing"
)

func TestAnErrorOfTheCartNamesItsItem(t *testing.T) {
	each(t, func(w *world) {
		var ids []int64
		for _, currency := range []string{"EUR", "USD"} {
			p, err := w.ent.Product.Create().SetName("Lamp " + currency).SetPrice(1999).SetCurrency(currency).SetStock(3).Save(w.system)
			if err != nil {
				t.Fatal(err)
			}
			ids = append(ids, int64(p.ID))
		}
		for _, id := range []int64{ids[1], ids[0]} {
			w.do(w.ada, "POST", "/api/v1/cart/items", fmt.Sprintf(`{"product_id":%d,"quantity":1}`, id)).want(201)
		}
		// The products are judged in the order of their ids, and named as the cart shows them.
		refused := w.do(w.ada, "POST", "/api/v1/orders", "").want(422)
		if value, ok := refused.echoed("items[0].product_id"); !ok || value != float64(ids[1]) {
			t.Errorf("a cart of two currencies: %s", refused.Raw)
		}
	})
}
