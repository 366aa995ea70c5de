package graphql

import (
	"maps"
	"slices"
	"strings"

	"entgo.io/ent/entc/gen"
	"github.com/vektah/gqlparser/v2"
	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/formatter"

	"github.com/entwine-go/entwine/kit/codegen/model"
	"github.com/entwine-go/entwine/kit/codegen/source"
)

// Document is the schema as clients know it, in the SDL, with what the tree has
// by hand. Nothing is written but what entgql keeps in the graph's target. The
// graph of the model was made with the schema's option.
func (g *Schema) Document(tree *source.Tree, m *model.Model) (string, error) {
	g.model = m
	Annotate(m)
	generator := gen.Generator(gen.GenerateFunc(func(*gen.Graph) error { return nil })) // without Ent's code
	for _, hook := range m.Graph.Hooks {
		generator = hook(generator)
	}
	if err := generator.Generate(m.Graph); err != nil {
		return "", err
	}
	if err := g.readHand(tree.Path("gql")); err != nil {
		return "", err
	}
	if err := g.build(); err != nil {
		return "", err
	}
	var sources []*ast.Source
	for _, documents := range []map[string]*ast.SchemaDocument{g.files, g.hand} {
		for _, name := range slices.Sorted(maps.Keys(documents)) {
			sources = append(sources, &ast.Source{Name: name, Input: printed(documents[name])})
		}
	}
	schema, err := gqlparser.LoadSchema(sources...)
	if err != nil {
		return "", err
	}
	var b strings.Builder
	formatter.NewFormatter(&b, formatter.WithIndent("  ")).FormatSchema(schema)
	return b.String(), nil
}
