package model

import (
	"strings"

	"entgo.io/ent/entc/gen"

	"github.com/entwine-go/entwine/kit/codegen/naming"
	"github.com/entwine-go/entwine/kit/expose"
	"github.com/entwine-go/entwine/kit/policy"
)

// Call is an operation that is generated for an entity: its documents and its code
// follow from the same value.
type Call struct {
	// ID is the operationId: "listPostsOfUser".
	ID, Method, Path string
	Op               expose.Operation
	// Entity is the entity that the operation reads or writes.
	Entity *Entity
	// Edge leads from the parent to the entity where the path is nested, and
	// from the entity to its parent where Single is set.
	Edge *Edge
	// Parent is the entity at the start of a nested path.
	Parent *Entity
	// Single is set where the entity's only path is under its parent's.
	Single bool
	// ID1 and ID2 are the names of the ids in the path, empty where there are fewer.
	ID1, ID2 string

	// Of what [Model.Declared] lists: the name in GraphQL with that of its id
	// argument, the verb of the policy (of the mark's entity, for a mark), and
	// where the REST document has it.
	Mutation, IDArgument string
	Verb                 string
	Tag, Summary         string
	Action               *Action
	Mark                 *Mark
	Bulk                 *expose.Bulk
}

// Handler is the Go method of the operation.
func (c *Call) Handler() string { return strings.ToUpper(c.ID[:1]) + c.ID[1:] }

// Nested reports whether the path begins with a parent's.
func (c *Call) Nested() bool { return c.Parent != nil }

// Write reports whether the operation changes something.
func (c *Call) Write() bool { return c.Op != expose.List && c.Op != expose.Read }

// Reads reports whether the operation is an action that reads.
func (c *Call) Reads() bool { return c.Action != nil && c.Action.Reads() }

// OnlyREST reports whether it is a read that GraphQL does not have.
func (c *Call) OnlyREST() bool { return c.Reads() && c.Mutation == "-" }

// Body reports whether the operation takes a body.
func (c *Call) Body() bool {
	switch c.Op {
	case expose.Create, expose.Replace, expose.Patch, CreateMany, UpdateMany, DeleteMany, ActMany:
		return true
	case Act:
		return len(c.Action.Input) > 0 && !c.Reads()
	case DoMark:
		return len(c.Mark.By.OnBehalf) > 0
	}
	return false
}

// InputType is the name of the Go type of the call's body: one for creating,
// one for replacing and changing.
func (c *Call) InputType() string {
	if c.Method == "post" {
		return c.Entity.Name + "Create"
	}
	return c.Entity.Name + "Update"
}

var methods = map[expose.Operation]string{
	expose.List: "get", expose.Create: "post", expose.Read: "get",
	expose.Replace: "put", expose.Patch: "patch", expose.Delete: "delete",
}

// Calls lists the generated operations of the entity, its own path first.
func (m *Model) Calls(e *Entity) []*Call {
	var calls []*Call
	for _, o := range e.Operations {
		calls = append(calls, e.Call(o))
	}
	for _, parent := range m.Entities {
		for _, edge := range parent.Edges {
			if edge.To != e {
				continue
			}
			for _, o := range edge.Nested {
				calls = append(calls, nestedCall(parent, edge, o))
			}
		}
	}
	return calls
}

// Call is the operation on the entity's own path.
func (e *Entity) Call(o expose.Operation) *Call {
	if e.Under != "" {
		return e.singleCall(o)
	}
	c := &Call{ID: string(o) + e.Name, Method: methods[o], Path: "/" + e.Path, Op: o, Entity: e}
	switch o {
	case expose.List:
		c.ID = "list" + e.Plural()
	case expose.Create:
	default:
		c.ID1 = e.pathID()
		c.Path += "/{" + c.ID1 + "}"
	}
	return c
}

// pathID is the name of the entity's id in a path.
func (e *Entity) pathID() string {
	if e.KeyField != nil {
		return e.KeyField.REST
	}
	return "id"
}

func (e *Entity) singleCall(o expose.Operation) *Call {
	edge := e.Edge(e.Under)
	return &Call{
		ID: string(o) + e.Name + "Of" + edge.To.Name, Method: methods[o],
		Path: "/" + edge.To.Path + "/{" + edge.To.pathID() + "}/" + e.Path,
		Op:   o, Entity: e, Edge: edge, Parent: edge.To, Single: true, ID1: edge.To.pathID(),
	}
}

func nestedCall(parent *Entity, edge *Edge, o expose.Operation) *Call {
	one := edge.Name
	if !edge.Type.Unique {
		one = naming.Singular(edge.Name)
	}
	c := &Call{
		ID: string(o) + naming.Pascal(one) + "Of" + parent.Name, Method: methods[o],
		Path: "/" + parent.Path + "/{" + parent.pathID() + "}/" + strings.ReplaceAll(edge.Name, "_", "-"),
		Op:   o, Entity: edge.To, Edge: edge, Parent: parent, ID1: parent.pathID(),
	}
	switch o {
	case expose.List:
		c.ID = "list" + naming.Pascal(edge.Name) + "Of" + parent.Name
	case expose.Read:
		c.ID2 = one + "_" + edge.To.pathID()
		c.Path += "/{" + c.ID2 + "}"
	}
	return c
}

// Plural is the entity's plural in Go: the tag in the OpenAPI document.
func (e *Entity) Plural() string {
	return naming.Pascal(strings.NewReplacer("-", "_", "/", "_").Replace(e.Path))
}

// ParentKey is the column of the entity that holds the parent's id, nil where
// a table stands between them.
func (c *Call) ParentKey() *gen.Field {
	switch {
	case c.Parent == nil:
		return nil
	case c.Single:
		return c.Edge.Type.Field()
	}
	return c.Edge.FarKey()
}

// Back is the entity's edge to the parent, nil where the schema has none.
func (c *Call) Back() *Edge {
	for _, edge := range c.Entity.Edges {
		if c.Edge.Type.Ref != nil && edge.Type == c.Edge.Type.Ref {
			return edge
		}
	}
	return nil
}

// Open reports whether the parent is reached through what is read below it: a caller
// who reads such a row reads its parent, too (expose.Through).
func (c *Call) Open() bool {
	if !c.Nested() || c.Write() || c.Single {
		return false
	}
	back := c.Back()
	return back != nil && back.Through
}

// Judged returns whose policy says who may do this, and the verb: an empty one where
// it is read.
func (c *Call) Judged() (of *Entity, verb string) {
	switch {
	case c.Mark != nil && c.Op == DoMark:
		return c.Mark.Of, policy.Create
	case c.Mark != nil && c.Op == UndoMark:
		return c.Mark.Of, policy.Delete
	case c.Op == expose.Create || c.Op == CreateMany:
		return c.Entity, policy.Create
	case c.Op == expose.Replace || c.Op == expose.Patch || c.Attaches():
		return c.Entity, policy.Update
	case c.Op == expose.Delete || c.Op == DeleteMany:
		return c.Entity, policy.Delete
	case c.Verb != "":
		return c.Entity, c.Verb
	case c.Parent != nil && !c.Open():
		return c.Parent, ""
	}
	return c.Entity, ""
}
