package apiversion

import (
	"fmt"
	"slices"

	"github.com/entwine-go/entwine/kit/entity"
	"github.com/entwine-go/entwine/kit/read"
)

// Change is a difference of one field between a version and the first: another
// name, another type, or another default. A change stands in a file of its own,
// beside the versions of the service (doc/api/versions.md).
type Change struct {
	// Entity is the GraphQL type, and Field the name in the schema.
	Entity, Field string
	// Name is the field's, in snake_case: empty where it keeps its own.
	Name string
	// Show appends what is shown of a value, which is JSON and not null, and Take
	// reads a value as clients send it, decoded JSON, into what the first version
	// takes. Both are there or neither.
	Show func(dst, value []byte) []byte
	Take func(value any) (any, error)
	// Schema is the JSON Schema of these values in the document.
	Schema string
	// Default is the value of a new row where a client leaves the field out, in the
	// version's form. Nil: it has not changed.
	Default any
}

// changes are those of a version by the field.
type changes map[*entity.Field]*Change

// find finds the fields of the changes.
func find(all []Change, entities []*entity.Entity) (changes, error) {
	found := changes{}
	for i := range all {
		c := &all[i]
		at := slices.IndexFunc(entities, func(e *entity.Entity) bool { return e.Name == c.Entity })
		if at < 0 {
			return nil, fmt.Errorf("a change of %s.%s: there is no entity %s", c.Entity, c.Field, c.Entity)
		}
		f := entities[at].Field(c.Field)
		switch {
		case f == nil:
			return nil, fmt.Errorf("a change of %s.%s: there is no such field", c.Entity, c.Field)
		case (c.Show == nil) != (c.Take == nil):
			return nil, fmt.Errorf("a change of %s.%s: Show and Take belong together", c.Entity, c.Field)
		}
		found[f] = c
	}
	return found, nil
}

// name is the field's name where it has changed, empty where it has not.
func (c changes) name(f *entity.Field) string {
	if change := c[f]; change != nil {
		return change.Name
	}
	return ""
}

// renamed reports whether the field's own name is another's, or none.
func (c changes) renamed(f *entity.Field) bool { return c.name(f) != "" }

// shown returns what turns the field's values into what is shown.
func (c changes) shown(f *entity.Field) read.Turn {
	change := c[f]
	if change == nil || change.Show == nil {
		return nil
	}
	return func(dst, value []byte) []byte {
		if string(value) == "null" {
			return append(dst, value...)
		}
		return change.Show(dst, value)
	}
}

// take reads what clients send for the field.
func (c changes) take(f *entity.Field, value any) (any, error) {
	if change := c[f]; change != nil && change.Take != nil && value != nil {
		return change.Take(value)
	}
	return value, nil
}

// initial is the value of a new row where a client leaves the field out.
func (c changes) initial(f *entity.Field) (any, bool) {
	change := c[f]
	if change == nil || change.Default == nil {
		return nil, false
	}
	return change.Default, true
}
