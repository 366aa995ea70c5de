package change_test

import (
	"bytes"
	"context"
	"maps"
	"strings"
	"testing"

	"entgo.io/ent"
	"entgo.io/ent/dialect/entsql"
	"entgo.io/ent/entc"
	"entgo.io/ent/entc/load"
	"entgo.io/ent/schema/edge"
	"entgo.io/ent/schema/field"

	"github.com/entwine-go/entwine/kit/codegen/codegentest"
	"github.com/entwine-go/entwine/kit/codegen/codegentest/worldtest"
	"github.com/entwine-go/entwine/kit/codegen/contract"
	"github.com/entwine-go/entwine/kit/codegen/database"
	"github.com/entwine-go/entwine/kit/codegen/facts"
	"github.com/entwine-go/entwine/kit/codegen/model"
	"github.com/entwine-go/entwine/kit/codegen/orm"
	"github.com/entwine-go/entwine/kit/codegen/source"
	"github.com/entwine-go/entwine/kit/expose"
	"github.com/entwine-go/entwine/kit/policy"
)

// world is a service with people, posts and tags, in which everything that a
// change can be felt by is declared: listings, topics, jobs, actions.
type world struct {
	worldtest.World
	// files are those of the tree beside the schemas.
	files map[string]string
}

const jobsFile = `package worker

type letter struct {
	AuthorID int64  ` + "`json:\"author_id\"`" + `
	PostID   int64  ` + "`json:\"post_id\"`" + `
	TagID    int64  ` + "`json:\"tag_id\"`" + `
	Email    string ` + "`json:\"email\"`" + `
	Status   string ` + "`json:\"status\"`" + `
	Price    int64  ` + "`json:\"price\"`" + `
	Note     string ` + "`json:\"note,omitempty\"`" + `
}

func (letter) Kind() string { return "letter" }
`

const handREST = `paths:
  /auth/login:
    post:
      operationId: login
      parameters:
        - {name: mode, in: query, schema: {type: string, enum: [bearer, cookie]}}
      requestBody: {content: {application/json: {schema: {$ref: '#/components/schemas/Login'}}}}
      responses:
        '200': {content: {application/json: {schema: {type: object, required: [token], properties: {token: {type: string}, user: {type: string}}}}}}
components:
  schemas:
    Login: {type: object, required: [email], properties: {email: {type: string}, code: {type: string}}}
`

const handGraphQL = `extend type Query { whoami(verbose: Boolean): Viewer }
type Viewer { name: String! age: Int }
`

