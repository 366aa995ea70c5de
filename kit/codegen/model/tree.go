package model

import (
	"slices"

	"entgo.io/ent/entc/gen"

	"github.com/entwine-go/entwine/kit/codegen/naming"
	"github.com/entwine-go/entwine/kit/expose"
)

// The edges of a tree ([expose.Tree]), which lead over any number of steps.
const (
	Ancestors   = "ancestors"
	Descendants = "descendants"
)

// Tree is the tree of an entity's rows, where an edge between them is declared as
// one ([expose.Tree]).
type Tree struct {
	Entity *gen.Type
	// Edge leads from a row to those one level below, Key is the field that
	// names the one above.
	Edge *gen.Edge
	Key  *gen.Field
	// Levels is how many there are at most, roots included.
	Levels int
	// Up is set for [Ancestors].
	Up bool
}

// TreeOf returns the tree of the type's rows, nil where they are none, or where
// the declaration is impossible, which the check reports.
func TreeOf(t *gen.Type) *Tree {
	for _, edge := range t.Edges {
		var a expose.Edge
		if _, err := Annotation(edge.Annotations, &a); err != nil || a.Levels == 0 {
			continue
		}
		if treeKey(t, edge) != nil {
			return &Tree{Entity: t, Edge: edge, Key: treeKey(t, edge), Levels: a.Levels}
		}
	}
	return nil
}

// treeKey is the field that the edge's rows name the row above by, nil where the
// edge is none that can be a tree.
func treeKey(t *gen.Type, edge *gen.Edge) *gen.Field {
	if !edge.O2M() || edge.Type != t || edge.Ref == nil || edge.Ref.Field() == nil {
		return nil
	}
	if key := edge.Ref.Field(); key.Optional && key.Nillable {
		return key
	}
	return nil
}

// Name begins the names of what the databases keep of the tree.
func (t *Tree) Name() string { return "tree_" + t.Entity.Table() }

// Cycle and Depth are the names of the rules of the tree.
func (t *Tree) Cycle() string { return t.Name() + "_cycle" }

// Depth is the name of the other rule.
func (t *Tree) Depth() string { return t.Name() + "_depth" }

// addTree adds the edges over any number of steps. To the emitters they are
// edges of many to many whose table is not there: each is the other's way back.
func (e *Entity) addTree() {
	tree := TreeOf(e.Type)
	if tree == nil || e.Under != "" {
		return
	}
	walk := func(name, comment string, up bool) *Edge {
		way := *tree
		way.Up = up
		return &Edge{
			Edge: expose.Edge{Nested: []expose.Operation{expose.List}, Filter: up}, Name: name, To: e, Comment: comment, Tree: &way,
			Type: &gen.Edge{Name: name, Type: e.Type, Owner: e.Type, Optional: true, Rel: gen.Relation{Type: gen.M2M}},
		}
	}
	one, many := naming.Words(e.Singular), naming.Words(e.Path)
	ancestors := walk(Ancestors, "The "+many+" above the "+one+", at any level, the nearest first.", true)
	descendants := walk(Descendants, "The "+many+" below the "+one+", at any level: of more than 10,000, the nearest.", false)
	ancestors.Type.Ref, descendants.Type.Ref = descendants.Type, ancestors.Type
	e.Edges = append(e.Edges, ancestors, descendants)
}

// mostLevels bounds what a read or a write of a row walks upwards.
const mostLevels = 64

// tree checks an edge that is declared as one.
func (c checker) tree(edge *gen.Edge, levels int) {
	const says = "expose.Tree: "
	switch {
	case treeKey(c.Type, edge) == nil:
		c.wrong(edge.Name, says+"an edge to many between rows of one entity is allowed, whose edge back has a field that is Optional and Nillable: "+
			"edge.To(\"children\", %s.Type) with edge.From(\"parent\", %[1]s.Type).Ref(\"children\").Field(\"parent_id\").Unique()", c.Name)
	case c.Under != "":
		c.wrong(edge.Name, says+"an entity with a path of its own is allowed")
	}
	if levels < 2 || levels > mostLevels {
		c.wrong(edge.Name, says+"%d levels: 2 to %d are allowed, roots included", levels, mostLevels)
	}
	for _, name := range []string{Ancestors, Descendants} {
		if c.SchemaEdge(name) != nil || c.Field(name) != nil || slices.ContainsFunc(c.Derived, func(d expose.Derived) bool { return d.Name == name }) {
			c.wrong(edge.Name, says+"the name %q is what it adds, and is taken already", name)
		}
	}
	for _, other := range c.Type.Edges {
		var a expose.Edge
		if _, err := Annotation(other.Annotations, &a); err == nil && a.Levels != 0 && other.Name < edge.Name {
			c.wrong(edge.Name, says+"%s is the entity's tree already: one is allowed", other.Name)
		}
	}
}
