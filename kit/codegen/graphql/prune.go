package graphql

import (
	"slices"

	"github.com/vektah/gqlparser/v2/ast"
)

// prune leaves out what no root field reaches: the connection, the order and
// the filter of an entity that has no listing.
func (g *Schema) prune() {
	reachable := reach{types: map[string]*ast.Definition{}, seen: map[string]bool{}}
	for _, document := range g.documents() {
		reachable.add(document.Definitions)
		reachable.add(document.Extensions)
	}
	for _, root := range []string{"Query", "Mutation", "Subscription"} {
		reachable.visit(root)
	}
	for name, def := range reachable.types {
		if slices.ContainsFunc(def.Interfaces, func(abstract string) bool { return reachable.seen[abstract] }) {
			reachable.visit(name) // node(id:) answers with it
		}
	}
	for _, document := range g.files {
		document.Definitions = reachable.only(document.Definitions)
	}
}

// describeMutations says what mutations are, if there are any.
func (g *Schema) describeMutations() {
	for _, document := range g.documents() {
		if slices.ContainsFunc(document.Extensions, func(def *ast.Definition) bool { return def.Name == "Mutation" }) {
			base := g.files["base"]
			base.Definitions = append(base.Definitions, &ast.Definition{Kind: ast.Object, Name: "Mutation", Description: "What can be changed. " +
				"Each field is a transaction of its own, one after the other: one that fails leaves what the others have done."})
			return
		}
	}
}
