package app_test

import (
	"context"
	"errors"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/99designs/gqlgen/graphql"
	"github.com/ogen-go/ogen/ogenerrors"
	"github.com/vektah/gqlparser/v2"
	"github.com/vektah/gqlparser/v2/ast"

	"github.com/entwine-go/entwine/kit/app"
	"github.com/entwine-go/entwine/kit/gen/openapi"
	"github.com/entwine-go/entwine/kit/graph/handler"
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
	s.Tables.Server, s.Tables.Executable = nil, nil
	if parts.Mutations != nil {
		s.Tables.Mutations = parts.Mutations
	}
	return s
}

// hours stands for a server with an operation by hand, which fails.
type hours struct{ failed ogenerrors.ErrorHandler }

// Find implements rest.Server.
func (hours) Find(_ string, u *url.URL, _ []string) (string, []string, bool) {
	return "readHours", nil, u.Path == "/hours"
}

// ServeHTTP implements rest.Server.
func (h hours) ServeHTTP(w http.ResponseWriter, r *http.Request) { h.failed(r.Context(), w, r, errOwn) }

// A path without a handler is not served: it would be 404, and a panic.
func TestOperationsAndFieldsByHandAreRegistered(t *testing.T) {
	t.Parallel()
	operations := func(_ func(context.Context, http.ResponseWriter, string) error, hooks rest.Hooks) rest.Server {
		return hours{hooks.Failed}
	}
	fields := func(s *ast.Schema) graphql.ExecutableSchema { return executable{schema: s} }
	for want, parts := range map[string]*app.Parts{
		"readHours: in rest/*.yaml, and nothing answers": {Fields: fields},
		"gql/*.graphql has fields that nothing resolves": {Operations: operations},
		"Parts.Mutations: the schema declares createNote already": {
			Operations: operations, Fields: fields, Mutations: map[string]handler.Mutation{"createNote": nil},
		},
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

// An operation that the document has at a path, and that no handler answers, is 404.
func TestHandlersThatAreDescribedAreThere(t *testing.T) {
	t.Parallel()
	text := http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte("a note")) })
	for path, want := range map[string]string{
		"/import":  "",
		"/other":   "readText: rest/*.yaml has a handler answer /import, and Parts.Handlers has none there",
		"/import/": "and Parts.Handlers has none there",
	} {
		p, remove := process()
		t.Cleanup(remove)
		s := service(func(*app.Host) (*app.Parts, error) {
			return &app.Parts{Methods: noteMethods{}, Handlers: map[string]http.Handler{path: app.Page{Handler: text}}}, nil
		})
		s.Generated = generated(s.Migrations)
		s.Handled = map[string]string{"readText": "/import"}
		server, end, err := s.Embed(context.Background(), p, nil)
		if err != nil {
			if want == "" || !strings.Contains(err.Error(), want) {
				t.Errorf("%s: %v, want %q", path, err, want)
			}
			continue
		}
		if _, said := ask(server.Handler, "/import", ""); want != "" || said != "a note" {
			t.Errorf("%s: %q is answered, want the error %q", path, said, want)
		}
		if err := end(); err != nil {
			t.Error(err)
		}
	}
}
