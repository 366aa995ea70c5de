package rest_test

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/entwine-go/entwine/ent/payment"
	"github.com/entwine-go/entwine/ent/typedid"
	"github.com/entwine-go/entwine/internal/checkout"
	"github.com/entwine-go/entwine/kit/payments"
)

// lamp is something that is sold.
func (w *world) lamp(price, stock int64) int64 {
	w.t.Helper()
	p, err := w.ent.Product.Create().SetName("Lamp").SetPrice(price).SetStock(stock).Save(w.system)
	if err != nil {
		w.t.Fatal(err)
	}
	return int64(p.ID)
}

// ordered is the path of an order by ada at the price.
func (w *world) ordered(price int64) string {
	w.t.Helper()
	body := fmt.Sprintf(`{"items":[{"product_id":%d,"quantity":1}]}`, w.lamp(price, 3))
	return w.do(w.ada, "POST", "/api/v1/orders", body).want(201).Header.Get("Location")
}

// has fails the test unless the answer has the text.
func (a *answer) has(text string) *answer {
	a.t.Helper()
	if !strings.Contains(a.Raw, text) {
		a.t.Errorf("%s: no %s in %s", a.asked, text, a.Raw)
	}
	return a
}

func TestAPaymentIsRefunded(t *testing.T) {
	t.Parallel()
	each(t, func(w *world) {
		path := w.do(w.ada, "POST", "/api/v1/payments", `{"amount":10,"currency":"USD"}`).want(201).Header.Get("Location")
		w.do(w.ada, "POST", path+"/refund", "").want(403)
		w.do(w.bob, "POST", path+"/refund", "").want(403)
		w.do(w.admin, "POST", "/api/v1/payments/999/refund", "").want(404)
		w.do(w.admin, "POST", path+"/refund", `{"amount":10.01}`).want(422)
		for _, replayed := range []string{"", "true"} {
			a := w.do(w.admin, "POST", path+"/refund", `{"amount":4.5}`, "Idempotency-Key", "back").want(200).has(`"amount_refunded":4.5,`)
			if got := a.Header.Get("Idempotency-Replayed"); got != replayed {
				t.Errorf("Idempotency-Replayed is %q, want %q", got, replayed)
			}
		}
		w.do(w.admin, "POST", path+"/refund", `{"amount":5}`, "Idempotency-Key", "back").want(422)
		w.do(w.admin, "POST", path+"/refund?expand=refunds", "").want(200).has(`"amount_refunded":10,`).has(`"refunds":[{`)
		w.do(w.admin, "POST", path+"/refund", "").want(409)
		w.do(w.ada, "GET", path+"/refunds", "").want(200).has(`"total":2`)
	})
}

// Of all who order one product at a time as many get it as there are, with a key or
// without, and each is answered for what became of the own order.
func TestAHotProductIsNotSoldTwice(t *testing.T) {
	t.Parallel()
	each(t, func(w *world) {
		const stock, callers = 20, 30
		product := w.lamp(100, stock)
		body := fmt.Sprintf(`{"items":[{"product_id":%d,"quantity":1}]}`, product)
		var all sync.WaitGroup
		var placed, refused atomic.Int64
		for n := range callers {
			all.Go(func() {
				var headers []string
				if n%5 == 0 {
					headers = []string{"Idempotency-Key", fmt.Sprint("hot-", n)}
				}
				switch a := w.send(w.ada, "POST", "/api/v1/orders", body, headers...); a.Status {
				case http.StatusCreated:
					placed.Add(1)
					a.has(`"status":"pending"`)
				case http.StatusConflict:
					refused.Add(1)
					a.has("not in stock: Lamp")
				default:
					a.want(http.StatusCreated)
				}
			})
		}
		all.Wait()
		left := *w.ent.Product.GetX(w.system, typedid.ProductID(product)).Stock
		if orders := w.ent.Order.Query().CountX(w.system); placed.Load() != stock || refused.Load() != callers-stock || left != 0 || orders != stock {
			t.Errorf("%d are placed, %d refused, there are %d orders and %d are left, want %d, %d, %[5]d and none", placed.Load(), refused.Load(), orders, left, stock, callers-stock)
		}
	})
}

