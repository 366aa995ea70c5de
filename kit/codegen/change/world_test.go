package change_test

import (
	"bytes"
	"context"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"entgo.io/ent"
	"entgo.io/ent/dialect/entsql"
	"entgo.io/ent/entc"
	"entgo.io/ent/entc/load"
	entschema "entgo.io/ent/schema"
	"entgo.io/ent/schema/edge"
	"entgo.io/ent/schema/field"

	"github.com/entwine-go/entwine/kit/codegen/contract"
	"github.com/entwine-go/entwine/kit/codegen/database"
	"github.com/entwine-go/entwine/kit/codegen/facts"
	"github.com/entwine-go/entwine/kit/codegen/model"
	"github.com/entwine-go/entwine/kit/codegen/orm"
	"github.com/entwine-go/entwine/kit/codegen/source"
	"github.com/entwine-go/entwine/kit/expose"
	"github.com/entwine-go/entwine/kit/policy"
	"github.com/entwine-go/entwine/kit/tables"
)

// shape is a schema whose parts a test sets: nothing is compiled for it.
type shape struct {
	ent.Schema
	resource expose.Resource
	fields   []ent.Field
	edges    []ent.Edge
	indexes  []ent.Index
	checks   map[string]string
	change   *expose.Change
	rules    policy.Rules
	hidden   bool
	table    string
	tenant   *expose.Belonging
}

func (s shape) Fields() []ent.Field {
	if slices.ContainsFunc(s.fields, func(f ent.Field) bool { return f.Descriptor().Name == "id" }) {
		return s.fields
	}
	return append([]ent.Field{field.Int64("id").Annotations(expose.By(expose.Sort))}, s.fields...)
}
func (s shape) Edges() []ent.Edge    { return s.edges }
func (s shape) Indexes() []ent.Index { return s.indexes }
func (s shape) Policy() ent.Policy   { return s.rules }

func (s shape) Annotations() []entschema.Annotation {
	var all []entschema.Annotation
	if !s.hidden {
		all = append(all, s.resource)
	}
	if s.checks != nil {
		all = append(all, entsql.Checks(s.checks))
	}
	if s.table != "" {
		all = append(all, entsql.Table(s.table))
	}
	if s.tenant != nil {
		all = append(all, *s.tenant)
	}
	if s.change != nil {
		all = append(all, *s.change)
	}
	return all
}

// with adds fields, or replaces those of the same name.
func (s *shape) with(fields ...ent.Field) {
	s.fields = slices.Clone(s.fields)
	for _, f := range fields {
		i := slices.IndexFunc(s.fields, func(had ent.Field) bool { return had.Descriptor().Name == f.Descriptor().Name })
		if i < 0 {
			s.fields = append(s.fields, f)
		} else {
			s.fields[i] = f
		}
	}
}

// without removes a field.
func (s *shape) without(name string) {
	s.fields = slices.DeleteFunc(slices.Clone(s.fields), func(f ent.Field) bool { return f.Descriptor().Name == name })
}

// The entities. A Writer is what an Author may be called later.
type (
	Author   struct{ shape }
	Writer   struct{ shape }
	Post     struct{ shape }
	Tag      struct{ shape }
	Event    struct{ shape }
	Job      struct{ tables.Job }
	JobChunk struct{ tables.JobChunk }
)