func newWorld() *world {
	w := &world{World: worldtest.World{Events: true}, files: map[string]string{"worker/letter.go": jobsFile, "rest/auth.yaml": handREST, "gql/viewer.graphql": handGraphQL}}
	all := policy.Verbs{policy.Create: policy.Roles("admin"), policy.Update: policy.Roles("admin"), policy.Delete: policy.Roles("admin")}
	w.Author.Resource = expose.Resource{Path: "authors", Operations: expose.CRUD(), Sort: "id", Events: []expose.Topic{
		{Name: "author.changed", On: "update", When: "NEW.email <> OLD.email", Payload: []string{"email"}},
	}}
	w.Author.Rules = policy.Rules{Read: policy.Anyone(), Verbs: all}
	w.Author.Fields = []ent.Field{
		field.String("name").Annotations(expose.By(expose.Filter), expose.Scanned()),
		field.String("email").Annotations(expose.By(expose.Filter, expose.Sort), expose.Selective()),
		field.Int32("age").Default(0),
		field.String("bio").Optional().Nillable(),
	}
	w.Author.Edges = []ent.Edge{edge.To("posts", worldtest.Post.Type).Annotations(entsql.OnDelete(entsql.Cascade), expose.Nested(expose.List))}
	w.Post.Resource = expose.Resource{Path: "posts", Operations: expose.CRUD(), Sort: "id",
		Actions: []expose.Action{publish(field.String("note").Optional().Nillable())},
		Bulk:    []expose.Bulk{{Operation: expose.Delete, Each: true, Maximum: 100, Comment: "Deletes posts."}},
		Derived: []expose.Derived{{Name: "dear", Shape: expose.Flag, SQL: "{row}.price > 100", Comment: "Whether it is dear.", Example: true}},
		Events: []expose.Topic{
			{Name: "post.changed", On: "update", Payload: []string{"status", "price", "author_id"}},
		},
	}
	w.Post.Rules = policy.Rules{Read: policy.Anyone(), Verbs: policy.Verbs{
		policy.Create: policy.Roles("admin"), policy.Update: policy.Roles("admin"), policy.Delete: policy.Roles("admin"), "publish": policy.Roles("admin"),
	}}
	w.Post.Fields = []ent.Field{
		expose.Length(field.String("title"), 1, 20),
		field.Enum("status").Values("draft", "live", "dead").Default("draft").Annotations(expose.By(expose.Filter, expose.Sort), expose.Scanned()),
		expose.Range(field.Int64("price"), 0, 1000).Default(0).Annotations(expose.By(expose.Sort), expose.Scanned()),
		field.Int64("author_id").Annotations(expose.By(expose.Filter)),
	}
	w.Post.Edges = []ent.Edge{
		edge.From("author", worldtest.Author.Type).Ref("posts").Field("author_id").Unique().Required().Annotations(expose.FilterEdge()),
		edge.To("tags", worldtest.Tag.Type),
	}
	w.Tag.Resource = expose.Resource{Path: "tags", Operations: expose.CRUD(), Sort: "id", Events: []expose.Topic{{Name: "tag.gone", On: "delete"}}}
	w.Tag.Rules = policy.Rules{Read: policy.Anyone(), Verbs: all}
	w.Tag.Fields = []ent.Field{field.String("label")}
	w.Tag.Edges = []ent.Edge{edge.From("posts", worldtest.Post.Type).Ref("tags")}
	return w
}

func publish(input ...ent.Field) expose.Action {
	return expose.Action{Verb: "publish", Done: "published", Comment: "Publishes it.", Run: expose.InTx, When: policy.Is("status", "draft"), Input: input}
}

// contract is the contract of the service.
func (w *world) contract(t *testing.T) *contract.Contract {
	t.Helper()
	d := w.declare(t)
	m, err := d.model()
	if err != nil {
		t.Fatal(err)
	}
	c, err := d.contract(t.Context(), m)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// declared are the loaded schemas.
type declared struct {
	tree *source.Tree
	spec []*load.Schema
	told facts.Facts
}

// declare has the schemas loaded.
func (w *world) declare(t *testing.T) *declared {
	t.Helper()
	d := &declared{tree: codegentest.Module(t, "example.com/world", w.files), spec: w.Load(t)}
	var told bytes.Buffer
	err := facts.Write(&told, &expose.Service{Name: "world", Version: "1.0.0"}, w.Schemas()...)
	if err == nil {
		d.told, err = facts.Read(told.Bytes())
	}
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// model is the model of the schemas, or the reason why they are refused.
func (d *declared) model(options ...entc.Option) (*model.Model, error) {
	graph, err := orm.NewGraph(d.tree, &load.SchemaSpec{PkgPath: d.tree.Module + "/schema", Schemas: d.spec}, options...)
	if err != nil {
		return nil, err
	}
	m, err := model.New(graph, d.told.Entities...)
	if err == nil {
		m.Service = *d.told.Service
	}
	return m, err
}

// contract is the model's, after a round through a file.
func (d *declared) contract(ctx context.Context, m *model.Model) (*contract.Contract, error) {
	s, err := database.Schema(m)
	if err != nil {
		return nil, err
	}
	c, err := contract.Of(ctx, d.tree, m, d.told.Entities, s.Tables)
	if err != nil {
		return nil, err
	}
	encoded, err := c.Encode()
	if err != nil {
		return nil, err
	}
	return contract.Decode(encoded)
}

// edit replaces a text of a file.
func (w *world) edit(file, from, to string) {
	files := maps.Clone(w.files)
	if !strings.Contains(files[file], from) {
		panic(file + " has no " + from)
	}
	files[file] = strings.ReplaceAll(files[file], from, to)
	w.files = files
}
