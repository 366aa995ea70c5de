package worker

import (
	"context"
	"errors"

	"github.com/entwine-go/entwine/internal/checkout"
	"github.com/entwine-go/entwine/kit/jobs"
)

// settlePayments finishes payments that have been processing for too long.
// Each has a job of its own, which does that sooner: this is for those whose
// job was cancelled.
type settlePayments struct{}

// Kind names the work.
func (settlePayments) Kind() string { return "settle_payments" }

// RunsAs is the system: payments are those of all users.
func (settlePayments) RunsAs() jobs.As { return jobs.AsSystem }

func init() {
	register(func(d Deps) jobs.Kind { return jobs.Handle(&settler{d.Cashier}) })
	register(func(d Deps) jobs.Kind { return jobs.Handle(&sweeper{d.Cashier}) })
}

type settler struct{ cashier *checkout.Cashier }

// Work asks the gateway for the outcome of a payment, and stores it unless that
// has been done.
func (s *settler) Work(ctx context.Context, job *jobs.Job[checkout.Settlement]) error {
	return s.cashier.Finish(ctx, job.Args)
}

type sweeper struct{ cashier *checkout.Cashier }

// Work settles what is late. One that can't be settled keeps no other from it.
func (s *sweeper) Work(ctx context.Context, _ *jobs.Job[settlePayments]) error {
	late, err := s.cashier.Late(ctx)
	for _, settlement := range late {
		err = errors.Join(err, s.cashier.Finish(ctx, settlement))
	}
	return err
}
