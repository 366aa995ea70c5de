package rest_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/entwine-go/entwine/kit/viewer"
)

const bulkPath = "/api/v1/products/bulk"

func TestProductsAreMadeAllOrNone(t *testing.T) {
	each(t, func(w *world) {
		a := w.do(w.admin, "POST", bulkPath, `{"products":[{"name":"Slide rule","price":19.99,"stock":0},{"name":"Tea","price":1.250,"currency":"KWD","tags":["leaf"],"category":"drinks"},{"name":"Abacus","price":1200,"currency":"JPY","inStock":false}]}`).want(201)
		if !strings.HasPrefix(a.Raw, `{"status":"success","count":3,"data":[{"id":`) || fmt.Sprint(a.all("name"), a.all("price"), a.all("inStock")) != "[Slide rule Tea Abacus] [19.99 1.25 1200] [false true false]" {
			t.Errorf("three products: %s", a.Raw)
		}
		if xml := w.do(w.admin, "POST", bulkPath, `{"products":[{"name":"Pen","price":1}]}`, "Accept", "application/xml").want(201); !strings.Contains(xml.Raw, "<count>1</count>") {
			t.Errorf("as XML: %s", xml.Raw)
		}
		before := w.ent.Product.Query().CountX(w.system)
		for _, c := range []struct {
			body   string
			status int
			fields string
		}{
			{`{}`, 400, "products"},
			{`{"products":null}`, 400, ""},
			{`{"products":{"name":"x"}}`, 400, ""},
			{`{"products":[]}`, 422, "products"},
			{`{"products":[{"name":"a","price":1},{"name":"b","price":1},{"name":"c","price":1},{"name":"d","price":-1}]}`, 422, "products[3].price"},
			{`{"products":[{"name":"a","price":1.999},{"name":"","price":1},{"name":"c","price":1,"currency":"XXY"}]}`, 422, "products[0].price products[1].name products[2].currency"},
			{`{"products":[{"name":"a","price":1},{"price":1}]}`, 400, "products[1].name"},
			{`{"products":[{"name":"a","price":1,"colour":"red"}]}`, 400, ""},
			{`{"products":[` + strings.TrimSuffix(strings.Repeat(`{"name":"a","price":1},`, 1001), ",") + `]}`, 422, "products"},
		} {
			a := w.do(w.admin, "POST", bulkPath, c.body).want(c.status)
			for field := range strings.FieldsSeq(c.fields) {
				if a.details()[field] == "" {
					t.Errorf("%.100s: %v, want %s", c.body, a.details(), field)
				}
			}
		}
		if a := w.do(w.admin, "POST", bulkPath, `{"products":[{"name":"a","price":-1.5}]}`).want(422); !strings.Contains(a.Raw, `"value":-1.5}`) {
			t.Errorf("%s: the price is not repeated as it was sent", a.Raw)
		}
		if after := w.ent.Product.Query().CountX(w.system); after != before {
			t.Errorf("%d products were made by refused requests", after-before)
		}
		many := `{"products":[` + strings.TrimSuffix(strings.Repeat(`{"name":"Many","price":1},`, 1000), ",") + `]}`
		made := w.do(w.admin, "POST", bulkPath, many, "Idempotency-Key", "one").want(201)
		if made.at("count") != 1000. || len(w.log.Statements()) > 12 {
			t.Errorf("%v products in %d statements", made.at("count"), len(w.log.Statements()))
		}
		if again := w.do(w.admin, "POST", bulkPath, many, "Idempotency-Key", "one").want(201); again.Raw != made.Raw || again.Header.Get("Idempotency-Replayed") != "true" {
			t.Errorf("again: %.100s", again.Raw)
		}
		key := &viewer.Viewer{KeyID: 1, Permissions: []viewer.Permission{viewer.Write}}
		for who, status := range map[*viewer.Viewer]int{w.nobody: 401, w.ada: 403, key: 201} {
			w.do(who, "POST", bulkPath, `{"products":[{"name":"a","price":1}]}`).want(status)
		}
	})
}
