package clients_test

import (
	"strings"

	"github.com/vektah/gqlparser/v2/ast"

	generated "github.com/entwine-go/entwine/internal/service"
)

// judged are documents to be judged: one for each root field, and those of
// which each breaks, or just keeps, a rule of validation.
func judged() []string {
	var all []string
	schema := generated.Generated(nil).GraphQL()
	for kind, root := range map[string]*ast.Definition{"query": schema.Query, "mutation": schema.Mutation, "subscription": schema.Subscription} {
		for _, f := range root.Fields {
			all = append(all, kind+" { "+selected(schema, f)+" }")
		}
	}
	return append(all, ofRules...)
}

// selected is a field with the arguments that it requires.
func selected(schema *ast.Schema, f *ast.FieldDefinition) string {
	var arguments []string
	for _, a := range f.Arguments {
		if a.Type.NonNull && a.DefaultValue == nil {
			arguments = append(arguments, a.Name+": "+valueOf(schema, a.Type))
		}
	}
	text := f.Name
	if len(arguments) > 0 {
		text += "(" + strings.Join(arguments, ", ") + ")"
	}
	if !schema.Types[f.Type.Name()].IsLeafType() {
		text += " { __typename }"
	}
	return text
}

// valueOf is a literal of the type.
func valueOf(schema *ast.Schema, t *ast.Type) string {
	if t.Elem != nil {
		return "[" + valueOf(schema, t.Elem) + "]"
	}
	switch def := schema.Types[t.NamedType]; {
	case def.Kind == ast.Enum:
		return def.EnumValues[0].Name
	case def.Kind == ast.InputObject:
		var fields []string
		for _, f := range def.Fields {
			if f.Type.NonNull && f.DefaultValue == nil {
				fields = append(fields, f.Name+": "+valueOf(schema, f.Type))
			}
		}
		return "{" + strings.Join(fields, ", ") + "}"
	}
	literals := map[string]string{"Int": "1", "Float": "1.5", "Boolean": "true", "Time": `"2026-01-01T00:00:00Z"`}
	if literal, ok := literals[t.NamedType]; ok {
		return literal
	}
	return `"1"`
}

