// Package rows writes internal/rows: the descriptions of each entity's fields as
// inputs. Package write uses them, and the schema, for both APIs.
package rows

import (
	"github.com/entwine-go/entwine/kit/codegen/model"
	"github.com/entwine-go/entwine/kit/codegen/naming"
	"github.com/entwine-go/entwine/kit/codegen/source"
)

// Write writes the descriptions of all entities.
func Write(tree *source.Tree, m *model.Model) error {
	folder := tree.Folder("internal/rows")
	if err := folder.WriteGo("rows.go", indexFile, source.Data{"Entities": m.Entities}); err != nil {
		return err
	}
	for _, shown := range m.Entities {
		e := &entity{shown}
		if err := folder.WriteImporting(naming.Snake(e.Name)+".go", entityFile, source.Data{"E": e}, e.imports(tree.Module)); err != nil {
			return err
		}
	}
	if err := writeActions(tree, folder, m); err != nil {
		return err
	}
	return folder.RemoveOthers("*.go")
}
