package graph_test

import (
	"context"
	"encoding/json"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2"
	"github.com/vektah/gqlparser/v2/ast"

	"github.com/entwine-go/entwine/kit/entity"
	"github.com/entwine-go/entwine/kit/graph"
	"github.com/entwine-go/entwine/kit/graph/limits"
	"github.com/entwine-go/entwine/kit/graph/plan"
	"github.com/entwine-go/entwine/kit/graph/subscribe"
	"github.com/entwine-go/entwine/kit/policy"
	"github.com/entwine-go/entwine/kit/read"
)

// service is an executable schema whose query name resolves to its name.
type service struct {
	graphql.ExecutableSchema
	schema *ast.Schema
	name   string
	// resolved are the fields that were resolved.
	resolved []string
}

func newService(name string, documents ...*ast.Source) *service {
	hand := &ast.Source{Name: "service.graphql", Input: `type Query { name: String! }`}
	return &service{schema: gqlparser.MustLoadSchema(append(documents, hand)...), name: name}
}

func (s *service) Schema() *ast.Schema { return s.schema }

// Exec calls the resolver as generated code does.
func (s *service) Exec(ctx context.Context) graphql.ResponseHandler {
	op := graphql.GetOperationContext(ctx)
	of := map[ast.Operation]string{ast.Query: "Query", ast.Mutation: "Mutation"}[op.Operation.Operation]
	for _, f := range graphql.CollectFields(op, op.Operation.SelectionSet, []string{of}) {
		root := graphql.WithRootFieldContext(ctx, &graphql.RootFieldContext{Object: of, Field: f})
		op.RootResolverMiddleware(root, func(ctx context.Context) graphql.Marshaler {
			ctx = graphql.WithFieldContext(ctx, &graphql.FieldContext{Object: of, Field: f})
			_, _ = op.ResolverMiddleware(ctx, func(context.Context) (any, error) {
				s.resolved = append(s.resolved, f.Alias)
				return s.name, nil
			})
			return graphql.Null
		})
	}
	return graphql.OneShot(&graphql.Response{})
}

// notes and notesSDL are an entity that only users read, and what is generated
// for it.
var (
	notes = &entity.Entity{
		Name: "Note", Singular: "note", Path: "notes", Table: "notes", Limit: 10,
		Rules: policy.Rules{Read: policy.SignedIn()},
		Fields: []*entity.Field{
			{Name: "id", Column: "id", GraphQL: []string{"id"}, Kind: entity.ID},
			{Name: "title", Column: "title", GraphQL: []string{"title"}, Kind: entity.String},
		},
	}
	notesSDL = &ast.Source{Name: "generated/note.graphql", Input: `type Note { id: ID! title: String! } extend type Query { note(id: ID!): Note }`}
)

func config(s *service, entities ...*entity.Entity) graph.Config {
	return graph.Config{Options: graph.Options{Logger: slog.New(slog.DiscardHandler)}, Schema: s, Entities: entities, Reader: &read.Reader{}}
}

// ask returns the answer to a query, its status first.
func ask(api http.Handler, query string) string {
	body, _ := json.Marshal(map[string]string{"query": query})
	return post(api, string(body))
}

func post(api http.Handler, body string) string {
	r := httptest.NewRequest(http.MethodPost, "/graphql", strings.NewReader(body))
	r.Header.Set("Content-Type", "application/json")
	w := httptest.NewRecorder()
	api.ServeHTTP(w, r)
	return strconv.Itoa(w.Code) + " " + w.Body.String()
}

// Two services in one program know nothing of each other.
func TestTwoServices(t *testing.T) {
	t.Parallel()
	plain := graph.New(config(newService("plain")))
	noted := config(newService("noted", notesSDL), notes)
	noted.Costs = limits.Costs{Fields: map[string]int{"Query.name": 99}}
	withNotes := graph.New(noted)
	for _, c := range []struct {
		api         http.Handler
		query, want string
	}{
		{plain, `{ name }`, `200 {"data":{"name":"plain"},"extensions":{"cost":{"requested":1,`},
		{withNotes, `{ name }`, `200 {"data":{"name":"noted"},"extensions":{"cost":{"requested":100,`},
		{plain, `{ note(id: 1) { title } }`, `GRAPHQL_VALIDATION_FAILED`},
		{withNotes, `{ note(id: 1) { title } }`, `"code":"UNAUTHENTICATED","status":401`},
		{withNotes, `{ note(id: "x") { title } }`, `is not the id of a Note`},
	} {
		if got := ask(c.api, c.query); !strings.Contains(got, c.want) {
			t.Errorf("%s\n got %s\nwant %s", c.query, got, c.want)
		}
	}
}