func TestAFreeOrderHasNothingToRefund(t *testing.T) {
	t.Parallel()
	each(t, func(w *world) {
		path := w.ordered(0)
		w.do(w.ada, "POST", path+"/pay", "").want(200).has(`"actions":[{"name":"invoice",`)
		w.do(w.admin, "POST", path+"/refund", "").want(409).has("allowed: invoice")
		w.do(w.ada, "POST", path+"/cancel", "").want(409).has("allowed: invoice")
	})
}

func TestAnOrderIsPlacedPaidAndRefunded(t *testing.T) {
	t.Parallel()
	each(t, func(w *world) {
		lamp := w.lamp(1999, 3)
		w.ent.CartItem.Create().SetUserID(userID(w.ada)).SetProductID(typedid.ProductID(lamp)).SetQuantity(2).ExecX(w.system)
		placed := w.do(w.ada, "POST", "/api/v1/orders", "").want(201)
		path := placed.Header.Get("Location")
		if placed.at("data", "total") != 39.98 || !strings.Contains(placed.Raw, `"actions":[{"name":"pay","method":"POST","href":"`+path+`/pay"},{"name":"cancel","method":"POST","href":"`+path+`/cancel"}]`) {
			t.Errorf("placed: %s", placed.Raw)
		}
		w.do(w.ada, "POST", "/api/v1/orders", "").want(422)
		w.do(w.ada, "GET", path+"/payment-status", "").want(200).has(`"payment_status":"unpaid","currency":"USD","amount_due":39.98,"amount_paid":0,"amount_refunded":0,"payments":[]`)
		w.do(w.bob, "POST", path+"/pay", "").want(404)
		w.do(w.ada, "POST", path+"/pay?expand=items,payments", "").want(200).has(`"status":"paid"`).has(`"actions":[{"name":"invoice"`).has(`"items":[{`)
		w.do(w.ada, "POST", path+"/cancel", "").want(409).has(`"CONFLICT"`).has("allowed: invoice")
		w.do(w.ada, "POST", path+"/refund", `{"amount":5}`).want(403)
		w.do(w.admin, "POST", path+"/refund", `{"amount":39.99}`).want(422)
		w.do(w.admin, "POST", path+"/refund", `{"amount":5.001}`).want(422)
		w.do(w.admin, "POST", path+"/refund", `{"amount":5,"reason":"Broken.\nDear customer"}`).want(422).has("must be one line")
		w.do(w.admin, "POST", path+"/refund", `{"amount":5,"reason":"Broken."}`).want(200).has(`"status":"partially_refunded"`)
		w.do(w.admin, "POST", path+"/refund", "").want(200).has(`"status":"refunded"`)
		w.do(w.ada, "GET", path+"/payment-status", "").want(200).has(`"amount_due":0,"amount_paid":39.98,"amount_refunded":39.98`)
		w.do(w.ada, "GET", path+"?fields=actions", "", "Accept", "application/xml").want(200).has("<name>invoice</name>")
		w.do(w.ada, "GET", "/api/v1/orders?fields=id,actions", "", "Accept", "text/csv").want(200)
		w.do(w.ada, "GET", "/api/v1/orders?sort=actions", "").want(400)
		w.do(w.admin, "GET", "/api/v1/reports/sales", "").want(200).has(`"gross":39.98,"refunded":39.98,"net":0`)
	})
}

