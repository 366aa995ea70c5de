package checkout

import (
	"context"
	"fmt"
	"sync"
	"time"

	"github.com/entwine-go/entwine/ent"
	"github.com/entwine-go/entwine/kit/jobs"
	"github.com/entwine-go/entwine/kit/problem"
	"github.com/entwine-go/entwine/kit/store"
	"github.com/entwine-go/entwine/kit/store/statement"
	"github.com/entwine-go/entwine/kit/viewer"
)

const (
	// together is how long a paid order waits for others that are billed with it.
	together = 250 * time.Millisecond
	// unseen is how long after paid_at an order may be committed: the time for writing down
	// what a gateway answers, and clocks that differ.
	unseen = 30 * time.Second
	// batched is how many orders are billed in a transaction at most.
	batched = 100
	// mostAside is how many orders are set aside in one go: where more can't be billed it is
	// not they that are wrong.
	mostAside = 10
)

// billing is how far the bills have come, as this process knows.
type billing struct {
	mu sync.Mutex
	// since is such that all orders that were paid before are billed: the zero time
	// where that has not been asked yet.
	since time.Time
	// soon is set while paid orders wait for each other.
	soon bool
}

// billSoon has orders that become paid in the context's transaction billed, a moment after it
// has committed: with those that are paid meanwhile. A process that ends before leaves
// them to [Cashier.Overdue].
func (c *Cashier) billSoon(ctx context.Context) {
	store.AfterCommit(ctx, func(context.Context) {
		c.billing.mu.Lock()
		defer c.billing.mu.Unlock()
		if c.billing.soon || c.Together < 0 {
			return
		}
		c.billing.soon = true
		wait := together
		if c.Together > 0 {
			wait = c.Together
		}
		time.AfterFunc(wait, func() {
			c.billing.mu.Lock()
			c.billing.soon = false
			c.billing.mu.Unlock()
			ctx, cancel := recording(context.Background())
			defer cancel()
			if err := c.Bill(ctx); err != nil {
				c.Log.WarnContext(ctx, "paid orders could not be billed: they will be", "err", err)
			}
		})
	})
}

// Bill bills all orders that are paid and are not billed yet, and has their receipts sent:
// each batch in a transaction of its own, so that no payment waits for the number of an
// invoice. Batches have their numbers one after the other, and take all that is
// committed: the numbers are in the order of the payments' commits.
//
// A batch that fails is tried again in halves, to find the order that can't be billed. That
// is set aside: a job tries it again, and the others are billed.
func (c *Cashier) Bill(ctx context.Context) error {
	if c.Invoices == nil {
		return nil
	}
	since, err := c.billedUntil(ctx)
	if err != nil {
		return err
	}
	began, aside := c.now(), 0
	for most := batched; ; {
		orders, err := c.issue(ctx, func(ctx context.Context) ([]int64, error) { return c.Invoices.Issue(ctx, since, most) })
		switch {
		case err == nil && len(orders) < most:
			c.billing.done(began)
			return nil
		case err == nil:
			most = min(2*most, batched)
		case len(orders) == 0 || aside == mostAside || ctx.Err() != nil || problem.KindOf(store.Problem(err)) == problem.Unavailable:
			return fmt.Errorf("bill orders: %w", err)
		case len(orders) > 1:
			most = len(orders) / 2
		default:
			c.Log.ErrorContext(ctx, "an order could not be billed: a job will try again", "order_id", orders[0], "err", err)
			if _, err := c.Jobs.Enqueue(system(ctx), LateBill{OrderID: orders[0]}, jobs.Options{}); err != nil {
				return fmt.Errorf("set order %d aside: %w", orders[0], err)
			}
			aside, most = aside+1, batched
		}
	}
}

// issue bills orders in a transaction, and has their receipts sent.
func (c *Cashier) issue(ctx context.Context, which func(context.Context) ([]int64, error)) (orders []int64, err error) {
	err = c.DB.InTx(ctx, func(ctx context.Context) error {
		orders, err = which(ctx)
		for _, id := range orders {
			if err == nil {
				_, err = c.Jobs.Enqueue(system(ctx), ReceiptLetter{OrderID: id}, jobs.Options{})
			}
		}
		return err
	})
	return orders, err
}

// LateBill is the job that bills an order which could not be billed with others.
type LateBill struct {
	OrderID int64 `json:"order_id" show:"true"`
}

