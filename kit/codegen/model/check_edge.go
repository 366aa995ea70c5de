package model

import (
	"slices"

	"entgo.io/ent/entc/gen"

	"github.com/entwine-go/entwine/kit/expose"
)

// attached checks an edge by which clients attach rows.
func (c checker) attached(edge *gen.Edge) {
	const says = "expose.Attached: "
	switch {
	case !edge.M2M() || edge.Through != nil || edge.Bidi:
		c.wrong(edge.Name, says+"an edge of many to many is allowed (edge.To here, edge.From there, neither unique), with nothing but the two ids between: where there are rows between (Through), these are what is written")
	case c.Under != "" || !c.Offers(expose.Patch):
		c.wrong(edge.Name, says+"an entity with a path of its own and expose.Patch is allowed: to attach is to change a row of it")
	case c.Upsert != nil:
		c.wrong(edge.Name, says+"an entity without an upsert is allowed")
	case !slices.ContainsFunc(c.all, func(e *Entity) bool { return e.Type == edge.Type }):
		c.wrong(edge.Name, says+"%s is not exposed, so callers cannot name its rows", edge.Type.Name)
	}
	shown := c.Edge(edge.Name)
	if shown == nil {
		return
	}
	for _, f := range c.Fields {
		if f.REST == shown.IDs() || f.Name == shown.IDs() {
			c.wrong(edge.Name, says+"the REST name %q is %s's already", shown.IDs(), f.Name)
		}
	}
}

// filteredTo checks an edge to many by which listings are filtered.
func (c checker) filteredTo(edge *gen.Edge) {
	for _, f := range c.Fields {
		if f.FilterBy() && f.REST == edge.Name {
			c.wrong(edge.Name, "expose.FilterEdge: the REST name %q is a field's already", edge.Name)
		}
	}
}
