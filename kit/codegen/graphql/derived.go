package graphql

import (
	"strings"

	"github.com/vektah/gqlparser/v2/ast"

	"github.com/entwine-go/entwine/kit/codegen/model"
	"github.com/entwine-go/entwine/kit/codegen/naming"
	"github.com/entwine-go/entwine/kit/expose"
)

// derivedFields are the entity's derived fields in GraphQL, and the types of
// their values.
func derivedFields(e *model.Entity) (fields ast.FieldList, types ast.DefinitionList) {
	for _, d := range e.Derived {
		name := map[expose.Shape]string{
			expose.Text: "String", expose.Count: "Int", expose.Decimal: "Float", expose.Flag: "Boolean", expose.Amount: "Float", expose.Objects: d.Object,
		}[d.Shape]
		if len(d.Values) > 0 {
			name = e.Name + naming.Pascal(d.Name)
			enum := &ast.Definition{Kind: ast.Enum, Name: name, Description: d.Comment}
			for _, value := range d.Values {
				enum.EnumValues = append(enum.EnumValues, &ast.EnumValueDefinition{Name: value})
			}
			types = append(types, enum)
		}
		t := ast.NamedType(name, nil)
		if d.Shape == expose.Objects {
			t = ast.ListType(ast.NonNullNamedType(name, nil), nil)
			types = append(types, objectType(e, d))
		}
		t.NonNull = !d.Nullable
		fields = append(fields, &ast.FieldDefinition{Name: model.DerivedName(d), Description: d.Comment, Type: t})
	}
	return fields, types
}

// nullableType is the type of the name, which may be null.
func nullableType(name string, nullable bool) *ast.Type {
	if nullable {
		return ast.NamedType(name, nil)
	}
	return ast.NonNullNamedType(name, nil)
}

// objectType is the type of the objects of a list.
func objectType(e *model.Entity, d expose.Derived) *ast.Definition {
	def := &ast.Definition{Kind: ast.Object, Name: d.Object, Description: "One of the " + strings.ReplaceAll(d.Name, "_", " ") + " of " + naming.An(e.Singular) + "."}
	for _, m := range d.Members {
		name := map[expose.Shape]string{expose.Text: "String", expose.Count: "Int", expose.Amount: "Float"}[m.Shape]
		def.Fields = append(def.Fields, &ast.FieldDefinition{Name: naming.GraphQL(m.Name), Description: m.Comment, Type: nullableType(name, m.Nullable)})
	}
	return def
}
