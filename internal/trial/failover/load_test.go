//go:build linux

package failover_test

import (
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/coder/websocket"

	"github.com/entwine-go/entwine/internal/trial"
)

// work is callers that buy, send mail, publish posts and hear of them through two
// processes, while an engine below those fails over. A request without an answer, or
// with one that says that an engine is away, is repeated with its key.
type work struct {
	*testing.T
	serve []*trial.Service
	// The one who buys, mails or publishes: a caller has so many idempotency keys a day.
	buyer, mailer, publisher []string
	// lossy is set where the engine may lose what it has acknowledged.
	lossy    bool
	products []int64

	end     chan struct{}
	group   sync.WaitGroup
	writes  atomic.Int64 // that were answered
	repeats atomic.Int64

	mu     sync.Mutex
	keys   int             // of orders that were asked for
	paid   []int64         // orders whose payment was answered
	mails  []string        // subjects of mails that were accepted
	posts  map[string]bool // titles of posts that were answered
	ears   []*ear
	latest time.Time // when the latest write was answered
}

// ear is a subscriber that comes back when its connection is closed.
type ear struct {
	*work
	on     *trial.Service
	mu     sync.Mutex
	heard  map[string]bool
	more   chan struct{} // has one element after each event
	closed int
}

// begin has them all work, until [work.stop].
func begin(t *testing.T, lossy bool, serve ...*trial.Service) *work {
	t.Helper()
	w := &work{T: t, serve: serve, lossy: lossy, end: make(chan struct{}), posts: make(map[string]bool)}
	w.mailer = []string{"Authorization", "Bearer " + serve[0].SignIn(t)}
	for name, auth := range map[string]*[]string{"buyer": &w.buyer, "publisher": &w.publisher} {
		made := serve[0].Ask(t, "POST", "/api/v1/auth/register", strings.Replace(trial.Ada, "ada@", name+"@", 1)).Want(t, 201)
		*auth = []string{"Authorization", "Bearer " + made.Body["token"].(string)}
	}
	for i := range 10 {
		made := serve[0].Ask(t, "POST", "/api/v1/products", fmt.Sprintf(`{"name":"Product %d","price":10,"inStock":true}`, i), w.mailer...).Want(t, 201)
		w.products = append(w.products, trial.MadeID(made))
	}
	for i := range 6 {
		e := &ear{work: w, on: serve[i%len(serve)], heard: make(map[string]bool), more: make(chan struct{}, 1)}
		w.ears = append(w.ears, e)
		w.group.Go(e.follow)
	}
	for who := range 3 {
		w.group.Go(func() { w.repeat(who, w.buys) })
		w.group.Go(func() { w.repeat(who, w.mailsOne) })
		w.group.Go(func() { w.repeat(who, w.publishes) })
	}
	return w
}

func (w *work) repeat(who int, do func(name string)) {
	for i := 0; ; i++ {
		select {
		case <-w.end:
			return
		case <-time.After(150 * time.Millisecond):
			do(fmt.Sprintf("%d-%d", who, i))
		}
	}
}

