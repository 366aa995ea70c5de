// Package service writes internal/service: what is generated, as package app of
// the kit takes it.
package service

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"text/template"

	"gopkg.in/yaml.v3"

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
	{{- if .Keys }}
	"{{ .Kit }}/account"
	{{- end }}
	"{{ .Kit }}/app"
	"{{ .Kit }}/expose"
	{{- if .AsksJobs }}
	"{{ .Kit }}/jobs"
	{{- end }}
	"{{ .Kit }}/graph"
	"{{ .Kit }}/graph/execute"
	{{- if .Keys }}
	"{{ .Kit }}/write"
	{{- end }}
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
		{{- if .Whole }}
		Methods:    func({{ if .Asking }}h{{ else }}_{{ end }} *app.Host) any {
			return rows.NewMethods({{ range .Asking }}{{ . }}, {{ end }})
		},
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
			Endings:       mutations.Endings(),
			Renamed:       mutations.Renamed(),
			Announcements: generated.Announcements(),
		},
	}
}

{{ if .Keys }}
// Keys returns the methods of API keys, for rows.NewMethods.
func Keys(h *app.Host) rows.APIKeyMethods {
	return keys{account.APIKeys{Keyring: h.Accounts.Keyring}}
}

type keys struct{ account.APIKeys }

// Create makes a key, and shows it this once.
func (k keys) Create(ctx context.Context, in rows.NewAPIKey) (write.Result, error) {
	return k.Make(ctx, account.NewAPIKey(in))
}

// Pin has the key read again that was pinned.
func (k keys) Pin(ctx context.Context, id int64, in rows.APIKeyPin) (write.Result, error) {
	return k.APIKeys.Pin(ctx, id, in.APIVersion)
}
{{ end }}
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
	if byHand, err := hasByHand(tree); err != nil || byHand {
		return errors.Join(err, folder.RemoveOthers("*"))
	}
	asking, whole := methods(m)
	data := source.Data{
		"Service": m.Service, "Jobs": m.Jobs() != nil, "Accounts": m.Accounts(),
		"Asking": asking, "Whole": whole, "AsksJobs": slices.Contains(asking, ofJobs), "Keys": m.Accounts() && only(m.Keys(), keyMethods),
	}
	if err := folder.WriteGo("service.go", file, data); err != nil {
		return err
	}
	return folder.RemoveOthers("*")
}

// hasByHand reports whether the module has operations by hand. Documents of REST
// that add to what is generated have none.
func hasByHand(tree *source.Tree) (bool, error) {
	if fields, err := filepath.Glob(tree.Path("gql/*.graphql")); err != nil || len(fields) > 0 {
		return true, err
	}
	files, err := filepath.Glob(tree.Path("rest/*.yaml"))
	if err != nil {
		return false, err
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			return false, err
		}
		var document struct {
			Paths map[string]map[string]struct {
				Adds bool `yaml:"x-adds"`
			}
		}
		if err := yaml.Unmarshal(text, &document); err != nil {
			return false, fmt.Errorf("rest/%s: %w", filepath.Base(file), err)
		}
		for _, path := range document.Paths {
			for _, operation := range path {
				if !operation.Adds {
					return true, nil
				}
			}
		}
	}
	return false, nil
}

// What the kit has methods for.
var (
	keyMethods = []string{"Create", "Rotate", "Pin", "Revoke"}
	jobMethods = []string{"Cancel", "Retry"}
)

// ofJobs is what has the methods of jobs.
const ofJobs = "jobs.Actions{Client: h.Jobs}"

// methods are those of the kit behind the actions of entities, in the order in
// which rows.NewMethods takes them. They are the whole where no entity asks for
// one of the service's own.
func methods(m *model.Model) (all []string, whole bool) {
	for _, e := range m.Entities {
		switch {
		case !asks(e):
		case e == m.Keys() && m.Accounts() && only(e, keyMethods):
			all = append(all, "Keys(h)")
		case e == m.Jobs() && only(e, jobMethods):
			all = append(all, ofJobs)
		default:
			return nil, false
		}
	}
	return all, true
}

// asks reports whether an entity has actions that methods carry out.
func asks(e *model.Entity) bool {
	return e.Upsert != nil && e.Upsert.Run != "" ||
		slices.ContainsFunc(e.Actions, func(a *model.Action) bool { return a.Method() != "" })
}

// only reports whether the entity asks for none but these methods.
func only(e *model.Entity, names []string) bool {
	return e != nil && (e.Upsert == nil || e.Upsert.Run == "") && !slices.ContainsFunc(e.Actions, func(a *model.Action) bool {
		return a.Method() != "" && !slices.Contains(names, a.Method())
	})
}
