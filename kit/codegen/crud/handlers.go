// Package crud writes rest/crud: the table of REST's operations on entities.
package crud

import (
	"slices"

	"github.com/entwine-go/entwine/kit/codegen/model"
	"github.com/entwine-go/entwine/kit/codegen/source"
)

// Write writes the table of the calls.
func Write(tree *source.Tree, m *model.Model) error {
	folder := tree.Folder("rest/crud")
	var entities []*entity
	for _, e := range m.Entities {
		c := &entity{Entity: e}
		for _, call := range slices.Concat(m.Calls(e), m.EdgeCalls(e), m.Declared(e)) {
			c.Calls = append(c.Calls, operation{call})
		}
		if len(c.Calls) > 0 {
			entities = append(entities, c)
		}
	}
	if err := folder.WriteGo("crud.go", table, source.Data{"Entities": entities, "Jobs": m.Jobs(), "Also": alsoSent(m)}); err != nil {
		return err
	}
	return folder.RemoveOthers("*")
}

// alsoSent lists the fields with a second name in bodies.
func alsoSent(m *model.Model) (fields []*model.Field) {
	for _, e := range m.Entities {
		for _, f := range e.Fields {
			if f.AlsoSent != "" {
				fields = append(fields, f)
			}
		}
	}
	return fields
}
