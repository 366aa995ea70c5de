package graphql

import (
	"strings"

	"github.com/vektah/gqlparser/v2/ast"

	"github.com/entwine-go/entwine/kit/codegen/model"
	"github.com/entwine-go/entwine/kit/codegen/naming"
)

// edgeInputs are the fields of an input that say what is attached to the row.
func edgeInputs(e *model.Entity, verb string) (fields ast.FieldList) {
	add := func(name, description string) {
		fields = append(fields, &ast.FieldDefinition{
			Name: name, Description: description, Type: ast.ListType(ast.NonNullNamedType("ID", nil), nil),
		})
	}
	for _, edge := range e.Attached() {
		ids := edge.GraphQLIDs()
		within := strings.ToUpper(ids[:1]) + ids[1:]
		add(ids, edge.Comment+" At most 100, that the caller can read: others stay attached.")
		if verb == "Update" {
			add("add"+within, "More "+naming.Words(edge.Name)+", in place of "+ids+".")
			add("remove"+within, "The rows to take away from its "+naming.Words(edge.Name)+", in place of "+ids+".")
		}
	}
	return fields
}
