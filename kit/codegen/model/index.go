package model

import (
	"fmt"
	"slices"
	"strings"

	"entgo.io/ent/dialect/entsql"
	"entgo.io/ent/entc/gen"
)

// indexForeignKeys gives every foreign key that no index begins with one of
// its own, in the order of listings: an edge is followed, and a row removed,
// without reading the table at the other end. A schema cannot declare the
// index of a column that an edge in another file adds.
func (m *Model) indexForeignKeys() {
	for _, t := range m.Graph.Nodes {
		for _, edge := range t.Edges {
			child := edge.Type
			if edge.OwnFK() {
				child = t
			}
			if edge.M2M() || edge.O2O() || indexed(child, edge.Rel.Column()) {
				continue
			}
			columns := append([]string{edge.Rel.Column()}, m.order(child)...)
			child.Indexes = append(child.Indexes, &gen.Index{
				Name:    strings.ToLower(child.Name) + "_" + strings.Join(columns, "_"),
				Columns: columns,
			})
		}
	}
}

// indexJoins gives each column of the tables between two entities an index:
// the key of both serves queries by the first alone. Ent has no place for
// them, so they are objects.
func (m *Model) indexJoins() {
	for _, t := range m.Graph.Nodes {
		for _, edge := range t.Edges {
			if !edge.M2M() || edge.IsInverse() || edge.Through != nil {
				continue
			}
			for _, column := range edge.Rel.Columns[1:] {
				m.UnitIndexes = append(m.UnitIndexes, UnitIndex{
					Name: edge.Rel.Table + "_" + column, Table: edge.Rel.Table, Terms: []string{fmt.Sprintf("%q", column)},
				})
			}
		}
	}
}

// indexed reports whether an index serves every query by the column.
func indexed(t *gen.Type, column string) bool {
	return slices.ContainsFunc(t.Indexes, func(i *gen.Index) bool {
		var a entsql.IndexAnnotation
		_, err := Annotation(i.Annotations, &a)
		return err == nil && i.Columns[0] == column && a.Where == ""
	})
}

// order lists the columns of the order in which the type is listed, none
// where it is not.
func (m *Model) order(t *gen.Type) []string {
	for _, e := range m.Entities {
		if e.Type != t {
			continue
		}
		var columns []string
		for _, term := range e.Order() {
			columns = append(columns, term.Field.Type.StorageKey())
		}
		if !slices.Contains(columns, "id") {
			columns = append(columns, "id")
		}
		return columns
	}
	return nil
}
