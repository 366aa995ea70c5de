package model

import (
	"github.com/entwine-go/entwine/kit/codegen/naming"
	"github.com/entwine-go/entwine/kit/expose"
)

// DerivedKind is the name of the read.Kind of a derived field.
func DerivedKind(d expose.Derived) string {
	switch {
	case len(d.Values) > 0:
		return "Enum"
	default:
		return map[expose.Shape]string{
			expose.Text: "String", expose.Count: "Int", expose.Decimal: "Float", expose.Flag: "Bool", expose.Amount: "Money", expose.Objects: "Objects",
		}[d.Shape]
	}
}

// DerivedName is the name of a derived field in GraphQL.
func DerivedName(d expose.Derived) string {
	if d.GraphQL != "" {
		return d.GraphQL
	}
	return naming.GraphQL(d.Name)
}
