package main

import (
	"fmt"
	"strings"

	"github.com/entwine-go/entwine/kit/expose"
)

// bodyField is a field as the handlers of its entity speak of it in Go.
type bodyField struct{ *Field }

// Sent is the member of a decoded body.
func (f bodyField) Sent(request string) string {
	member := request + "." + pascal(f.REST)
	variable := "&" + f.Rule()
	switch {
	case f.Kind == "Money":
		return fmt.Sprintf("body.Amount(f, %s, %s, currency)", variable, member)
	case f.Strings():
		return "body.List(" + member + ")"
	case f.Type.IsJSON():
		return fmt.Sprintf("body.Raw[%s](f, %s, %s)", f.Type.Type, variable, member)
	}
	return member
}

// SentTo is [bodyField.Sent] for a change of a row.
func (f bodyField) SentTo(request, row string) string {
	if f.Kind != "Money" {
		return f.Sent(request)
	}
	rescale := "body.Rescale"
	if f.Type.Nillable {
		rescale += "OrNull"
	}
	was := bodyField{f.Entity.Field(f.Currency)}.Current(row)
	return fmt.Sprintf("%s(f, &%s, %s.%s, currency, %s, %s)", rescale, f.Rule(), request, pascal(f.REST), was, f.Current(row))
}

// Rule is the body.Field of the field.
func (f bodyField) Rule() string { return camel(f.Entity.Singular) + "Fields." + f.Type.StructField() }

// Current is the row's value of the field, in the type of the decoded body.
func (f bodyField) Current(row string) string {
	value := row + "." + f.Type.StructField()
	switch {
	case f.Kind == "Enum" && f.Type.Nillable:
		return "body.Texts(" + value + ")"
	case f.Kind == "Enum":
		return "string(" + value + ")"
	case (f.Kind == "Ref" || f.Kind == "ID") && f.Type.Nillable:
		return "body.IDs(" + value + ")"
	case f.Kind == "Ref" || f.Kind == "ID":
		return "int64(" + value + ")"
	}
	return value
}

// Stored is a decoded value in the type of Ent's setter.
func (f bodyField) Stored(value string) string {
	if f.Kind == "Enum" || f.Kind == "Ref" {
		return f.Type.Type.String() + "(" + value + ")"
	}
	return value
}

// Check is the field's validator, or nil. What an enum can be is known to the
// field's description.
func (f bodyField) Check() string {
	if f.Type.Validators == 0 || f.Kind == "Enum" || f.Kind == "Ref" {
		return "nil"
	}
	return f.Entity.Type.Package() + "." + f.Type.Validator()
}

// Standard is the default of the field, in the type of the decoded body, or empty.
func (f bodyField) Standard() string {
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
func (f bodyField) Writers() string {
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
func (f bodyField) Demanded() bool {
	if f.Entity.Under != "" {
		return false
	}
	return f.RequiredOnCreate() || f.RequiredOnReplace()
}

// Refers is the entity whose row the field names.
func (f bodyField) Refers() *Entity {
	for _, edge := range f.Entity.Edges {
		if edge.Type.Field() == f.Type {
			return edge.To
		}
	}
	return nil
}

// inputs lists the fields that a body of the operation may name.
func (e *crudEntity) inputs(o expose.Operation) []bodyField {
	var fields []bodyField
	for _, f := range e.Fields {
		if o == expose.Create && f.OnCreate() || o != expose.Create && (!f.Secret || f.OnUpdate()) {
			fields = append(fields, bodyField{f})
		}
	}
	return fields
}

// CreateInputs lists the fields that a new row can be given.
func (e *crudEntity) CreateInputs() []bodyField { return e.inputs(expose.Create) }

// UpdateInputs lists the fields that the body of an update can name.
func (e *crudEntity) UpdateInputs() []bodyField { return e.inputs(expose.Patch) }