// buys orders something and pays for it.
func (w *work) buys(name string) {
	w.mu.Lock()
	w.keys++
	w.mu.Unlock()
	body := fmt.Sprintf(`{"items":[{"product_id":%d,"quantity":1}]}`, w.products[len(name)*7%len(w.products)])
	status, text := w.settled(w.buyer, "POST", "/api/v1/orders", body, "order-"+name)
	if status != http.StatusCreated {
		w.unexpected("an order", status, text)
		return
	}
	var made struct{ Data struct{ ID int64 } }
	if err := json.Unmarshal([]byte(text), &made); err != nil {
		w.Errorf("%v: %s", err, text)
		return
	}
	pay := fmt.Sprintf("/api/v1/orders/%d/pay", made.Data.ID)
	for status, text = w.settled(w.buyer, "POST", pay, "", "pay-"+name); status == http.StatusPaymentRequired && strings.Contains(text, "had not carried it out"); {
		name += "-again" // what was cut off before the gateway was asked has failed
		status, text = w.settled(w.buyer, "POST", pay, "", "pay-"+name)
	}
	if status != http.StatusOK {
		w.unexpected("a payment", status, text)
		return
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.paid = append(w.paid, made.Data.ID)
}

// mailsOne asks for a mail, which is a job.
func (w *work) mailsOne(name string) {
	subject := "Mail " + name
	status, text := w.settled(w.mailer, "POST", "/api/v1/emails/send", fmt.Sprintf(`{"to":"ada@example.com","subject":%q,"text":"Hello."}`, subject), "mail-"+name)
	if status != http.StatusAccepted {
		w.unexpected("a mail", status, text)
		return
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.mails = append(w.mails, subject)
}

func (w *work) publishes(name string) { w.publish("Post " + name) }

func (w *work) publish(title string) {
	status, text := w.settled(w.publisher, "POST", "/api/v1/posts", fmt.Sprintf(`{"title":%q,"content":"…","published":true}`, title), title)
	if status != http.StatusCreated {
		w.unexpected("a post", status, text)
		return
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.posts[title] = true
}

// unexpected fails the test, but where what an earlier answer was about may be lost.
func (w *work) unexpected(what string, status int, text string) {
	if status == 0 || w.lossy && (status == http.StatusNotFound || status == http.StatusConflict) {
		return
	}
	w.Errorf("%s is answered %d: %s", what, status, text)
}

// settled sends a request to one process after the other, until it is answered by
// neither a failure nor a request to wait. The status is 0 when the test has ended.
func (w *work) settled(auth []string, method, path, body, key string) (status int, text string) {
	for try := 0; ; try++ {
		status, text, again := w.send(w.serve[try%len(w.serve)], auth, method, path, body, key)
		if !again {
			w.writes.Add(1)
			w.mu.Lock()
			w.latest = time.Now()
			w.mu.Unlock()
			return status, text
		}
		w.repeats.Add(1)
		select {
		case <-w.Context().Done():
			return 0, ""
		case <-time.After(50 * time.Millisecond):
		}
	}
}

func (w *work) send(s *trial.Service, auth []string, method, path, body, key string) (status int, text string, again bool) {
	ctx, cancel := context.WithTimeout(w.Context(), 15*time.Second)
	defer cancel()
	r, err := http.NewRequestWithContext(ctx, method, s.URL+path, strings.NewReader(body))
	if err != nil {
		return 0, err.Error(), true
	}
	r.Header.Set(auth[0], auth[1])
	r.Header.Set("Idempotency-Key", key)
	if body != "" {
		r.Header.Set("Content-Type", "application/json")
	}
	res, err := http.DefaultTransport.RoundTrip(r)
	if err != nil {
		return 0, err.Error(), true
	}
	defer res.Body.Close()
	answer, err := io.ReadAll(res.Body)
	again = err != nil || res.StatusCode >= 500 || res.StatusCode == http.StatusConflict && res.Header.Get("Retry-After") != ""
	if res.StatusCode == http.StatusInternalServerError {
		w.Errorf("%s %s is answered %d: %s", method, path, res.StatusCode, answer)
		for line := range strings.Lines(s.Output.String()) {
			if strings.Contains(line, res.Header.Get("X-Request-Id")) {
				w.Log(line)
			}
		}
	}
	return res.StatusCode, string(answer), again
}

// follow hears of posts until the work has ended and it has heard of the last one.
func (e *ear) follow() {
	for e.Context().Err() == nil {
		if done := e.listen(); done {
			return
		}
		e.mu.Lock()
		e.closed++
		e.mu.Unlock()
		select {
		case <-e.end:
			return
		case <-time.After(50 * time.Millisecond):
		}
	}
}

// listen subscribes once, and returns when the connection ends.
func (e *ear) listen() (done bool) {
	ctx, cancel := context.WithCancel(e.Context())
	defer cancel()
	ws, _, err := websocket.Dial(ctx, strings.Replace(e.on.URL, "http", "ws", 1)+"/graphql", &websocket.DialOptions{Subprotocols: []string{"graphql-transport-ws"}})
	if err != nil {
		return false
	}
	defer ws.CloseNow()
	stop := context.AfterFunc(ctx, func() { _ = ws.CloseNow() })
	defer stop()
	go func() {
		select {
		case <-e.end:
			cancel()
		case <-ctx.Done():
		}
	}()
	for _, text := range []string{`{"type":"connection_init"}`, `{"id":"1","type":"subscribe","payload":{"query":"subscription { newPost { title } }"}}`} {
		if err := ws.Write(ctx, websocket.MessageText, []byte(text)); err != nil {
			return false
		}
	}
	saw := make(map[string]bool)
	for {
		_, text, err := ws.Read(ctx)
		if err != nil {
			select {
			case <-e.end:
				return true
			default:
			}
			if code := websocket.CloseStatus(err); code == -1 {
				e.Errorf("a connection broke without a code: %v", err)
			}
			return false
		}
		var m struct {
			Type    string
			Payload json.RawMessage
		}
		var next struct {
			Data struct{ NewPost struct{ Title string } }
		}
		if err := json.Unmarshal(text, &m); err != nil {
			e.Errorf("%v: %s", err, text)
		}
		switch m.Type {
		case "error", "complete":
			return false // refused for now
		case "next":
			if err := json.Unmarshal(m.Payload, &next); err != nil {
				e.Errorf("%v: %s", err, text)
			}
			title := next.Data.NewPost.Title
			if saw[title] {
				e.Errorf("a connection hears twice of %s", title)
			}
			saw[title] = true
			e.mu.Lock()
			e.heard[title] = true
			e.mu.Unlock()
			select {
			case e.more <- struct{}{}:
			default:
			}
		}
	}
}

// hears waits until the subscriber has heard of the post.
func (e *ear) hears(title string) bool {
	for {
		e.mu.Lock()
		heard := e.heard[title]
		e.mu.Unlock()
		if heard {
			return true
		}
		select {
		case <-e.more:
		case <-e.Context().Done():
			return false
		case <-time.After(30 * time.Second):
			return false
		}
	}
}

// untilWritten returns when a write has been answered after now.
func (w *work) untilWritten() time.Duration {
	w.Helper()
	began, count := time.Now(), w.writes.Load()
	for w.writes.Load() == count {
		select {
		case <-w.Context().Done():
			w.Fatal("the service takes no writes")
		case <-time.After(time.Millisecond):
		}
		if time.Since(began) > 2*time.Minute {
			w.Fatal("the service takes no writes for two minutes")
		}
	}
	return time.Since(began)
}

// stop ends the work, and sees that all has been done, once. The database is asked itself.
func (w *work) stop(url string) {
	w.Helper()
	w.publish("The last post")
	for i, e := range w.ears {
		if !e.hears("The last post") {
			w.Errorf("subscriber %d is left without events", i)
		}
	}
	close(w.end)
	w.group.Wait()
	db, err := sql.Open("postgres", url)
	if err != nil {
		w.Fatal(err)
	}
	defer db.Close()
	count := func(query string, args ...any) (n int) {
		if err := db.QueryRowContext(w.Context(), query, args...).Scan(&n); err != nil {
			w.Fatal(err)
		}
		return n
	}
	for began := time.Now(); count(`SELECT count(*) FROM jobs WHERE status IN ('queued', 'running', 'retrying') AND run_at <= now() + interval '1 minute'`)+
		count(`SELECT count(*) FROM orders AS o WHERE paid_at IS NOT NULL AND NOT EXISTS (SELECT 1 FROM invoices WHERE order_id = o.id)`) > 0; {
		if time.Since(began) > 3*time.Minute {
			w.Fatal("jobs are never done")
		}
		time.Sleep(100 * time.Millisecond)
	}
	for what, query := range map[string]string{
		"orders that were paid twice":       `SELECT count(*) FROM (SELECT 1 FROM payments WHERE status = 'succeeded' GROUP BY order_id HAVING count(*) > 1) twice`,
		"orders with two invoices":          `SELECT count(*) FROM (SELECT 1 FROM invoices GROUP BY order_id HAVING count(*) > 1) twice`,
		"mails that were sent twice":        `SELECT count(*) FROM (SELECT 1 FROM emails WHERE subject LIKE 'Mail %' GROUP BY subject HAVING count(*) > 1) twice`,
		"posts that were written twice":     `SELECT count(*) FROM (SELECT 1 FROM posts GROUP BY title HAVING count(*) > 1) twice`,
		"paid orders without their invoice": `SELECT count(*) FROM orders o WHERE status = 'paid' AND NOT EXISTS (SELECT 1 FROM invoices i WHERE i.order_id = o.id)`,
		"payments that hang":                `SELECT count(*) FROM payments WHERE status = 'processing'`,
		"jobs that failed":                  `SELECT count(*) FROM jobs WHERE status = 'failed'`,
	} {
		if n := count(query); n > 0 {
			w.Errorf("there are %d %s", n, what)
		}
	}
	if orders := count(`SELECT count(*) FROM orders`); orders > w.keys {
		w.Errorf("there are %d orders of %d keys", orders, w.keys)
	}
	lost := map[string]int{"orders": 0, "mails": 0, "posts": 0}
	for _, id := range w.paid {
		lost["orders"] += 1 - count(`SELECT count(*) FROM orders WHERE id = $1 AND status = 'paid'`, id)
	}
	for _, subject := range w.mails {
		lost["mails"] += 1 - count(`SELECT count(*) FROM emails WHERE subject = $1`, subject)
	}
	for title := range w.posts {
		lost["posts"] += 1 - count(`SELECT count(*) FROM posts WHERE title = $1`, title)
	}
	closed := 0
	for _, e := range w.ears {
		closed += e.closed
	}
	w.Logf("%d orders paid, %d mails and %d posts, %d requests repeated, %d subscriptions taken up again; lost %v", len(w.paid), len(w.mails), len(w.posts), w.repeats.Load(), closed, lost)
	if !w.lossy && lost["orders"]+lost["mails"]+lost["posts"] > 0 {
		w.Errorf("acknowledged and lost: %v", lost)
	}
}
