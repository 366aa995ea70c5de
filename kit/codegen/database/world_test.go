package database_test

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"entgo.io/ent"
	"entgo.io/ent/dialect/entsql"
	"entgo.io/ent/entc/load"
	"entgo.io/ent/schema/edge"
	"entgo.io/ent/schema/field"

	"github.com/entwine-go/entwine/kit/codegen/codegentest"
	"github.com/entwine-go/entwine/kit/codegen/codegentest/worldtest"
	"github.com/entwine-go/entwine/kit/codegen/database"
	"github.com/entwine-go/entwine/kit/codegen/model"
	"github.com/entwine-go/entwine/kit/codegen/orm"
	"github.com/entwine-go/entwine/kit/codegen/planner"
	"github.com/entwine-go/entwine/kit/expose"
	"github.com/entwine-go/entwine/kit/kittest/storetest"
	"github.com/entwine-go/entwine/kit/migration"
	"github.com/entwine-go/entwine/kit/policy"
	"github.com/entwine-go/entwine/kit/store"
)

// world is a schema with people, posts and tags.
type world struct{ worldtest.World }

func newWorld() *world {
	w := &world{}
	w.Author.Resource = expose.Resource{Path: "authors", Operations: expose.ReadOnly(), Sort: "id"}
	w.Author.Fields = []ent.Field{
		field.String("name"), field.String("email"),
		field.Int32("age").Default(0),
		field.String("bio").Optional().Nillable(),
		field.Time("left_at").Optional().Nillable(),
	}
	w.Author.Edges = []ent.Edge{edge.To("posts", worldtest.Post.Type).Annotations(entsql.OnDelete(entsql.Cascade))}
	w.Post.Resource = expose.Resource{Path: "posts", Operations: expose.ReadOnly(), Sort: "id"}
	w.Post.Fields = []ent.Field{
		field.String("title"),
		field.Enum("status").Values("draft", "live", "dead").Default("draft"),
		field.Int64("price").Default(0),
		field.Int64("author_id"),
	}
	w.Post.Edges = []ent.Edge{
		edge.From("author", worldtest.Author.Type).Ref("posts").Field("author_id").Unique().Required(),
		edge.To("tags", worldtest.Tag.Type),
	}
	w.Tag.Resource = expose.Resource{Path: "tags", Operations: expose.ReadOnly(), Sort: "id"}
	w.Tag.Fields = []ent.Field{field.String("label")}
	w.Tag.Edges = []ent.Edge{edge.From("posts", worldtest.Post.Type).Ref("tags")}
	w.Author.Rules.Read, w.Post.Rules.Read, w.Tag.Rules.Read = policy.Anyone(), policy.Anyone(), policy.Anyone()
	return w
}

// schema is the input of package planner.
func (w *world) schema(t *testing.T) planner.Schema {
	t.Helper()
	wanted, err := w.wanted(t)
	if err != nil {
		t.Fatal(err)
	}
	return wanted
}

// wanted is the same, or why the schema is refused.
func (w *world) wanted(t *testing.T) (s planner.Schema, err error) {
	t.Helper()
	tree := codegentest.Tree(t)
	spec := &load.SchemaSpec{PkgPath: tree.Module + "/schema", Schemas: w.Load(t)}
	past, err := database.Past(spec)
	if err != nil {
		return s, err
	}
	graph, err := orm.NewGraph(tree, spec)
	if err != nil {
		return s, err
	}
	m, err := model.New(graph)
	if err != nil {
		return s, err
	}
	return database.Wanted(tree, m, past)
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
	dir, err := migration.Dir(os.DirFS(root), db.Dialect.Name())
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

// read is the result of the query, a text for each row.
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
