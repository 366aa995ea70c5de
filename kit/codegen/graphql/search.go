package graphql

import (
	_ "embed"
	"strings"

	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/parser"

	"github.com/entwine-go/entwine/kit/codegen/model"
	"github.com/entwine-go/entwine/kit/codegen/naming"
)

// searchResult is the union of what GraphQL's search finds.
const searchResult = "SearchResult"

// searchSDL is the part of GraphQL's search that does not depend on the entities.
//
//go:embed search.graphql
var searchSDL string

// searchDocument is the search of a schema with fields to search in, nil without.
func searchDocument(m *model.Model) (*ast.SchemaDocument, error) {
	union := &ast.Definition{Kind: ast.Union, Name: searchResult, Description: "Something that can be found by its words."}
	kinds := &ast.Definition{Kind: ast.Enum, Name: "SearchType", Description: "The types that can be searched."}
	for _, e := range m.Searchable() {
		union.Types = append(union.Types, e.Name)
		kinds.EnumValues = append(kinds.EnumValues, &ast.EnumValueDefinition{Name: naming.Snake(plural(e))})
	}
	if len(union.Types) == 0 {
		return nil, nil //nolint:nilnil // there is none
	}
	document, err := parser.ParseSchema(&ast.Source{Name: "search.graphql", Input: searchSDL})
	if err != nil {
		return nil, err
	}
	document.Definitions = append(document.Definitions, union, kinds)
	return document, nil
}

// plural returns the lower-camel plural of an entity: what GraphQL calls a
// list of it. It follows the path, which the schema's author chose.
func plural(e *model.Entity) string {
	return naming.Camel(strings.NewReplacer("-", "_", "/", "_").Replace(e.Path))
}
