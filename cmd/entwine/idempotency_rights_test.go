package main_test

import (
	"fmt"
	"strings"
	"testing"
)

// A key is a promise to charge once, whatever becomes of the caller's role
// between a request and its repetition: an admin pays for another's orders and
// for their own, and is an admin no more.
func TestAPaymentIsMadeOnceWhateverBecomesOfTheRole(t *testing.T) {
	t.Parallel()
	eachProduction(t, func(t *testing.T, database string) {
		s := start(t, "ENTWINE_ADMIN_PASSWORD="+killPassword, "ENTWINE_DATABASE_URL="+database, "ENTWINE_RATE_LIMIT=off")
		admin := []string{"Authorization", "Bearer " + s.signIn(t)}
		ada := s.signUp(t)
		const grace = `{"email":"grace@example.com","password":"correct-horse-2"}`
		made := s.ask(t, "POST", "/api/v1/users", `{"name":"Grace",`+strings.TrimPrefix(strings.TrimSuffix(grace, "}"), "{")+`,"role":"admin","salary":123456}`, admin...).want(t, 201)
		login := func(key string) func(key string) []string {
			in := s.ask(t, "POST", "/api/v1/auth/login", grace).want(t, 200)
			token := in.body["token"].(string)
			return func(key string) []string {
				return []string{"Authorization", "Bearer " + token, "Idempotency-Key", key}
			}
		}
		product := s.ask(t, "POST", "/api/v1/products", `{"name":"Cup","price":12.5,"stock":9}`, admin...).want(t, 201)
		order := func(who []string) string {
			body := fmt.Sprintf(`{"items":[{"product_id":%v,"quantity":1}]}`, product.body["data"].(map[string]any)["id"])
			return fmt.Sprint(s.ask(t, "POST", "/api/v1/orders", body, who...).want(t, 201).body["data"].(map[string]any)["id"])
		}
		as := login("")
		mutation := func(text string) string { return fmt.Sprintf(`{"query":%q}`, "mutation { "+text+" }") }
		own := order(as("own order"))
		requests := []struct {
			path, body      string
			status, demoted int
			// shows are what the answers hold, before and after.
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
			return fmt.Sprint(s.ask(t, "GET", "/api/v1/payments?limit=1", "", admin...).want(t, 200).body["pagination"].(map[string]any)["total"])
		}
		send := func(i int) reply {
			r := requests[i]
			key := fmt.Sprint("key-", i)
			if r.path == "/graphql" {
				return s.ask(t, "POST", r.path, r.body, as(key)[:2]...)
			}
			return s.ask(t, "POST", r.path, r.body, as(key)...)
		}
		for i, r := range requests {
			send(i).want(t, r.status, r.shows)
		}
		before := charges()
		user := fmt.Sprintf("/api/v1/users/%v", made.body["data"].(map[string]any)["id"])
		s.ask(t, "PATCH", user, `{"role":"user"}`, admin...).want(t, 200)
		as = login("")
		for i, r := range requests {
			again := send(i).want(t, r.demoted, r.later)
			if strings.Contains(again.text, "salary") {
				t.Errorf("%s: a former admin reads %s", r.path, again.text)
			}
			if r.path != "/graphql" && again.header.Get("Idempotency-Replayed") != "true" {
				t.Errorf("%s: it is no repetition: %s", r.path, again.text)
			}
		}
		s.ask(t, "PATCH", user, `{"role":"admin"}`, admin...).want(t, 200)
		as = login("")
		for i, r := range requests {
			status := r.status
			if r.path == "/api/v1/payments" {
				status = 200
			}
			send(i).want(t, status, r.shows)
		}
		if after := charges(); before != "7" || after != before {
			t.Errorf("%s payments before, %s after", before, after)
		}
	})
}

// The bounds are settings, and hold for both APIs together.
func TestTheNumberOfKeysIsBounded(t *testing.T) {
	t.Parallel()
	eachProduction(t, func(t *testing.T, database string) {
		s := start(t, "ENTWINE_DATABASE_URL="+database, "ENTWINE_IDEMPOTENCY_RECORDS=2")
		ada := s.signUp(t)
		post := func(key string) reply {
			return s.ask(t, "POST", "/api/v1/posts", `{"title":"`+key+`","content":"x"}`, append(ada, "Idempotency-Key", key)...)
		}
		mutation := func(key string) reply {
			query := fmt.Sprintf(`mutation { createPost(input: {title: "%s", content: "x"}, idempotencyKey: "%s") { title } }`, key, key)
			return s.ask(t, "POST", "/graphql", fmt.Sprintf(`{"query":%q}`, query), ada...)
		}
		post("one").want(t, 201)
		mutation("two").want(t, 200, `{"createPost":{"title":"two"}}`)
		if refused := post("three").want(t, 429, "too many Idempotency-Keys", "RATE_LIMIT_EXCEEDED"); refused.header.Get("Retry-After") == "" {
			t.Errorf("it does not say when to come again: %v", refused.header)
		}
		mutation("four").want(t, 200, "RATE_LIMIT_EXCEEDED", "too many Idempotency-Keys")
		post("one").want(t, 201, `"title":"one"`)
		mutation("two").want(t, 200, `{"createPost":{"title":"two"}}`)
		s.ask(t, "GET", "/api/v1/posts?author_id=1&limit=1", "", ada...).want(t, 200)
		s.ask(t, "POST", "/api/v1/posts", `{"title":"none","content":"x"}`, ada...).want(t, 201)
	})
}
