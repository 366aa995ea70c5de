package limits_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/entwine-go/entwine/internal/trial"
)

// A key is a promise to charge once, whatever becomes of the caller's role
// between a request and its repetition: an admin pays for another's orders and
// for their own, and is an admin no more.
func TestAPaymentIsMadeOnceWhateverBecomesOfTheRole(t *testing.T) {
	t.Parallel()
	trial.EachProduction(t, func(t *testing.T, database string) {
		s := trial.Start(t, "ENTWINE_ADMIN_PASSWORD="+trial.AdminPassword, "ENTWINE_DATABASE_URL="+database, "ENTWINE_RATE_LIMIT=off")
		admin := []string{"Authorization", "Bearer " + s.SignIn(t)}
		ada := s.SignUp(t)
		const grace = `{"email":"grace@example.com","password":"correct-horse-2"}`
		made := s.Ask(t, "POST", "/api/v1/users", `{"name":"Grace",`+strings.TrimPrefix(strings.TrimSuffix(grace, "}"), "{")+`,"role":"admin","salary":123456}`, admin...).Want(t, 201)
		login := func(key string) func(key string) []string {
			in := s.Ask(t, "POST", "/api/v1/auth/login", grace).Want(t, 200)
			token := in.Body["token"].(string)
			return func(key string) []string {
				return []string{"Authorization", "Bearer " + token, "Idempotency-Key", key}
			}
		}
		product := s.Ask(t, "POST", "/api/v1/products", `{"name":"Cup","price":12.5,"stock":9}`, admin...).Want(t, 201)
		order := func(who []string) string {
			body := fmt.Sprintf(`{"items":[{"product_id":%v,"quantity":1}]}`, product.Body["data"].(map[string]any)["id"])
			return fmt.Sprint(s.Ask(t, "POST", "/api/v1/orders", body, who...).Want(t, 201).Body["data"].(map[string]any)["id"])
		}
		as := login("")
		mutation := func(text string) string { return fmt.Sprintf(`{"query":%q}`, "mutation { "+text+" }") }
		own := order(as("own order"))
		requests := []struct {
			path, body      string
			status, demoted int
			// shows are texts in the answers, before and after.
			shows, later string
		}{
			{"/api/v1/orders/" + order(ada) + "/pay", "", 200, 404, `"status":"paid"`, "order not found"},
			{"/api/v1/orders/" + own + "/pay", "", 200, 200, `"status":"paid"`, `"status":"paid"`},
			{"/api/v1/payments", `{"amount":12.5,"currency":"USD","order_id":` + order(ada) + `}`, 201, 404, `"status":"succeeded"`, "payment not found"},
			{"/api/v1/payments", `{"amount":7,"currency":"USD"}`, 201, 200, `"amount":7`, `"amount":7`},
			{"/graphql", mutation(`payOrder(id: "` + order(ada) + `", idempotencyKey: "a") { status }`), 200, 200, `"status":"paid"`, "NOT_FOUND"},
			{"/graphql", mutation(`createPayment(input: {amount: 12.5, currency: "USD", orderId: "` + order(ada) + `"}, idempotencyKey: "b") { amount }`), 200, 200, `"amount":12.5`, "NOT_FOUND"},
			{"/graphql", mutation(`createPayment(input: {amount: 9, currency: "USD"}, idempotencyKey: "c") { amount }`), 200, 200, `{"createPayment":{"amount":9}}`, `{"createPayment":{"amount":9}}`},
			{"/api/v1/posts?expand=author", `{"title":"Mine","content":"x"}`, 201, 201, `"salary":123456`, `"role":"user"`},
		}
		charges := func() string {
			return fmt.Sprint(s.Ask(t, "GET", "/api/v1/payments?limit=1", "", admin...).Want(t, 200).Body["pagination"].(map[string]any)["total"])
		}
		send := func(i int) trial.Reply {
			r := requests[i]
			key := fmt.Sprint("key-", i)
			if r.path == "/graphql" {
				return s.Ask(t, "POST", r.path, r.body, as(key)[:2]...)
			}
			return s.Ask(t, "POST", r.path, r.body, as(key)...)
		}
		for i, r := range requests {
			send(i).Want(t, r.status, r.shows)
		}
		before := charges()
		user := fmt.Sprintf("/api/v1/users/%v", made.Body["data"].(map[string]any)["id"])
		s.Ask(t, "PATCH", user, `{"role":"user"}`, admin...).Want(t, 200)
		as = login("")
		for i, r := range requests {
			again := send(i).Want(t, r.demoted, r.later)
			if strings.Contains(again.Text, "salary") {
				t.Errorf("%s: a former admin reads %s", r.path, again.Text)
			}
			if r.path != "/graphql" && again.Header.Get("Idempotency-Replayed") != "true" {
				t.Errorf("%s: it is no repetition: %s", r.path, again.Text)
			}
		}
		s.Ask(t, "PATCH", user, `{"role":"admin"}`, admin...).Want(t, 200)
		as = login("")
		for i, r := range requests {
			status := r.status
			if r.path == "/api/v1/payments" {
				status = 200
			}
			send(i).Want(t, status, r.shows)
		}
		if after := charges(); before != "7" || after != before {
			t.Errorf("%s payments before, %s after", before, after)
		}
	})
}

// The bounds are settings, and hold for both APIs together.
func TestTheNumberOfKeysIsBounded(t *testing.T) {
	t.Parallel()
	trial.EachProduction(t, func(t *testing.T, database string) {
		s := trial.Start(t, "ENTWINE_DATABASE_URL="+database, "ENTWINE_IDEMPOTENCY_RECORDS=2")
		ada := s.SignUp(t)
		post := func(key string) trial.Reply {
			return s.Ask(t, "POST", "/api/v1/posts", `{"title":"`+key+`","content":"x"}`, append(ada, "Idempotency-Key", key)...)
		}
		mutation := func(key string) trial.Reply {
			query := fmt.Sprintf(`mutation { createPost(input: {title: "%s", content: "x"}, idempotencyKey: "%s") { title } }`, key, key)
			return s.Ask(t, "POST", "/graphql", fmt.Sprintf(`{"query":%q}`, query), ada...)
		}
		post("one").Want(t, 201)
		mutation("two").Want(t, 200, `{"createPost":{"title":"two"}}`)
		if refused := post("three").Want(t, 429, "too many Idempotency-Keys", "RATE_LIMIT_EXCEEDED"); refused.Header.Get("Retry-After") == "" {
			t.Errorf("it does not say when to come again: %v", refused.Header)
		}
		mutation("four").Want(t, 200, "RATE_LIMIT_EXCEEDED", "too many Idempotency-Keys")
		post("one").Want(t, 201, `"title":"one"`)
		mutation("two").Want(t, 200, `{"createPost":{"title":"two"}}`)
		s.Ask(t, "GET", "/api/v1/posts?author_id=1&limit=1", "", ada...).Want(t, 200)
		s.Ask(t, "POST", "/api/v1/posts", `{"title":"none","content":"x"}`, ada...).Want(t, 201)
	})
}
