package model

import "entgo.io/ent/entc/gen"

// DeletedWith lists the edges whose rows are deleted with the entity's.
func (e *Entity) DeletedWith() []*Edge {
	var edges []*Edge
	for _, edge := range e.Edges {
		if edge.Deleted && edge.To.SoftDelete {
			edges = append(edges, edge)
		}
	}
	return edges
}

// FarKey is the foreign key at the other end of the edge, nil where there is none.
func (g *Edge) FarKey() *gen.Field {
	if g.Type.M2M() || g.Type.OwnFK() {
		return nil
	}
	for _, f := range g.To.Type.Fields {
		if f.StorageKey() == g.Type.Rel.Column() {
			return f
		}
	}
	return nil
}

// SoftDeleted reports whether rows of the type stay when they are deleted.
func SoftDeleted(t *gen.Type) bool { return fieldOf(t, "deleted_at") != nil }

// KeeperOf is the type that the foreign key of the child names, if its rows
// are deleted softly, else nil.
func KeeperOf(child *gen.Type, foreignKey string) *gen.Type {
	for _, fk := range child.ForeignKeys {
		if fk.Field != nil && fk.Field.StorageKey() == foreignKey && SoftDeleted(fk.Edge.Type) {
			return fk.Edge.Type
		}
	}
	for _, edge := range child.Edges {
		if f := edge.Field(); f != nil && f.StorageKey() == foreignKey && SoftDeleted(edge.Type) {
			return edge.Type
		}
	}
	return nil
}
