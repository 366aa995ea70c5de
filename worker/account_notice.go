package worker

import (
	"context"

	"github.com/entwine-go/entwine/kit/account"
	"github.com/entwine-go/entwine/kit/jobs"
	"github.com/entwine-go/entwine/kit/mail"
	"github.com/entwine-go/entwine/kit/problem"
)

func init() {
	register(func(d Deps) jobs.Kind {
		return jobs.Handle(jobs.HandlerFunc[account.Notice](func(ctx context.Context, job *jobs.Job[account.Notice]) error {
			err := d.Addresses.Deliver(ctx, job.Args, job.Key())
			if err != nil && mail.Permanent(err) {
				return jobs.Permanent(problem.Wrap(err, problem.BadGateway, "the mail server refuses the message"))
			}
			return err
		}))
	})
}

// Notify returns what users are told of their accounts with.
func Notify(c *jobs.Client) func(ctx context.Context, n account.Notice) error {
	return func(ctx context.Context, n account.Notice) error {
		_, err := c.Enqueue(ctx, n, jobs.Options{})
		return err
	}
}
