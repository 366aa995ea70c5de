package openapi

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"entgo.io/ent/schema/field"

	"github.com/entwine-go/entwine/kit/codegen/model"
	"github.com/entwine-go/entwine/kit/codegen/naming"
	"github.com/entwine-go/entwine/kit/entity"
	"github.com/entwine-go/entwine/kit/expose"
)

// Check refuses what cannot become a path or a parameter.
func Check(m *model.Model) error {
	var errs []error
	for _, e := range m.Entities {
		for _, f := range e.Fields {
			if err := checkField(f); err != nil {
				errs = append(errs, model.ProblemAt(e.Type, f.Name, err))
			}
		}
		for _, edge := range filteredEdges(e) {
			if slices.Contains(reservedParameters, edge.Name) {
				errs = append(errs, model.ProblemAt(e.Type, edge.Name, fmt.Errorf("expose.FilterEdge: %q is a query parameter of every listing", edge.Name)))
			}
		}
		for _, c := range e.Calcs {
			if slices.Contains(reservedParameters, c.Name) {
				errs = append(errs, model.ProblemAt(e.Type, "", fmt.Errorf("calc %q: it is a query parameter of every listing", c.Name)))
			}
		}
		for _, c := range m.Calls(e) {
			if err := checkNested(c); err != nil {
				errs = append(errs, model.ProblemAt(c.Parent.Type, c.Edge.Name, err))
			}
		}
	}
	return errors.Join(errs...)
}

func checkField(f *model.Field) error {
	switch {
	case f.Kind == "Int" && f.Type.Type.Type != field.TypeInt && f.Type.Type.Type != field.TypeInt64:
		return fmt.Errorf("a number that is shown is field.Int or field.Int64, not %s", f.Type.Type)
	case f.Type.Optional && !f.Type.Nillable && f.Kind != "JSON" && f.Kind != "Strings":
		return errors.New("an optional field is shown as null where it is absent: add Nillable()")
	case f.FilterBy() && slices.Contains(reservedParameters, f.REST):
		return fmt.Errorf("%q is a query parameter of every listing: use expose.Named", f.REST)
	}
	return checkExample(f)
}

// checkExample refuses an example that is no value of the field.
func checkExample(f *model.Field) error {
	want := entity.Named(f.Kind).Type
	switch {
	case f.Example == nil || f.Kind == "ID" || f.Kind == "Ref" || f.Kind == "JSON":
		return nil
	case f.Kind == "Time" || f.Kind == "Enum" || f.Kind == "Bytes":
		want = "string"
	case f.Strings():
		want = "array"
	}
	is := ""
	switch v := f.Example.(type) {
	case string:
		is = "string"
	case bool:
		is = "boolean"
	case float64:
		if is = "number"; want == "integer" && v == math.Trunc(v) {
			is = "integer"
		}
	case []any:
		is = "array"
	case map[string]any:
		is = "object"
	}
	if want != "" && is != want {
		return fmt.Errorf("expose.Example(%v): the field is shown as %s", f.Example, naming.An(want))
	}
	if f.Kind == "Enum" && !slices.Contains(f.Type.EnumValues(), f.Example.(string)) {
		return fmt.Errorf("expose.Example(%v): the values are %s", f.Example, strings.Join(f.Type.EnumValues(), ", "))
	}
	return nil
}

func checkNested(c *model.Call) error {
	switch {
	case !c.Nested() || c.ParentKey() != nil:
		return nil
	case c.Op == expose.Create:
		return fmt.Errorf("expose.Nested(expose.Create): a foreign key in %s is needed", c.Entity.Name)
	case c.Back() == nil:
		return fmt.Errorf("expose.Nested: an edge back (edge.From) is needed in %s", c.Entity.Name)
	}
	return nil
}

var reservedParameters = []string{
	"page", "limit", "cursor", "after", "after_id", "sort", "order", "fields", "expand",
	"search", "from", "to", "include_deleted", "hard", "version", "v",
}

// checkByHand demands the operations that the schema leaves to hand-written code.
func checkByHand(m *model.Model, document *node) error {
	var errs []error
	for _, e := range m.Entities {
		for _, o := range e.ByHand {
			c := e.Call(o)
			if document.at("paths", c.Path, c.Method) == nil {
				errs = append(errs, model.ProblemAt(e.Type, "", fmt.Errorf("operation %q is by hand: %s must have %s %s", o, handWritten, strings.ToUpper(c.Method), c.Path)))
			}
		}
	}
	return errors.Join(errs...)
}
