// Package service writes internal/service: the generated part of a service, in the
// form that package app of the kit takes.
package service

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
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
	"net/http"
	"net/url"
	"sync"

	"github.com/99designs/gqlgen/graphql"
	"github.com/ogen-go/ogen/middleware"
	"github.com/vektah/gqlparser/v2/ast"

	"{{ .Module }}/ent/digest"
	"{{ .Module }}/ent/manifest"
	{{- if .Hooked }}
	_ "{{ .Module }}/ent/orm" // hooks of schemas see the mutations of Ent's client
	{{- end }}
	mutations "{{ .Module }}/gql/crud"
	"{{ .Module }}/gql/generated"
	"{{ .Module }}/internal/entity"
	"{{ .Module }}/internal/rows"
	"{{ .Module }}/rest/crud"
	"{{ .Module }}/rest/oas/server"
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
	"{{ .Kit }}/rest"
	{{- if .Keys }}
	"{{ .Kit }}/write"
	{{- end }}
)

// Generated has the parts that follow from the schema, with the migrations.
func Generated(migrations fs.FS) app.Generated {
	return app.Generated{
		Schema:     {{ printf "%#v" .Service }},
		Migrations: migrations,
		Digest:     digest.Schema,
		Manifest:   manifest.Text,
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
		Handled:    spec.Handled,
		GraphQL:    document,
		Tables: &app.Tables{
			{{- if not .Operations }}
			Server:     Operations(),
			{{- end }}
			Operations: crud.Operations,
			Resources:  crud.Resources,
			{{- if .Jobs }}
			Jobs:       crud.Jobs,
			{{- end }}
			AlsoSent:   crud.AlsoSent,
			{{- if not .Fields }}
			Executable: func(s *ast.Schema) graphql.ExecutableSchema {
				return generated.NewExecutableSchema(generated.Config{Schema: s, Resolvers: resolver{Root{}}})
			},
			{{- end }}
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
func (k keys) Create(ctx context.Context, in rows.NewAPIKey) (write.Result, rows.NewAPIKeyOnce, error) {
	result, key, err := k.Make(ctx, account.NewAPIKey(in))
	return result, rows.NewAPIKeyOnce(key), err
}

// Rotate gives a key another text, and shows it this once.
func (k keys) Rotate(ctx context.Context, id int64) (write.Result, rows.APIKeyRotateOnce, error) {
	result, key, err := k.APIKeys.Rotate(ctx, id)
	return result, rows.APIKeyRotateOnce(key), err
}

// Pin has the key read again that was pinned.
func (k keys) Pin(ctx context.Context, id int64, in rows.APIKeyPin) (write.Result, error) {
	return k.APIKeys.Pin(ctx, id, in.APIVersion)
}
{{ end }}
var document = sync.OnceValue(func() *ast.Schema { return graph.Schema(generated.Documents) })

{{ if .Operations }}
// Operations makes the server that ogen generates of REST's document, for app.Parts. It
// calls methods of h for the operations of rest/*.yaml, and the kit for the others.
// Middleware of ogen runs around all of them, the outermost first.
func Operations(h server.OwnHandler, around ...middleware.Middleware) rest.NewServer {
{{- else }}
// Operations makes the server that ogen generates of REST's document, for app.Parts: for
// services that have middleware of ogen around operations, the outermost first.
func Operations(around ...middleware.Middleware) rest.NewServer {
{{- end }}
	return func(answer func(context.Context, http.ResponseWriter, string) error, hooks rest.Hooks) rest.Server {
		{{- if .Operations }}
		h := struct {
			server.Kit
			server.OwnHandler
		}{answer, h}
		{{- else }}
		h := server.Kit(answer)
		{{- end }}
		s, err := server.NewServer(h, server.WithErrorHandler(hooks.Failed), server.WithMiddleware(hooks.Around(around)...))
		if err != nil {
			panic(err) // only the telemetry that is left out can fail
		}
		return operations{s}
	}
}

// operations are those of the generated server.
type operations struct{ *server.Server }

// Find implements rest.Server.
func (o operations) Find(method string, u *url.URL, values []string) (string, []string, bool) {
	r, found := o.FindPath(method, u)
	return r.OperationID(), append(values, r.Args()...), found
}

{{ if .Fields }}
// Fields resolves the fields of gql/*.graphql, for app.Parts, by the executor that gqlgen
// generates of them. The type of q embeds [Root].
func Fields(q generated.QueryResolver{{ if .Mutations }}, m generated.MutationResolver{{ end }}) func(*ast.Schema) graphql.ExecutableSchema {
	return func(s *ast.Schema) graphql.ExecutableSchema {
		return generated.NewExecutableSchema(generated.Config{Schema: s, Resolvers: resolver{q{{ if .Mutations }}, m{{ end }}}})
	}
}
{{ end }}
// resolver resolves what is neither planned nor declared.
type resolver struct {
	q generated.QueryResolver
	{{- if .Mutations }}
	m generated.MutationResolver
	{{- end }}
}

// Query implements generated.ResolverRoot.
func (r resolver) Query() generated.QueryResolver { return r.q }
{{ if .Mutations }}
// Mutation implements generated.ResolverRoot.
func (r resolver) Mutation() generated.MutationResolver { return r.m }
{{ end }}
// Root resolves the fields of Query that every service has.
type Root struct{}

// Node resolves node(id:).
func (Root) Node(_ context.Context, id string) (generated.Node, error) {
	return execute.Node[generated.Node](entity.All, id)
}

// Nodes resolves nodes(ids:).
func (Root) Nodes(_ context.Context, ids []string) ([]generated.Node, error) {
	return execute.Nodes[generated.Node](entity.All, ids)
}
`))

// Write writes the package.
func Write(tree *source.Tree, m *model.Model) error {
	folder := tree.Folder(Folder)
	operations, err := hasByHand(tree)
	if err != nil {
		return err
	}
	fields, mutations, err := resolved(tree)
	if err != nil {
		return err
	}
	asking, whole := methods(m)
	data := source.Data{
		"Operations": operations, "Fields": fields, "Mutations": mutations,
		"Service": m.Service, "Jobs": m.Jobs() != nil, "Accounts": m.Accounts(), "Hooked": m.Hooked,
		"Asking": asking, "Whole": whole, "AsksJobs": slices.Contains(asking, ofJobs), "Keys": m.Accounts() && only(m.Keys(), keyMethods),
	}
	if err := folder.WriteGo("service.go", file, data); err != nil {
		return err
	}
	return folder.RemoveOthers("*")
}

// resolved reports whether gqlgen has made resolvers for fields of Query beside those
// that every service has, or for fields of Mutation.
func resolved(tree *source.Tree) (fields, mutations bool, err error) {
	files, err := filepath.Glob(tree.Path("gql/generated/*.generated.go"))
	if err != nil {
		return false, false, err
	}
	for _, name := range files {
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.SkipObjectResolution)
		if err != nil {
			return false, false, err
		}
		ast.Inspect(file, func(n ast.Node) bool {
			t, ok := n.(*ast.TypeSpec)
			if !ok {
				return true
			}
			switch resolver, _ := t.Type.(*ast.InterfaceType); t.Name.Name {
			case "QueryResolver":
				fields = fields || len(resolver.Methods.List) > 2
			case "MutationResolver":
				mutations = true
			}
			return false
		})
	}
	return fields || mutations, mutations, nil
}

// hasByHand reports whether the module has operations of REST by hand. Documents that
// add to what is generated have none, nor have those of what handlers of one's own answer.
func hasByHand(tree *source.Tree) (bool, error) {
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
				Adds    bool `yaml:"x-adds"`
				Handled bool `yaml:"x-handler"`
			}
		}
		if err := yaml.Unmarshal(text, &document); err != nil {
			return false, fmt.Errorf("rest/%s: %w", filepath.Base(file), err)
		}
		for _, path := range document.Paths {
			for _, operation := range path {
				if !operation.Adds && !operation.Handled {
					return true, nil
				}
			}
		}
	}
	return false, nil
}

// The tables whose actions have methods in the kit.
var (
	keyMethods = []string{"Create", "Rotate", "Pin", "Revoke"}
	jobMethods = []string{"Cancel", "Retry"}
)

// ofJobs has the methods of jobs.
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
