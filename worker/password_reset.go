package worker

import (
	"context"

	"github.com/entwine-go/entwine/kit/account"
	"github.com/entwine-go/entwine/kit/jobs"
	"github.com/entwine-go/entwine/kit/mail"
	"github.com/entwine-go/entwine/kit/problem"
)

// passwordReset sends a reset token to whoever has the address. The token is
// made when it is sent, so that no job holds one.
type passwordReset struct {
	Email string `json:"email"`
}

// Kind names the work.
func (passwordReset) Kind() string { return "password_reset" }

// Options lets it overtake the rest: somebody waits for it.
func (passwordReset) Options() jobs.Options { return jobs.Options{Queue: jobs.Urgent, Attempts: 5} }

func init() {
	register(func(d Deps) jobs.Kind { return jobs.Handle(&resetter{resetter: d.Resetter}) })
}

// AskForReset returns what a Resetter asks for its mail with.
func AskForReset(c *jobs.Client) func(ctx context.Context, email string) error {
	return func(ctx context.Context, email string) error {
		_, err := c.Enqueue(ctx, passwordReset{Email: email}, jobs.Options{})
		return err
	}
}

type resetter struct{ resetter *account.Resetter }

// Work makes a token and sends it.
func (r *resetter) Work(ctx context.Context, job *jobs.Job[passwordReset]) error {
	err := r.resetter.Deliver(ctx, job.Args.Email, job.Key())
	if err != nil && mail.Permanent(err) {
		return jobs.Permanent(problem.Wrap(err, problem.BadGateway, "the mail server refuses the message"))
	}
	return err
}
