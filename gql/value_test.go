package gql_test

import (
	"context"
	"encoding/json"
	"log/slog"
	"maps"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/ast"

	"github.com/entwine-go/entwine/ent/orm"
	"github.com/entwine-go/entwine/gql/generated"
	"github.com/entwine-go/entwine/internal/entity"
	"github.com/entwine-go/entwine/kit/gid"
	"github.com/entwine-go/entwine/kit/graph"
	"github.com/entwine-go/entwine/kit/graph/execute"
	"github.com/entwine-go/entwine/kit/graph/plan"
	"github.com/entwine-go/entwine/kit/graph/subscribe"
	"github.com/entwine-go/entwine/kit/read"
	"github.com/entwine-go/entwine/kit/store"
	"github.com/entwine-go/entwine/kit/viewer"
	"github.com/entwine-go/entwine/migrate/migratetest"
)

// postConnection stands for what a resolver by hand may return: an object
// that is no entity, with rows inside.
type postConnection struct {
	TotalCount int         `json:"totalCount"`
	Edges      []*postEdge `json:"edges"`
	PageInfo   *pageInfo   `json:"pageInfo"`
}

type postEdge struct {
	Node   *generated.Post `json:"node"`
	Cursor string          `json:"cursor"`
}

type pageInfo struct {
	HasNextPage     bool    `json:"hasNextPage"`
	HasPreviousPage bool    `json:"hasPreviousPage"`
	StartCursor     *string `json:"startCursor"`
}

// resolves is an executable schema of one mutation, made, whose resolver
// returns the value.
type resolves struct {
	graphql.ExecutableSchema
	schema *ast.Schema
	value  any
}

// newResolves returns the service's schema with the mutation besides.
func newResolves(of *ast.Type, value any) *resolves {
	schema, made := *api.GraphQL(), *api.GraphQL().Mutation
	made.Fields = append(slices.Clone(made.Fields), &ast.FieldDefinition{Name: "made", Type: of, Position: &ast.Position{Src: &ast.Source{Name: "made.graphql"}}})
	schema.Types = maps.Clone(schema.Types)
	schema.Types["Mutation"], schema.Mutation, schema.Subscription = &made, &made, nil
	return &resolves{schema: &schema, value: value}
}

func (r *resolves) Schema() *ast.Schema { return r.schema }

// Exec calls the resolver as generated code does.
func (r *resolves) Exec(ctx context.Context) graphql.ResponseHandler {
	op := graphql.GetOperationContext(ctx)
	f := graphql.CollectFields(op, op.Operation.SelectionSet, []string{"Mutation"})[0]
	root := graphql.WithRootFieldContext(ctx, &graphql.RootFieldContext{Object: "Mutation", Field: f})
	op.RootResolverMiddleware(root, func(ctx context.Context) graphql.Marshaler {
		ctx = graphql.WithFieldContext(ctx, &graphql.FieldContext{Object: "Mutation", Field: f})
		_, _ = op.ResolverMiddleware(ctx, func(context.Context) (any, error) { return r.value, nil })
		return graphql.Null
	})
	return graphql.OneShot(&graphql.Response{})
}

// TestResolvedObjects writes what a resolver returns as the selection asks.
func TestResolvedObjects(t *testing.T) {
	t.Parallel()
	migratetest.Each(t, func(t *testing.T, db *store.DB) {
		client := orm.Client(db)
		ctx := viewer.With(t.Context(), viewer.System())
		ada := client.User.Create().SetName("Ada").SetEmail("ada@example.com").SaveX(ctx)
		client.Post.Create().SetTitle("First").SetContent("…").SetAuthorID(ada.ID).SetPublished(true).SaveX(ctx)
		connection, list, one := ast.NamedType("PostConnection", nil), ast.NonNullListType(ast.NonNullNamedType("User", nil), nil), ast.NamedType("Post", nil)
		for _, c := range []struct {
			of        *ast.Type
			selection string
			value     any
			data      string
			errors    int
		}{
			{connection, `{ n: totalCount edges { cursor node { title author { name } } } pageInfo { hasNextPage startCursor } }`,
				&postConnection{TotalCount: 7, PageInfo: &pageInfo{HasNextPage: true}, Edges: []*postEdge{{Cursor: `"`, Node: &generated.Post{ID: gid.Encode("Post", 1)}}, nil}},
				`{"made":{"n":7,"edges":[{"cursor":"\"","node":{"title":"First","author":{"name":"Ada"}}},null],"pageInfo":{"hasNextPage":true,"startCursor":null}}}`, 0},
			{connection, `{ edges { node { author { email } } } }`,
				&postConnection{Edges: []*postEdge{{Node: &generated.Post{ID: gid.Encode("Post", 1)}}, {Node: &generated.Post{ID: gid.Encode("Post", 9)}}}},
				`{"made":{"edges":[{"node":{"author":{"email":null}}},{"node":null}]}}`, 1},
			{connection, `{ totalCount pageInfo { hasNextPage } }`, &postConnection{}, `{"made":null}`, 1},
			{connection, `{ totalCount }`, (*postConnection)(nil), `{"made":null}`, 0},
			{list, `{ name }`, []*generated.User{}, `{"made":[]}`, 0},
			{list, `{ name }`, nil, `null`, 1},
			{one, `{ title }`, &generated.Post{ID: gid.Encode("Post", 1)}, `{"made":{"title":"First"}}`, 0},
		} {
			api := graph.New(graph.Config{
				Options: graph.Options{Logger: slog.New(slog.DiscardHandler)},
				Schema:  newResolves(c.of, c.value), Entities: entity.All, Reader: &read.Reader{DB: db, Dialect: db.Dialect},
				Plans: unplanned(), Writes: unwritten(), Announcements: map[string]subscribe.Announcement{},
			})
			r := httptest.NewRequest(http.MethodPost, "/graphql", strings.NewReader(`{"query":"mutation { made `+c.selection+` }"}`))
			r.Header.Set("Content-Type", "application/json")
			w := httptest.NewRecorder()
			api.ServeHTTP(w, r.WithContext(viewer.With(r.Context(), viewer.Anonymous())))
			var got struct {
				Data   json.RawMessage
				Errors []json.RawMessage
			}
			if err := json.Unmarshal(w.Body.Bytes(), &got); err != nil {
				t.Fatal(err)
			}
			if string(got.Data) != c.data || len(got.Errors) != c.errors {
				t.Errorf("%s\n got %s %s\nwant %s and %d errors", c.selection, got.Data, got.Errors, c.data, c.errors)
			}
		}
	})
}

// unplanned has a plan for each root query by hand, which none of the
// documents here asks for.
func unplanned() map[string]plan.Root {
	plans := map[string]plan.Root{}
	for _, name := range []string{"users", "searchUsers", "posts", "me", "feed"} {
		plans[name] = func(*plan.Planner, graphql.CollectedField) (plan.Read, error) { return nil, nil }
	}
	return plans
}

// unwritten are writes of all mutations that have no resolvers.
func unwritten() map[string]execute.Write {
	all := map[string]execute.Write{}
	for _, f := range api.GraphQL().Mutation.Fields {
		all[f.Name] = func(context.Context, map[string]any) (any, error) { return nil, nil }
	}
	return all
}
