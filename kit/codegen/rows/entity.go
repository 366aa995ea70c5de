package rows

import (
	"slices"

	"github.com/entwine-go/entwine/kit/codegen/model"
	"github.com/entwine-go/entwine/kit/codegen/source"
)

// entity is an entity as its description speaks of it in Go.
type entity struct{ *model.Entity }

// Inputs lists the fields that inputs can name.
func (e *entity) Inputs() []field {
	var fields []field
	for _, f := range e.Fields {
		fields = append(fields, field{f})
	}
	return fields
}

// Cascades lists the edges whose rows are deleted with the entity's.
func (e *entity) Cascades() []*model.Edge {
	if !e.SoftDelete {
		return nil
	}
	return e.DeletedWith()
}

// imports are the packages that the description may use.
func (e *entity) imports(module string) []string {
	packages := []string{
		"context", "encoding/json", "time",
		"github.com/google/uuid",
		module + "/internal/entity",
		source.Kit + "/runtime/writing", source.Kit + "/viewer", source.Kit + "/runtime/reading", module + "/schema",
	}
	for _, f := range e.Fields {
		if path := f.Type.Type.PkgPath; path != "" && !slices.Contains(packages, path) {
			packages = append(packages, path)
		}
	}
	return packages
}
