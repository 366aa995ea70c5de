package gql_test

import (
	"strings"
	"testing"
	"time"

	"github.com/entwine-go/entwine/kit/viewer"
)

func TestJobsAreAskedForCancelledAndRetried(t *testing.T) {
	each(t, func(w *world) {
		w.as("ada", `mutation { generateReport(input: {type: sales, format: csv, from: "2026-01-01T00:00:00Z"}) { id kind status progress resultUrl arguments { name value } user { name } } }`).
			wants(t, `{"generateReport":{"id":"`+id("Job", 1)+`","kind":"report","status":"queued","progress":0,"resultUrl":null,"arguments":[`+
				`{"name":"type","value":"sales"},{"name":"format","value":"csv"},{"name":"from","value":"2026-01-01T00:00:00Z"}],"user":{"name":"Ada"}}}`)
		w.as("ada", `mutation { retryJob(id: 1) { status } }`).wants(t, `{"retryJob":null}`, "retryJob CONFLICT")
		w.as("bob", `mutation { cancelJob(id: 1) { status } }`).wants(t, `{"cancelJob":null}`, "cancelJob NOT_FOUND")
		w.as("nobody", `mutation { cancelJob(id: 1) { status } }`).wants(t, `{"cancelJob":null}`, "cancelJob UNAUTHENTICATED")
		w.as("ada", `mutation { cancelJob(id: "`+id("Job", 1)+`") { status } }`).wants(t, `{"cancelJob":{"status":"cancelled"}}`)
		w.as("ada", `mutation { retryJob(id: 1) { status attempts finishedAt } }`).wants(t, `{"retryJob":{"status":"queued","attempts":0,"finishedAt":null}}`)
		w.as("ada", `mutation { retryJob(id: "`+id("User", 1)+`") { status } }`).wants(t, `{"retryJob":null}`, "retryJob BAD_USER_INPUT id")
	})
}

func TestReportsAndLettersAreRefused(t *testing.T) {
	each(t, func(w *world) {
		w.viewers["robot"] = &viewer.Viewer{KeyID: int64(w.client.APIKey.Create().SetClientName("robot").SetPermissions([]string{"write"}).
			SetPrefix("ek_1").SetSecretHash([]byte("x")).SaveX(w.system()).ID), Permissions: []viewer.Permission{viewer.Write}}
		w.as("robot", `mutation { sendEmail(input: {to: "bob@example.com", template: "notice", data: {name: "Bob", title: "Hi", text: "!"}}) { kind status } }`).
			wants(t, `{"sendEmail":{"kind":"email","status":"queued"}}`)
		for _, c := range []struct{ who, field, code string }{
			{"ada", `sendEmail(input: {to: "ada", subject: "Hi"}) { id }`, "BAD_USER_INPUT input.to input.text"},
			{"ada", `sendEmail(input: {to: "ada@example.com", subject: "Hi"}) { id }`, "BAD_USER_INPUT input.text"},
			{"ada", `sendEmail(input: {to: "ada@example.com", template: "notice", data: 1}) { id }`, "BAD_USER_INPUT input.data"},
			{"bob", `sendEmail(input: {to: "ada"}) { id }`, "FORBIDDEN"},
			{"ada", `generateReport(input: {type: users, format: json, from: "2026-01-02T00:00:00Z", to: "2026-01-01T00:00:00Z"}) { id }`, "BAD_USER_INPUT input.from"},
			{"ada", `generateReport(input: {type: users, format: json, from: "2026-01-03", to: "2026-01-01"}) { id }`, "BAD_USER_INPUT input.from"},
			{"ada", `generateReport(input: {type: users, format: json, from: "today", to: "2026-01-32"}) { id }`, "BAD_USER_INPUT input.from input.to"},
			{"robot", `generateReport(input: {type: users, format: json}) { id }`, "FORBIDDEN"},
		} {
			name := c.field[:len("sendEmail")]
			if c.field[0] == 'g' {
				name = "generateReport"
			}
			w.as(c.who, "mutation { "+c.field+" }").wants(t, `{"`+name+`":null}`, name+" "+c.code)
		}
	})
}

func TestFigures(t *testing.T) {
	each(t, func(w *world) {
		at := time.Date(2026, 1, 5, 0, 0, 0, 0, time.UTC)
		c := w.client
		lamp := c.Product.Create().SetName("Lamp").SetPrice(1999).SaveX(w.system())
		o := c.Order.Create().SetStatus("paid").SetTotal(1999).SetCurrency("USD").SetPaidAt(at).SetCreatedAt(at).SaveX(w.system())
		c.OrderItem.Create().SetOrderID(o.ID).SetProductID(lamp.ID).SetName("Lamp").SetPrice(1999).SetQuantity(1).SetTotal(1999).SetCurrency("USD").ExecX(w.system())
		c.Payment.Create().SetGateway("sandbox").SetOrderID(o.ID).SetStatus("succeeded").SetAmount(1999).SetCurrency("USD").SetCapturedAt(at).ExecX(w.system())

		const span = `from: "2026-01-01T00:00:00Z", to: "2026-01-06T00:00:00Z", interval: week`
		w.as("ada", `{ salesReport(`+span+`) { from interval totals { currency net __typename } series { date orders gross refunded } } }`).
			wants(t, `{"salesReport":{"from":"2026-01-01T00:00:00Z","interval":"week","totals":[{"currency":"USD","net":19.99,"__typename":"Sales"}],"series":[{"date":"2026-01-05","orders":1,"gross":19.99,"refunded":0}]}}`)
		w.as("ada", `{ analytics(`+span+`) { totals { users pendingOrders } sales { net } series { date users orders sales { gross } } topProducts { productId name quantity revenue } } }`).
			wants(t, `{"analytics":{"totals":{"users":3,"pendingOrders":0},"sales":[{"net":19.99}],"series":[{"date":"2025-12-29","users":3,"orders":0,"sales":[]},{"date":"2026-01-05","users":0,"orders":1,"sales":[{"gross":19.99}]}],"topProducts":[{"productId":"`+id("Product", int64(lamp.ID))+`","name":"Lamp","quantity":1,"revenue":19.99}]}}`)
		w.as("ada", `{ salesReport(from: "2026-02-01T00:00:00Z", to: "2026-01-01T00:00:00Z") { from } }`).wants(t, `{"salesReport":null}`, "salesReport BAD_USER_INPUT from")
		for _, day := range []string{`salesReport(from: "2026-01-05", to: "2026-01-05")`, `analytics(from: "2026-01-05", to: "2026-01-05")`} {
			name, _, _ := strings.Cut(day, "(")
			w.as("ada", `{ `+day+` { from to series { orders } } }`).
				wants(t, `{"`+name+`":{"from":"2026-01-05T00:00:00Z","to":"2026-01-06T00:00:00Z","series":[{"orders":1}]}}`)
		}
		w.as("ada", `{ salesReport(from: "2026-01-32", to: "soon") { from } }`).wants(t, `{"salesReport":null}`, "salesReport BAD_USER_INPUT from to")
		w.as("bob", `{ salesReport { from } analytics { from } }`).wants(t, `{"salesReport":null,"analytics":null}`, "salesReport FORBIDDEN", "analytics FORBIDDEN")
		w.as("nobody", `{ analytics { from } }`).wants(t, `{"analytics":null}`, "analytics UNAUTHENTICATED")
	})
}
