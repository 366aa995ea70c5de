package openapi

import (
	"fmt"
	"strings"

	"github.com/entwine-go/entwine/kit/codegen/model"
	"github.com/entwine-go/entwine/kit/codegen/naming"
	"github.com/entwine-go/entwine/kit/expose"
	"github.com/entwine-go/entwine/kit/problem"
)

// in is the failure with an example of the model's: of a request about the
// entity that examples are about.
func (f failure) in(m *model.Model) failure {
	e := exampleEntity(m)
	if e == nil {
		f.path = m.Service.Base()
		return f
	}
	f.path = m.Service.Base() + "/" + e.Path
	one := naming.Words(e.Singular)
	switch f.kind {
	case problem.NotFound:
		f.message = one + " not found"
	case problem.Invalid:
		if text := findField(e, (*model.Field).RequiredOnCreate); text != nil {
			f.details = arr(obj("field", text.REST, "message", "is required"))
		}
	case problem.Duplicate:
		f.message = "another " + one + " has this value"
		if unique := findField(e, func(f *model.Field) bool { return f.Unique || f.Type.Unique && f.OnCreate() }); unique != nil {
			f.details = arr(obj("field", unique.REST, "message", "is taken", "value", fieldExample(unique)))
		}
	case problem.Unprocessable:
		if text := findField(e, bounded); text != nil {
			f.details = arr(obj("field", text.REST, "message", fmt.Sprintf("must be %s, not %d", expose.Span(*text.MinLength, *text.MaxLength, "characters"), *text.MinLength-1),
				"value", strings.Repeat("A", *text.MinLength-1)))
		}
	}
	return f
}

// exampleEntity is the entity that examples of errors are about, nil if there is
// none that could be.
func exampleEntity(m *model.Model) *model.Entity {
	for _, e := range m.Entities {
		if e.Name == m.Service.Examples || m.Service.Examples == "" && e.Has(expose.Create) && e.Under == "" {
			return e
		}
	}
	return nil
}

// findField is the first field that has a property, nil if none has.
func findField(e *model.Entity, has func(*model.Field) bool) *model.Field {
	for _, f := range e.Fields {
		if has(f) {
			return f
		}
	}
	return nil
}

// bounded reports whether a text can be too short.
func bounded(f *model.Field) bool {
	return f.Kind == "String" && f.OnCreate() && f.MinLength != nil && *f.MinLength > 1 && f.MaxLength != nil
}
