package rest_test

import (
	"testing"
	"time"

	"github.com/entwine-go/entwine/ent/payment"
	"github.com/entwine-go/entwine/ent/refund"
	"github.com/entwine-go/entwine/kit/viewer"
)

// from and to may be the same day: it is a whole one.
func TestSalesOfADay(t *testing.T) {
	each(t, func(w *world) {
		a := w.do(w.admin, "GET", "/api/v1/reports/sales?from=2026-01-12&to=2026-01-12", "").want(200)
		if from, to := a.data()["from"], a.data()["to"]; from != "2026-01-12T00:00:00Z" || to != "2026-01-13T00:00:00Z" {
			t.Errorf("the span is from %v to %v", from, to)
		}
		w.do(w.admin, "GET", "/api/v1/dashboard/analytics?from=2026-01-12&to=2026-01-12", "").want(200)
		w.do(w.admin, "GET", "/api/v1/reports/sales?from=2026-01-12&to=2026-01-11", "").want(400)
		w.do(w.admin, "POST", "/api/v1/reports/generate", `{"type":"sales","format":"csv","from":"2026-01-12","to":"2026-01-12"}`).want(202)
	})
}

func TestReportsAndLettersAreRefusedWithEverythingThatIsWrong(t *testing.T) {
	each(t, func(w *world) {
		for _, c := range []struct {
			path, body string
			status     int
			fields     string
		}{
			{"reports/generate", `{}`, 400, "format type"},
			{"reports/generate", `{"type":"cats","format":"pdf","from":"soon","to":"2026-02-30"}`, 422, "format from to type"},
			{"reports/generate", `{"type":"cats","format":1,"from":true,"size":3}`, 400, "format from size type"},
			{"reports/generate", `{"type":"sales","format":"csv","from":"later"}`, 422, "from"},
			{"reports/generate", `{"type":"cats","format":"pdf","from":"2026-02-01","to":"2026-01-01"}`, 422, "format from type"},
			{"reports/generate", `{"type":"sales","format":"csv","from":"2026-02-01","to":"2026-01-01"}`, 422, "from"},
			{"reports/generate", `{"type":"sales","format":"csv","from":"2026-02-01","to":"2026-02-01T00:00:00Z"}`, 422, "from"},
			{"emails/send", `{}`, 400, "subject text to"},
			{"emails/send", `{"to":"ada@example.com"}`, 400, "subject text"},
			{"emails/send", `{"to":"ada","subject":"a\nb","text":"!"}`, 422, "subject to"},
			{"emails/send", `{"to":"ada@example.com","template":"receipt","data":{"name":"Ada"}}`, 400, "data.currency data.lines data.order data.total"},
			{"emails/send", `{"to":1,"cc":"x"}`, 400, "cc subject text to"},
		} {
			a := w.do(w.admin, "POST", "/api/v1/"+c.path, c.body).want(c.status)
			var fields []string
			for field := range a.details() {
				fields = append(fields, field)
			}
			if got := sorted(fields); got != c.fields {
				t.Errorf("%s: the failing fields are %q, want %q: %s", a.asked, got, c.fields, a.Raw)
			}
		}
		for query, field := range map[string]string{
			"from=soon": "from", "interval=year": "interval", "from=2026-02-01&to=2026-01-01": "from", "until=2026-01-01": "until", "from=1990-01-01": "from",
		} {
			for _, path := range []string{"reports/sales", "dashboard/analytics"} {
				a := w.do(w.admin, "GET", "/api/v1/"+path+"?"+query, "").want(400)
				if a.details()[field] == "" {
					t.Errorf("%s: no word about %s: %s", a.asked, field, a.Raw)
				}
			}
		}
	})
}

