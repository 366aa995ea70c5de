package app

import (
	"context"
	"flag"

	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/formatter"
)

func schemaCommand() Command {
	version, role := "", ""
	return Command{
		Name:    "schema",
		Args:    "graphql|openapi|manifest",
		Summary: "Print what an API offers, for the tools of clients.",
		About: `Prints GraphQL's schema in its definition language, as Relay's compiler and code generators
take it, REST's OpenAPI document, or the manifest, which describes the service to programs:
both as JSON. It needs no database and no running service.`,
		Plain: true,
		Flags: func(fs *flag.FlagSet) {
			fs.StringVar(&version, "version", "", "of REST, whose document is meant: v2. Without it the first.")
			fs.StringVar(&role, "role", "", "print the manifest for users with the role, or for anonymous callers. Without it all there is.")
		},
		Run: func(_ context.Context, p *Process, args []string) error {
			if err := Wants(args, "graphql|openapi|manifest"); err != nil {
				return err
			}
			var text []byte
			var err error
			switch args[0] {
			case "graphql":
				schema := p.service.GraphQL()
				f := formatter.NewFormatter(p.Stdout, formatter.WithIndent("  "))
				f.FormatSchemaDocument(deferDirective(schema))
				f.FormatSchema(schema)
				return nil
			case "openapi":
				text, err = p.service.document(version)
			case "manifest":
				text, err = p.service.manifest(version, role)
			default:
				return Usagef("there is no schema of %q: graphql, openapi and manifest are", args[0])
			}
			if err != nil {
				return err
			}
			_, err = p.Stdout.Write(text)
			return err
		},
	}
}

// deferDirective defines @defer as the schema has it: to gqlparser it is built
// in, so that it is left out of what is printed, and to Relay's compiler and
// graphql-js it is unknown unless it is there.
func deferDirective(schema *ast.Schema) *ast.SchemaDocument {
	directive := *schema.Directives["defer"]
	directive.Position = nil
	return &ast.SchemaDocument{Directives: ast.DirectiveDefinitionList{&directive}}
}
