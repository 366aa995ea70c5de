package checkout

import (
	"context"
	"log/slog"
	"time"

	"github.com/entwine-go/entwine/ent"
	"github.com/entwine-go/entwine/kit/jobs"
	"github.com/entwine-go/entwine/kit/payments"
	"github.com/entwine-go/entwine/kit/store"
)

// Cashier places orders, takes money for them and pays it back.
type Cashier struct {
	DB      *store.DB
	Ent     *ent.Client
	Gateway payments.Gateway
	Jobs    *jobs.Client
	Log     *slog.Logger
	// Invoices bills, in the context's transaction, so many orders at most that were paid since
	// and are not billed, but none that a [LateBill] is for, or that one, and returns their
	// ids: also where it fails, those that it fails to bill. Nil: there are no invoices.
	Invoices interface {
		Issue(ctx context.Context, since time.Time, most int) (orders []int64, err error)
		IssueOne(ctx context.Context, order int64) (orders []int64, err error)
	}
	// Together is how long a paid order waits for others that are billed with it: 250 ms if
	// zero. If it is negative orders are billed when [Cashier.Bill] is called.
	Together time.Duration
	// Patience is how long a gateway may take to answer: 5 s if zero.
	Patience time.Duration
	// Settle is how long the gateway has for a decision before a job asks it what became of a
	// payment, and how often processes look for payments that others left behind: 15 s if
	// zero. It is longer than any call to a gateway takes.
	Settle time.Duration
	// Now is the clock: time.Now if nil.
	Now func() time.Time

	billing billing
}

func (c *Cashier) now() time.Time {
	if c.Now == nil {
		return time.Now()
	}
	return c.Now()
}

// asking bounds a call to the gateway. It goes on when the client has left:
// its answer is written down all the same.
func (c *Cashier) asking(ctx context.Context) (context.Context, context.CancelFunc) {
	patience := c.Patience
	if patience == 0 {
		patience = 5 * time.Second
	}
	return context.WithTimeout(context.WithoutCancel(ctx), patience)
}

// recording is the context in which the gateway's answer is stored: as the
// system, and even if the client has disconnected.
func recording(ctx context.Context) (context.Context, context.CancelFunc) {
	return context.WithTimeout(system(context.WithoutCancel(ctx)), 5*time.Second)
}

// Settlement is the job that finishes a payment or a refund which is still
// processing.
type Settlement struct {
	PaymentID int64 `json:"payment_id,omitempty" show:"true"`
	RefundID  int64 `json:"refund_id,omitempty" show:"true"`
}

// Kind names the work.
func (Settlement) Kind() string { return "settle_payment" }

// RunsAs is the system: the gateway decides the payment, independent of the caller's rights.
func (Settlement) RunsAs() jobs.As { return jobs.AsSystem }

// Options lets it never give up: a payment has an end.
func (s Settlement) Options() jobs.Options {
	o := jobs.Options{Attempts: 1_000_000, Unique: s.key(), Subject: jobs.About(ent.TypePayment, s.PaymentID)}
	if s.RefundID != 0 {
		o.Subject = jobs.About(ent.TypeRefund, s.RefundID)
	}
	return o
}

// Interval is Settle, or the usual one.
func (c *Cashier) Interval() time.Duration {
	if c.Settle == 0 {
		return 15 * time.Second
	}
	return c.Settle
}

// settleLater has a job ask again, since the gateway has not decided. A payment that it
// decides at once, as almost all are, has no such job. The job is the system's, so that
// users can't cancel it. Where it can't be enqueued, [Cashier.Late] finds the payment.
func (c *Cashier) settleLater(ctx context.Context, s Settlement) {
	ctx, cancel := recording(ctx)
	defer cancel()
	if _, err := c.Jobs.Enqueue(ctx, s, jobs.Options{At: store.Time(c.now().Add(c.Interval()))}); err != nil {
		c.Log.WarnContext(ctx, "a settlement could not be enqueued: the payment will be found", "key", s.key(), "err", err)
	}
}
