package orders_test

import (
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/anishathalye/porcupine"

	"github.com/entwine-go/entwine/internal/trial"
	"github.com/entwine-go/entwine/kit/kittest/storetest"
	"github.com/entwine-go/entwine/kit/pgserver"
	"github.com/entwine-go/entwine/kit/store"
)

var orderRounds = flag.Int("orders", 6, "how many rounds of 50 requests at once TestOneOrderAtATime has, one order each, for each database")

// Fifty at a time pay, cancel, refund and read one order, some of them with the same keys,
// while the service and its database are killed. All answers must be explained by one
// sequence of events, in which each step is one that the state machine has.
func TestOneOrderAtATime(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"sqlite", "postgres"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			m := &market{T: t, dir: t.TempDir()}
			m.settings = []string{"ENTWINE_ADMIN_PASSWORD=" + trial.AdminPassword, "ENTWINE_RATE_LIMIT=off", "ENTWINE_SETTLE_TIME=300ms"}
			url := "sqlite://" + m.dir + "/data/entwine.db"
			if name == "postgres" {
				m.postgres = storetest.PostgresServer(t)
				url = m.postgres.URL("postgres") + "&synchronous_commit=on"
				m.settings = append(m.settings, "ENTWINE_DATABASE_URL="+url)
			}
			m.serve()
			m.database = url
			for n := range *orderRounds {
				m.round(n)
			}
			m.billed()
			m.service.Stop(t)
			m.audit()
			t.Logf("%d rounds, %v", *orderRounds, m.tally.counts)
		})
	}
}

// market is a service, and those who trade there.
type market struct {
	*testing.T
	dir      string
	settings []string
	database string
	service  *trial.Service
	token    string
	postgres *pgserver.Server
	tally    tally
}

// tally counts what was answered.
type tally struct {
	mu     sync.Mutex
	counts map[string]int
}

func (t *tally) add(what string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.counts == nil {
		t.counts = make(map[string]int)
	}
	t.counts[what]++
}

func (m *market) serve() {
	m.Helper()
	m.service = trial.StartIn(m.T, m.dir, m.settings...)
	m.token = m.service.SignIn(m.T)
}

// kill kills the service in the middle of whatever it does, or its database
// with all that it has not written down.
func (m *market) kill(database bool) {
	m.tally.add(map[bool]string{true: "database killed", false: "service killed"}[database])
	if database {
		m.postgres.Kill()
		return
	}
	m.service.Kill()
}

// revive brings back what was killed.
func (m *market) revive(database bool) {
	m.Helper()
	if !database {
		m.serve()
		return
	}
	if err := m.postgres.Restart(m.Context()); err != nil {
		m.Fatal(err)
	}
}

// told is the answer to a request; status 0 is no answer.
type told struct {
	status   int
	text     string
	waits    bool // it has Retry-After
	replayed bool
}

// kept reports whether a key is answered with it again.
func (r told) kept() bool {
	return !r.waits && r.status != http.StatusUnprocessableEntity || r.status == http.StatusAccepted
}

// outcome is the part of an answer that a repetition by key repeats: the row is shown in
// its current state, and a refusal has another time and request.
func (r told) outcome() string {
	if r.status < http.StatusBadRequest {
		return "done"
	}
	var refused struct {
		Error struct {
			Code, Message string
			Details       json.RawMessage
		}
	}
	if err := json.Unmarshal([]byte(r.text), &refused); err != nil {
		return r.text
	}
	return fmt.Sprintf("%d %s %s %s", r.status, refused.Error.Code, refused.Error.Message, refused.Error.Details)
}

func (m *market) send(method, path, body, key string) told {
	r, err := http.NewRequest(method, m.service.URL+path, strings.NewReader(body))
	if err != nil {
		m.Error(err)
		return told{}
	}
	r.Header.Set("Authorization", "Bearer "+m.token)
	if body != "" {
		r.Header.Set("Content-Type", "application/json")
	}
	if key != "" {
		r.Header.Set("Idempotency-Key", key)
	}
	res, err := http.DefaultTransport.RoundTrip(r)
	if err != nil {
		return told{}
	}
	defer res.Body.Close()
	text, err := io.ReadAll(res.Body)
	if err != nil {
		return told{}
	}
	return told{res.StatusCode, string(text), res.Header.Get("Retry-After") != "", res.Header.Get("Idempotency-Replayed") != ""}
}

