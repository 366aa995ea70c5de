package worker_test

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	netmail "net/mail"
	"net/textproto"
	"strings"
	"testing"
	"time"

	"github.com/entwine-go/entwine/ent"
	"github.com/entwine-go/entwine/ent/job"
	"github.com/entwine-go/entwine/ent/order"
	"github.com/entwine-go/entwine/ent/orm"
	"github.com/entwine-go/entwine/ent/user"
	"github.com/entwine-go/entwine/internal/checkout"
	"github.com/entwine-go/entwine/internal/invoicing"
	"github.com/entwine-go/entwine/internal/mailing"
	"github.com/entwine-go/entwine/internal/reporting"
	"github.com/entwine-go/entwine/kit/account"
	"github.com/entwine-go/entwine/kit/files"
	"github.com/entwine-go/entwine/kit/jobs"
	"github.com/entwine-go/entwine/kit/kittest/storetest"
	"github.com/entwine-go/entwine/kit/mail"
	"github.com/entwine-go/entwine/kit/problem"
	"github.com/entwine-go/entwine/kit/store"
	"github.com/entwine-go/entwine/kit/viewer"
	"github.com/entwine-go/entwine/migrate/migratetest"
	"github.com/entwine-go/entwine/worker"
)

// scheduled returns the entry of a kind that happens by itself, and its arguments.
func (k *kit) scheduled(kind string) (jobs.Entry, jobs.Args) {
	k.Helper()
	for _, e := range worker.Schedule(k.cashier()) {
		if args := e.Args(time.Now()); args.Kind() == kind {
			return e, args
		}
	}
	k.Fatalf("nothing of kind %s is scheduled", kind)
	return jobs.Entry{}, nil
}

// both runs the test on both databases, with the embedded Redis.
func both(t *testing.T, test func(k *kit)) {
	t.Parallel()
	migratetest.Each(t, func(t *testing.T, db *store.DB) { test(newKit(t, db, jobs.Embed())) })
}

func TestOrdersExpireAndGiveBackTheirStock(t *testing.T) {
	both(t, func(k *kit) {
		c := orm.Client(k.db)
		lamp := c.Product.Create().SetName("Lamp").SetPrice(1999).SetStock(0).SaveX(k.ctx)
		endless := c.Product.Create().SetName("Song").SetPrice(99).SaveX(k.ctx)
		sell := func(status order.Status, expires time.Time) {
			o := c.Order.Create().SetStatus(status).SetTotal(1999).SetCurrency("USD").SetExpiresAt(expires).SaveX(k.ctx)
			for range 2 {
				c.OrderItem.Create().SetOrderID(o.ID).SetProductID(lamp.ID).SetName("Lamp").SetPrice(1000).SetQuantity(3).SetTotal(3000).SetCurrency("USD").ExecX(k.ctx)
			}
			c.OrderItem.Create().SetOrderID(o.ID).SetProductID(endless.ID).SetName("Song").SetPrice(99).SetQuantity(1).SetTotal(99).SetCurrency("USD").ExecX(k.ctx)
		}
		sell(order.StatusPending, ago(time.Second))
		sell(order.StatusPending, ago(-time.Hour))   // not yet
		sell(order.StatusProcessing, ago(time.Hour)) // is being paid
		sell(order.StatusPaid, ago(time.Hour))
		entry, expire := k.scheduled("expire_orders")
		for _, want := range []bool{true, false} { // the second finds nothing to do
			if due, err := entry.Due(k.ctx); due != want || err != nil {
				k.Fatalf("due: %t, %v, want %t", due, err, want)
			}
			if j := k.do(expire, nil); j.Status != "succeeded" {
				k.Fatalf("the row is %v", j)
			}
		}
		if n := k.count("orders", "status = 'expired' AND closed_at IS NOT NULL AND version = 2"); n != 1 {
			k.Errorf("%d orders have expired, want 1", n)
		}
		if n := k.count("products", "stock = 6 AND in_stock OR stock IS NULL"); n != 2 {
			k.Errorf("products: %v", c.Product.Query().AllX(k.ctx))
		}
	})
}

