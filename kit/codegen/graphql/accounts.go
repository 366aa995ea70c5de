package graphql

import (
	"slices"

	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/parser"

	"github.com/entwine-go/entwine/kit/codegen/builtin"
)

// accountsFile is the document with the root fields of accounts.
const accountsFile = "accounts"

// addAccounts adds the document of accounts to a schema that has the tables of
// these.
func (g *Schema) addAccounts() error {
	text := builtin.GraphQL(g.model)
	if text == "" {
		return nil
	}
	document, err := parser.ParseSchema(&ast.Source{Name: accountsFile + ".graphql", Input: text})
	if err != nil {
		return err
	}
	g.files[accountsFile] = document
	return nil
}

// provided reports whether the kit answers a root field.
func (g *Schema) provided(root, field string) bool {
	document := g.files[accountsFile]
	return document != nil && slices.ContainsFunc(document.Extensions, func(def *ast.Definition) bool {
		return def.Name == root && def.Fields.ForName(field) != nil
	})
}
