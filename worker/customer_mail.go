package worker

import (
	"context"
	"fmt"

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
	attached, err := d.invoice(ctx, about)
	if err != nil {
		return err
	}
	send := func(ctx context.Context) error {
		return send(ctx, d.Mail, mail.Message{
			ID: job.Key(), Date: job.CreatedAt, To: m.To, Subject: m.Subject, Text: m.Text, HTML: m.HTML, Attachments: attached,
		})
	}
	if mail.Within(d.Mail) {
		return job.CompleteTogether(ctx, send)
	}
	return send(ctx)
}

// invoice is the attachment of a receipt. One that has no invoice yet is not sent: its job is tried
// again, and a customer has no receipt without it.
func (d Deps) invoice(ctx context.Context, about letter) ([]mail.Attachment, error) {
	receipt, is := about.(checkout.ReceiptLetter)
	if !is || d.Invoice == nil {
		return nil, nil
	}
	a, err := d.Invoice(viewer.With(ctx, viewer.System()), receipt.OrderID)
	if err != nil {
		return nil, fmt.Errorf("attach the invoice of order %d: %w", receipt.OrderID, err)
	}
	return []mail.Attachment{a}, nil
}
