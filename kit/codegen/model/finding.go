package model

import (
	"fmt"

	"entgo.io/ent/entc/gen"

	"github.com/entwine-go/entwine/kit/codegen/naming"
)

// SchemaError is a mistake in a schema.
type SchemaError struct {
	// Entity is the schema's type, Member its field or edge, empty for the
	// entity itself.
	Entity, Member string
	// Method is the method that the mistake is, empty for others, and Mixin the type
	// that has it, empty where it is the entity's own.
	Method, Mixin string
	// Err says what is wrong, and what is allowed.
	Err error
	// At is where it stands, "schema/post.go:41", once that is known.
	At string
}

func (f *SchemaError) Error() string {
	at, name := f.At, f.Entity
	if at == "" {
		at = "schema/" + naming.Snake(f.Entity) + ".go"
	}
	if f.Member != "" {
		name += "." + f.Member
	}
	return fmt.Sprintf("%s: %s: %v", at, name, f.Err)
}

func (f *SchemaError) Unwrap() error { return f.Err }

// ProblemAt names the schema's file and field in an error.
func ProblemAt(t *gen.Type, name string, err error) error {
	return &SchemaError{Entity: t.Name, Member: name, Err: err}
}

// Findings are the single errors of one that [errors.Join] made of them.
func Findings(err error) []error {
	joined, ok := err.(interface{ Unwrap() []error })
	if err == nil || !ok {
		if err == nil {
			return nil
		}
		return []error{err}
	}
	var all []error
	for _, inner := range joined.Unwrap() {
		all = append(all, Findings(inner)...)
	}
	return all
}
