// Package service writes internal/service: what is generated, as package app of
// the kit takes it.
package service

import (
	"path/filepath"
	"text/template"

	"github.com/entwine-go/entwine/kit/codegen/model"
	"github.com/entwine-go/entwine/kit/codegen/source"
)

// Folder is where it is written to.
const Folder = "internal/service"

var file = template.Must(template.New("service").Parse(`{{ .Header }}

// Package service hands what is generated to package app.
package service

import (
	"context"
	"io/fs"
	"sync"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/ast"

	"{{ .Module }}/ent/digest"
	mutations "{{ .Module }}/gql/crud"
	"{{ .Module }}/gql/generated"
	"{{ .Module }}/internal/entity"
	"{{ .Module }}/internal/rows"
	"{{ .Module }}/rest/crud"
	"{{ .Module }}/rest/oas/spec"
	"{{ .Kit }}/app"
	"{{ .Kit }}/expose"
	"{{ .Kit }}/runtime/graph"
	"{{ .Kit }}/runtime/graph/execute"
)

// Generated is what follows from the schema, with the migrations.
func Generated(migrations fs.FS) app.Generated {
	return app.Generated{
		Schema:     {{ printf "%#v" .Service }},
		Migrations: migrations,
		Digest:     digest.Schema,
		Entities:   entity.All,
		Engine:     rows.Engine,
		{{- if .Accounts }}
		Accounts:   &app.Accounts{Users: rows.User, Keys: rows.APIKey},
		{{- end }}
		Document:   spec.Document,
		Marks:      spec.Marks,
		Operations: spec.Operations,
		GraphQL:    document,
		Tables: &app.Tables{
			Operations: crud.Operations,
			Resources:  crud.Resources,
			{{- if .Jobs }}
			Jobs:       crud.Jobs,
			{{- end }}
			AlsoSent:   crud.AlsoSent,
			Executable: func(s *ast.Schema) graphql.ExecutableSchema {
				return generated.NewExecutableSchema(generated.Config{Schema: s, Resolvers: resolver{}})
			},
			Queries:       generated.Queries(),
			Mutations:     mutations.Mutations(),
			Reads:         mutations.Reads(),
			Announcements: generated.Announcements(),
		},
	}
}

var document = sync.OnceValue(func() *ast.Schema { return graph.Schema(generated.Documents) })

// resolver resolves what is neither planned nor declared.
type resolver struct{}

// Query implements generated.ResolverRoot.
func (resolver) Query() generated.QueryResolver { return resolver{} }

// Node resolves node(id:).
func (resolver) Node(_ context.Context, id string) (generated.Node, error) {
	return execute.Node[generated.Node](entity.All, id)
}

// Nodes resolves nodes(ids:).
func (resolver) Nodes(_ context.Context, ids []string) ([]generated.Node, error) {
	return execute.Nodes[generated.Node](entity.All, ids)
}
`))

// Write writes the package, unless the module has operations by hand: these take
// more than what is generated.
func Write(tree *source.Tree, m *model.Model) error {
	folder := tree.Folder(Folder)
	for _, pattern := range []string{"gql/*.graphql", "rest/*.yaml"} {
		byHand, err := filepath.Glob(tree.Path(pattern))
		if err != nil {
			return err
		}
		if len(byHand) > 0 {
			return folder.RemoveOthers("*")
		}
	}
	data := source.Data{"Service": m.Service, "Jobs": m.Jobs() != nil, "Accounts": m.Accounts()}
	if err := folder.WriteGo("service.go", file, data); err != nil {
		return err
	}
	return folder.RemoveOthers("*")
}
