package rest_test

import (
	"strings"
	"testing"
)

// Whether a product can be ordered follows from its stock. An input that says otherwise is
// refused at the flag, and one that sends back what it has read is not.
func TestAFlagFollowsFromItsNumber(t *testing.T) {
	each(t, func(w *world) {
		const price = `"name":"Slide rule","price":19.99`
		for body, want := range map[string]string{
			`{` + price + `,"stock":3,"inStock":false}`: "send true",
			`{` + price + `,"stock":0,"inStock":true}`:  "send false",
		} {
			a := w.do(w.admin, "POST", "/api/v1/products", body).want(422)
			if !strings.Contains(a.Raw, `"field":"inStock","message":"follows from stock: leave it out, or `+want+`"`) {
				t.Errorf("%s: %s", body, a.Raw)
			}
		}
		w.do(w.admin, "POST", "/api/v1/products", `{`+price+`,"inStock":false}`).want(201).has(`"inStock":false`)
		path := w.do(w.admin, "POST", "/api/v1/products", `{`+price+`,"stock":4,"inStock":true}`).want(201).has(`"inStock":true`).Header.Get("Location")

		w.do(w.admin, "PATCH", path, `{"inStock":false}`).want(422).has(`"field":"inStock"`)
		w.do(w.admin, "PATCH", strings.Replace(path, "v1", "v2", 1), `{"inStock":false}`).want(422).has(`inStock`)
		w.do(w.admin, "PATCH", path, `{"stock":5,"inStock":false}`).want(422).has(`"field":"inStock"`)
		w.do(w.admin, "PATCH", path, `{"stock":0,"inStock":true}`).want(200).has(`"inStock":false`) // as it was read
		w.do(w.admin, "PUT", path, `{`+price+`,"stock":7,"inStock":false}`).want(200).has(`"inStock":true`)
		w.do(w.admin, "PATCH", path, `{"stock":null,"inStock":false}`).want(200).has(`"inStock":false`)
		w.do(w.admin, "PATCH", path, `{"inStock":true}`).want(200).has(`"inStock":true`)
	})
}
