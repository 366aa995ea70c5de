package database_test

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"entgo.io/ent"
	"entgo.io/ent/dialect/entsql"
	"entgo.io/ent/entc/load"
	entschema "entgo.io/ent/schema"
	"entgo.io/ent/schema/edge"
	"entgo.io/ent/schema/field"

	"github.com/entwine-go/entwine/kit/codegen/database"
	"github.com/entwine-go/entwine/kit/codegen/model"
	"github.com/entwine-go/entwine/kit/codegen/orm"
	"github.com/entwine-go/entwine/kit/codegen/planner"
	"github.com/entwine-go/entwine/kit/codegen/source"
	"github.com/entwine-go/entwine/kit/expose"
	"github.com/entwine-go/entwine/kit/kittest/storetest"
	"github.com/entwine-go/entwine/kit/policy"
	"github.com/entwine-go/entwine/kit/runtime/migration"
	"github.com/entwine-go/entwine/kit/runtime/store"
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
	read     *policy.Rule
	hidden   bool
	tenant   bool // by org_id
}

func (s shape) Fields() []ent.Field {
	id := field.Int64("id").Annotations(expose.By(expose.Sort))
	return append([]ent.Field{id}, s.fields...)
}
func (s shape) Edges() []ent.Edge    { return s.edges }
func (s shape) Indexes() []ent.Index { return s.indexes }
func (s shape) Policy() ent.Policy {
	if s.read == nil {
		return policy.Rules{Read: policy.Anyone()}
	}
	return policy.Rules{Read: *s.read}
}

func (s shape) Annotations() []entschema.Annotation {
	var all []entschema.Annotation
	if !s.hidden {
		all = append(all, s.resource)
	}
	if s.checks != nil {
		all = append(all, entsql.Checks(s.checks))
	}
	if s.tenant {
		all = append(all, expose.Tenant("org_id"))
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
	Author struct{ shape }
	Writer struct{ shape }
	Post   struct{ shape }
	Tag    struct{ shape }
	Event  struct{ shape }
)

// world is a schema with people, posts and tags.
type world struct {
	author, post, tag shape
	// writer is set where authors are called so.
	writer bool
	events bool
}

func newWorld() *world {
	w := &world{}
	w.author.resource = expose.Resource{Path: "authors", Operations: expose.ReadOnly(), Sort: "id"}
	w.author.fields = []ent.Field{
		field.String("name"), field.String("email"),
		field.Int32("age").Default(0),
		field.String("bio").Optional().Nillable(),
		field.Time("left_at").Optional().Nillable(),
	}
	w.author.edges = []ent.Edge{edge.To("posts", Post.Type).Annotations(entsql.OnDelete(entsql.Cascade))}
	w.post.resource = expose.Resource{Path: "posts", Operations: expose.ReadOnly(), Sort: "id"}
	w.post.fields = []ent.Field{
		field.String("title"),
		field.Enum("status").Values("draft", "live", "dead").Default("draft"),
		field.Int64("price").Default(0),
		field.Int64("author_id"),
	}
	w.post.edges = []ent.Edge{
		edge.From("author", Author.Type).Ref("posts").Field("author_id").Unique().Required(),
		edge.To("tags", Tag.Type),
	}
	w.tag.resource = expose.Resource{Path: "tags", Operations: expose.ReadOnly(), Sort: "id"}
	w.tag.fields = []ent.Field{field.String("label")}
	w.tag.edges = []ent.Edge{edge.From("posts", Post.Type).Ref("tags")}
	return w
}

// rename has authors be called writers.
func (w *world) rename() {
	w.writer = true
	w.post.edges = []ent.Edge{
		edge.From("author", Writer.Type).Ref("posts").Field("author_id").Unique().Required(),
		edge.To("tags", Tag.Type),
	}
	w.author.resource.Path = "writers"
}

func (w *world) schemas() []ent.Interface {
	var all []ent.Interface
	if w.writer {
		all = append(all, Writer{w.author})
	} else {
		all = append(all, Author{w.author})
	}
	all = append(all, Post{w.post})
	if w.tag.fields != nil {
		all = append(all, Tag{w.tag})
	}
	if w.events {
		e := shape{hidden: true}
		e.fields = []ent.Field{
			field.Int64("xid"), field.String("topic"), field.String("entity"), field.Int64("entity_id"),
			field.Int64("key"), field.String("payload").Optional().Nillable(), field.Time("created_at"),
		}
		all = append(all, Event{e})
	}
	return all
}

// schema is what package planner is given.
func (w *world) schema(t *testing.T) planner.Schema {
	t.Helper()
	tree, err := source.Open("../../..")
	if err != nil {
		t.Fatal(err)
	}
	spec := &load.SchemaSpec{PkgPath: tree.Module + "/schema"}
	for _, s := range w.schemas() {
		encoded, err := load.MarshalSchema(s)
		if err != nil {
			t.Fatal(err)
		}
		loaded, err := load.UnmarshalSchema(encoded)
		if err != nil {
			t.Fatal(err)
		}
		spec.Schemas = append(spec.Schemas, loaded)
	}
	slices.SortFunc(spec.Schemas, func(a, b *load.Schema) int { return strings.Compare(a.Name, b.Name) })
	past, err := database.Past(spec)
	if err != nil {
		t.Fatal(err)
	}
	graph, err := orm.NewGraph(tree, spec)
	if err != nil {
		t.Fatal(err)
	}
	m, err := model.New(graph)
	if err != nil {
		t.Fatal(err)
	}
	wanted, err := database.Wanted(tree, m, past)
	if err != nil {
		t.Fatal(err)
	}
	return wanted
}

// repository is a folder with no migrations.
func repository(t *testing.T) string {
	t.Helper()
	storetest.NeedPostgres(t)
	root := t.TempDir()
	for _, folder := range []string{"postgres", "sqlite"} {
		if err := os.Mkdir(filepath.Join(root, folder), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	if err := planner.Hash(root); err != nil {
		t.Fatal(err)
	}
	return root
}

// copied is the same folder once more.
func copied(t *testing.T, root string) string {
	t.Helper()
	to := t.TempDir()
	if err := os.CopyFS(to, os.DirFS(root)); err != nil {
		t.Fatal(err)
	}
	return to
}

func apply(ctx context.Context, db *store.DB, root string) error {
	dir, err := migration.Dir(os.DirFS(root), db.Dialect)
	if err != nil {
		return err
	}
	return migration.Apply(ctx, db, dir)
}

func exec(t *testing.T, db *store.DB, statements ...string) {
	t.Helper()
	for _, s := range statements {
		if _, err := db.ExecContext(t.Context(), s); err != nil {
			t.Fatalf("%s: %v", s, err)
		}
	}
}

// read is what the query returns, a text for each row.
func read(t *testing.T, db *store.DB, query string) string {
	t.Helper()
	rows, err := db.QueryContext(t.Context(), query)
	if err != nil {
		t.Fatalf("%s: %v", query, err)
	}
	defer rows.Close()
	var all []string
	for rows.Next() {
		var s *string
		if err := rows.Scan(&s); err != nil {
			t.Fatalf("%s: %v", query, err)
		}
		if s == nil {
			all = append(all, "null")
		} else {
			all = append(all, *s)
		}
	}
	if err := rows.Err(); err != nil {
		t.Fatalf("%s: %v", query, err)
	}
	return strings.Join(all, " ")
}