// Kind names the work.
func (LateBill) Kind() string { return "bill_order" }

// RunsAs is the system, as for all bills.
func (LateBill) RunsAs() jobs.As { return jobs.AsSystem }

// Options allows one job an order.
func (b LateBill) Options() jobs.Options {
	return jobs.Options{Unique: fmt.Sprintf("order-%d", b.OrderID), Subject: jobs.About(ent.TypeOrder, b.OrderID)}
}

// Retries gives an operator three days to mend what is wrong. The job fails then, and can be
// retried.
func (LateBill) Retries() jobs.Retries {
	return jobs.Retries{First: time.Minute, Span: 3 * 24 * time.Hour}
}

// BillLate bills the order.
func (c *Cashier) BillLate(ctx context.Context, b LateBill) error {
	if c.Invoices == nil {
		return nil
	}
	_, err := c.issue(ctx, func(ctx context.Context) ([]int64, error) { return c.Invoices.IssueOne(ctx, b.OrderID) })
	if err != nil {
		return fmt.Errorf("bill order %d: %w", b.OrderID, err)
	}
	return nil
}

// done notes that all orders are billed that were paid before and could be seen.
func (b *billing) done(before time.Time) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if since := store.Time(before.Add(-unseen)); since.After(b.since) {
		b.since = since
	}
}

// SQL, because the client has no such join in one statement. An hour is enough: what is paid is
// billed within a moment, or found by [Cashier.Overdue] within a minute.
var sinceText = statement.Of(`
	SELECT o.paid_at FROM invoices AS i JOIN orders AS o ON o.id = i.order_id WHERE o.paid_at IS NOT NULL ORDER BY i.number DESC LIMIT 1`)

// billedUntil is such that all orders that were paid before are billed. A process that has
// not billed any yet looks an hour beyond the last invoice. Without an invoice no order is
// billed, however long ago it was paid.
func (c *Cashier) billedUntil(ctx context.Context) (since time.Time, err error) {
	c.billing.mu.Lock()
	since = c.billing.since
	c.billing.mu.Unlock()
	if !since.IsZero() {
		return since, nil
	}
	found, err := sinceText.Row(ctx, c.DB, []any{&since})
	switch {
	case err != nil:
		return since, fmt.Errorf("find the last invoice: %w", err)
	case !found:
		return time.Unix(0, 0).UTC(), nil
	}
	return store.Time(since.Add(-time.Hour)), nil
}

// SQL, because it is asked each time that an invoice is.
var unbilledText = statement.Of(`
	SELECT EXISTS (SELECT 1 FROM orders WHERE paid_at >= $1 AND paid_at < $2 AND ($3::bigint = 0 OR user_id = $3)
		AND NOT EXISTS (SELECT 1 FROM invoices WHERE order_id = orders.id)
		AND NOT EXISTS (SELECT 1 FROM jobs WHERE kind = 'bill_order' AND unique_key = 'order-' || orders.id AND finished_at IS NULL))`)

// unbilled reports whether there are orders of the user, or of anybody for 0, that were paid
// before and are not billed.
func (c *Cashier) unbilled(ctx context.Context, before time.Time, user int64) (there bool, err error) {
	if c.Invoices == nil {
		return false, nil
	}
	since, err := c.billedUntil(ctx)
	if err != nil {
		return false, err
	}
	_, err = unbilledText.Row(ctx, c.DB, []any{&there}, since, store.Time(before), user)
	if err != nil {
		return false, fmt.Errorf("look for orders that are not billed: %w", err)
	}
	if user == 0 && !there {
		c.billing.done(before)
	}
	return there, nil
}

// Overdue reports whether orders are not billed that were paid long ago: the process in which
// they were has ended meanwhile.
func (c *Cashier) Overdue(ctx context.Context) (bool, error) {
	return c.unbilled(ctx, c.now().Add(-c.Interval()), 0)
}

// BillAsked bills the orders whose invoices the context's viewer may be asking for: those of
// a customer who has just paid, at once.
func (c *Cashier) BillAsked(ctx context.Context) error {
	v := viewer.From(ctx)
	if !v.Authenticated() {
		return nil
	}
	user := v.UserID
	if v.Is(viewer.Admin) {
		user = 0
	}
	there, err := c.unbilled(ctx, c.now(), user)
	if err != nil || !there {
		return err
	}
	return c.Bill(system(ctx))
}
