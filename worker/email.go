package worker

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/entwine-go/entwine/internal/mailing"
	"github.com/entwine-go/entwine/kit/jobs"
	"github.com/entwine-go/entwine/kit/mail"
	"github.com/entwine-go/entwine/kit/problem"
	"github.com/entwine-go/entwine/kit/store"
	"github.com/entwine-go/entwine/kit/store/statement"
)

func init() {
	register(func(d Deps) jobs.Kind { return jobs.Handle(&carrier{db: d.DB, sender: d.Mail, redact: d.Redact}) })
}

// carrier sends letters. A server that took one and whose answer was lost
// gets it again, with the same Message-ID.
type carrier struct {
	db     *store.DB
	sender mail.Sender
	redact bool
}

// Work sends the letter. Its job keeps it, without what is secret in it.
func (c *carrier) Work(ctx context.Context, job *jobs.Job[mailing.Letter]) error {
	l := job.Args
	err := send(ctx, c.sender, mail.Message{
		ID: job.Key(), Date: job.CreatedAt, To: l.To, Subject: l.Subject, Text: l.Text, HTML: l.HTML,
	})
	kept := l
	kept.Text, kept.HTML = mail.Redact(l.Text), mail.Redact(l.HTML)
	if err != nil || !c.redact || kept == l {
		return err
	}
	return job.Complete(ctx, func(ctx context.Context) error { return c.keep(ctx, job.ID, kept) })
}

// SQL, because to the client the arguments of a job never change.
var keepText = statement.Of(`UPDATE jobs SET args = $2::jsonb WHERE id = $1`)

// keep replaces what the job is to send.
func (c *carrier) keep(ctx context.Context, id int64, l mailing.Letter) error {
	args, err := json.Marshal(l)
	if err != nil {
		return err
	}
	if _, err := keepText.Exec(ctx, c.db, id, string(args)); err != nil {
		return fmt.Errorf("redact letter of job %d: %w", id, err)
	}
	return nil
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
