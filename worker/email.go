package worker

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/entwine-go/entwine/internal/mailing"
	"github.com/entwine-go/entwine/kit/files"
	"github.com/entwine-go/entwine/kit/jobs"
	"github.com/entwine-go/entwine/kit/mail"
	"github.com/entwine-go/entwine/kit/problem"
	"github.com/entwine-go/entwine/kit/store"
	"github.com/entwine-go/entwine/kit/store/statement"
)

func init() {
	register(func(d Deps) jobs.Kind {
		c := &carrier{db: d.DB, sender: d.Mail, redact: d.Redact, files: d.Files}
		return jobs.Handle(jobs.HandlerFunc[mailing.Letter](func(ctx context.Context, job *jobs.Job[mailing.Letter]) error {
			return c.carry(ctx, job.Claim, job.Args, nil, func(l mailing.Letter) any { return l })
		}))
	})
	register(func(d Deps) jobs.Kind {
		c := &carrier{db: d.DB, sender: d.Mail, redact: d.Redact, files: d.Files}
		return jobs.Handle(jobs.HandlerFunc[mailing.Parcel](func(ctx context.Context, job *jobs.Job[mailing.Parcel]) error {
			return c.carry(ctx, job.Claim, job.Args.Letter, job.Args.Attachments, func(l mailing.Letter) any {
				return mailing.Parcel{Letter: l, Attachments: job.Args.Attachments}
			})
		}))
	})
}

// carrier sends letters. A server that took one and whose answer was lost
// gets it again, with the same Message-ID.
type carrier struct {
	db     *store.DB
	sender mail.Sender
	redact bool
	files  *files.Keeper
}

// carry sends the letter with files. Its job keeps it as args has it, without what is secret in it.
func (c *carrier) carry(ctx context.Context, job *jobs.Claim, l mailing.Letter, ids []string, args func(mailing.Letter) any) error {
	attached, err := c.attached(ctx, ids)
	if err != nil {
		return err
	}
	err = send(ctx, c.sender, mail.Message{
		ID: job.Key(), Date: job.CreatedAt, To: l.To, Subject: l.Subject, Text: l.Text, HTML: l.HTML, Attachments: attached,
	})
	kept := l
	kept.Text, kept.HTML = mail.Redact(l.Text), mail.Redact(l.HTML)
	if err != nil || !c.redact || kept == l {
		return err
	}
	return job.Complete(ctx, func(ctx context.Context) error { return c.keep(ctx, job.ID, args(kept)) })
}

// attached are the files with the ids, which the sender was allowed to read when the job was
// accepted. One that is gone has the job fail: no mail is sent without what was attached.
func (c *carrier) attached(ctx context.Context, ids []string) (all []mail.Attachment, err error) {
	if len(ids) > 0 && c.files == nil {
		return nil, problem.New(problem.Unavailable, "files are not kept here")
	}
	for i, id := range ids {
		f, err := c.files.Find(ctx, id)
		if err == nil {
			err = c.files.Content(f)
		}
		switch problem.KindOf(err) {
		case problem.NotFound, problem.ContentRefused:
			return nil, jobs.Permanent(problem.New(problem.NotFound, "attachment %d can't be sent any more: %v", i+1, err))
		}
		if err != nil {
			return nil, err
		}
		all = append(all, mailing.Attachment(c.files, f))
	}
	return all, nil
}

// SQL, because to the client the arguments of a job never change.
var keepText = statement.Of(`UPDATE jobs SET args = $2::jsonb WHERE id = $1`)

// keep replaces what the job is to send.
func (c *carrier) keep(ctx context.Context, id int64, letter any) error {
	args, err := json.Marshal(letter)
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
