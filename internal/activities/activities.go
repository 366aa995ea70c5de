// Package activities puts the activities of this service into the engine that writes for
// both APIs: package rows describes the writes, and activities do their part around
// them.
package activities

import (
	"context"

	"github.com/entwine-go/entwine/ent/orm"
	"github.com/entwine-go/entwine/internal/cart"
	"github.com/entwine-go/entwine/internal/checkout"
	"github.com/entwine-go/entwine/internal/entity"
	"github.com/entwine-go/entwine/internal/mailing"
	"github.com/entwine-go/entwine/internal/reporting"
	"github.com/entwine-go/entwine/internal/rows"
	"github.com/entwine-go/entwine/kit/account"
	"github.com/entwine-go/entwine/kit/store"
	"github.com/entwine-go/entwine/kit/web"
	"github.com/entwine-go/entwine/kit/write"
)

// Engine returns the engine, whose actions the activities carry out. Without
// accounts no password is stored, and no address is verified.
func Engine(db *store.DB, accounts *account.Accounts, a Set) *write.Engine {
	e := rows.Engine(db)
	if accounts != nil {
		a.Keyring = accounts.Keyring
	}
	e.Methods, e.Around, e.Judges, e.Crowds = Methods(db, a), Around(db, accounts), Judges(a), checkout.Crowds()
	if a.Cashier != nil {
		e.Reader.Asked = checkout.Asked(a.Cashier)
	}
	if a.Keyring != nil { // as package app does in the program
		e.Judges["APIKey.create"], e.Judges["APIKey.pin"] = a.Keyring.Check, a.Keyring.CheckPin
	}
	return e
}

// Around returns the activities' hooks around writes. Without accounts no password
// is stored, and no address is verified.
func Around(db *store.DB, accounts *account.Accounts) map[string]*write.Around {
	all := map[string]*write.Around{entity.CartItem.Name: (&cart.Carts{DB: db, Ent: orm.Client(db)}).Around()}
	if accounts != nil {
		all[entity.User.Name] = accounts.Around(origin)
	}
	return all
}

// Judges look at inputs of actions as a whole.
func Judges(a Set) map[string]write.Judge {
	all := map[string]write.Judge{"Email.send": mailing.Check, "Job.report": reporting.CheckReport}
	if a.Reporter != nil {
		all["Job.sales"], all["Job.analytics"] = a.Reporter.CheckFigures, a.Reporter.CheckFigures
	}
	return all
}

// Users are how accounts make and change users.
func Users(db *store.DB) *account.Table {
	return &account.Table{Entity: rows.User, DB: db}
}

// Keyring makes and rotates API keys.
func Keyring(db *store.DB) *account.Keyring {
	return &account.Keyring{DB: db, Keys: &account.Table{Entity: rows.APIKey, DB: db}}
}

// origin is where a request comes from.
func origin(ctx context.Context) account.Origin {
	c := web.ClientOf(ctx)
	return account.Origin{Agent: c.Agent, Address: c.Address, Device: c.Device}
}
