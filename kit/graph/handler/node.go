package handler

import (
	"context"
	"slices"

	"github.com/entwine-go/entwine/kit/gid"
	"github.com/entwine-go/entwine/kit/graph/execute"
	"github.com/entwine-go/entwine/kit/policy"
	"github.com/entwine-go/entwine/kit/problem"
	"github.com/entwine-go/entwine/kit/viewer"
	"github.com/entwine-go/entwine/kit/write"
)

// DeleteNode deletes the row with the global id in the argument id, of one of the
// entities. It answers with that id as deletedId, for Relay.
func DeleteNode(entities ...*write.Entity) Mutation {
	return func(d *Door, name string) execute.Write {
		return func(ctx context.Context, given map[string]any) (any, error) {
			global, _ := given["id"].(string)
			of, id, err := gid.Decode(global)
			i := slices.IndexFunc(entities, func(e *write.Entity) bool { return e.Name == of })
			if err == nil && i >= 0 {
				id, err = entities[i].IDs().Of(id)
			}
			if err != nil || i < 0 {
				if err := mayDelete(viewer.From(ctx), entities); err != nil {
					return nil, err
				}
				return nil, problem.Inputs(problem.Invalidf("id", given["id"], "is not the global id of what can be deleted"))
			}
			if err := d.delete(ctx, name, entities[i], given); err != nil {
				return nil, err
			}
			return map[string]any{"deletedId": execute.Row{Entity: entities[i].Entity, ID: id}}, nil
		}
	}
}

// mayDelete is the refusal for viewers that can delete rows of none of the
// entities: they learn nothing else.
func mayDelete(v *viewer.Viewer, entities []*write.Entity) (err error) {
	for _, e := range entities {
		if err = e.Rules.Check(v, policy.Delete); err == nil {
			return nil
		}
	}
	return err
}
