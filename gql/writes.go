package gql

import (
	"maps"

	"github.com/entwine-go/entwine/gql/crud"
	"github.com/entwine-go/entwine/internal/rows"
	"github.com/entwine-go/entwine/kit/graph/handler"
)

// mutations are those without resolvers: what schemas declare, and those in
// writes.graphql, of which clients know some under other names, with the fields
// as arguments.
func mutations() map[string]handler.Mutation {
	all := map[string]handler.Mutation{
		"addComment":     handler.CreateBelow(rows.Comment, "post_id", "postId"),
		"addToCart":      handler.CreateFlat(rows.CartItem),
		"removeCartItem": handler.Delete(rows.CartItem),
	}
	maps.Copy(all, crud.Mutations())
	return all
}
