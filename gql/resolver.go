package gql

import (
	"context"
	"fmt"
	"slices"

	"github.com/entwine-go/entwine/gql/generated"
	"github.com/entwine-go/entwine/internal/entity"
	"github.com/entwine-go/entwine/kit/problem"
	"github.com/entwine-go/entwine/kit/runtime/gid"
	"github.com/entwine-go/entwine/kit/runtime/graph/execute"
	"github.com/entwine-go/entwine/kit/runtime/reading"
)

// resolver resolves the root fields that are neither planned nor declared.
type resolver struct {
	Config
}

var _ generated.ResolverRoot = (*resolver)(nil)

// Query implements generated.ResolverRoot.
func (r *resolver) Query() generated.QueryResolver { return (*queries)(r) }

// Mutation implements generated.ResolverRoot.
func (r *resolver) Mutation() generated.MutationResolver { return r }

// queries resolves root queries.
type queries resolver

// Node resolves node(id:).
func (q *queries) Node(_ context.Context, id string) (generated.Node, error) {
	r, err := parseNode("id", id)
	if err != nil {
		return nil, err
	}
	return r, nil
}

// Nodes resolves nodes(ids:).
func (q *queries) Nodes(_ context.Context, ids []string) ([]generated.Node, error) {
	if len(ids) > reading.MaxLimit {
		return nil, problem.Inputs(problem.Invalidf("ids", nil, "are %d: %d are allowed", len(ids), reading.MaxLimit))
	}
	nodes := make([]generated.Node, len(ids))
	for i, id := range ids {
		r, err := parseNode(fmt.Sprintf("ids[%d]", i), id)
		if err != nil {
			return nil, err
		}
		nodes[i] = r
	}
	return nodes, nil
}

// parseNode returns the row with the global id.
func parseNode(argument, global string) (execute.Row, error) {
	typ, id, err := gid.Decode(global)
	i := slices.IndexFunc(entity.All, func(e *reading.Entity) bool { return e.Name == typ })
	if err != nil || i < 0 {
		return execute.Row{}, problem.Inputs(problem.Invalidf(argument, global, "is not a global id"))
	}
	return execute.Row{Entity: entity.All[i], ID: id}, nil
}
