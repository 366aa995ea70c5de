package activities

import (
	"context"

	"github.com/entwine-go/entwine/ent/orm"
	"github.com/entwine-go/entwine/internal/cart"
	"github.com/entwine-go/entwine/internal/checkout"
	"github.com/entwine-go/entwine/internal/mailing"
	"github.com/entwine-go/entwine/internal/reporting"
	"github.com/entwine-go/entwine/internal/rows"
	"github.com/entwine-go/entwine/kit/account"
	"github.com/entwine-go/entwine/kit/jobs"
	"github.com/entwine-go/entwine/kit/store"
	"github.com/entwine-go/entwine/kit/write"
)

// Set has the activities that carry out what columns alone can't say. Keyring is that of the
// accounts, where there are any.
type Set struct {
	Keyring  *account.Keyring
	Cashier  *checkout.Cashier
	Jobs     *jobs.Client
	Reporter *reporting.Reporter
	Postman  *mailing.Postman
}

// Methods are those behind the actions that schemas declare.
func Methods(db *store.DB, a Set) *rows.Methods {
	return rows.NewMethods(
		keys{account.APIKeys{Keyring: a.Keyring}, reporting.Data{Reporter: a.Reporter}},
		cart.Items{Carts: &cart.Carts{DB: db, Ent: orm.Client(db)}},
		mailing.Emails{Postman: a.Postman},
		work{jobs.Actions{Client: a.Jobs}, reporting.Reports{Reporter: a.Reporter}},
		checkout.Orders{Cashier: a.Cashier},
		checkout.Payments{Cashier: a.Cashier},
	)
}

// keys has the methods of the actions of API keys.
type keys struct {
	account.APIKeys
	reporting.Data
}

// Create makes a key, and shows it this once.
func (k keys) Create(ctx context.Context, in rows.NewAPIKey) (write.Result, rows.NewAPIKeyOnce, error) {
	result, key, err := k.Make(ctx, account.NewAPIKey(in))
	return result, rows.NewAPIKeyOnce(key), err
}

// Rotate gives a key another text, and shows it this once.
func (k keys) Rotate(ctx context.Context, id int64) (write.Result, rows.APIKeyRotateOnce, error) {
	result, key, err := k.APIKeys.Rotate(ctx, id)
	return result, rows.APIKeyRotateOnce(key), err
}

// Pin has the key read again that was pinned.
func (k keys) Pin(ctx context.Context, id int64, in rows.APIKeyPin) (write.Result, error) {
	return k.APIKeys.Pin(ctx, id, in.APIVersion)
}

// work has the methods of the actions of jobs, and of those that become jobs.
type work struct {
	jobs.Actions
	reporting.Reports
}
