package rows

import (
	"slices"

	"entgo.io/ent/entc/gen"

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

// Cascades reports whether rows of others are deleted with the entity's.
func (e *entity) Cascades() bool { return e.SoftDelete && len(e.DeletedWith()) > 0 }

// Unhooked reports whether the schema has no hooks.
func (e *entity) Unhooked() bool { return e.Type.NumHooks() == 0 }

// Defaults lists the fields that a new row gets by itself, where a description
// of their own knows how they are stored.
func (e *entity) Defaults() []*gen.Field {
	if !e.Unhooked() {
		return nil
	}
	var fields []*gen.Field
	for _, f := range e.Type.Fields {
		if f.Default {
			fields = append(fields, f)
		}
	}
	return fields
}

// follow is a column that follows from another.
type follow struct{ Column, Of, As string }

// Follows lists what follows from other columns.
func (e *entity) Follows() (all []follow) {
	for _, f := range e.Type.Fields {
		a, err := model.FieldAnnotation(f.Annotations)
		if err != nil || a.Follow == nil {
			continue // mistakes are told by the check
		}
		for _, of := range e.Type.Fields {
			if of.Name == a.Follow.Field {
				all = append(all, follow{f.StorageKey(), of.StorageKey(), a.Follow.As})
			}
		}
	}
	return all
}

// imports are the packages that the description may use.
func (e *entity) imports(module string) []string {
	packages := []string{
		"context", "encoding/json", "time",
		"entgo.io/ent/dialect/sql", "github.com/google/uuid",
		module + "/ent", module + "/ent/" + e.Type.Package(), module + "/ent/predicate", module + "/ent/typedid",
		module + "/internal/entity", source.Kit + "/expose", source.Kit + "/runtime/store",
		source.Kit + "/runtime/writing", source.Kit + "/viewer", source.Kit + "/runtime/reading", module + "/schema",
	}
	for _, f := range e.Fields {
		if path := f.Type.Type.PkgPath; path != "" && !slices.Contains(packages, path) {
			packages = append(packages, path)
		}
	}
	return packages
}