func TestWhatAGatewayAnswersReachesTheClient(t *testing.T) {
	t.Parallel()
	each(t, func(w *world) {
		for _, c := range []struct {
			price  int64
			status int
			code   string
			after  string
		}{
			{1002, 402, "PAYMENT_DECLINED", "pending"},
			{1003, 504, "GATEWAY_TIMEOUT", "processing"},
			{1004, 202, `"status":"processing"`, "processing"},
			{1006, 502, "BAD_GATEWAY", "processing"},
		} {
			path := w.ordered(c.price)
			w.do(w.ada, "POST", path+"/pay", "", "Idempotency-Key", path).want(c.status).has(c.code)
			w.do(w.ada, "GET", path, "").want(200).has(`"status":"` + c.after + `"`)
			again := w.do(w.ada, "POST", path+"/pay", "", "Idempotency-Key", path)
			switch {
			case c.status < 500: // the answer is kept
				again.want(c.status)
				if again.Header.Get("Idempotency-Replayed") != "true" {
					t.Errorf("%d: a repetition was not replayed", c.price)
				}
			case again.Status != http.StatusConflict || again.Header.Get("Retry-After") == "":
				t.Errorf("%d: a repetition is %d %s", c.price, again.Status, again.Raw)
			}
			if c.after == "processing" {
				if other := w.do(w.ada, "POST", path+"/cancel", "").want(409); other.Header.Get("Retry-After") == "" {
					t.Errorf("%d: nobody says when to try again", c.price)
				}
			}
		}
	})
}

// late is a gateway that decides later what it is asked for.
type late struct {
	payments.Gateway
	decides payments.Result
}

func (*late) Charge(context.Context, payments.Charge) (payments.Result, error) {
	return payments.Result{Outcome: payments.Pending}, nil
}

func (*late) Refund(context.Context, payments.Refund) (payments.Result, error) {
	return payments.Result{Outcome: payments.Pending}, nil
}

func (l *late) Retrieve(context.Context, string) (payments.Result, error) { return l.decides, nil }

// A client that asks again with its key, as Retry-After says, learns what became of its
// payment, in every version of the API.
func TestAKeyLearnsWhatWasDecidedLater(t *testing.T) {
	t.Parallel()
	each(t, func(w *world) {
		gateway := &late{Gateway: w.cashier.Gateway}
		w.cashier.Gateway = gateway
		decide := func(r payments.Result) {
			t.Helper()
			gateway.decides = r
			for _, p := range w.ent.Payment.Query().Where(payment.StatusEQ(payment.StatusProcessing)).AllX(w.system) {
				if err := w.cashier.Finish(w.system, checkout.Settlement{PaymentID: int64(p.ID)}); err != nil {
					t.Fatal(err)
				}
			}
		}
		asked, match := 0, []string(nil)
		ask := func(version, path, body string, status int, has string) *answer {
			t.Helper()
			asked++
			a := w.do(w.ada, "POST", version+path, body, append([]string{"Idempotency-Key", path}, match...)...).want(status).has(has)
			if waits := a.Header.Get("Retry-After") != ""; waits != (status == 202) || a.Header.Get("Idempotency-Replayed") == "" && asked%5 != 1 {
				t.Errorf("%d: %s: %d with %v", asked, path, status, a.Header)
			}
			return a
		}
		order := func() string { return strings.TrimPrefix(w.ordered(1999), "/api/v1") }
		for _, c := range []struct{ path, body, waits, is string }{
			{"/payments", `{"amount":3.04,"currency":"EUR"}`, "processing", "succeeded"},
			{order() + "/pay", "", "processing", "paid"},
		} {
			if match = nil; c.body == "" { // a repetition is not judged by what the order is by then
				match = []string{"If-Match", w.do(w.ada, "GET", "/api/v1"+strings.TrimSuffix(c.path, "/pay"), "").want(200).Header.Get("ETag")}
			}
			processing, is := `"status":"`+c.waits+`"`, `"status":"`+c.is+`"`
			ask("/api/v1", c.path, c.body, 202, processing)
			ask("/api/v1", c.path, c.body, 202, processing)
			decide(payments.Result{Outcome: payments.Succeeded})
			ask("/api/v1", c.path, c.body, 200, is)
			ask("/api/v1", c.path, c.body, 200, is)
			ask("/api/v2", c.path, c.body, 200, is)
		}
		match = nil
		declined := order() + "/pay"
		ask("/api/v1", declined, "", 202, "processing")
		ask("/api/v2", declined, "", 202, "processing")
		decide(payments.Result{Outcome: payments.Failed, Reason: "no money"})
		ask("/api/v2", declined, "", 402, "no money")
		ask("/api/v1", declined, "", 402, "no money")
		w.do(w.ada, "POST", "/api/v1"+declined, "").want(202)
		ask("/api/v1", declined, "", 402, "no money") // whatever the order is by then
		if n := w.ent.Payment.Query().CountX(w.system); n != 4 {
			t.Errorf("%d payments", n)
		}
	})
}

