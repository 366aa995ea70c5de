package main

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"entgo.io/contrib/entgql"
	"entgo.io/ent/entc"
	"entgo.io/ent/entc/gen"
	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/formatter"
	"github.com/vektah/gqlparser/v2/parser"
)

// graphqlSchema is the GraphQL schema in the making: what entgql makes of the
// graph, completed by what is ours, next to what stands in gql/*.graphql.
type graphqlSchema struct {
	model *Model
	// base is entgql's, set while Ent generates.
	base *ast.Schema
	// hand is what stands in gql/*.graphql, by the files' names without .graphql.
	hand map[string]*ast.SchemaDocument
	// files are written to gql/generated, by their names without .graphql.
	files map[string]*ast.SchemaDocument
}

// option makes Ent run the part of entgql that is used: the generator of the
// schema. Its Go templates are not: reads are planned (package gql), writes
// are generated into gql/crud.
func (g *graphqlSchema) option() entc.Option {
	return func(cfg *gen.Config) error {
		ex, err := entgql.NewExtension(
			entgql.WithSchemaGenerator(),
			entgql.WithRelaySpec(true),
			entgql.WithWhereInputs(true),
			entgql.WithOutputWriter(func(s *ast.Schema) error {
				g.base = s
				return nil
			}),
		)
		if err != nil {
			return err
		}
		cfg.Hooks = append(cfg.Hooks, ex.Hooks()...)
		return nil
	}
}

// writeGraphQL writes gql/generated/*.graphql and has gqlgen make the
// executor and the models of it.
func writeGraphQL(root string, g *graphqlSchema) error {
	dir := filepath.Join(root, "gql")
	if err := g.readHand(dir); err != nil {
		return err
	}
	if err := g.build(); err != nil {
		return err
	}
	if err := g.write(filepath.Join(dir, "generated")); err != nil {
		return err
	}
	if err := runGqlgen(dir, g); err != nil {
		return err
	}
	return g.writeResolvers(filepath.Join(dir, "crud"))
}

// readHand reads the schema files that are written by hand.
func (g *graphqlSchema) readHand(dir string) error {
	names, err := filepath.Glob(filepath.Join(dir, "*.graphql"))
	if err != nil {
		return err
	}
	g.hand = map[string]*ast.SchemaDocument{}
	for _, path := range names {
		file := filepath.Base(path)
		name := strings.TrimSuffix(file, ".graphql")
		if name == "base" || g.entity(name) != nil {
			return fmt.Errorf("gql/%s: gql/generated has a file of that name: name yours after an activity", file)
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		if g.hand[name], err = parser.ParseSchema(&ast.Source{Name: "gql/" + file, Input: string(text)}); err != nil {
			return err
		}
	}
	return nil
}

// entity returns the entity whose file has the name, or nil.
func (g *graphqlSchema) entity(file string) *Entity {
	i := slices.IndexFunc(g.model.Entities, func(e *Entity) bool { return e.Singular == file })
	if i < 0 {
		return nil
	}
	return g.model.Entities[i]
}

func (g *graphqlSchema) write(dir string) error {
	kept := map[string]bool{}
	for name, document := range g.files {
		text := "# " + strings.TrimPrefix(header, "// ") + "\n\n" + printed(document)
		kept[name+".graphql"] = true
		if err := writeFile(filepath.Join(dir, name+".graphql"), []byte(text)); err != nil {
			return err
		}
	}
	return removeFiles(dir, "*.graphql", kept)
}

func printed(document *ast.SchemaDocument) string {
	var b strings.Builder
	formatter.NewFormatter(&b, formatter.WithIndent("  ")).FormatSchemaDocument(document)
	return b.String()
}
