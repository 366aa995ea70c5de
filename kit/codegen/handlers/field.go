package handlers

import (
	"fmt"
	"strings"

	"github.com/entwine-go/entwine/kit/codegen/model"
	"github.com/entwine-go/entwine/kit/codegen/naming"
	"github.com/entwine-go/entwine/kit/expose"
)

// field is a field as the handlers of its entity speak of it in Go.
type field struct{ *model.Field }

// Sent is the member of a decoded body.
func (f field) Sent(request string) string {
	member := request + "." + naming.Pascal(f.REST)
	variable := "&" + f.Rule()
	switch {
	case f.Kind == "Money":
		return fmt.Sprintf("body.Amount(f, %s, %s, currency)", variable, member)
	case f.Kind == "UUID":
		return fmt.Sprintf("body.Parsed(f, %s, %s, reading.ParseUUID)", variable, member)
	case f.Kind == "Bytes":
		return fmt.Sprintf("body.Parsed(f, %s, %s, reading.ParseBytes)", variable, member)
	case f.Strings():
		return "body.List(" + member + ")"
	case f.Type.IsJSON():
		return fmt.Sprintf("body.Raw[%s](f, %s, %s)", f.Type.Type, variable, member)
	}
	return member
}

// SentTo is [bodyField.Sent] for a change of a row.
func (f field) SentTo(request, row string) string {
	if f.Kind != "Money" {
		return f.Sent(request)
	}
	rescale := "body.Rescale"
	if f.Type.Nillable {
		rescale += "OrNull"
	}
	was := field{f.Entity.Field(f.Currency)}.Current(row)
	return fmt.Sprintf("%s(f, &%s, %s.%s, currency, %s, %s)", rescale, f.Rule(), request, naming.Pascal(f.REST), was, f.Current(row))
}

// Rule is the body.Field of the field.
func (f field) Rule() string {
	return naming.Camel(f.Entity.Singular) + "Fields." + f.Type.StructField()
}

// Current is the row's value of the field, in the type of the decoded body.
func (f field) Current(row string) string {
	value := row + "." + f.Type.StructField()
	switch {
	case f.Kind == "Enum" && f.Type.Nillable:
		return "body.Texts(" + value + ")"
	case f.Kind == "Enum":
		return "string(" + value + ")"
	case f.Kind == "JSON" && f.Nullable():
		return "body.Held(" + value + ")"
	case (f.Kind == "Ref" || f.Kind == "ID") && f.Type.Nillable:
		return "body.IDs(" + value + ")"
	case f.Kind == "Ref" || f.Kind == "ID":
		return "int64(" + value + ")"
	}
	return value
}

// Stored is a decoded value in the type of Ent's setter.
func (f field) Stored(value string) string {
	if f.Kind == "Enum" || f.Kind == "Ref" {
		return f.Type.Type.String() + "(" + value + ")"
	}
	return value
}

// Check is the field's validator, or nil. What an enum can be is known to the
// field's description.
func (f field) Check() string {
	if f.Size() > 0 {
		if f.Type.Validators > 0 {
			return fmt.Sprintf("expose.Sized[%s](%d, %s.%s)", f.Type.Type, f.Size(), f.Entity.Type.Package(), f.Type.Validator())
		}
		return fmt.Sprintf("expose.Sized[%s](%d)", f.Type.Type, f.Size())
	}
	if f.Type.Validators == 0 || f.Kind == "Enum" || f.Kind == "Ref" {
		return "nil"
	}
	return f.Entity.Type.Package() + "." + f.Type.Validator()
}

// Standard is the default of the field, in the type of the decoded body, or empty.
func (f field) Standard() string {
	if !f.Type.Default {
		return ""
	}
	name := f.Entity.Type.Package() + "." + f.Type.DefaultName()
	switch {
	case f.Type.DefaultFunc():
		return name + "()"
	case f.Kind == "Enum":
		return "string(" + name + ")"
	}
	return name
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

// Demanded reports whether a new row, or a replacement, must name the field.
func (f field) Demanded() bool {
	if f.Entity.Under != "" && f.Type == f.Entity.Edge(f.Entity.Under).Type.Field() {
		return false // the path names it
	}
	return f.RequiredOnCreate() || f.RequiredOnReplace()
}

// Refers is the entity whose row the field names.
func (f field) Refers() *model.Entity {
	for _, edge := range f.Entity.Edges {
		if edge.Type.Field() == f.Type {
			return edge.To
		}
	}
	return nil
}

// inputs lists the fields that a body of the operation may name.
func (e *entity) inputs(o expose.Operation) []field {
	var fields []field
	for _, f := range e.Fields {
		if o == expose.Create && f.OnCreate() || o != expose.Create && (!f.Secret || f.OnUpdate()) {
			fields = append(fields, field{f})
		}
	}
	return fields
}

// CreateInputs lists the fields that a new row can be given.
func (e *entity) CreateInputs() []field { return e.inputs(expose.Create) }

// BeginInputs lists the fields that the body of an update can give a row
// that it makes, below its parent.
func (e *entity) BeginInputs() []field {
	var fields []field
	for _, f := range e.UpdateInputs() {
		if f.OnCreate() && f.Type != e.ParentColumn() {
			fields = append(fields, f)
		}
	}
	return fields
}

// UpdateInputs lists the fields that the body of an update can name.
func (e *entity) UpdateInputs() []field { return e.inputs(expose.Patch) }
