// Package rest is the resource API of this service: it assembles what package
// resource of the kit serves.
//
// What follows from the schema stands in a table (package crud), which package
// declared of the kit answers; operations by hand are methods of [operations],
// one file for each activity, with what they ask of the caller. The OpenAPI document is package spec's.
package rest

import (
	"fmt"
	"log/slog"
	"maps"
	"net/http"

	"github.com/entwine-go/entwine/ent/orm"
	"github.com/entwine-go/entwine/internal/cart"
	"github.com/entwine-go/entwine/internal/checkout"
	"github.com/entwine-go/entwine/internal/entity"
	"github.com/entwine-go/entwine/internal/service"
	"github.com/entwine-go/entwine/kit/account"
	"github.com/entwine-go/entwine/kit/expose"
	"github.com/entwine-go/entwine/kit/idempotency"
	"github.com/entwine-go/entwine/kit/jobs"
	"github.com/entwine-go/entwine/kit/lifecycle"
	"github.com/entwine-go/entwine/kit/payments"
	"github.com/entwine-go/entwine/kit/rest"
	"github.com/entwine-go/entwine/kit/rest/announce"
	"github.com/entwine-go/entwine/kit/rest/apiversion"
	"github.com/entwine-go/entwine/kit/rest/builtin"
	"github.com/entwine-go/entwine/kit/rest/crud"
	"github.com/entwine-go/entwine/kit/rest/handler"
	"github.com/entwine-go/entwine/kit/rest/signin"
	"github.com/entwine-go/entwine/kit/store"
	"github.com/entwine-go/entwine/kit/write"
	table "github.com/entwine-go/entwine/rest/crud"
	"github.com/entwine-go/entwine/rest/oas/server"
	"github.com/entwine-go/entwine/rest/oas/spec"
	shop "github.com/entwine-go/entwine/schema"
)

// Config is what REST works with. All fields but Callers, Versions, KeyRequired, Keeper,
// Lifecycle, Usage and Webhook are required.
type Config struct {
	DB  *store.DB
	Log *slog.Logger
	// Engine writes, for GraphQL as well.
	Engine   *write.Engine
	Accounts *account.Accounts
	Work     *jobs.Client
	Cashier  *checkout.Cashier
	// Callers says of callers of long lists whether they still have their rights. Nil:
	// they have.
	Callers handler.Callers
	// SecureCookies keeps every cookie from connections without TLS.
	SecureCookies bool
	// Versions are those that are offered: see [NewVersions]. Nil: [Offered].
	Versions *apiversion.Versions
	// KeyRequired are operations that are refused without an Idempotency-Key,
	// Keeper keeps what became of requests with one. Nil: one of its own.
	KeyRequired []string
	Keeper      *idempotency.Keeper
	// Lifecycle is what is planned for versions and what is deprecated, and Usage
	// counts who still uses that. Either may be nil.
	Lifecycle *lifecycle.Plan
	Usage     rest.Usage
	// Webhook reads what the payment gateway sends. Without a secret there is
	// nothing at its path.
	Webhook payments.Webhook
}

// New returns the handler of /api and all below it.
func New(c Config) http.Handler {
	entities := &handler.Door{Reader: c.Engine.Reader, Callers: c.Callers}
	follows := &crud.API{Log: c.Log, Door: entities, Engine: c.Engine, Operations: table.Operations, Jobs: table.Jobs}
	if c.Versions == nil {
		c.Versions = standard()
	}
	if c.Keeper == nil {
		c.Keeper = &idempotency.Keeper{DB: c.DB}
	}
	accounts := &signin.API{Log: c.Log, Accounts: c.Accounts, Door: entities, Users: table.UserResource, SecureCookies: c.SecureCookies}
	bundled := builtin.New(c.Log, c.DB, entities, entity.All, table.Jobs, c.Work)
	answers := follows.Handlers()
	maps.Copy(answers, accounts.Handlers())
	maps.Copy(answers, bundled.Handlers())
	o := &operations{Config: c, door: entities, carts: &cart.Carts{DB: c.DB, Ent: orm.Client(c.DB)}}
	answers["readInvoiceOfOrder"] = o.printable(answers["readInvoiceOfOrder"])
	keys := follows.Keys()
	api := rest.New(rest.Service{
		Log:         c.Log,
		Name:        about.Name,
		Prefix:      expose.Prefix,
		Versions:    c.Versions,
		Credentials: about.Credentials.Path,
		Webhook:     about.Webhook,
		Lifecycle:   c.Lifecycle,
		Usage:       c.Usage,
		Published:   published,
		Operations:  spec.Operations,
		NewServer:   service.Operations(o),
		Answers:     answers,
		Guards:      guards(follows, bundled),
		Keys: rest.Keys{
			Keeper:    c.Keeper,
			Required:  c.KeyRequired,
			Split:     keys.Split,
			Found:     keys.Found,
			Bodies:    append(keys.Bodies, "receivePaymentEvent"),
			Again:     keys.Again,
			Resources: table.Resources,
			Door:      entities,
		},
	})
	if c.Webhook.Secret == "" {
		return withoutWebhook(api, ErrorWriter(c.Versions))
	}
	return api
}

// published is the OpenAPI document of the first version.
var published = apiversion.Published{Number: about.Version, Document: spec.Document, Marks: spec.Marks}

// Document is the OpenAPI document of one of the versions that a service offers
// which is told of no others: of "v2". The error says which there are.
func Document(name string) ([]byte, error) { return DocumentOf(standard(), name) }

// DocumentOf is the OpenAPI document of one of the versions.
func DocumentOf(versions *apiversion.Versions, name string) ([]byte, error) {
	s, err := versions.Named(name)
	if err != nil {
		return nil, err
	}
	return versions.Document(s, published), nil
}

// about is what the schemas say of the service as a whole.
var about = shop.Service()

// Front is what stands in front of REST with this plan, as far as versions are
// concerned. The error says of which there are none.
func Front(plan *lifecycle.Plan, versions *apiversion.Versions) (announce.Front, error) {
	for _, v := range plan.Versions {
		if !versions.Offers(v.Major) {
			return announce.Front{}, fmt.Errorf("there is no version v%s of the API; there are: %s", v.Major, versions)
		}
	}
	major := func(r *http.Request) string { return versions.Of(r).Major() }
	return announce.Front{Plan: plan, Prefix: expose.Prefix, Major: major}, nil
}

// Keyed reports whether the document has an operation with the id that takes
// an Idempotency-Key.
func Keyed(id string) bool { return spec.Operations[id] != nil && spec.Operations[id].Keyed }

// success is the status in bodies (doc/api/rest.md).
const success = "success"

// envelope is the body of a success.
type envelope struct {
	Status string `json:"status"`
	Data   any    `json:"data"`
}

// operations are the handlers by hand.
type operations struct {
	Config
	door  *handler.Door
	carts *cart.Carts
}

var _ server.OwnHandler = (*operations)(nil)
