package gql

import (
	"maps"

	"github.com/entwine-go/entwine/ent/orm"
	"github.com/entwine-go/entwine/gql/crud"
	"github.com/entwine-go/entwine/gql/generated"
	"github.com/entwine-go/entwine/internal/cart"
	"github.com/entwine-go/entwine/internal/checkout"
	"github.com/entwine-go/entwine/internal/entity"
	"github.com/entwine-go/entwine/internal/service"
	"github.com/entwine-go/entwine/kit/account"
	"github.com/entwine-go/entwine/kit/graph"
	"github.com/entwine-go/entwine/kit/graph/handler"
	"github.com/entwine-go/entwine/kit/graph/limits"
	"github.com/entwine-go/entwine/kit/graph/plan"
	"github.com/entwine-go/entwine/kit/graph/signin"
	"github.com/entwine-go/entwine/kit/idempotency"
	"github.com/entwine-go/entwine/kit/store"
	"github.com/entwine-go/entwine/kit/write"
)

// Config is what the GraphQL API is made of.
type Config struct {
	graph.Options
	DB *store.DB
	// Engine writes, for REST as well.
	Engine *write.Engine
	// Accounts sign users up, in and out.
	Accounts *account.Accounts
	// Cashier reads what is paid of orders.
	Cashier *checkout.Cashier
	// SecureCookies keeps every cookie from connections without TLS.
	SecureCookies bool
	// Keeper keeps what became of mutations with an idempotencyKey. Nil: one of
	// its own.
	Keeper *idempotency.Keeper
}

// New returns the API. Callers that need its streams to end drain it.
func New(c Config) *graph.Server {
	if c.Keeper == nil {
		c.Keeper = &idempotency.Keeper{DB: c.DB}
	}
	mutate := &handler.Door{DB: c.DB, Engine: c.Engine, Reader: c.Engine.Reader, Log: c.Logger, Keeper: c.Keeper}
	accounts := &signin.API{Accounts: c.Accounts, Users: entity.User, SecureCookies: c.SecureCookies}
	writes, reads := mutate.Writes(mutations()), mutate.Writes(crud.Reads())
	maps.Copy(writes, accounts.Writes())
	maps.Copy(reads, accounts.Reads())
	return graph.New(graph.Config{
		Options:       c.Options,
		Schema:        service.Fields(&queries{Config: c, carts: &cart.Carts{DB: c.DB, Ent: orm.Client(c.DB)}})(Schema()),
		Entities:      entity.All,
		Reader:        c.Engine.Reader,
		Plans:         byHand(),
		Queries:       generated.Queries(),
		Writes:        writes,
		Reads:         reads,
		Endings:       crud.Endings(),
		Renamed:       crud.Renamed(),
		Announcements: generated.Announcements(),
		Costs:         costs(),
	})
}

// costs are what the schema does not say of costs.
func costs() limits.Costs {
	return limits.Costs{
		Fields: signin.Costs(),
		Lists:  offers(),
	}
}

// offers are how many things can be done to a row at most, by the type of these.
func offers() map[string]int {
	lists := map[string]int{}
	for _, e := range entity.All {
		if f := e.Field("actions"); f != nil {
			lists[e.Name+"Action"] = len(f.Offers)
		}
	}
	return lists
}

// byHand are the plans of the root queries in gql/*.graphql that answer with
// entities and that no schema declares. What answers with something else has a
// resolver.
func byHand() map[string]plan.Root { return map[string]plan.Root{"feed": feed} }
