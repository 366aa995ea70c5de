package rest_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/entwine-go/entwine/ent/order"
	"github.com/entwine-go/entwine/kit/store"
)

func TestInvoices(t *testing.T) {
	each(t, func(w *world) {
		placed := w.ent.Order.Create().SetStatus("paid").SetTotal(2500).SetCurrency("KWD").SetUserID(userID(w.ada)).SaveX(w.system)
		w.ent.OrderItem.Create().SetOrderID(placed.ID).SetName("Tea <black>").SetPrice(1250).SetQuantity(2).SetTotal(2500).SetCurrency("KWD").ExecX(w.system)
		path := fmt.Sprintf("/api/v1/orders/%d/invoice", placed.ID)
		for _, accept := range []string{"application/json", "application/xml", "application/pdf"} {
			w.do(w.ada, "GET", path, "", "Accept", accept).want(404)
		}
		w.ent.Order.UpdateOne(placed).SetPaidAt(store.Time(time.Now())).ExecX(w.system) // no process has billed it yet
		w.do(w.ada, "GET", fmt.Sprintf("/api/v1/orders/%d?expand=invoice", placed.ID), "").want(200).has(`"invoice":{"id":1,"number":1,`)
		a := w.do(w.ada, "GET", path, "").want(200)
		if !strings.Contains(a.Raw, `"subtotal":2.5,"total":2.5,"currency":"KWD"`) || !strings.Contains(a.Raw, `"status":"paid","lines":[{"name":"Tea <black>","quantity":2,"price":1.25,"total":2.5}]`) {
			t.Errorf("as JSON: %s", a.Raw)
		}
		if xml := w.do(w.ada, "GET", path, "", "Accept", "application/xml").want(200); !strings.Contains(xml.Raw, "<lines><item><name>Tea &lt;black&gt;</name><quantity>2</quantity><price>1.25</price>") {
			t.Errorf("as XML: %s", xml.Raw)
		}
		pdf := w.do(w.ada, "GET", path, "", "Accept", "application/pdf").want(200)
		h := pdf.Header
		if !strings.HasPrefix(pdf.Raw, "%PDF-") || h.Get("Content-Type") != "application/pdf" || h.Get("Content-Disposition") != "attachment; filename=invoice-1.pdf" {
			t.Errorf("as PDF: %v %.20s", h, pdf.Raw)
		}
		w.do(w.ada, "GET", path, "", "Accept", "application/pdf", "If-None-Match", h.Get("ETag")).want(304)
		if part := w.do(w.ada, "GET", path, "", "Accept", "application/pdf", "Range", "bytes=0-4").want(206); part.Raw != "%PDF-" || part.Header.Get("ETag") != h.Get("ETag") {
			t.Errorf("a part: %v %q", part.Header, part.Raw)
		}
		address, _ := w.do(w.ada, "GET", path, "").want(200).data()["document"].(string)
		if file := w.send(w.ada, "GET", address, "").want(200); file.Raw != pdf.Raw || file.Header.Get("Content-Disposition") != h.Get("Content-Disposition") {
			t.Errorf("the file %s: %v", address, file.Header)
		}
		link, _ := w.send(w.ada, "GET", "/api/v1/files/"+address[len("/api/files/"):]+"/link", "").want(200).data()["url"].(string)
		w.send(w.nobody, "GET", link, "").want(200)
		w.send(w.bob, "GET", address, "").want(404)
		w.send(w.nobody, "GET", address, "").want(404)
		w.do(w.ada, "DELETE", "/api/v1/files/"+address[len("/api/files/"):], "").want(403)
		w.send(w.admin, "POST", "/api/v1/files?for=invoice.document", "%PDF-1.7", "Content-Type", "application/pdf").want(400)
		w.do(w.ada, "GET", path, "", "Accept", "text/html").want(406)
		w.ent.Order.Update().Where(order.ID(placed.ID)).SetStatus("partially_refunded").ExecX(w.system)
		if a := w.do(w.ada, "GET", path, "", "If-None-Match", a.Header.Get("ETag")).want(200); a.data()["status"] != "partially_refunded" {
			t.Errorf("after a refund: %s", a.Raw)
		}
		w.do(w.ada, "GET", path, "", "Accept", "application/pdf", "If-None-Match", h.Get("ETag")).want(200)
		w.send(w.ada, "GET", address, "").want(404)
		for _, accept := range []string{"application/json", "application/pdf"} {
			w.do(w.bob, "GET", path, "", "Accept", accept).want(404)
			w.do(w.admin, "GET", path, "", "Accept", accept).want(200)
			w.do(w.nobody, "GET", path, "", "Accept", accept).want(401)
		}
	})
}

// A filter compares the numbers that are shown, whatever the currency.
func TestPricesAreComparedAsTheyAreShown(t *testing.T) {
	each(t, func(w *world) {
		w.product("Abacus", "JPY", 1200, 1)
		w.product("Tea", "KWD", 1250, 1)
		w.product("Slide rule", "USD", 1999, 1)
		w.product("Sample", "USD", 0, 1)
		for query, want := range map[string]string{
			"minPrice=1.25": "[Abacus Slide rule Tea]", "minPrice=1.2501": "[Abacus Slide rule]", "minPrice=20": "[Abacus]", "minPrice=1200": "[Abacus]", "minPrice=1200.01": "[]",
			"maxPrice=1.25": "[Sample Tea]", "maxPrice=1.2499": "[Sample]", "maxPrice=0": "[Sample]", "maxPrice=-1": "[]", "price=1.250": "[Tea]", "price=1200.5": "[]",
			"price[gt]=19.99": "[Abacus]", "price[lt]=19.99": "[Sample Tea]", "price[lt]=19.9901": "[Sample Slide rule Tea]", "price[in]=19.99,1200,7.5": "[Abacus Slide rule]",
			"minPrice=1e0&maxPrice=2e1&currency=USD": "[Slide rule]",
		} {
			if got := fmt.Sprint(w.do(w.nobody, "GET", "/api/v1/products?sort=name&fields=name&"+query, "").want(200).all("name")); got != want {
				t.Errorf("%s: %s, want %s", query, got, want)
			}
		}
		for _, bad := range []string{"abc", "", "NaN", "1.23456", "0x10", "%2B5", "1e400"} {
			w.do(w.nobody, "GET", "/api/v1/products?minPrice="+bad, "").want(400)
		}
	})
}