// A process that ends while it asks the gateway leaves a payment without a job: it is
// found, and settled by a job of its own, once.
func TestAPaymentThatWasLeftBehindIsSettled(t *testing.T) {
	both(t, func(k *kit) {
		c := orm.Client(k.db)
		begin := func(at time.Time) *ent.Order {
			o := c.Order.Create().SetStatus(order.StatusProcessing).SetTotal(1999).SetCurrency("USD").SaveX(k.ctx)
			c.Payment.Create().SetOrderID(o.ID).SetAmount(1999).SetCurrency("USD").SetGateway("sandbox").SetUpdatedAt(at).ExecX(k.ctx)
			return o
		}
		entry, settle := k.scheduled("settle_payments")
		due := func(want bool) {
			k.Helper()
			if due, err := entry.Due(k.ctx); due != want || err != nil {
				k.Fatalf("due: %t, %v, want %t", due, err, want)
			}
		}
		begin(ago(0))
		due(false)
		left := begin(ago(time.Minute))
		due(true)
		for range 2 {
			if j := k.do(settle, nil); j.Status != "succeeded" {
				k.Fatalf("the row is %v", j)
			}
		}
		due(false)
		if j := k.run(int64(c.Job.Query().Where(job.Kind("settle_payment")).OnlyX(k.ctx).ID), nil); j.Status != "succeeded" {
			k.Fatalf("the row is %v", j)
		}
		if o := c.Order.GetX(k.ctx, left.ID); o.Status != order.StatusPending {
			k.Errorf("the order is %s, want pending: the gateway knows of no payment", o.Status)
		}
		due(false)
	})
}

func TestWhatIsPastItsKeepingIsRemoved(t *testing.T) {
	both(t, func(k *kit) {
		c := orm.Client(k.db)
		for _, expires := range []time.Time{ago(time.Second), ago(-time.Hour)} {
			hash := []byte(expires.String())
			storetest.Do(k, k.db, "INSERT INTO idempotency_records (key_hash, fingerprint, expires_at, created_at) VALUES ($1, $1, $2, now())", hash, expires)
		}
		old, recent := ago(31*24*time.Hour), ago(time.Hour)
		job := func(finished, until time.Time) {
			j := c.Job.Create().SetKind("x").SetArgs([]byte("{}")).SetStatus("succeeded").SetFinishedAt(finished).SetResultUntil(until).SetResultURL("/").SetFence(2).SaveX(k.ctx)
			for fence := range int64(2) {
				storetest.Do(k, k.db, "INSERT INTO job_chunks (job_id, fence, position, data, created_at) VALUES ($1, $2, 0, $3, now())", int64(j.ID), fence+1, []byte("x"))
			}
		}
		job(old, old)                        // goes
		job(recent, recent)                  // stays without its result
		job(recent, ago(-time.Hour))         // stays, without what another attempt wrote
		ages := make([]map[string]int, 2503) // more than go at once; the last three stay
		for i := range ages {
			ages[i] = map[string]int{"age": 60 * (2503 - i + 56)}
		}
		list, err := json.Marshal(ages)
		if err != nil {
			k.Fatal(err)
		}
		storetest.Do(k, k.db, "INSERT INTO events (topic, entity, entity_id, key, created_at) SELECT 'x', 'X', 1, 1, later(-l.age) FROM list($1) AS l(age bigint)", string(list))
		storetest.Do(k, k.db, `INSERT INTO jobs (kind, status, progress, attempts, max_attempts, args, queue, fence, generation, run_at, ring_at, finished_at, result_until, result_url, created_at, updated_at)
			SELECT 'x', 'succeeded', 1, 1, 1, '{}'::jsonb, 'bulk', 1, 0, now(), now(), now(), later(-l.age), '/', now(), now() FROM list($1) AS l(age bigint)`, string(list))
		if j := k.do(jobs.Purge{}, nil); j.Status != "succeeded" {
			k.Fatalf("the row is %v", j)
		}
		for table, want := range map[string]int{"idempotency_records": 1, "jobs": 3 + len(ages), "job_chunks": 1} {
			if n := k.count(table, "1=1"); n != want {
				k.Errorf("%d %s are left, want %d", n, table, want)
			}
		}
		if n := k.count("jobs", "result_url IS NOT NULL"); n != 1 {
			k.Errorf("%d jobs have a link to a result, want 1", n)
		}
		if n := k.count("events", "topic = 'x'"); n != 3 {
			k.Errorf("%d events are left, want 3", n)
		}
	})
}

