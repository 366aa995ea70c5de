package execute

import (
	"fmt"
	"slices"

	"github.com/entwine-go/entwine/kit/entity"
	"github.com/entwine-go/entwine/kit/gid"
	"github.com/entwine-go/entwine/kit/problem"
	"github.com/entwine-go/entwine/kit/read"
)

// Node returns the row of one of the entities that node(id:) answers with. N is
// gqlgen's interface for Relay's Node, which a [Row] implements.
func Node[N any](entities []*entity.Entity, id string) (N, error) {
	return node[N](entities, "id", id)
}

// Nodes returns the rows that nodes(ids:) answers with. An invalid id is null at its
// place, with an error. The others are answered.
func Nodes[N any](entities []*entity.Entity, ids []string) ([]N, error) {
	if len(ids) > read.MaxLimit {
		return nil, problem.Inputs(problem.Invalidf("ids", nil, "are %d: %d are allowed", len(ids), read.MaxLimit))
	}
	nodes := make([]N, len(ids))
	for i, id := range ids {
		var err error
		if nodes[i], err = node[N](entities, fmt.Sprintf("ids[%d]", i), id); err != nil {
			nodes[i] = any(noRow{err}).(N)
		}
	}
	return nodes, nil
}

// node returns the row with the global id, for which the argument is blamed.
func node[N any](entities []*entity.Entity, argument, global string) (row N, err error) {
	typ, id, err := gid.Decode(global)
	i := slices.IndexFunc(entities, func(e *entity.Entity) bool { return e.Name == typ })
	if err == nil && i >= 0 {
		id, err = entities[i].IDs().Of(id)
	}
	if err != nil || i < 0 {
		return row, problem.Inputs(problem.Invalidf(argument, global, "is not a global id"))
	}
	return any(Row{Entity: entities[i], ID: id}).(N), nil
}
