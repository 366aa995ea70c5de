package graphql

import (
	"strings"

	"github.com/vektah/gqlparser/v2/ast"

	"github.com/entwine-go/entwine/kit/codegen/model"
	"github.com/entwine-go/entwine/kit/codegen/naming"
)

// searchResult is the union of what GraphQL's search finds.
const searchResult = "SearchResult"

// searchTypes are what GraphQL's search says of the entities.
func searchTypes(m *model.Model) ast.DefinitionList {
	union := &ast.Definition{Kind: ast.Union, Name: searchResult, Description: "Something that can be found by its words."}
	kinds := &ast.Definition{Kind: ast.Enum, Name: "SearchType", Description: "What can be searched."}
	for _, e := range m.Searchable() {
		union.Types = append(union.Types, e.Name)
		kinds.EnumValues = append(kinds.EnumValues, &ast.EnumValueDefinition{Name: naming.Snake(plural(e))})
	}
	if len(union.Types) == 0 {
		return nil
	}
	return ast.DefinitionList{union, kinds}
}

// plural returns the lower-camel plural of an entity: what GraphQL calls a
// list of it. It follows the path, which the schema's author chose.
func plural(e *model.Entity) string {
	return naming.Camel(strings.NewReplacer("-", "_", "/", "_").Replace(e.Path))
}