// A document that was run before is not read again: what it answers depends on this
// request's variables, operation and headers as it did the first time.
func TestADocumentThatWasRunBefore(t *testing.T) {
	t.Parallel()
	const document = `query A($on: Boolean!, $n: Int = 1) { a: name @include(if: $on) echo(n: $n) } query B { b: name }`
	bodies := map[string]string{}
	for name, rest := range map[string]string{
		"on":              `"operationName":"A","variables":{"on":true}`,
		"off":             `"operationName":"A","variables":{"on":false}`,
		"the other":       `"operationName":"B"`,
		"no operation":    `"variables":{}`,
		"a wrong name":    `"operationName":"C"`,
		"none given":      `"operationName":"A"`,
		"a null":          `"operationName":"A","variables":{"on":null}`,
		"another type":    `"operationName":"A","variables":{"on":"yes"}`,
		"a number of 1.5": `"operationName":"A","variables":{"on":true,"n":1.5}`,
		"a long list":     `"operationName":"B","variables":{"x":[` + strings.Repeat("1,", 1000) + `1]}`,
		"a wrong hash":    `"operationName":"B","extensions":{"persistedQuery":{"version":1,"sha256Hash":"0"}}`,
		"a key":           `"operationName":"B","headers":{"Idempotency-Key":["1"]}`,
	} {
		bodies[name] = `{"query":` + strconv.Quote(document) + `,` + rest + `}`
	}
	echo := &ast.Source{Name: "echo.graphql", Input: `extend type Query { echo(n: Int): String }`}
	warm := graph.New(config(newService("known", echo)))
	for range 2 {
		for _, body := range bodies {
			_ = post(warm, body)
		}
	}
	for name, body := range bodies {
		if got, want := post(warm, body), post(graph.New(config(newService("known", echo))), body); got != want {
			t.Errorf("%s: answered\n%s\nand the first time\n%s", name, got, want)
		}
	}
	for name, want := range map[string]string{
		"on": `"data":{"a":"known","echo":"known"}`, "off": `"data":{"echo":"known"}`, "the other": `{"b":"known"}`, "a wrong name": "not found",
		"another type": "variable $on: Boolean takes true and false only", "a long list": "has 1001 values",
	} {
		if got := post(warm, bodies[name]); !strings.Contains(got, want) {
			t.Errorf("%s: answered %s, want %s", name, got, want)
		}
	}
}

// Requests at once share documents and buffers, and nothing that one of them brought.
func TestRequestsAtOnce(t *testing.T) {
	t.Parallel()
	c := config(newService("noted", notesSDL), notes)
	c.Plans = map[string]plan.Root{"note": func(p *plan.Planner, f graphql.CollectedField) (plan.Read, error) {
		title := `{"title":"` + strings.Repeat(p.Arguments(f)["id"].(string), 200) + `"}`
		return func(_ context.Context, _ *read.Reader, dst []byte) ([]byte, read.Info, error) {
			return append(dst, title...), read.Info{Count: 1, Members: 1}, nil
		}, nil
	}}
	api := graph.New(c)
	var all sync.WaitGroup
	for caller := range 8 {
		all.Go(func() {
			for i := range 50 {
				id := strconv.Itoa(100*caller + i)
				for _, body := range []string{
					`{"query":"query($id: ID!) { note(id: $id) { title } }","variables":{"id":"` + id + `"}}`,
					`{"query":"{ note(id: \"` + id + `\") { title } }"}`,
				} {
					if got, want := post(api, body), `200 {"data":{"note":{"title":"`+strings.Repeat(id, 200)+`"}},"ext`; !strings.HasPrefix(got, want) {
						t.Errorf("%s: answered %s", body, got)
					}
				}
			}
		})
	}
	all.Wait()
}

// The complexity of an operation is computed again where it depends on a variable.
func TestTheCostOfVariables(t *testing.T) {
	t.Parallel()
	boxes := &ast.Source{Name: "boxes.graphql", Input: `type Box { name: String } extend type Query { boxes(first: Int, of: ID): [Box!] }`}
	api := graph.New(config(newService("boxed", boxes)))
	const document = `query($n: Int, $of: ID) { boxes(first: $n, of: $of) { name } }`
	for _, n := range []int{3, 7, 3, 90} {
		body := `{"query":"` + document + `","variables":{"n":` + strconv.Itoa(n) + `,"of":"1"}}`
		if got, want := post(api, body), `"cost":{"requested":`+strconv.Itoa(1+n)+`,`; !strings.Contains(got, want) {
			t.Errorf("first: %d: answered %s, want %s", n, got, want)
		}
	}
}

// A difference between the schema and the config is reported at start.
func TestWhatDoesNotFitTheSchema(t *testing.T) {
	t.Parallel()
	extended := func(sdl string) *service {
		return newService("odd", notesSDL, &ast.Source{Name: "odd.graphql", Input: sdl})
	}
	for want, c := range map[string]graph.Config{
		"no plan for Note.text":                    config(extended(`extend type Note { text: String }`), notes),
		"declares Query.first, but it has no plan": config(extended(`extend type Query { first: Note }`), notes),
		"no events for Subscription.changed":       config(extended(`type Subscription { changed: Note }`), notes),
		"no field Query.none": func() graph.Config {
			c := config(newService("odd"))
			c.Costs.Fields = map[string]int{"Query.none": 1}
			return c
		}(),
		"no field Subscription.changed": func() graph.Config {
			c := config(newService("odd", notesSDL), notes)
			c.Announcements = map[string]subscribe.Announcement{"changed": {Entity: notes}}
			return c
		}(),
		"no type Note": config(newService("odd"), notes),
	} {
		t.Run(want, func(t *testing.T) {
			t.Parallel()
			defer func() {
				if got := recover(); got == nil || !strings.Contains(text(got), want) {
					t.Errorf("New panicked with %v, want %q", got, want)
				}
			}()
			graph.New(c)
		})
	}
}

func text(recovered any) string {
	if err, ok := recovered.(error); ok {
		return err.Error()
	}
	return recovered.(string)
}

// A plan by hand answers instead of the one that the schema would have.
func TestAPlanByHand(t *testing.T) {
	t.Parallel()
	c := config(newService("noted", notesSDL), notes)
	c.Plans = map[string]plan.Root{"note": func(_ *plan.Planner, f graphql.CollectedField) (plan.Read, error) {
		return func(_ context.Context, _ *read.Reader, dst []byte) ([]byte, read.Info, error) {
			return append(dst, `{"title":"by hand"}`...), read.Info{Count: 1, Members: 1}, nil
		}, nil
	}}
	if got, want := ask(graph.New(c), `{ note(id: 1) { title } }`), `{"data":{"note":{"title":"by hand"}},`; !strings.Contains(got, want) {
		t.Errorf("answered %s, want %s", got, want)
	}
}
