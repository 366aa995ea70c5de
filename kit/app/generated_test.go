package app_test

import (
	"context"
	"io/fs"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2"
	"github.com/vektah/gqlparser/v2/ast"

	"github.com/entwine-go/entwine/kit/app"
	"github.com/entwine-go/entwine/kit/expose"
	"github.com/entwine-go/entwine/kit/policy"
	mutation "github.com/entwine-go/entwine/kit/runtime/graph/door"
	"github.com/entwine-go/entwine/kit/runtime/reading"
	"github.com/entwine-go/entwine/kit/runtime/resource/declared"
	"github.com/entwine-go/entwine/kit/runtime/resource/door"
	"github.com/entwine-go/entwine/kit/runtime/resource/openapi"
	"github.com/entwine-go/entwine/kit/runtime/store"
	"github.com/entwine-go/entwine/kit/runtime/writing"
)

// generated is what weave generates of the schema Note, as far as its action takes
// it.
func generated(migrations fs.FS) app.Generated {
	notes := &writing.Entity{
		Entity: &reading.Entity{
			Name: "Note", Singular: "note", Path: "notes", Table: "notes", Limit: 20, Rules: Note{}.Policy().(policy.Rules),
			Fields: []*reading.Field{{Name: "id", Column: "id", REST: "id", GraphQL: []string{"id"}, Kind: reading.ID}},
		},
		Actions: writing.Declared(Note{}, writing.Bound{
			Run: func(ctx context.Context, methods any, _ int64, _ writing.Values) (writing.Result, error) {
				return methods.(noteMethods).Count(ctx)
			},
		}),
	}
	resource := &door.Resource{Entity: notes.Entity}
	return app.Generated{
		Schema: expose.Service{Name: "notes", Version: "1.0.0"}, Migrations: migrations, Entities: []*reading.Entity{notes.Entity},
		Engine: func(db *store.DB) *writing.Engine {
			return &writing.Engine{DB: db, Entities: []*writing.Entity{notes}, Reader: &reading.Reader{DB: db, Dialect: db.Dialect}}
		},
		Document:   []byte(`{"openapi":"3.1.0","paths":{"/note-count":{"get":{"operationId":"readNoteCount","responses":{"200":{"description":"The count."}}}}}}`),
		Marks:      []byte(`{}`),
		Operations: map[string]*openapi.Operation{"readNoteCount": {Method: "get", Path: "/note-count", Produces: []string{"application/json"}}},
		GraphQL: func() *ast.Schema {
			return gqlparser.MustLoadSchema(&ast.Source{Input: `type Query { noteCount: NoteCount } type NoteCount { all: Int! } type Note { id: ID! }`})
		},
		Tables: &app.Tables{
			Operations: map[string]*declared.Operation{"readNoteCount": {Op: declared.Act, Resource: resource, Verb: "count"}},
			Resources:  []*door.Resource{resource},
			Reads:      map[string]mutation.Mutation{"noteCount": mutation.Read(notes, "count", "")},
			Executable: func(s *ast.Schema) graphql.ExecutableSchema { return executable{schema: s} },
		},
	}
}

// executable is the schema of a service without resolvers.
type executable struct {
	graphql.ExecutableSchema
	schema *ast.Schema
}

func (e executable) Schema() *ast.Schema { return e.schema }