// world is a service with people, posts and tags, in which everything that a
// change can be felt by is declared: listings, topics, jobs, actions.
type world struct {
	author, post, tag shape
	// writer is set where authors are called so.
	writer bool
	// queue is set where there are jobs that the database makes.
	queue bool
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
	w := &world{files: map[string]string{"worker/letter.go": jobsFile, "rest/auth.yaml": handREST, "gql/viewer.graphql": handGraphQL}}
	all := policy.Verbs{policy.Create: policy.Roles("admin"), policy.Update: policy.Roles("admin"), policy.Delete: policy.Roles("admin")}
	w.author.resource = expose.Resource{Path: "authors", Operations: expose.CRUD(), Sort: "id", Events: []expose.Topic{
		{Name: "author.changed", On: "update", When: "NEW.email <> OLD.email", Payload: []string{"email"}},
	}}
	w.author.rules = policy.Rules{Read: policy.Anyone(), Verbs: all}
	w.author.fields = []ent.Field{
		field.String("name").Annotations(expose.By(expose.Filter), expose.Scanned()),
		field.String("email").Annotations(expose.By(expose.Filter, expose.Sort), expose.Selective()),
		field.Int32("age").Default(0),
		field.String("bio").Optional().Nillable(),
	}
	w.author.edges = []ent.Edge{edge.To("posts", Post.Type).Annotations(entsql.OnDelete(entsql.Cascade), expose.Nested(expose.List))}
	w.post.resource = expose.Resource{Path: "posts", Operations: expose.CRUD(), Sort: "id",
		Actions: []expose.Action{publish(field.String("note").Optional().Nillable())},
		Bulk:    []expose.Bulk{{Operation: expose.Delete, Each: true, Maximum: 100, Comment: "Deletes posts."}},
		Derived: []expose.Derived{{Name: "dear", Shape: expose.Flag, SQL: "{row}.price > 100", Comment: "Whether it is dear.", Example: true}},
		Events: []expose.Topic{
			{Name: "post.changed", On: "update", Payload: []string{"status", "price", "author_id"}},
		},
	}
	w.post.rules = policy.Rules{Read: policy.Anyone(), Verbs: policy.Verbs{
		policy.Create: policy.Roles("admin"), policy.Update: policy.Roles("admin"), policy.Delete: policy.Roles("admin"), "publish": policy.Roles("admin"),
	}}
	w.post.fields = []ent.Field{
		expose.Length(field.String("title"), 1, 20),
		field.Enum("status").Values("draft", "live", "dead").Default("draft").Annotations(expose.By(expose.Filter, expose.Sort), expose.Scanned()),
		expose.Range(field.Int64("price"), 0, 1000).Default(0).Annotations(expose.By(expose.Sort), expose.Scanned()),
		field.Int64("author_id").Annotations(expose.By(expose.Filter)),
	}
	w.post.edges = []ent.Edge{
		edge.From("author", Author.Type).Ref("posts").Field("author_id").Unique().Required().Annotations(expose.FilterEdge()),
		edge.To("tags", Tag.Type),
	}
	w.tag.resource = expose.Resource{Path: "tags", Operations: expose.CRUD(), Sort: "id", Events: []expose.Topic{{Name: "tag.gone", On: "delete"}}}
	w.tag.rules = policy.Rules{Read: policy.Anyone(), Verbs: all}
	w.tag.fields = []ent.Field{field.String("label")}
	w.tag.edges = []ent.Edge{edge.From("posts", Post.Type).Ref("tags")}
	return w
}

func publish(input ...ent.Field) expose.Action {
	return expose.Action{Verb: "publish", Done: "published", Comment: "Publishes it.", Run: expose.InTx, When: policy.Is("status", "draft"), Input: input}
}

// rename has authors be called writers.
func (w *world) rename() {
	w.writer = true
	w.post.edges = []ent.Edge{
		edge.From("author", Writer.Type).Ref("posts").Field("author_id").Unique().Required().Annotations(expose.FilterEdge()),
		edge.To("tags", Tag.Type),
	}
	w.author.resource.Path = "writers"
}

func (w *world) schemas() []ent.Interface {
	events := shape{hidden: true, fields: []ent.Field{
		field.Int64("xid"), field.String("topic"), field.String("entity"), field.Int64("entity_id"),
		field.Int64("key"), field.String("payload").Optional().Nillable(), field.Time("created_at"),
	}}
	all := []ent.Interface{Event{events}, Post{w.post}}
	if w.queue {
		all = append(all, Job{}, JobChunk{})
	}
	if w.writer {
		all = append(all, Writer{w.author})
	} else {
		all = append(all, Author{w.author})
	}
	if w.tag.fields != nil {
		all = append(all, Tag{w.tag})
	}
	return all
}

// contract is what the service promises.
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

// declared is what is loaded of schemas.
type declared struct {
	tree *source.Tree
	spec []*load.Schema
	told facts.Facts
}

// declare has the schemas loaded.
func (w *world) declare(t *testing.T) *declared {
	t.Helper()
	d := &declared{tree: w.tree(t)}
	var told bytes.Buffer
	err := facts.Write(&told, &expose.Service{Name: "world", Version: "1.0.0"}, w.schemas()...)
	if err == nil {
		d.told, err = facts.Read(told.Bytes())
	}
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range w.schemas() {
		encoded, err := load.MarshalSchema(s)
		if err != nil {
			t.Fatal(err)
		}
		loaded, err := load.UnmarshalSchema(encoded)
		if err != nil {
			t.Fatal(err)
		}
		d.spec = append(d.spec, loaded)
	}
	slices.SortFunc(d.spec, func(a, b *load.Schema) int { return strings.Compare(a.Name, b.Name) })
	return d
}

// model is what follows, or why the schemas are refused.
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

// contract is the model's, as it is read from a file.
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

// tree has the files of the world.
func (w *world) tree(t *testing.T) *source.Tree {
	t.Helper()
	root := t.TempDir()
	files := map[string]string{"go.mod": "module example.com/world\n\ngo 1.26\n"}
	maps.Copy(files, w.files)
	for name, text := range files {
		path := filepath.Join(root, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	tree, err := source.Open(root)
	if err != nil {
		t.Fatal(err)
	}
	return tree
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