func TestAReportIsTheResultOfItsJob(t *testing.T) {
	both(t, func(k *kit) {
		orm.Client(k.db).User.Create().SetName("Ada").SetEmail("ada@example.com").ExecX(k.ctx)
		j := k.do(reporting.Report{Type: reporting.UsersReport, Format: reporting.JSON}, nil)
		if j.Status != "succeeded" {
			k.Fatalf("the row is %v", j)
		}
		result, err := k.client.Result(k.ctx, int64(j.ID))
		if err != nil {
			k.Fatal(err)
		}
		content, err := result.Open(k.ctx, 0, -1)
		if err != nil {
			k.Fatal(err)
		}
		defer content.Close()
		text, err := io.ReadAll(content)
		if err != nil || result.Name != "users.json" || result.MediaType != "application/json" || !strings.Contains(string(text), "ada@example.com") {
			k.Errorf("%s (%s): %v\n%s", result.Name, result.MediaType, err, text)
		}

		// Its time is over: the file goes, and so it does with its job.
		other := k.do(reporting.Report{Type: reporting.UsersReport, Format: reporting.CSV}, nil)
		c := orm.Client(k.db)
		c.Job.UpdateOne(j).SetResultUntil(ago(time.Second)).ExecX(k.ctx)
		c.Job.UpdateOne(other).SetFinishedAt(ago(31 * 24 * time.Hour)).ExecX(k.ctx)
		k.do(jobs.Purge{}, nil)
		if _, err := k.files.Sweep(k.ctx); err != nil {
			k.Fatal(err)
		}
		if r, err := k.files.Check(k.ctx, true); err != nil || r.Files != 0 || !r.Sound() {
			k.Errorf("after their time there is %+v, %v", r, err)
		}
		if _, err := k.client.Result(k.ctx, int64(j.ID)); problem.KindOf(err) != problem.NotFound {
			k.Errorf("a result after its time: %v", err)
		}
	})
}

// Between asking for a report, or for another try, and its beginning, a user
// may lose the right to it.
func TestAReportIsMadeOnlyForWhoMayReadIt(t *testing.T) {
	both(t, func(k *kit) {
		c := orm.Client(k.db)
		c.User.Create().SetName("Grace").SetEmail("grace@example.com").SetRole(user.RoleAdmin).SaveX(k.ctx) // who stays
		eve := c.User.Create().SetName("Eve").SetEmail("eve@example.com").SetRole(user.RoleAdmin).SaveX(k.ctx)
		as := viewer.With(k.ctx, &viewer.Viewer{UserID: int64(eve.ID), Role: viewer.Admin})
		id, err := k.client.Enqueue(as, reporting.Report{Type: reporting.SalesReport, Format: reporting.CSV}, jobs.Options{})
		if err != nil {
			k.Fatal(err)
		}
		c.User.UpdateOneID(eve.ID).SetRole(user.RoleUser).ExecX(k.ctx)
		if j := k.run(id, nil); j.Status != job.StatusFailed || j.Error == nil || *j.Error != problem.ErrForbidden.Message || j.ResultURL != nil {
			k.Errorf("for a user: %v", j)
		}
		c.User.UpdateOneID(eve.ID).SetRole(user.RoleAdmin).ExecX(k.ctx)
		again := func() *ent.Job {
			if err := k.client.Retry(k.ctx, id); err != nil {
				k.Fatal(err)
			}
			return k.run(id, nil)
		}
		c.User.UpdateOneID(eve.ID).SetIsActive(false).ExecX(k.ctx)
		if j := again(); j.Status != job.StatusFailed || j.Error == nil || !strings.Contains(*j.Error, "may not sign in any more") {
			k.Errorf("for a user who is deactivated: %v", j)
		}
		c.User.UpdateOneID(eve.ID).SetIsActive(true).ExecX(k.ctx)
		if j := again(); j.Status != job.StatusSucceeded {
			k.Errorf("for an admin again: %v", j)
		}
	})
}