var ofRules = []string{
	// syntax
	`{`, `{ }`, `{ posts { } }`, `query { posts { id }`, `{ posts(first: ) { id } }`, `query Q($a Int) { posts { id } }`, `{ "posts" }`, `fragment on on Post { id } { posts { id } }`,
	// fields and their selections
	`{ nothing }`, `{ posts }`, `{ posts { id { x } } }`, `{ posts { author } }`, `{ posts { likes { nothing } } }`, `{ node(id: "1") { title } }`,
	`{ __typename }`, `{ __schema { queryType { name } } }`, `{ __type(name: "Post") { fields { name } } }`, `mutation { __schema { queryType { name } } }`,
	`{ search: searchConnection(query: "x") { nodes { title } } }`, `{ search: searchConnection(query: "x") { nodes { ... on Post { title } ... on User { name } } } }`,
	// arguments
	`{ posts(nothing: 1) { id } }`, `{ user { id } }`, `{ user(id: null) { id } }`, `{ user(id: 1, id: 2) { id } }`, `{ user(id: 1.5) { id } }`, `{ user(id: A) { id } }`,
	`{ user(id: true) { id } }`, `{ users(limit: "1") { id } }`, `{ users(limit: 1.5) { id } }`, `{ users(limit: 99999999999) { id } }`, `{ users(limit: 2) { id } }`,
	`{ searchUsers(query: 1) { id } }`, `{ searchUsers(query: """x""") { id } }`,
	`{ postsConnection(where: {nothing: 1}) { totalCount } }`, `{ postsConnection(where: {title: "a", title: "b"}) { totalCount } }`, `{ postsConnection(where: {title: 1}) { totalCount } }`,
	`{ postsConnection(where: {idIn: 1, titleIn: ["a"]}) { totalCount } }`, `{ postsConnection(where: {idIn: [null]}) { totalCount } }`,
	`{ postsConnection(orderBy: {field: ID}) { totalCount } }`, `{ postsConnection(orderBy: {field: "ID"}) { totalCount } }`, `{ postsConnection(orderBy: {direction: ASC}) { totalCount } }`,
	`{ postsConnection(orderBy: {field: NOTHING}) { totalCount } }`, `{ postsConnection(orderBy: [{field: ID, direction: null}]) { totalCount } }`,
	`mutation { createUser(input: {name: "x"}) { id } }`, `mutation { createUser(input: {name: null, email: "x"}) { id } }`, `mutation { createUser { id } }`,
	// operations
	`query { posts { id } } query { posts { id } }`, `query A { posts { id } } query A { posts { id } }`, `{ posts { id } } query A { posts { id } }`,
	`subscription { newPost { id } __typename }`, `type X { y: Int }`, `{ posts { id } } type X { y: Int }`,
	// variables
	`query($a: Int, $a: Int) { users(limit: $a) { id } }`, `query($a: Int) { posts { id } }`, `{ users(limit: $a) { id } }`, `query($a: Nothing) { users(limit: $a) { id } }`,
	`query($a: Post) { users(limit: $a) { id } }`, `query($a: String) { users(limit: $a) { id } }`, `query($a: ID) { user(id: $a) { id } }`, `query($a: ID = 1) { user(id: $a) { id } }`,
	`query($a: Int = "x") { users(limit: $a) { id } }`, `query($a: Int = 3) { users(limit: $a) { id } }`, `query($a: [ID!]) { postsConnection(where: {idIn: $a}) { totalCount } }`,
	`query($a: [ID]) { postsConnection(where: {idIn: $a}) { totalCount } }`, `query($a: ID) { postsConnection(where: {idIn: $a}) { totalCount } }`,
	`query($d: OrderDirection) { postsConnection(orderBy: {field: ID, direction: $d}) { totalCount } }`, `query($d: OrderDirection = ASC) { postsConnection(orderBy: {field: ID, direction: $d}) { totalCount } }`,
	// fragments
	`{ posts { ...F } }`, `fragment F on Post { id } { posts { id } }`, `fragment F on Post { id } fragment F on Post { id } { posts { ...F } }`, `fragment F on Post { ...F } { posts { ...F } }`,
	`fragment F on Post { author { ...G } } fragment G on User { posts { ...F } } { posts { ...F } }`, `fragment F on User { id } { posts { ...F } }`, `fragment F on Nothing { id } { posts { id } }`,
	`fragment F on Int { id } { posts { ...F } }`, `fragment F on Node { id } { posts { ...F } }`, `{ posts { ... on User { id } } }`, `{ posts { ... on Node { id } } }`, `{ node(id: "1") { ... on Post { title } ... on Like { id } } }`,
	`{ node(id: "1") { ... on SearchResult { __typename } } }`, `{ node(id: "1") { ... on PageInfo { hasNextPage } } }`,
	// directives
	`{ posts @nothing { id } }`, `{ posts @skip { id } }`, `{ posts @skip(if: "yes") { id } }`, `{ posts @skip(if: false) @skip(if: false) { id } }`, `{ posts @include(if: true) { id } }`, `query @skip(if: true) { posts { id } }`,
	`{ posts { ... @defer { title } } }`, `{ posts { title @defer } }`, `{ posts { ... @defer(label: "a", if: false) { title } } }`, `{ posts @deprecated { id } }`,
	// fields that overlap
	`{ posts { a: id a: title } }`, `{ posts { a: id a: id } }`, `{ users(limit: 1) { id } users(limit: 2) { id } }`, `{ users(limit: 1) { id } users(limit: 1) { name } }`,
	`{ posts { author { a: id } author { a: name } } }`, `{ node(id: "1") { ... on Post { x: title } ... on User { x: name } } }`, `{ node(id: "1") { ... on Post { x: title } ... on User { x: age } } }`,
	`{ node(id: "1") { ... on Post { x: version } ... on User { x: version } } }`, `fragment F on Post { a: id } { posts { a: title ...F } }`,
}
