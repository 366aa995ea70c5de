package model

import (
	"slices"
	"strings"

	"entgo.io/ent/entc/gen"

	"github.com/entwine-go/entwine/kit/codegen/naming"
	"github.com/entwine-go/entwine/kit/expose"
)

// Within is an edge whose ends share a parent (expose.Within): that of the side with the
// foreign key, or either of one of many to many.
type Within struct {
	Type *gen.Type
	Edge *gen.Edge
	// Column names the parent at both ends.
	Column string
}

// Parent is the common parent of the ends, in words: "org".
func (w *Within) Parent() string { return naming.Words(strings.TrimSuffix(w.Column, "_id")) }

// Withins are the edges that are declared so.
func (m *Model) Withins() (all []Within) {
	seen := map[string]bool{}
	for _, t := range m.Graph.Nodes {
		for _, edge := range t.Edges {
			column := withinOf(edge)
			if column == "" || !edge.M2M() && !edge.OwnFK() || edge.M2M() && seen[edge.Rel.Table] {
				continue
			}
			if edge.M2M() {
				seen[edge.Rel.Table] = true
			}
			all = append(all, Within{t, edge, column})
		}
	}
	return all
}

// LeadsWithin reports whether the field is the foreign key of such an edge.
func LeadsWithin(t *gen.Type, f *gen.Field) bool {
	return slices.ContainsFunc(t.Edges, func(edge *gen.Edge) bool {
		return edge.OwnFK() && edge.Rel.Column() == f.StorageKey() && withinOf(edge) != ""
	})
}

func withinOf(edge *gen.Edge) string {
	var says expose.Edge
	if _, err := Annotation(edge.Annotations, &says); err != nil {
		return ""
	}
	return says.Within
}

// checkWithin checks expose.Within.
func (m *Model) checkWithin() (errs []error) {
	for _, t := range m.Graph.Nodes {
		c := checker{Entity: &Entity{Type: t}, errs: &errs}
		for _, edge := range t.Edges {
			column := withinOf(edge)
			if column == "" {
				continue
			}
			if !edge.M2M() && !edge.OwnFK() {
				c.wrong(edge.Name, "expose.Within(%q): an edge of many to many, or one with a foreign key of %s, is allowed: say it at the edge of %s that leads back", column, t.Name, edge.Type.Name)
				continue
			}
			for _, end := range []*gen.Type{t, edge.Type} {
				f := fieldOf(end, column)
				if f == nil || f.Optional || !f.Immutable || !f.Type.Type.Integer() {
					c.wrong(edge.Name, "expose.Within(%q): a column of both ends is allowed that is an integer, Immutable and not Optional: %s has none", column, end.Name)
				}
			}
		}
	}
	return errs
}