// post is a mail server that answers as the test wants it to.
type post struct {
	answer error
	sent   []mail.Message
}

func (p *post) Send(_ context.Context, m mail.Message) error {
	p.sent = append(p.sent, m)
	return p.answer
}

func TestALetterKeepsItsIdentity(t *testing.T) {
	both(t, func(k *kit) {
		p := &post{answer: errors.New("the line went dead")}
		letter := mailing.Letter{To: "ada@example.com", Subject: "Hi", Text: "!"}
		j := k.do(letter, p)
		if j.Status != "retrying" || j.Error == nil || *j.Error != "the mail server can't be reached" {
			k.Errorf("after a broken line the row is %v", j)
		}
		if len(p.sent) != 1 || p.sent[0].ID != "job-1" || !p.sent[0].Date.Equal(j.CreatedAt) {
			k.Errorf("sent %+v, want it named and dated by its job", p.sent)
		}
		p.answer = nil
		if j := k.do(letter, p); j.Status != "succeeded" {
			k.Errorf("the row is %v", j)
		}
	})
}

// A letter that was sent is kept in its job without what is secret in it; one
// that has to be tried again is not changed.
func TestASentLetterIsRedacted(t *testing.T) {
	both(t, func(k *kit) {
		p := &post{answer: errors.New("the line went dead")}
		letter := mailing.Letter{To: "ada@example.com", Subject: "Hi", Text: "https://shop.example/reset?token=0a1b", HTML: `<a href="https://shop.example/reset?a=b&amp;token=0a1b">`}
		if j := k.do(letter, p); !strings.Contains(string(j.Args), "token=0a1b") {
			k.Errorf("the job keeps %s", j.Args)
		}
		p.answer = nil
		j := k.do(letter, p)
		if args := string(j.Args); j.Status != "succeeded" || strings.Contains(args, "0a1b") || strings.Count(args, mail.Redacted) != 2 {
			k.Errorf("the job is %s and keeps %s", j.Status, args)
		}
		if sent := p.sent[len(p.sent)-1]; sent.Text != letter.Text || sent.HTML != letter.HTML {
			k.Errorf("sent %+v", sent)
		}
	})
}

// The token is made when the mail is sent: the job knows the address alone.
func TestAResetTokenIsSentToWhoeverHasTheAddress(t *testing.T) {
	both(t, func(k *kit) {
		c := orm.Client(k.db)
		c.User.Create().SetName("Ada").SetEmail("ada@example.com").ExecX(k.ctx)
		for _, step := range []struct {
			to     string
			answer error
			status job.Status
			sent   int
			tokens int // also those whose mail may have been sent after all
		}{
			{"nobody@example.com", nil, "succeeded", 0, 0},
			{"ada@example.com", errors.New("the line went dead"), "retrying", 1, 1},
			{"Ada@Example.com", nil, "succeeded", 1, 2},
			{"ada@example.com", &textproto.Error{Code: 550, Msg: "no such mailbox"}, "failed", 1, 3},
		} {
			p := &post{answer: step.answer}
			if err := account.AskForReset(k.client)(k.ctx, step.to); err != nil {
				k.Fatal(err)
			}
			j := k.run(int64(c.Job.Query().Where(job.Kind("password_reset")).Order(ent.Desc(job.FieldID)).FirstIDX(k.ctx)), p)
			if j.Status != step.status || j.Queue != "urgent" || strings.Contains(string(j.Args), "token") {
				k.Errorf("%s, %v: the row is %v", step.to, step.answer, j)
			}
			if len(p.sent) != step.sent {
				k.Errorf("%s: sent %v", step.to, p.sent)
				continue
			}
			if step.sent > 0 && (p.sent[0].To != "ada@example.com" || !strings.Contains(p.sent[0].Text, "https://shop.example/reset?token=")) {
				k.Errorf("%s: sent %+v", step.to, p.sent[0])
			}
			if n := k.count("reset_tokens", "1=1"); n != step.tokens {
				k.Errorf("%s: there are %d tokens, want %d", step.to, n, step.tokens)
			}
		}
	})
}

