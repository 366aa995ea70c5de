package graphql

import (
	"fmt"

	"github.com/vektah/gqlparser/v2/ast"

	"github.com/entwine-go/entwine/kit/codegen/model"
	"github.com/entwine-go/entwine/kit/codegen/naming"
)

// liveList is the subscription that follows a list of the entity (expose.Resource.Live).
func (g *Schema) liveList(e *model.Entity) ast.FieldList {
	if !e.Live {
		return nil
	}
	arguments := ast.ArgumentDefinitionList{
		argument("first", fmt.Sprintf("How many from the beginning: at most 100, %d if it is not given.", e.PageSize()), ast.NamedType("Int", nil)),
	}
	arguments = append(arguments, g.selecting(e)...)
	return ast.FieldList{{
		Name:        plural(e) + "Live",
		Description: "The first " + naming.Words(e.Path) + " of a listing that the caller can read, and from then on what becomes of them.",
		Arguments: append(arguments, argument("since",
			"The position of the last update that the client has: it goes on from there.", ast.NamedType("String", nil))),
		Type: ast.NonNullNamedType(e.Name+"Live", nil),
	}}
}

// liveTypes are the types of the subscription's answer.
func liveTypes(e *model.Entity) ast.DefinitionList {
	if !e.Live {
		return nil
	}
	field := func(name, description string, t *ast.Type) *ast.FieldDefinition {
		return &ast.FieldDefinition{Name: name, Description: description, Type: t}
	}
	whole := func() *ast.Type { return ast.NonNullNamedType("Int", nil) }
	step := e.Name + "LiveStep"
	return ast.DefinitionList{{
		Kind: ast.Object, Name: e.Name + "Live", Description: "The changes of a list of " + naming.Words(e.Path) + ".",
		Fields: ast.FieldList{
			field("position", "Names what the listing is then: the client comes back with it as `since`.", ast.NonNullNamedType("String", nil)),
			field("reset", "Whether the listing is to be emptied before the steps: in the first update of a client that gave no position.", ast.NonNullNamedType("Boolean", nil)),
			field("totalCount", "How many the listing has then, counted up to 10,000, where it is selected.", whole()),
			field("totalCountExact", "Whether `totalCount` is all there are: false where there may be more.", ast.NonNullNamedType("Boolean", nil)),
			field("steps", "The changes, to be applied to the list in this order.", ast.NonNullListType(ast.NonNullNamedType(step, nil), nil)),
		},
	}, {
		Kind: ast.Object, Name: step, Description: "What becomes of one of the " + naming.Words(e.Path) + ".",
		Fields: ast.FieldList{
			field("kind", "What becomes of it.", ast.NonNullNamedType("LiveKind", nil)),
			field("id", "Its global id.", ast.NonNullNamedType("ID", nil)),
			field("index", "Where it is in the listing.", whole()),
			field("from", "Where one was that moves.", ast.NamedType("Int", nil)),
			field("node", "The row with its present values, where it enters or has changed.", ast.NamedType(e.Name, nil)),
		},
	}}
}

// liveKind is the enum of changes of rows.
func liveKind() *ast.Definition {
	value := func(name, description string) *ast.EnumValueDefinition {
		return &ast.EnumValueDefinition{Name: name, Description: description}
	}
	return &ast.Definition{Kind: ast.Enum, Name: "LiveKind", Description: "What becomes of an item of a live listing.", EnumValues: ast.EnumValueList{
		value("enter", "It is inserted at `index`."),
		value("change", "The one at `index` is another."),
		value("leave", "The one at `index` is removed."),
		value("move", "The one at `from` is removed there, and inserted at `index`."),
	}}
}
