package account

import (
	"context"

	"github.com/entwine-go/entwine/kit/jobs"
	"github.com/entwine-go/entwine/kit/mail"
	"github.com/entwine-go/entwine/kit/problem"
)

// Kinds are the jobs of accounts: the mails that they send.
func (a *Accounts) Kinds() []jobs.Kind {
	return []jobs.Kind{a.Resetter.kind(), a.Addresses.kind()}
}

// passwordReset sends a reset token to the user who has the address. The token
// is made when it is sent, so that no job holds one.
type passwordReset struct {
	Email string `json:"email"`
}

// Kind names the work.
func (passwordReset) Kind() string { return "password_reset" }

// RunsAs is the system: a caller who asks for a reset is not signed in.
func (passwordReset) RunsAs() jobs.As { return jobs.AsSystem }

// Options lets it overtake the rest: a person waits for it.
func (passwordReset) Options() jobs.Options { return jobs.Options{Queue: jobs.Urgent, Attempts: 5} }

// AskForReset returns what a [Resetter] asks for its mail with.
func AskForReset(c *jobs.Client) func(ctx context.Context, email string) error {
	return func(ctx context.Context, email string) error {
		_, err := c.Enqueue(ctx, passwordReset{Email: email}, jobs.Options{})
		return err
	}
}

func (r *Resetter) kind() jobs.Kind {
	return jobs.Handle(jobs.HandlerFunc[passwordReset](func(ctx context.Context, job *jobs.Job[passwordReset]) error {
		return sent(r.Deliver(ctx, job.Args.Email, job.Key()))
	}))
}

// Notify returns what [Addresses] tell users with.
func Notify(c *jobs.Client) func(ctx context.Context, n Notice) error {
	return func(ctx context.Context, n Notice) error {
		_, err := c.Enqueue(ctx, n, jobs.Options{})
		return err
	}
}

func (a *Addresses) kind() jobs.Kind {
	return jobs.Handle(jobs.HandlerFunc[Notice](func(ctx context.Context, job *jobs.Job[Notice]) error {
		return sent(a.Deliver(ctx, job.Args, job.Key()))
	}))
}

// sent says of an error whether another attempt is worth it.
func sent(err error) error {
	if err != nil && mail.Permanent(err) {
		return jobs.Permanent(problem.Wrap(err, problem.BadGateway, "the mail server refuses the message"))
	}
	return err
}
