package app_test

import (
	"context"
	"errors"
	"net/http"
	"strings"
	"testing"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2"
	"github.com/vektah/gqlparser/v2/ast"

	"github.com/entwine-go/entwine/kit/app"
	"github.com/entwine-go/entwine/kit/gen/openapi"
	"github.com/entwine-go/entwine/kit/problem"
	"github.com/entwine-go/entwine/kit/rest"
)

var errOwn = errors.New("own")

// owned is a service with an operation in rest/*.yaml and a field in gql/*.graphql.
func owned(parts *app.Parts) *app.Service {
	s := service(func(*app.Host) (*app.Parts, error) {
		parts.Methods = noteMethods{}
		return parts, nil
	})
	s.Generated = generated(s.Migrations)
	s.Operations["readHours"] = &openapi.Operation{Method: "get", Path: "/hours", Produces: []string{"application/json"}}
	s.GraphQL = func() *ast.Schema {
		return gqlparser.MustLoadSchema(&ast.Source{Input: `type Query { hours: Int noteCount: NoteCount } type NoteCount { all: Int! } type Note { id: ID! }`})
	}
	s.Tables.Executable = nil
	return s
}

// What nothing answers is not served: it would be 404, and a panic.
func TestOperationsAndFieldsByHandAreRegistered(t *testing.T) {
	t.Parallel()
	operations := func(_ string, hooks rest.Hooks) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { hooks.Failed(r.Context(), w, r, errOwn) })
	}
	fields := func(s *ast.Schema) graphql.ExecutableSchema { return executable{schema: s} }
	for want, parts := range map[string]*app.Parts{
		"readHours: in rest/*.yaml, and nothing answers": {Fields: fields},
		"gql/*.graphql has fields that nothing resolves": {Operations: operations},
		`"INTERNAL_ERROR"`: {Operations: operations, Fields: fields},
		`closed on Sundays`: {Operations: operations, Fields: fields, Problem: func(err error) error {
			if errors.Is(err, errOwn) {
				return problem.New(problem.Conflict, "closed on Sundays")
			}
			return err
		}},
	} {
		p, remove := process()
		t.Cleanup(remove)
		server, end, err := owned(parts).Embed(context.Background(), p, nil)
		if err != nil {
			if !strings.Contains(err.Error(), want) {
				t.Errorf("%v, want %q", err, want)
			}
			continue
		}
		if _, said := ask(server.Handler, "/api/v1/hours", ""); !strings.Contains(said, want) {
			t.Errorf("GET /hours: %s, want %s", said, want)
		}
		if err := end(); err != nil {
			t.Error(err)
		}
	}
}