func TestPaymentsAreMadeOnceForAKey(t *testing.T) {
	t.Parallel()
	each(t, func(w *world) {
		pay := func(key, body string) *answer {
			return w.do(w.ada, "POST", "/api/v1/payments", body, "Idempotency-Key", key)
		}
		first := pay("a", `{"amount":10.5,"currency":"USD"}`).want(201).has(`"amount":10.5`).has(`"status":"succeeded"`)
		again := pay("a", `{"currency":"USD","amount":10.50}`).want(200)
		if again.Raw != first.Raw || again.Header.Get("Idempotency-Replayed") != "true" || first.Header.Get("Location") == "" {
			t.Errorf("first %s, then %s", first.Raw, again.Raw)
		}
		pay("a", `{"amount":10.51,"currency":"USD"}`).want(422).has("IDEMPOTENCY_KEY_REUSED")
		pay("b", `{"amount":10.02,"currency":"USD"}`).want(402)
		if r := pay("b", `{"amount":10.02,"currency":"USD"}`).want(402); r.Header.Get("Idempotency-Replayed") != "true" {
			t.Error("a declined payment is not replayed")
		}
		pay("c", `{"amount":10.001,"currency":"USD"}`).want(422)
		pay("c", `{"amount":0,"currency":"USD"}`).want(422)
		pay("c", `{"amount":10,"currency":"ZZZ"}`).want(422)
		pay("c", `{"amount":10}`).want(400)
		pay("c", `{"amount":10,"currency":"JPY"}`).want(201)
		path := w.ordered(1999)
		id := path[strings.LastIndex(path, "/")+1:]
		pay("d", `{"amount":19.98,"currency":"USD","order_id":`+id+`}`).want(422)
		w.do(w.bob, "POST", "/api/v1/payments", `{"amount":19.99,"currency":"USD","order_id":`+id+`}`).want(422).has(`"field":"order_id"`)
		pay("e", `{"amount":19.99,"currency":"USD","order_id":`+id+`}`).want(201)
		pay("f", `{"amount":19.99,"currency":"USD","order_id":`+id+`}`).want(409)
		w.do(w.nobody, "POST", "/api/v1/payments", `{}`).want(401)
		if n := w.ent.Payment.Query().CountX(w.system); n != 4 {
			t.Errorf("%d payments", n)
		}
	})
}

// A key whose process was killed while it asked the gateway repeats the true outcome.
func TestAKeyOutlivesItsProcess(t *testing.T) {
	t.Parallel()
	each(t, func(w *world) {
		path := w.ordered(1003) // taken, and the answer is lost
		w.do(w.ada, "POST", path+"/pay", "", "Idempotency-Key", "k").want(504)
		for _, p := range w.ent.Payment.Query().AllX(w.system) {
			if err := w.cashier.Finish(w.system, checkout.Settlement{PaymentID: int64(p.ID)}); err != nil {
				t.Fatal(err)
			}
		}
		w.do(w.ada, "POST", path+"/pay", "", "Idempotency-Key", "k").want(200).has(`"status":"paid"`)
		w.do(w.ada, "POST", path+"/pay", "").want(409)
	})
}
