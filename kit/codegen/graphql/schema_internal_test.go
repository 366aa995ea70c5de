package graphql

import (
	"maps"
	"strings"
	"testing"

	"entgo.io/ent/entc/gen"
	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/parser"

	"github.com/entwine-go/entwine/kit/codegen/codegentest"
	"github.com/entwine-go/entwine/kit/codegen/model"
	"github.com/entwine-go/entwine/kit/expose"
)

// graphqlOf makes the GraphQL schema of the project's schemas, without
// writing anything, and with other documents by hand.
func graphqlOf(t *testing.T, change func(*model.Model), hand map[string]string) (*Schema, error) {
	t.Helper()
	g := &Schema{hand: map[string]*ast.SchemaDocument{}}
	g.model = codegentest.Model(t, g.Option())
	change(g.model)
	Annotate(g.model)
	// Ent's generator is left out: only the hook that makes the schema runs.
	graph := g.model.Graph
	generator := gen.Generator(gen.GenerateFunc(func(*gen.Graph) error { return nil }))
	for _, hook := range graph.Hooks {
		generator = hook(generator)
	}
	graph.Target = t.TempDir()
	if err := generator.Generate(graph); err != nil {
		t.Fatal(err)
	}
	var err error
	for name, text := range hand {
		if g.hand[name], err = parser.ParseSchema(&ast.Source{Name: "gql/" + name + ".graphql", Input: text}); err != nil {
			t.Fatal(err)
		}
	}
	return g, g.build()
}

func TestMistakesInGraphQLFailTheGeneration(t *testing.T) {
	for story, c := range map[string]struct {
		change func(*model.Model)
		hand   string
		want   string
	}{
		"a mutation by hand that nobody wrote": {
			change: func(m *model.Model) { codegentest.Entity(t, m, "Order").ByHand = []expose.Operation{expose.Create} },
			want:   "schema/order.go: Order: create is by hand, but no gql/*.graphql declares Mutation.createOrder",
		},
		"other arguments than are declared": {
			hand: "extend type Mutation {\n  deleteUser(id: ID!): Boolean!\n}",
			want: "gql/hand.graphql:2: Mutation.deleteUser(id: ID!): it is declared by its schema, so its arguments must be (id: ID!, expectedVersion: Int, hard: Boolean, idempotencyKey: String)",
		},
		"an input without a field": {
			change: func(m *model.Model) { codegentest.Entity(t, m, "Order").Operations = []expose.Operation{expose.Create} },
			want:   "schema/order.go: Order: CreateOrderInput would be empty: no field can be set; leave create out of its operations",
		},
	} {
		t.Run(story, func(t *testing.T) {
			if c.change == nil {
				c.change = func(*model.Model) {}
			}
			_, err := graphqlOf(t, c.change, map[string]string{"hand": c.hand})
			if err == nil || err.Error() != c.want {
				t.Errorf("build: %v\nwant %s", err, c.want)
			}
		})
	}
}

func TestWhatIsByHandIsNotGenerated(t *testing.T) {
	g, err := graphqlOf(t, func(*model.Model) {}, map[string]string{
		"hand": "extend type Mutation { deleteComment(id: ID!, expectedVersion: Int, hard: Boolean, idempotencyKey: String): Boolean! } extend type Query { post(id: ID!): Post! }",
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, extension := range append(g.files["comment"].Extensions, g.files["post"].Extensions...) {
		for _, name := range []string{"deleteComment", "post"} {
			if extension.Fields.ForName(name) != nil {
				t.Errorf("%s.%s is generated, and by hand", extension.Name, name)
			}
		}
	}
}

// TestGqlgenIsGivenWhatIsExecuted has no listing in the executor, and no
// mutation that is declared or in writes.graphql.
func TestGqlgenIsGivenWhatIsExecuted(t *testing.T) {
	g, err := graphqlOf(t, func(*model.Model) {}, map[string]string{
		"hand":   "extend type Query { version: Version! feed: [Post!]! } extend type Mutation { bump(in: Bump!): Version } type Version { number: Int! } input Bump { by: Int } type Unused { a: Int }",
		"writes": "extend type Mutation { addPost(title: String!): Post }",
	})
	if err != nil {
		t.Fatal(err)
	}
	var all strings.Builder
	for _, s := range g.executable() {
		all.WriteString(s.Input)
	}
	for text, want := range map[string]bool{
		"version: Version!": true, "type Version": true, "input Bump": true, "bump(": true,
		"feed": false, "WhereInput": false, "Connection": false, "Unused": false, "input CreateUserInput": false, "createPost(": false, "addPost(": false,
	} {
		if strings.Contains(all.String(), text) != want {
			t.Errorf("%q is executed: %v, want %v", text, !want, want)
		}
	}
}

func TestTheGraphQLSchemaIsDeterministic(t *testing.T) {
	var runs [2]map[string]string
	for i := range runs {
		g, err := graphqlOf(t, func(*model.Model) {}, nil)
		if err != nil {
			t.Fatal(err)
		}
		runs[i] = map[string]string{}
		for name, document := range g.files {
			runs[i][name] = printed(document)
		}
	}
	if !maps.Equal(runs[0], runs[1]) {
		t.Error("two runs differ")
	}
}
