package main

import (
	"context"

	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/formatter"

	"github.com/entwine-go/entwine/gql"
	"github.com/entwine-go/entwine/rest/oas/spec"
)

func schemaCommand() command {
	return command{
		name:    "schema",
		args:    "graphql|openapi",
		summary: "Print what an API offers, for the tools of clients.",
		about: `Prints GraphQL's schema in its definition language, as Relay's compiler and code generators
take it, or REST's OpenAPI document as JSON. It needs no database and no running service.`,
		plain: true,
		run: func(_ context.Context, p *process, args []string) error {
			if err := wants(args, "graphql|openapi"); err != nil {
				return err
			}
			switch args[0] {
			case "graphql":
				f := formatter.NewFormatter(p.stdout, formatter.WithIndent("  "))
				f.FormatSchemaDocument(deferDirective())
				f.FormatSchema(gql.Schema())
				return nil
			case "openapi":
				_, err := p.stdout.Write(spec.Document)
				return err
			}
			return usagef("there is no schema of %q: graphql and openapi are", args[0])
		},
	}
}

// deferDirective defines @defer as the schema has it: to gqlparser it is built
// in, so that it is left out of what is printed, and to Relay's compiler and
// graphql-js it is unknown unless it is there.
func deferDirective() *ast.SchemaDocument {
	directive := *gql.Schema().Directives["defer"]
	directive.Position = nil
	return &ast.SchemaDocument{Directives: ast.DirectiveDefinitionList{&directive}}
}
