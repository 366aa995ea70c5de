package rows

import (
	"fmt"
	"slices"

	"entgo.io/ent/entc/gen"

	"github.com/entwine-go/entwine/kit/codegen/model"
	"github.com/entwine-go/entwine/kit/codegen/naming"
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

// constraint is a rule of the database whose violations name fields.
type constraint struct {
	Name   string
	Fields []string
	Says   string
	// Declared is set for that at the place among the entity's checks.
	Declared bool
	At       int
}

// Constraints lists them.
func (e *entity) Constraints() (all []constraint) {
	if t := model.TreeOf(e.Type); t != nil {
		key := []string{t.Key.Name}
		all = append(all,
			constraint{Name: t.Cycle(), Fields: key, Says: "must be neither the " + naming.Words(e.Singular) + " itself nor one below it"},
			constraint{Name: t.Depth(), Fields: key, Says: fmt.Sprintf("must leave the tree with at most %d levels", t.Levels)})
	}
	for i, c := range e.Checks {
		all = append(all, constraint{Name: e.Constraint(c), Fields: c.Fields, Says: c.Says, Declared: true, At: i})
	}
	return all
}

// Keeps are the fields that no API shows whose Go types say how columns have their
// values: the schema says so of the others.
func (e *entity) Keeps() (all []*gen.Field) {
	for _, f := range e.Type.Fields {
		if model.Valued(f) && e.Field(f.Name) == nil {
			all = append(all, f)
		}
	}
	return all
}

// imports are the packages that the description may use.
func (e *entity) imports(module string) []string {
	packages := []string{
		"context", "encoding/json", "time",
		"github.com/google/uuid",
		module + "/internal/entity", "kitentity " + source.Kit + "/entity", source.Kit + "/gid",
		source.Kit + "/lifecycle", source.Kit + "/mutation", source.Kit + "/write", source.Kit + "/viewer", module + "/schema",
	}
	for _, f := range e.Type.Fields {
		if f.Type == nil {
			continue
		}
		if path := f.Type.PkgPath; path != "" && !slices.Contains(packages, path) {
			packages = append(packages, path)
		}
	}
	return packages
}
