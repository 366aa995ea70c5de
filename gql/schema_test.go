package gql_test

import (
	"strings"
	"testing"

	"github.com/vektah/gqlparser/v2/ast"

	"github.com/entwine-go/entwine/internal/entity"
)

// specification is the part of the schema on which clients rely letter by letter
// (doc/api/graphql.md). Optional arguments and fields are added to it, and nothing is taken
// away.
var specification = map[string]string{
	"Query.user":                "(id: ID!): User",
	"Query.users":               "(page: Int, limit: Int): [User!]!",
	"Query.post":                "(id: ID!): Post",
	"Query.posts":               "(author_id: ID): [Post!]!",
	"Query.searchUsers":         "(query: String!): [User!]!",
	"Mutation.createUser":       "(input: CreateUserInput!, idempotencyKey: String): User!",
	"Mutation.updateUser":       "(id: ID!, input: UpdateUserInput!, expectedVersion: Int, idempotencyKey: String): User!",
	"Mutation.deleteUser":       "(id: ID!, expectedVersion: Int, hard: Boolean, idempotencyKey: String): Boolean!",
	"Mutation.createPost":       "(input: CreatePostInput!, idempotencyKey: String): Post!",
	"Mutation.addComment":       "(postId: ID!, text: String!, idempotencyKey: String): Comment!",
	"CreateUserInput.name":      ": String!",
	"CreateUserInput.email":     ": String!",
	"CreateUserInput.age":       ": Int",
	"UpdateUserInput.name":      ": String",
	"UpdateUserInput.email":     ": String",
	"UpdateUserInput.age":       ": Int",
	"CreatePostInput.title":     ": String!",
	"CreatePostInput.content":   ": String!",
	"CreatePostInput.published": ": Boolean",
	"User.id":                   ": ID!",
	"User.name":                 ": String!",
	"User.age":                  ": Int",
	"User.is_active":            ": Boolean!",
	"User.created_at":           ": String",
	"User.salary":               ": Float",
	"Post.id":                   ": ID!",
	"Post.title":                ": String!",
	"Post.content":              ": String!",
	"Post.author":               ": User!",
	"Post.created_at":           ": String!",
	"Comment.text":              ": String!",
	"Comment.author":            ": User!",
	"Comment.post":              ": Post!",
}

func TestSpecifiedSchema(t *testing.T) {
	t.Parallel()
	for name, want := range specification {
		typ, field, _ := strings.Cut(name, ".")
		def := api.GraphQL().Types[typ].Fields.ForName(field)
		if def == nil {
			t.Errorf("there is no %s", name)
			continue
		}
		if got := signature(def); got != want {
			t.Errorf("%s%s, want %s", name, got, want)
		}
	}
	for _, name := range []string{"CreateUserInput", "UpdateUserInput", "CreatePostInput"} {
		for _, f := range api.GraphQL().Types[name].Fields {
			if _, printed := specification[name+"."+f.Name]; !printed && f.Type.NonNull {
				t.Errorf("%s.%s is required, and the specification does not know it", name, f.Name)
			}
		}
	}
}

func signature(f *ast.FieldDefinition) string {
	var arguments []string
	for _, a := range f.Arguments {
		arguments = append(arguments, a.Name+": "+a.Type.String())
	}
	if len(arguments) == 0 {
		return ": " + f.Type.String()
	}
	return "(" + strings.Join(arguments, ", ") + "): " + f.Type.String()
}

// TestEveryEntity has what every entity has in GraphQL.
func TestEveryEntity(t *testing.T) {
	t.Parallel()
	types := api.GraphQL().Types
	for _, e := range entity.All {
		def := types[e.Name]
		if def == nil || len(def.Interfaces) == 0 || def.Interfaces[0] != "Node" {
			t.Errorf("%s is no Node", e.Name)
			continue
		}
		if def.Description == "" {
			t.Errorf("%s has no description", e.Name)
		}
		for _, f := range e.Fields {
			for _, name := range f.GraphQL {
				out := def.Fields.ForName(name)
				if out == nil || out.Description == "" {
					t.Errorf("%s.%s is missing, or not described", e.Name, name)
					continue
				}
				hidden := len(f.Roles) > 0 || f.Known
				if hidden && out.Type.NonNull && name != "is_active" {
					t.Errorf("%s.%s is null for some, and not nullable", e.Name, name)
				}
			}
		}
		for _, g := range e.Edges {
			if out := def.Fields.ForName(g.GraphQL); out == nil || out.Description == "" {
				t.Errorf("%s.%s is missing, or not described", e.Name, g.GraphQL)
			}
			if connection := def.Fields.ForName(g.GraphQL + "Connection"); g.Many && (connection == nil || len(connection.Arguments) < 5) {
				t.Errorf("%s.%sConnection is missing", e.Name, g.GraphQL)
			}
		}
	}
	for _, name := range []string{"Credential", "Event", "IdempotencyRecord", "Session"} {
		if types[name] != nil {
			t.Errorf("%s is internal, and in the schema", name)
		}
	}
	for name, def := range types {
		if def.Kind != ast.Object || name == "Mutation" { // what can be read
			continue
		}
		for _, f := range def.Fields {
			if strings.Contains(f.Name, "fold") || strings.Contains(strings.ToLower(f.Name), "password") {
				t.Errorf("%s.%s is in the schema", name, f.Name)
			}
		}
	}
}

// Every type of the schema is reached by a root field.
func TestEveryTypeIsReached(t *testing.T) {
	t.Parallel()
	schema := api.GraphQL()
	reached := map[string]bool{}
	var visit func(name string)
	visit = func(name string) {
		def := schema.Types[name]
		if reached[name] || def == nil {
			return
		}
		reached[name] = true
		for _, f := range def.Fields {
			visit(f.Type.Name())
			for _, a := range f.Arguments {
				visit(a.Type.Name())
			}
		}
		for _, possible := range schema.PossibleTypes[name] {
			visit(possible.Name)
		}
	}
	for _, root := range []*ast.Definition{schema.Query, schema.Mutation, schema.Subscription} {
		if root.Description == "" {
			t.Errorf("%s has no description", root.Name)
		}
		visit(root.Name)
	}
	for name, def := range schema.Types {
		if !reached[name] && !def.BuiltIn {
			t.Errorf("no root field reaches %s", name)
		}
		if def.Kind == ast.Scalar && !def.BuiltIn && def.Directives.ForName("specifiedBy") == nil {
			t.Errorf("nothing says where %s is specified", name)
		}
	}
}

// Names are spelled alike: an id is Id wherever it stands behind another word,
// and a value of an enum is written as REST writes it, but for those that only
// orderBy has.
func TestNamesAreSpelledAlike(t *testing.T) {
	t.Parallel()
	for name, def := range api.GraphQL().Types {
		if def.BuiltIn {
			continue
		}
		for _, f := range def.Fields {
			if strings.Contains(f.Name, "ID") || strings.Contains(f.Name, "URL") {
				t.Errorf("%s.%s is spelled with capitals", name, f.Name)
			}
			for _, a := range f.Arguments {
				if strings.Contains(a.Name, "ID") {
					t.Errorf("%s.%s(%s:) is spelled with capitals", name, f.Name, a.Name)
				}
			}
		}
		for _, value := range def.EnumValues {
			if upper := strings.ToUpper(value.Name) == value.Name; upper != strings.Contains(name, "Order") && !strings.HasSuffix(name, "Status") {
				t.Errorf("%s.%s is spelled otherwise than the others", name, value.Name)
			}
		}
	}
}