// settled sends a request until it is answered for good.
func (m *market) settled(method, path, body, key string) told {
	m.Helper()
	for {
		r := m.send(method, path, body, key)
		if r.status != 0 && r.status < 500 && !r.waits {
			return r
		}
		select {
		case <-m.Context().Done():
			m.Fatalf("%s %s: %+v", method, path, r)
		case <-time.After(20 * time.Millisecond):
		}
	}
}

// endings are those of amounts that the sandbox treats in a way of their own.
var endings = []int64{0, 2, 3, 4, 5, 6, 0, 0}

// round sends fifty requests about one order, and checks the answers.
func (m *market) round(n int) {
	m.Helper()
	price := 1000 + endings[n%len(endings)]
	var made struct{ Data struct{ ID int64 } }
	m.read(m.settled("POST", "/api/v1/products", fmt.Sprintf(`{"name":"Lamp","price":%d.%02d,"stock":3}`, price/100, price%100), fmt.Sprint("product-", n)), 201, &made)
	m.read(m.settled("POST", "/api/v1/orders", fmt.Sprintf(`{"items":[{"product_id":%d,"quantity":1}]}`, made.Data.ID), fmt.Sprint("order-", n)), 201, &made)
	h := &history{market: m, round: n, order: made.Data.ID, price: price, keys: make(map[string]*ask)}
	faulty := n%5 == 4
	database := faulty && m.postgres != nil && n%10 == 9
	h.crowd(faulty, database)
	if faulty {
		m.revive(database)
	}
	h.insist()
	h.finish()
	h.check()
}

func (m *market) read(r told, status int, into any) {
	m.Helper()
	if r.status != status {
		m.Fatalf("status %d, want %d: %s", r.status, status, r.text)
	}
	if err := json.Unmarshal([]byte(r.text), into); err != nil {
		m.Fatal(err)
	}
}

// ask is something that is asked for, once or, with a key, several times.
type ask struct {
	what   string // read, pay, buy, cancel, refund
	amount int64
	key    string

	mu       sync.Mutex
	called   int64 // when it was asked first
	returned int64 // when it was answered for good
	answer   told  // that answer
	doubt    bool  // one of the answers left open what happened
}

// history has the events of one order.
type history struct {
	*market
	round int
	order int64
	price int64
	clock atomic.Int64
	// decided is when nothing was processing any more.
	decided int64

	keys map[string]*ask
	asks []*ask
}

// crowd sends the fifty, and kills something half way.
func (h *history) crowd(faulty, database bool) {
	const size = 50
	var all sync.WaitGroup
	var answered atomic.Int64
	fatal := int64(5 + rand.IntN(size/2))
	for range size {
		a := h.next()
		all.Go(func() {
			h.put(a)
			if answered.Add(1) == fatal && faulty {
				h.kill(database)
			}
		})
	}
	all.Wait()
}

// next makes up a request: a new one, or one more with a key that others have.
func (h *history) next() *ask {
	a := &ask{what: []string{"pay", "pay", "buy", "cancel", "refund", "refund", "read"}[rand.IntN(7)]}
	if a.what == "refund" {
		a.amount = []int64{0, 300, 302, 303, 304, 305, 306}[rand.IntN(7)]
	}
	if a.what == "cancel" && rand.IntN(6) > 0 {
		a.what = "pay" // or most orders would be cancelled at once
	}
	if a.what != "read" && a.what != "cancel" && rand.IntN(2) == 0 {
		a.key = fmt.Sprintf("%d-%s-%d-%d", h.round, a.what, a.amount, rand.IntN(3))
		if same := h.keys[a.key]; same != nil {
			return same
		}
		h.keys[a.key] = a
	}
	h.asks = append(h.asks, a)
	return a
}

// put asks, and notes what was answered.
func (h *history) put(a *ask) {
	a.mu.Lock()
	if a.called == 0 {
		a.called = h.clock.Add(1)
	}
	a.mu.Unlock()
	r := h.request(a)
	at := h.clock.Add(1)
	h.tally.add(fmt.Sprintf("%s %d", a.what, r.status))
	a.mu.Lock()
	defer a.mu.Unlock()
	running := r.waits && (strings.Contains(r.text, "still running") || strings.Contains(r.text, "has not answered yet"))
	switch {
	case r.status == 0 || r.status >= 500 || running:
		a.doubt = true
	case a.returned == 0:
		a.returned, a.answer = at, r
	case !a.answer.kept(): // it did not happen: with the key it may have since
		a.returned, a.answer = at, r
	case r.kept() && r.outcome() != a.answer.outcome():
		h.Errorf("round %d: key %s is answered\n%s\nand then\n%s", h.round, a.key, a.answer.text, r.text)
	}
}

