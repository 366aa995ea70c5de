package gql

import (
	"context"

	"github.com/entwine-go/entwine/gql/generated"
	"github.com/entwine-go/entwine/internal/cart"
	"github.com/entwine-go/entwine/internal/entity"
	"github.com/entwine-go/entwine/kit/graph/execute"
)

// resolver resolves the root fields that are neither planned nor declared.
type resolver struct {
	Config
	carts *cart.Carts
}

var _ generated.ResolverRoot = (*resolver)(nil)

// Query implements generated.ResolverRoot.
func (r *resolver) Query() generated.QueryResolver { return (*queries)(r) }

// queries resolves root queries.
type queries resolver

// Node resolves node(id:).
func (q *queries) Node(_ context.Context, id string) (generated.Node, error) {
	return execute.Node[generated.Node](entity.All, id)
}

// Nodes resolves nodes(ids:).
func (q *queries) Nodes(_ context.Context, ids []string) ([]generated.Node, error) {
	return execute.Nodes[generated.Node](entity.All, ids)
}
