package worker

import (
	"context"

	"github.com/entwine-go/entwine/ent"
	"github.com/entwine-go/entwine/ent/orm"
	"github.com/entwine-go/entwine/internal/checkout"
	"github.com/entwine-go/entwine/internal/mailing"
	"github.com/entwine-go/entwine/kit/jobs"
	"github.com/entwine-go/entwine/kit/mail"
	"github.com/entwine-go/entwine/kit/store"
	"github.com/entwine-go/entwine/kit/viewer"
)

func init() {
	register(func(d Deps) jobs.Kind {
		return jobs.Handle(jobs.HandlerFunc[checkout.ReceiptLetter](func(ctx context.Context, job *jobs.Job[checkout.ReceiptLetter]) error {
			return sendLetter(ctx, d, job.Claim, job.Args)
		}))
	})
	register(func(d Deps) jobs.Kind {
		return jobs.Handle(jobs.HandlerFunc[checkout.RefundLetter](func(ctx context.Context, job *jobs.Job[checkout.RefundLetter]) error {
			return sendLetter(ctx, d, job.Claim, job.Args)
		}))
	})
}

// letter writes a mail to a customer.
type letter interface {
	Letter(ctx context.Context, db *store.DB, c *ent.Client) (checkout.Letter, error)
}

// sendLetter writes to a customer, unless the account is gone. The text is read
// when the mail is sent, so that no job holds an address.
func sendLetter(ctx context.Context, d Deps, job *jobs.Claim, about letter) error {
	l, err := about.Letter(viewer.With(ctx, viewer.System()), d.DB, orm.Client(d.DB))
	if err != nil || l.To == "" {
		return err
	}
	m, err := mailing.Write(l.To, l.Template, l.Data)
	if err != nil {
		return jobs.Permanent(err)
	}
	send := func(ctx context.Context) error {
		return send(ctx, d.Mail, mail.Message{
			ID: job.Key(), Date: job.CreatedAt, To: m.To, Subject: m.Subject, Text: m.Text, HTML: m.HTML,
		})
	}
	if mail.Within(d.Mail) {
		return job.CompleteTogether(ctx, send)
	}
	return send(ctx)
}
