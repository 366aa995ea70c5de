package rows

import (
	"fmt"
	"strings"

	"github.com/entwine-go/entwine/kit/codegen/model"
)

// field is a field as the description of its entity speaks of it in Go.
type field struct{ *model.Field }

// Set reports whether a client can set the field at all.
func (f field) Set() bool { return f.OnCreate() || f.OnUpdate() }

// Demanded reports whether a new row, or a replacement, must name the field.
func (f field) Demanded() bool {
	if f.Entity.Under != "" && f.Type == f.Entity.Edge(f.Entity.Under).Type.Field() {
		return false // the path names it
	}
	return f.RequiredOnCreate() || f.RequiredOnReplace()
}

// Writers are the roles that set the field.
func (f field) Writers() string {
	roles := f.Writable
	if f.Caller {
		roles = f.OnBehalf
	}
	if len(roles) == 0 {
		return ""
	}
	quoted := make([]string, len(roles))
	for i, r := range roles {
		quoted[i] = fmt.Sprintf("%q", r)
	}
	return "[]viewer.Role{" + strings.Join(quoted, ", ") + "}"
}

// Standard is the default of the field, empty where there is none.
func (f field) Standard() string {
	if !f.Type.Default || !f.Set() {
		return ""
	}
	name := f.Entity.Type.Package() + "." + f.Type.DefaultName()
	if f.Type.DefaultFunc() {
		name += "()"
	}
	return name
}

// Check is the check of the field's values, empty where there is none. What an
// enum can be is known to the field's description.
func (f field) Check() string {
	if !f.Set() || f.Kind == "Enum" || f.Kind == "Ref" {
		return ""
	}
	validator := ""
	if f.Type.Validators > 0 {
		validator = f.Entity.Type.Package() + "." + f.Type.Validator()
	}
	basic := f.Type.Type.Type.String()
	switch {
	case f.Size() > 0 && validator != "":
		return fmt.Sprintf("writing.Check(expose.Sized[%s](%d, %s))", f.Type.Type, f.Size(), validator)
	case f.Size() > 0:
		return fmt.Sprintf("writing.Check(expose.Sized[%s](%d))", f.Type.Type, f.Size())
	case (f.Kind == "Int" || f.Kind == "Money") && basic != "int64":
		return fmt.Sprintf("writing.Whole[%s](%s)", basic, validator)
	case f.Kind == "Float" && basic != "float64":
		return fmt.Sprintf("writing.Real[%s](%s)", basic, validator)
	case validator == "":
		return ""
	}
	return fmt.Sprintf("writing.Check(%s)", validator)
}

// plain are the Go types in which values reach the field, by its kind.
var plain = map[string]string{"ID": "int64", "Ref": "int64", "Int": "int64", "Money": "int64", "Float": "float64", "String": "string", "Enum": "string"}

// Stored is a value in Ent's type, empty where that is its own. Paths and actions
// give values to fields that no input sets.
func (f field) Stored() string {
	from, to := plain[f.Kind], f.Type.Type.String()
	if from == "" || from == to || f.Kind == "ID" {
		return ""
	}
	return fmt.Sprintf("func(v any) any { return %s(v.(%s)) }", to, from)
}

// Decode reads the JSON of the field, empty where it is no JSON.
func (f field) Decode() string {
	if f.Kind != "JSON" {
		return ""
	}
	return fmt.Sprintf("writing.JSON[%s]", f.Type.Type)
}

// Refers is the edge to the row that the field names, nil where it names none.
func (f field) Refers() *model.Edge {
	for _, edge := range f.Entity.Edges {
		if edge.Type.Field() == f.Type {
			return edge
		}
	}
	return nil
}

// Current is the row's value of the field.
func (f field) Current(row string) string {
	value := row + "." + f.Type.StructField()
	if f.Kind == "JSON" && f.Nullable() {
		return "writing.Held(" + value + ")"
	}
	return "writing.Plain(" + value + ")"
}
