// Package handlers writes rest/crud: the table of REST's operations on
// entities, and the handlers of writes, one file for each entity.
package handlers

import (
	"slices"

	"github.com/entwine-go/entwine/kit/codegen/model"
	"github.com/entwine-go/entwine/kit/codegen/naming"
	"github.com/entwine-go/entwine/kit/codegen/source"
	"github.com/entwine-go/entwine/kit/expose"
)

// Write writes the handlers of the calls.
func Write(tree *source.Tree, m *model.Model) error {
	folder := tree.Folder("rest/crud")
	var entities []*entity
	for _, e := range m.Entities {
		c := newEntity(m, e)
		if len(c.Calls) == 0 {
			continue
		}
		entities = append(entities, c)
		if len(c.Writes()) == 0 {
			continue
		}
		if err := folder.WriteImporting(naming.Snake(e.Name)+".go", entityFile, source.Data{"E": c}, c.imports(tree.Module)); err != nil {
			return err
		}
	}
	if err := folder.WriteGo("crud.go", indexFile, source.Data{"Entities": entities}); err != nil {
		return err
	}
	return folder.RemoveOthers("*")
}

func newEntity(m *model.Model, e *model.Entity) *entity {
	c := &entity{Entity: e}
	for _, call := range m.Calls(e) {
		c.Calls = append(c.Calls, operation{call})
		if call.Op == expose.Create && call.Nested() && !slices.Contains(c.Parents, call.ParentKey()) {
			c.Parents = append(c.Parents, call.ParentKey())
		}
	}
	return c
}
