package gql

import (
	"maps"

	"github.com/entwine-go/entwine/gql/crud"
	"github.com/entwine-go/entwine/internal/rows"
	"github.com/entwine-go/entwine/kit/runtime/graph/door"
)

// mutations are those without resolvers: what schemas declare, and those in
// writes.graphql, of which clients know some under other names, with the fields
// as arguments.
func mutations() map[string]door.Mutation {
	all := map[string]door.Mutation{
		"addComment":     door.CreateBelow(rows.Comment, "post_id", "postId"),
		"addToCart":      door.CreateFlat(rows.CartItem),
		"removeCartItem": door.Delete(rows.CartItem),
	}
	maps.Copy(all, crud.Mutations())
	return all
}