// A mail is sent with its files each time, and not at all once one of them is gone.
func TestAMailCarriesFiles(t *testing.T) {
	both(t, func(k *kit) {
		target, _ := k.files.Target("comment_attachment.file")
		f, err := k.files.Take(k.ctx, files.Upload{Target: target, Name: "notes.txt", Body: strings.NewReader("Note G")})
		if err != nil {
			k.Fatal(err)
		}
		p := &post{answer: errors.New("the line went dead")}
		parcel := mailing.Parcel{Letter: mailing.Letter{To: "ada@example.com", Subject: "Hi", Text: "https://x.example/?token=0a1b"}, Attachments: []string{f.Key()}}
		if j := k.do(parcel, p); j.Status != "retrying" {
			k.Errorf("the row is %v", j)
		}
		p.answer = nil
		j := k.do(parcel, p)
		if args := string(j.Args); j.Status != "succeeded" || strings.Contains(args, "0a1b") || !strings.Contains(args, f.Key()) {
			k.Errorf("the job is %s and keeps %s", j.Status, args)
		}
		for _, m := range p.sent {
			if len(m.Attachments) != 1 || m.Attachments[0].Name != "notes.txt" || k.text(m.Attachments[0]) != "Note G" {
				k.Errorf("sent %+v", m.Attachments)
			}
		}
		if err := k.files.Remove(k.ctx, f.Key(), nil); err != nil {
			k.Fatal(err)
		}
		sent := len(p.sent)
		if j := k.do(parcel, p); j.Status != "failed" || j.Error == nil || !strings.Contains(*j.Error, "attachment 1") || len(p.sent) != sent {
			k.Errorf("the job without its file is %s: %v", j.Status, j.Error)
		}
	})
}

// text is the content of an attachment.
func (k *kit) text(a mail.Attachment) string {
	k.Helper()
	r, err := a.Open(k.ctx)
	if err != nil {
		k.Fatal(err)
	}
	defer r.Close()
	text, err := io.ReadAll(r)
	if err != nil {
		k.Fatal(err)
	}
	return string(text)
}

// A receipt waits for the invoice that it carries.
func TestAReceiptCarriesTheInvoice(t *testing.T) {
	both(t, func(k *kit) {
		c := orm.Client(k.db)
		ada := c.User.Create().SetName("Ada").SetEmail("ada@example.com").SaveX(k.ctx)
		o := c.Order.Create().SetStatus("paid").SetPaidAt(store.Time(time.Now())).SetTotal(1999).SetCurrency("USD").SetUserID(ada.ID).SaveX(k.ctx)
		c.OrderItem.Create().SetOrderID(o.ID).SetName("Slide rule").SetPrice(1999).SetQuantity(1).SetTotal(1999).SetCurrency("USD").ExecX(k.ctx)
		p := new(post)
		receipt := checkout.ReceiptLetter{OrderID: int64(o.ID)}
		if j := k.do(receipt, p); j.Status != "retrying" || j.Error == nil || !strings.Contains(*j.Error, "invoice not found") || len(p.sent) != 0 {
			k.Errorf("without an invoice the job is %v, and %d are sent", j, len(p.sent))
		}
		if _, err := (&invoicing.Issuer{DB: k.db}).Issue(k.ctx, time.Time{}, 1); err != nil {
			k.Fatal(err)
		}
		k.do(receipt, p)
		if len(p.sent) != 1 || len(p.sent[0].Attachments) != 1 {
			k.Fatalf("sent %+v", p.sent)
		}
		if a := p.sent[0].Attachments[0]; a.Name != "invoice-1.pdf" || !strings.HasPrefix(k.text(a), "%PDF-") || int64(len(k.text(a))) != a.Size {
			k.Errorf("the receipt carries %+v", a)
		}
		box := &mail.Mailbox{DB: k.db, From: netmail.Address{Address: "shop@example.com"}}
		k.do(receipt, box)
		if e := c.Email.Query().OnlyX(k.ctx); len(e.Attachments) != 1 || e.Attachments[0].Name != "invoice-1.pdf" {
			k.Errorf("the mailbox has %v", e)
		}
	})
}
