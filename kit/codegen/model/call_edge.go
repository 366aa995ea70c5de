package model

import (
	"strings"

	"github.com/entwine-go/entwine/kit/codegen/naming"
	"github.com/entwine-go/entwine/kit/expose"
	"github.com/entwine-go/entwine/kit/policy"
)

// Attached lists the edges by which clients attach rows (expose.Attached).
func (e *Entity) Attached() (edges []*Edge) {
	for _, edge := range e.Edges {
		if edge.Edge.Attached {
			edges = append(edges, edge)
		}
	}
	return edges
}

// One is the name of a row at the other end: "label".
func (g *Edge) One() string { return naming.Singular(g.Name) }

// IDs is the member of REST's bodies that lists the ids at the other end.
func (g *Edge) IDs() string { return g.One() + "_ids" }

// GraphQLIDs is the one of GraphQL's inputs: "labelIds", as "postId".
func (g *Edge) GraphQLIDs() string { return naming.Camel(g.One()) + "Ids" }

// OldGraphQLIDs is its name until all inputs were called as fields are: clients may
// still use it.
func (g *Edge) OldGraphQLIDs() string { return naming.Camel(g.One()) + "IDs" }

// EdgeCalls lists the operations of REST that attach rows to those of the
// entity, and detach them.
func (m *Model) EdgeCalls(e *Entity) (calls []*Call) {
	path, id := e.row()
	for _, edge := range e.Attached() {
		end := edge.One() + "_" + edge.To.pathID()
		one := naming.Pascal(edge.One())
		put := &Call{
			ID: "attach" + one + "To" + e.Name, Method: "put", Path: path + "/" + strings.ReplaceAll(edge.Name, "_", "-") + "/{" + end + "}",
			Op: expose.Attach, Entity: e, Edge: edge, ID1: id, ID2: end, Verb: policy.Update,
			Tag: e.Plural(), Summary: "Attach " + naming.An(edge.One()) + " to " + naming.An(e.Singular),
		}
		off := *put
		off.ID, off.Method, off.Op = "detach"+one+"From"+e.Name, "delete", expose.Detach
		off.Summary = "Detach " + naming.An(edge.One()) + " from " + naming.An(e.Singular)
		calls = append(calls, put, &off)
	}
	return calls
}

// Attaches reports whether the call is one of [Model.EdgeCalls].
func (c *Call) Attaches() bool { return c.Op == expose.Attach || c.Op == expose.Detach }
