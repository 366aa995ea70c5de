package worker

import (
	"context"
	"time"

	"github.com/entwine-go/entwine/internal/checkout"
	"github.com/entwine-go/entwine/kit/jobs"
)

// settlePayments has jobs settle the payments that a process has left behind while it
// asked the gateway, and bills the orders that one has not come to bill. One that asked in vain
// has enqueued the job itself.
type settlePayments struct{}

// Kind names the work.
func (settlePayments) Kind() string { return "settle_payments" }

// RunsAs is the system: payments are those of all users.
func (settlePayments) RunsAs() jobs.As { return jobs.AsSystem }

// settling looks often, since an order can't be paid meanwhile, and there is a job only
// where there is something to settle.
func settling(cashier *checkout.Cashier) jobs.Entry {
	return jobs.Entry{
		Every: cashier.Interval(),
		Due: func(ctx context.Context) (bool, error) {
			late, err := cashier.Late(ctx, 1)
			if err != nil || len(late) > 0 {
				return err == nil, err
			}
			return cashier.Overdue(ctx)
		},
		Args: func(time.Time) jobs.Args { return settlePayments{} },
	}
}

func init() {
	register(func(d Deps) jobs.Kind { return jobs.Handle(&settler{d.Cashier}) })
	register(func(d Deps) jobs.Kind { return jobs.Handle(&sweeper{d.Cashier}) })
	register(func(d Deps) jobs.Kind { return jobs.Handle(&biller{d.Cashier}) })
}

type biller struct{ cashier *checkout.Cashier }

// Work bills an order that could not be billed with others.
func (b *biller) Work(ctx context.Context, job *jobs.Job[checkout.LateBill]) error {
	return b.cashier.BillLate(ctx, job.Args)
}

type settler struct{ cashier *checkout.Cashier }

// Work asks the gateway for the outcome of a payment, and stores it unless that
// has been done.
func (s *settler) Work(ctx context.Context, job *jobs.Job[checkout.Settlement]) error {
	return s.cashier.Finish(ctx, job.Args)
}

type sweeper struct{ cashier *checkout.Cashier }

// Work enqueues what is late, and bills. Each settlement is a job of its own, so that one that
// the gateway does not decide keeps no other from it.
func (s *sweeper) Work(ctx context.Context, _ *jobs.Job[settlePayments]) error {
	if err := s.cashier.Bill(ctx); err != nil {
		return err
	}
	for {
		late, err := s.cashier.Late(ctx, 100)
		if err != nil || len(late) == 0 {
			return err
		}
		for _, settlement := range late {
			if _, err := s.cashier.Jobs.Enqueue(ctx, settlement, jobs.Options{}); err != nil {
				return err
			}
		}
	}
}