func (h *history) request(a *ask) told {
	path := fmt.Sprintf("/api/v1/orders/%d", h.order)
	switch a.what {
	case "pay", "cancel":
		return h.send("POST", path+"/"+a.what, "", a.key)
	case "buy":
		return h.send("POST", "/api/v1/payments", fmt.Sprintf(`{"amount":%d.%02d,"currency":"USD","order_id":%d}`, h.price/100, h.price%100, h.order), a.key)
	case "refund":
		if a.amount == 0 {
			return h.send("POST", path+"/refund", "", a.key)
		}
		return h.send("POST", path+"/refund", fmt.Sprintf(`{"amount":%d.%02d}`, a.amount/100, a.amount%100), a.key)
	}
	return h.send("GET", path, "", "")
}

// insist repeats what has a key and was not answered for good.
func (h *history) insist() {
	for _, a := range h.asks {
		for a.key != "" && (a.returned == 0 || a.answer.waits && !a.answer.kept()) {
			h.put(a)
			select {
			case <-h.Context().Done():
				h.Fatalf("round %d: %s has no end", h.round, a.key)
			case <-time.After(10 * time.Millisecond):
			}
		}
	}
}

// finish waits until nothing is processing.
func (h *history) finish() {
	for {
		text := h.settled("GET", fmt.Sprintf("/api/v1/orders/%d?expand=payments.refunds", h.order), "", "").text
		if !strings.Contains(text, `"processing"`) {
			break
		}
		select {
		case <-h.Context().Done():
			h.Fatalf("round %d: it is not settled: %s", h.round, text)
		case <-time.After(20 * time.Millisecond):
		}
	}
	h.decided = h.clock.Add(1)
	last := &ask{what: "read"}
	h.asks = append(h.asks, last)
	h.put(last)
}

// check asks the checker for an order of what happened.
func (h *history) check() {
	h.Helper()
	var steps []porcupine.Operation
	for i, a := range h.asks {
		steps = append(steps, a.steps(i+1, h.decided)...)
	}
	for _, s := range steps {
		if s.Input.(step).kind == "unexpected" {
			h.Errorf("round %d: %+v", h.round, s.Input)
			return
		}
	}
	switch explained(h.price, steps) {
	case porcupine.Illegal:
		h.Errorf("round %d: no order explains what happened to an order of %d:", h.round, h.price)
		for _, s := range steps {
			h.Logf("%d to %d: %+v", s.Call, s.Return, s.Input)
		}
	case porcupine.Unknown:
		h.tally.add("undecided")
		for _, s := range steps {
			h.Logf("%d to %d: %+v", s.Call, s.Return, s.Input)
		}
	}
}

// steps are the events that an answer proves. Those that it leaves open were decided by
// the given time.
func (a *ask) steps(id int, decided int64) []porcupine.Operation {
	end, r := a.returned, a.answer
	if end == 0 {
		end = math.MaxInt64
	}
	at := func(s step, until int64) porcupine.Operation {
		s.id = id
		return porcupine.Operation{ClientId: id, Input: s, Call: a.called, Return: until}
	}
	first, second, amount := "begin", "decide", int64(0)
	if a.what == "refund" {
		first, second, amount = "repay", "repaid", a.amount
	}
	state := between(r.text, `"status":"`, `"`, 2)
	switch {
	case a.what == "read" && r.status == 200:
		return []porcupine.Operation{at(step{kind: "read", state: state}, end)}
	case a.what == "read":
		return nil
	case r.status == 409 && strings.Contains(r.text, "is processing"):
		return []porcupine.Operation{at(step{kind: "busy"}, end)}
	case r.status == 409 && strings.Contains(r.text, "was changed meanwhile"):
		return nil
	case r.status == 409 && strings.Contains(r.text, "nothing is left"):
		return []porcupine.Operation{at(step{kind: "spent"}, end)}
	case r.status == 409:
		return []porcupine.Operation{at(step{kind: "refused", state: strings.ReplaceAll(between(r.text, "the order is ", ":", 1), " ", "_")}, end)}
	case r.status == 422:
		return []porcupine.Operation{at(step{kind: "short", amount: a.amount}, end)}
	case a.what == "cancel":
		return []porcupine.Operation{at(step{kind: "cancel", maybe: r.status != 200}, end)}
	case r.status == 402:
		return []porcupine.Operation{at(step{kind: first, amount: amount}, end), at(step{kind: second, outcome: "failed"}, end)}
	case r.status == 200 || r.status == 201:
		return []porcupine.Operation{at(step{kind: first, amount: amount}, end), at(step{kind: second, outcome: "taken"}, end)}
	case r.status == 202:
		return []porcupine.Operation{at(step{kind: first, amount: amount}, end), at(step{kind: second}, decided)}
	case r.status == 0:
		return []porcupine.Operation{at(step{kind: first, amount: amount, maybe: true}, math.MaxInt64), at(step{kind: second, maybe: true}, math.MaxInt64)}
	}
	return []porcupine.Operation{at(step{kind: "unexpected", state: r.text}, end)}
}

