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

// rootComments say what the roots are that schemas may have fields of.
var rootComments = []struct{ root, comment string }{
	{"Mutation", "The operations that write. " +
		"Each field is a transaction of its own, one after the other: one that fails leaves what the others have done."},
	{"Subscription", "What happens, as it happens: over a WebSocket (graphql-transport-ws) or as\n" +
		"server-sent events. Each event is answered with the current row, if the\n" +
		"caller can read it; a caller who can't gets no event."},
}

// describeRoots says what the roots are that there are fields of.
func (g *Schema) describeRoots() {
	for _, r := range rootComments {
		for _, document := range g.documents() {
			if slices.ContainsFunc(document.Extensions, func(def *ast.Definition) bool { return def.Name == r.root }) {
				base := g.files["base"]
				base.Definitions = append(base.Definitions, &ast.Definition{Kind: ast.Object, Name: r.root, Description: r.comment})
				break
			}
		}
	}
}
