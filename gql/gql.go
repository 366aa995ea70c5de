// Package gql is what the GraphQL API of this service has by hand: the fields of
// *.graphql, one file for each activity. gqlgen's executor calls their resolvers; feed is
// planned, and mutations that write rows are carried out as those of the schema are. All
// others follow from the schema or are the kit's.
//
// Resolvers hold no rule about the caller beyond asking the entity's: policies
// and the visibility of fields are part of what is read and written.
package gql

import (
	"github.com/entwine-go/entwine/ent/orm"
	"github.com/entwine-go/entwine/gql/generated"
	"github.com/entwine-go/entwine/internal/cart"
	"github.com/entwine-go/entwine/internal/checkout"
	"github.com/entwine-go/entwine/internal/rows"
	"github.com/entwine-go/entwine/internal/service"
	"github.com/entwine-go/entwine/kit/app"
	"github.com/entwine-go/entwine/kit/graph/handler"
	"github.com/entwine-go/entwine/kit/graph/plan"
	"github.com/entwine-go/entwine/kit/store"
)

// Config has the dependencies of the fields by hand.
type Config struct {
	DB *store.DB
	// Cashier reads what is paid of orders.
	Cashier *checkout.Cashier
}

// queries resolves the fields of Query that are neither planned nor declared.
type queries struct {
	Config
	service.Root
	carts *cart.Carts
}

var _ generated.QueryResolver = (*queries)(nil)

// Register has the fields of *.graphql answered.
func Register(p *app.Parts, c Config) {
	p.Fields = service.Fields(&queries{Config: c, carts: &cart.Carts{DB: c.DB, Ent: orm.Client(c.DB)}})
	p.Plans = map[string]plan.Root{"feed": feed}
	p.Mutations = map[string]handler.Mutation{
		"addComment":     handler.CreateBelow(rows.Comment, "post_id", "postId"),
		"addToCart":      handler.CreateFlat(rows.CartItem),
		"removeCartItem": handler.Delete(rows.CartItem),
	}
}
