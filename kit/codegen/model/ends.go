package model

import "entgo.io/ent/entc/load"

// Ends are the edges of a schema, each end on its own: edge.To("children", …).From("parent")
// declares both in one place.
func Ends(s *load.Schema) (all []*load.Edge) {
	for _, e := range s.Edges {
		if all = append(all, e); e.Ref != nil {
			all = append(all, e.Ref)
		}
	}
	return all
}
