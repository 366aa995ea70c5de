package model

import (
	"entgo.io/ent/entc/gen"

	"github.com/entwine-go/entwine/kit/codegen/naming"
	"github.com/entwine-go/entwine/kit/expose"
)

// Edge is an edge that the APIs show.
type Edge struct {
	expose.Edge
	Type *gen.Edge
	Name string
	To   *Entity
	// Comment describes it to the readers of both APIs.
	Comment string
	// Old is its name before, and Now the edge that this is an old name of.
	Old *Old
	Now *Edge
	// Tree is set where the edge leads to the ancestors or the descendants of
	// rows, over any number of steps: see [Tree].
	Tree *Tree
}

func (e *Entity) addEdges(byType map[string]*Entity) {
	for _, edge := range e.Type.Edges {
		var a expose.Edge
		if _, err := Annotation(edge.Annotations, &a); err != nil {
			continue // the check of all edges reports it
		}
		to, exposed := byType[edge.Type.Name]
		if a.Hidden || !exposed {
			continue
		}
		shown := &Edge{Edge: a, Type: edge, Name: edge.Name, To: to, Comment: edge.Comment()}
		if c, err := changeOf(edge.Annotations); err == nil && c.Was != "" {
			shown.Old = &Old{Name: c.Was, REST: c.Was, GraphQL: naming.Camel(c.Was), Ending: wasCalled(c, edge.Name)}
		}
		if e.joins(edge) {
			shown.Edge = expose.Edge{} // it has the annotations of the edge between whose ends the rows are
			shown.Comment = "The " + naming.Words(to.Path) + " whose " + naming.Words(edge.Ref.Name) + " is the " + naming.Words(e.Singular) + "."
		}
		e.Edges = append(e.Edges, shown)
	}
	e.addTree()
}

// joins reports whether Ent added the edge to the rows between, for an edge
// of many to many that the schema declares.
func (e *Entity) joins(edge *gen.Edge) bool {
	for _, other := range e.Type.Edges {
		if other.Through == edge.Type && !edge.Unique && edge.Comment() == "" {
			return true
		}
	}
	return false
}
