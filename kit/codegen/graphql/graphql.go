// Package graphql makes the GraphQL API: the schema (what entgql makes of Ent's graph,
// completed), the executor that gqlgen makes of the part that has resolvers, and the
// table of the mutations that have none. The files gql/*.graphql are by hand; a field
// there replaces the generated one.
package graphql

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

	"github.com/entwine-go/entwine/kit/codegen/builtin"
	"github.com/entwine-go/entwine/kit/codegen/model"
	"github.com/entwine-go/entwine/kit/codegen/source"
	"github.com/entwine-go/entwine/kit/expose"
)

// Schema is the GraphQL schema in the making: what entgql makes of the
// graph, completed by what is ours, next to what stands in gql/*.graphql.
type Schema struct {
	model *model.Model
	// base is entgql's, set while Ent generates.
	base *ast.Schema
	// hand is the content of gql/*.graphql, by the files' names without .graphql.
	hand map[string]*ast.SchemaDocument
	// endings are when what stands at a coordinate of the schema ends.
	endings map[string]*expose.Ending
	// renamed are old names by their coordinates, and what is called so now.
	renamed map[string]string
	// files are written to gql/generated, by their names without .graphql.
	files map[string]*ast.SchemaDocument
}

// Option makes Ent run the part of entgql that is used: the generator of the
// schema. Its Go templates are not: reads are planned (package plan), writes
// are declared (package handler).
func (g *Schema) Option() entc.Option {
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

// Write writes gql/generated/*.graphql, has gqlgen make the executor
// and the models of it, and writes the table of declared mutations.
func (g *Schema) Write(tree *source.Tree, m *model.Model) error {
	g.model = m
	if err := g.readHand(tree.Path("gql")); err != nil {
		return err
	}
	if err := g.build(); err != nil {
		return err
	}
	folder := tree.Folder("gql/generated")
	if err := g.writeDocuments(tree, folder); err != nil {
		return err
	}
	if err := g.writeEmbed(folder); err != nil {
		return err
	}
	if err := g.runGqlgen(tree, folder); err != nil {
		return err
	}
	if err := g.writeQueries(folder); err != nil {
		return err
	}
	if err := g.writeSubscriptions(folder); err != nil {
		return err
	}
	return g.writeDeclared(tree.Folder("gql/crud"))
}

// readHand reads the schema files that are written by hand.
func (g *Schema) readHand(dir string) error {
	names, err := filepath.Glob(filepath.Join(dir, "*.graphql"))
	if err != nil {
		return err
	}
	g.hand = map[string]*ast.SchemaDocument{}
	for _, path := range names {
		file := filepath.Base(path)
		name := strings.TrimSuffix(file, ".graphql")
		if name == "base" || name == "search" || builtin.GraphQL(g.model)[name] != "" || g.entity(name) != nil {
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
func (g *Schema) entity(file string) *model.Entity {
	i := slices.IndexFunc(g.model.Entities, func(e *model.Entity) bool { return e.Singular == file })
	if i < 0 {
		return nil
	}
	return g.model.Entities[i]
}

// writeDocuments writes all documents of the schema, those by hand into a folder of
// their own: what embeds them can't look into the folder above.
func (g *Schema) writeDocuments(tree *source.Tree, folder *source.Folder) error {
	hand := tree.Folder("gql/generated/byhand")
	for name, document := range g.hand {
		text := "# " + strings.TrimPrefix(source.Header, "// ") + "\n\n" + printed(document)
		if err := hand.WriteFile(name+".graphql", []byte(text)); err != nil {
			return err
		}
	}
	if len(g.hand) == 0 {
		if err := os.RemoveAll(tree.Path("gql/generated/byhand")); err != nil {
			return err
		}
	} else if err := hand.RemoveOthers("*"); err != nil {
		return err
	}
	for name, document := range g.files {
		text := "# " + strings.TrimPrefix(source.Header, "// ") + "\n\n" + printed(document)
		if err := folder.WriteFile(name+".graphql", []byte(text)); err != nil {
			return err
		}
	}
	return folder.RemoveOthers("*.graphql")
}

func printed(document *ast.SchemaDocument) string {
	var b strings.Builder
	formatter.NewFormatter(&b, formatter.WithIndent("  ")).FormatSchemaDocument(document)
	return b.String()
}
