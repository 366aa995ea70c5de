package worker

import (
	"context"
	"time"

	"github.com/entwine-go/entwine/internal/checkout"
	"github.com/entwine-go/entwine/kit/jobs"
)

// expireOrders expires the orders that were not paid in time.
type expireOrders struct{}

// Kind names the work.
func (expireOrders) Kind() string { return "expire_orders" }

// RunsAs is the system: orders are those of all users.
func (expireOrders) RunsAs() jobs.As { return jobs.AsSystem }

// expiring looks each minute, and makes a job only where there is an order to expire: the
// list of jobs would have 1,440 a day that did nothing.
func expiring(cashier *checkout.Cashier) jobs.Entry {
	expirer := &checkout.Expirer{DB: cashier.DB}
	return jobs.Entry{Spec: "* * * * *", Due: expirer.Late, Args: func(time.Time) jobs.Args { return expireOrders{} }}
}

func init() {
	register(func(d Deps) jobs.Kind { return jobs.Handle(&expirer{expirer: &checkout.Expirer{DB: d.DB}}) })
}

type expirer struct{ expirer *checkout.Expirer }

// Work expires the orders that are due, a hundred in a transaction. Each is
// expired where its state still allows it, so doing it again does no harm.
func (e *expirer) Work(ctx context.Context, _ *jobs.Job[expireOrders]) error {
	for {
		n, err := e.expirer.Expire(ctx)
		if err != nil || n == 0 {
			return err
		}
	}
}
