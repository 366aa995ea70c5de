// Package rest is what the resource API of this service has by hand: operations of
// *.yaml, one file for each activity, with what they ask of the caller. ogen's server
// calls them; all others follow from the schema or are the kit's.
package rest

import (
	"maps"

	"github.com/entwine-go/entwine/ent/orm"
	"github.com/entwine-go/entwine/internal/cart"
	"github.com/entwine-go/entwine/internal/checkout"
	"github.com/entwine-go/entwine/internal/invoicing"
	"github.com/entwine-go/entwine/internal/rows"
	"github.com/entwine-go/entwine/internal/service"
	"github.com/entwine-go/entwine/kit/app"
	"github.com/entwine-go/entwine/kit/files"
	"github.com/entwine-go/entwine/kit/payments"
	"github.com/entwine-go/entwine/kit/policy"
	"github.com/entwine-go/entwine/kit/rest/handler"
	"github.com/entwine-go/entwine/kit/store"
	"github.com/entwine-go/entwine/rest/oas/server"
)

// Config has the dependencies of the operations.
type Config struct {
	DB      *store.DB
	Cashier *checkout.Cashier
	// Files keeps printed invoices.
	Files *files.Keeper
	// Callers says of callers of long lists whether they still have their rights. Nil:
	// they have.
	Callers handler.Callers
	// Webhook reads what the payment gateway sends. Without a secret there is
	// nothing at its path.
	Webhook payments.Webhook
}

// operations are the handlers by hand.
type operations struct {
	Config
	door  *handler.Door
	carts *cart.Carts
}

var _ server.OwnHandler = (*operations)(nil)

// Register has the operations answered.
func Register(p *app.Parts, c Config) {
	o := &operations{Config: c, door: &handler.Door{Reader: rows.Engine(c.DB).Reader, Callers: c.Callers}, carts: &cart.Carts{DB: c.DB, Ent: orm.Client(c.DB)}}
	p.Operations, p.Webhook = service.Operations(o), c.Webhook.Secret != ""
	p.Representations = map[string]map[string]handler.Handler{"readInvoiceOfOrder": {invoicing.MediaType: o.printInvoice}}
	p.Guards = map[string]handler.Guard{}
	for _, activity := range []map[string]handler.Guard{cartGuards, feedGuards, paymentGuards, searchGuards} {
		maps.Copy(p.Guards, activity)
	}
}

// signedIn is for what users do with their own account.
var (
	users    = policy.SignedIn()
	signedIn = handler.Guard{Rule: &users}
)

// success is the status in bodies (doc/api/rest.md).
const success = "success"

// envelope is the body of a success.
type envelope struct {
	Status string `json:"status"`
	Data   any    `json:"data"`
}
