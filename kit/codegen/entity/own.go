package entity

import (
	"slices"

	"entgo.io/ent/entc/gen"

	"github.com/entwine-go/entwine/kit/codegen/model"
)

// keepers are the imports of generated Go for the conversion of columns' values.
type keepers struct {
	// schema is the package of the schemas.
	schema string
	// Any reports whether a column has a form of its own, Schemas whether the package of
	// the schemas says one, and Paths are the packages of Go types that do.
	Any, Schemas bool
	Paths        []string
}

func (k *keepers) add(f *gen.Field) {
	path := f.Type.PkgPath
	switch {
	case model.Scanned(f):
		k.Any, k.Schemas = true, true
	case !model.Valued(f):
	case path == k.schema:
		k.Any, k.Schemas = true, true
	default:
		k.Any = true
		if !slices.Contains(k.Paths, path) {
			k.Paths = append(k.Paths, path)
		}
	}
}

// keepersOf are those of the fields that the entity shows.
func keepersOf(e *model.Entity, schema string) keepers {
	k := keepers{schema: schema}
	for _, f := range e.Fields {
		k.add(f.Type)
	}
	return k
}
