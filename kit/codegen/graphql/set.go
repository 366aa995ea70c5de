package graphql

import (
	"fmt"

	"github.com/99designs/gqlgen/codegen/templates"

	"github.com/entwine-go/entwine/kit/codegen/model"
)

// inputField is a field as a mutation sets it.
type inputField struct{ *model.Field }

// Required is the statement that applies an input that is always there.
func (f inputField) Required() string {
	in := "in." + templates.ToGo(f.GraphQL[0])
	switch f.Kind {
	case "Ref":
		return fmt.Sprintf("form.Ref(%q, entity.%s, %s, %s)", f.Name, f.Ref, in, f.setter("int64"))
	case "Money":
		return fmt.Sprintf("form.Amount(%q, %s, %s, %s)", f.Name, in, f.currency(), f.setter("int64"))
	}
	if set := f.parsed(in); set != "" {
		return set
	}
	if f.Kind == "JSON" {
		return fmt.Sprintf("door.JSON(form, %q, %s, m.%s)", f.Name, in, f.Type.MutationSet())
	}
	if f.converts() {
		return fmt.Sprintf("m.%s(%s(%s))", f.Type.MutationSet(), f.Type.Type, in)
	}
	return fmt.Sprintf("m.%s(%s)", f.Type.MutationSet(), in)
}

// Input is the member of the inputs that holds the field.
func (f inputField) Input() string { return templates.ToGo(f.GraphQL[0]) }

// Optional is the statement that applies an input that may be absent.
func (f inputField) Optional() string {
	in := "in." + templates.ToGo(f.GraphQL[0])
	reset := "nil"
	if f.Type.Optional {
		reset = "m." + f.Type.MutationClear()
	}
	switch f.Kind {
	case "Ref":
		return fmt.Sprintf("door.Set(form, %q, %s, func(id string) { form.Ref(%q, entity.%s, id, %s) }, %s)", f.Name, in, f.Name, f.Ref, f.setter("int64"), reset)
	case "Money":
		return fmt.Sprintf("door.Set(form, %q, %s, func(v float64) { form.Amount(%q, v, %s, %s) }, %s)", f.Name, in, f.Name, f.currency(), f.setter("int64"), reset)
	case "JSON":
		return fmt.Sprintf("door.SetJSON(form, %q, %s, m.%s, %s)", f.Name, in, f.Type.MutationSet(), reset)
	case "UUID", "Bytes":
		return fmt.Sprintf("door.Set(form, %q, %s, func(v string) { %s }, %s)", f.Name, in, f.parsed("v"), reset)
	case "Strings":
		return fmt.Sprintf("door.SetList(form, %q, %s, m.%s, %s)", f.Name, in, f.Type.MutationSet(), reset)
	}
	return fmt.Sprintf("door.Set(form, %q, %s, %s, %s)", f.Name, in, f.setter(f.inputType()), reset)
}

// parsed is the statement that sets what a text stands for, empty for other fields.
func (f inputField) parsed(text string) string {
	switch f.Kind {
	case "UUID", "Bytes":
		return fmt.Sprintf("door.Parsed(form, %q, %s, reading.Parse%s, m.%s)", f.Name, text, f.Kind, f.Type.MutationSet())
	}
	return ""
}

// currency is the code of a Money's currency: the mutation's, or else what
// the row has or will have.
func (f inputField) currency() string {
	return fmt.Sprintf("door.Chosen(m.%s, currency)", f.Entity.Field(f.Currency).Type.MutationGet())
}

// OfCurrency is the field that holds the currency of the entity's amounts
// that clients write, nil where there are none.
func (e resolved) OfCurrency() *model.Field {
	for _, f := range e.Fields {
		if f.Kind == "Money" && f.OnCreate() {
			return e.Field(f.Currency)
		}
	}
	return nil
}

// Settable lists the fields in the order in which they are set: an amount
// after its currency.
func (e resolved) Settable() []inputField {
	var fields, amounts []inputField
	for _, f := range e.Fields {
		if f.Kind == "Money" {
			amounts = append(amounts, inputField{f})
		} else {
			fields = append(fields, inputField{f})
		}
	}
	return append(fields, amounts...)
}

// setter is a function that sets the field to a value of the Go type.
func (f inputField) setter(from string) string {
	if from == f.Type.Type.String() {
		return "m." + f.Type.MutationSet()
	}
	return fmt.Sprintf("func(v %s) { m.%s(%s(v)) }", from, f.Type.MutationSet(), f.Type.Type)
}

// inputType is the Go type of the field's values in gql/generated.
func (f inputField) inputType() string {
	switch f.Kind {
	case "Int":
		return "int"
	case "Float":
		return "float64"
	case "Enum":
		return "generated." + templates.ToGo(enumName(f.Entity, f.Field))
	case "Bool":
		return "bool"
	case "Time":
		return "time.Time"
	}
	return "string"
}

func (f inputField) converts() bool { return f.inputType() != f.Type.Type.String() }