func TestFiguresAreForAdmins(t *testing.T) {
	each(t, func(w *world) {
		key := w.key("robot", viewer.Read, viewer.Write)
		for _, c := range []struct {
			viewer          *viewer.Viewer
			figures, letter int
		}{{w.nobody, 401, 401}, {w.ada, 403, 403}, {w.moderator, 403, 403}, {key, 403, 202}, {w.admin, 200, 202}} {
			w.do(c.viewer, "GET", "/api/v1/reports/sales", "").want(c.figures)
			w.do(c.viewer, "GET", "/api/v1/dashboard/analytics?nonsense=1", "").want(max(c.figures, 400))
			report := c.figures
			if report == 200 {
				report = 202
			}
			w.do(c.viewer, "POST", "/api/v1/reports/generate", `{"type":"users","format":"csv"}`).want(report)
			w.do(c.viewer, "POST", "/api/v1/emails/send", `{"to":"ada@example.com","subject":"Hi","text":"!"}`).want(c.letter)
		}
		w.do(w.key("reader", viewer.Read), "POST", "/api/v1/emails/send", `nonsense`).want(403)
	})
}

func TestSalesAndTheDashboard(t *testing.T) {
	each(t, func(w *world) {
		w.sale("2026-01-04T23:59:59Z", 1999, 0) // a Sunday
		w.sale("2026-01-05T00:00:00Z", 3000, 50)
		sales := w.do(w.admin, "GET", "/api/v1/reports/sales?from=2026-01-01&to=2026-01-11&interval=week", "").want(200)
		want := `{"status":"success","data":{"from":"2026-01-01T00:00:00Z","to":"2026-01-12T00:00:00Z","interval":"week",` +
			`"totals":[{"currency":"USD","orders":2,"gross":49.99,"refunded":0.5,"net":49.49}],` +
			`"series":[{"date":"2025-12-29","currency":"USD","orders":1,"gross":19.99,"refunded":0,"net":19.99},` +
			`{"date":"2026-01-05","currency":"USD","orders":1,"gross":30,"refunded":0.5,"net":29.5}]}}`
		if sales.Raw != want {
			t.Errorf("sales:\n got %s\nwant %s", sales.Raw, want)
		}
		w.do(w.admin, "GET", "/api/v1/reports/sales?from=2026-01-01&to=2026-01-11&interval=week", "", "If-None-Match", sales.Header.Get("Etag")).want(304)

		path := "/api/v1/dashboard/analytics?from=2026-01-04&to=2026-01-05"
		first := w.do(w.admin, "GET", path, "").want(200)
		data := first.data()
		totals, top := data["totals"].(map[string]any), data["top_products"].([]any)
		if totals["users"] != 4.0 || totals["orders"] != 2.0 || len(data["series"].([]any)) != 2 || len(top) != 1 {
			t.Errorf("dashboard: %s", first.Raw)
		}
		if p := top[0].(map[string]any); p["name"] != "Lamp" || p["quantity"] != 2.0 || p["revenue"] != 49.99 || p["product_id"] == nil {
			t.Errorf("top products: %v", top)
		}
		w.sale("2026-01-05T12:00:00Z", 100, 0)
		if again := w.do(w.admin, "GET", path, "").want(200); again.Raw != first.Raw || len(w.log.Statements()) != 0 {
			t.Errorf("the figures are read again at once")
		}
	})
}

// sale is a lamp that was ordered and paid at a time, and partly paid back.
func (w *world) sale(at string, cents, back int64) {
	w.t.Helper()
	t, err := time.Parse(time.RFC3339, at)
	if err != nil {
		w.t.Fatal(err)
	}
	lamp, err := w.ent.Product.Query().First(w.system)
	if err != nil {
		lamp = w.ent.Product.Create().SetName("Lamp").SetPrice(1999).SaveX(w.system)
	}
	o := w.ent.Order.Create().SetStatus("paid").SetTotal(cents).SetCurrency("USD").SetPaidAt(t).SetCreatedAt(t).SetUserID(userID(w.ada)).SaveX(w.system)
	w.ent.OrderItem.Create().SetOrderID(o.ID).SetProductID(lamp.ID).SetName("Lamp").SetPrice(cents).SetQuantity(1).SetTotal(cents).SetCurrency("USD").ExecX(w.system)
	p := w.ent.Payment.Create().SetGateway("sandbox").SetOrderID(o.ID).SetStatus(payment.StatusSucceeded).SetAmount(cents).SetCurrency("USD").SetCapturedAt(t).SetUserID(userID(w.ada)).SaveX(w.system)
	if back > 0 {
		w.ent.Refund.Create().SetPaymentID(p.ID).SetStatus(refund.StatusSucceeded).SetAmount(back).SetCurrency("USD").SetRefundedAt(t).ExecX(w.system)
	}
}
