// Package worker does what this service's jobs ask for: one file for each kind of
// work, and the schedule of those that no request asks for. Package jobs of the
// kit keeps jobs from being lost or done twice; activities do the work itself.
package worker

import (
	"context"
	"log/slog"

	"github.com/entwine-go/entwine/internal/checkout"
	"github.com/entwine-go/entwine/kit/files"
	"github.com/entwine-go/entwine/kit/jobs"
	"github.com/entwine-go/entwine/kit/mail"
	"github.com/entwine-go/entwine/kit/store"
)

// Deps are the dependencies of the work.
type Deps struct {
	DB   *store.DB
	Mail mail.Sender
	// Redact takes what is secret in a letter out of its job, once it is sent.
	Redact bool
	// Files has what mails are sent with. Nil: nothing is attached.
	Files *files.Keeper
	// Invoice prints the invoice of an order for its receipt. Nil: receipts carry none.
	Invoice func(ctx context.Context, orderID int64) (mail.Attachment, error)
	// Cashier finishes payments.
	Cashier *checkout.Cashier
	Log     *slog.Logger
}

// kinds are the kinds of work. Each file of a kind registers it, so that a
// new kind is one new file.
var kinds []func(Deps) jobs.Kind

// register makes a kind known. It is called while the program starts.
func register(kind func(Deps) jobs.Kind) { kinds = append(kinds, kind) }

// Kinds returns every kind of work.
func Kinds(d Deps) []jobs.Kind {
	all := make([]jobs.Kind, len(kinds))
	for i, kind := range kinds {
		all[i] = kind(d)
	}
	return all
}
