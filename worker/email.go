package worker

import (
	"context"

	"github.com/entwine-go/entwine/internal/mailing"
	"github.com/entwine-go/entwine/kit/jobs"
	"github.com/entwine-go/entwine/kit/mail"
	"github.com/entwine-go/entwine/kit/problem"
)

func init() {
	register(func(d Deps) jobs.Kind { return jobs.Handle(&carrier{sender: d.Mail}) })
}

// carrier sends letters. A server that took one and whose answer was lost
// gets it again, with the same Message-ID.
type carrier struct{ sender mail.Sender }

// Work sends the letter.
func (c *carrier) Work(ctx context.Context, job *jobs.Job[mailing.Letter]) error {
	l := job.Args
	return send(ctx, c.sender, mail.Message{
		ID: job.Key(), Date: job.CreatedAt, To: l.To, Subject: l.Subject, Text: l.Text, HTML: l.HTML,
	})
}

// send sends the message, and says whether it is worth another try.
func send(ctx context.Context, sender mail.Sender, m mail.Message) error {
	err := sender.Send(ctx, m)
	switch {
	case err == nil:
		return nil
	case mail.Permanent(err):
		return jobs.Permanent(problem.Wrap(err, problem.BadGateway, "the mail server refuses the message"))
	}
	return problem.Wrap(err, problem.BadGateway, "the mail server can't be reached")
}
