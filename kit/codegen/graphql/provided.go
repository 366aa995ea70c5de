package graphql

import (
	"slices"

	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/parser"

	"github.com/entwine-go/entwine/kit/codegen/builtin"
)

// addProvided adds the documents whose root fields the kit answers.
func (g *Schema) addProvided() error {
	for name, text := range builtin.GraphQL(g.model) {
		document, err := parser.ParseSchema(&ast.Source{Name: name + ".graphql", Input: text})
		if err != nil {
			return err
		}
		g.files[name] = document
	}
	return nil
}

// provided reports whether the kit answers a root field.
func (g *Schema) provided(root, field string) bool {
	for name := range builtin.GraphQL(g.model) {
		document := g.files[name]
		if document != nil && slices.ContainsFunc(document.Extensions, func(def *ast.Definition) bool {
			return def.Name == root && def.Fields.ForName(field) != nil
		}) {
			return true
		}
	}
	return false
}