// between is the text after the nth start, up to the end.
func between(text, start, end string, nth int) string {
	for range nth {
		_, text, _ = strings.Cut(text, start)
	}
	text, _, _ = strings.Cut(text, end)
	return text
}

// unbilled are the paid orders without an invoice.
const unbilled = `SELECT COUNT(*) FROM orders WHERE paid_at IS NOT NULL AND id NOT IN (SELECT order_id FROM invoices)`

// billed waits until the paid orders are billed that killed processes have left.
func (m *market) billed() {
	m.Helper()
	db := m.books()
	defer db.Close()
	for left, began := 1, time.Now(); left > 0; time.Sleep(50 * time.Millisecond) {
		left = m.count(db, unbilled)
		if time.Since(began) > 2*time.Minute {
			m.Fatalf("%d orders are never billed", left)
		}
	}
}

// books is the database of the processes.
func (m *market) books() *store.DB {
	m.Helper()
	db, err := store.Open(m.Context(), store.Config{URL: m.database, Conns: 2})
	if err != nil {
		m.Fatal(err)
	}
	return db
}

func (m *market) count(db *store.DB, query string) (n int) {
	m.Helper()
	rows, err := db.QueryContext(m.Context(), query)
	if err != nil {
		m.Fatal(err)
	}
	defer rows.Close()
	if rows.Next() {
		err = rows.Scan(&n)
	}
	if err != nil {
		m.Fatal(err)
	}
	return n
}

// audit reads the books when all is over.
func (m *market) audit() {
	m.Helper()
	db := m.books()
	defer db.Close()
	for what, query := range map[string]string{
		"orders captured twice":      `SELECT COUNT(*) FROM (SELECT order_id FROM payments WHERE status = 'succeeded' GROUP BY order_id HAVING COUNT(*) > 1) AS twice`,
		"refunds above the payment":  `SELECT COUNT(*) FROM payments AS p WHERE amount < (SELECT COALESCE(SUM(amount), 0) FROM refunds WHERE payment_id = p.id AND status = 'succeeded')`,
		"stocks below zero":          `SELECT COUNT(*) FROM products WHERE stock < 0`,
		"stocks that are wrong":      `SELECT COUNT(*) FROM products AS p JOIN order_items AS i ON i.product_id = p.id JOIN orders AS o ON o.id = i.order_id WHERE p.stock <> 3 - CASE WHEN o.status IN ('cancelled', 'expired') THEN 0 ELSE i.quantity END`,
		"charges that nobody knows":  `SELECT COUNT(*) FROM sandbox_charges WHERE charge_key IS NULL AND status = 'succeeded' AND idempotency_key NOT IN (SELECT 'payment-' || id FROM payments WHERE status = 'succeeded')`,
		"payments that nobody made":  `SELECT COUNT(*) FROM payments WHERE status = 'succeeded' AND 'payment-' || id NOT IN (SELECT idempotency_key FROM sandbox_charges WHERE status = 'succeeded')`,
		"refunds that nobody knows":  `SELECT COUNT(*) FROM sandbox_charges WHERE charge_key IS NOT NULL AND status = 'succeeded' AND idempotency_key NOT IN (SELECT 'refund-' || id FROM refunds WHERE status = 'succeeded')`,
		"paid orders without a bill": unbilled,
	} {
		if n := m.count(db, query); n > 0 {
			m.Errorf("%d %s", n, what)
		}
	}
}
