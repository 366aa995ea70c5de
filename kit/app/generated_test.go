package app_test

import (
	"context"
	"io/fs"
	"net/http"
	"net/url"

	"github.com/99designs/gqlgen/graphql"
	"github.com/ogen-go/ogen/ogenerrors"
	"github.com/vektah/gqlparser/v2"
	"github.com/vektah/gqlparser/v2/ast"

	"github.com/entwine-go/entwine/kit/app"
	"github.com/entwine-go/entwine/kit/entity"
	"github.com/entwine-go/entwine/kit/expose"
	"github.com/entwine-go/entwine/kit/gen/openapi"
	"github.com/entwine-go/entwine/kit/gid"
	mutation "github.com/entwine-go/entwine/kit/graph/handler"
	"github.com/entwine-go/entwine/kit/policy"
	"github.com/entwine-go/entwine/kit/read"
	"github.com/entwine-go/entwine/kit/rest"
	"github.com/entwine-go/entwine/kit/rest/crud"
	"github.com/entwine-go/entwine/kit/rest/handler"
	"github.com/entwine-go/entwine/kit/store"
	"github.com/entwine-go/entwine/kit/write"
)

// generated is the code that weave generates of the schema Note, as far as its action takes
// it.
func generated(migrations fs.FS) app.Generated {
	notes := &write.Entity{
		Entity: &entity.Entity{
			Name: "Note", Singular: "note", Path: "notes", Table: "notes", Limit: 20, Rules: Note{}.Policy().(policy.Rules),
			Fields: []*entity.Field{{Name: "id", Column: "id", REST: "id", GraphQL: []string{"id"}, Kind: entity.ID}},
		},
		Actions: write.Declared(Note{}, write.Bound{
			Run: func(ctx context.Context, methods any, _ gid.ID, _ write.Values) (write.Result, error) {
				return methods.(noteMethods).Count(ctx)
			},
		}),
	}
	resource := &handler.Resource{Entity: notes.Entity}
	return app.Generated{
		Schema: expose.Service{Name: "notes", Version: "1.0.0"}, Migrations: migrations, Entities: []*entity.Entity{notes.Entity},
		Engine: func(db *store.DB) *write.Engine {
			return &write.Engine{DB: db, Entities: []*write.Entity{notes}, Reader: &read.Reader{DB: db, Dialect: db.Dialect}}
		},
		Document: func() []byte {
			return []byte(`{"openapi":"3.1.0","paths":{"/note-count":{"get":{"operationId":"readNoteCount","responses":{"200":{"description":"The count."}}}}}}`)
		},
		Marks:      []byte(`{}`),
		Operations: map[string]*openapi.Operation{"readNoteCount": {Method: "get", Path: "/note-count", Declared: true, Produces: []string{"application/json"}}},
		GraphQL: func() *ast.Schema {
			return gqlparser.MustLoadSchema(&ast.Source{Input: `type Query { noteCount: NoteCount } type NoteCount { all: Int! } type Note { id: ID! }`})
		},
		Tables: &app.Tables{
			Server:     newServer,
			Operations: map[string]*crud.Operation{"readNoteCount": {Op: crud.Act, Resource: resource, Verb: "count"}},
			Resources:  []*handler.Resource{resource},
			Reads:      map[string]mutation.Mutation{"noteCount": mutation.Read(notes, "count", "")},
			Executable: func(s *ast.Schema) graphql.ExecutableSchema { return executable{schema: s} },
		},
	}
}

// server stands for what ogen generates of the only operation.
type server struct {
	answer func(context.Context, http.ResponseWriter, string) error
	failed ogenerrors.ErrorHandler
}

func newServer(answer func(context.Context, http.ResponseWriter, string) error, hooks rest.Hooks) rest.Server {
	return server{answer, hooks.Failed}
}

// Find implements rest.Server.
func (server) Find(method string, u *url.URL, _ []string) (string, []string, bool) {
	return "readNoteCount", nil, method == http.MethodGet && u.Path == "/note-count"
}

// ServeHTTP implements rest.Server.
func (s server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if err := s.answer(r.Context(), w, "readNoteCount"); err != nil {
		s.failed(r.Context(), w, r, err)
	}
}

// executable is the schema of a service without resolvers.
type executable struct {
	graphql.ExecutableSchema
	schema *ast.Schema
}

func (e executable) Schema() *ast.Schema { return e.schema }
