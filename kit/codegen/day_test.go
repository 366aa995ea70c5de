package codegen_test

import (
	"context"
	"errors"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"entgo.io/ent/dialect"

	"github.com/entwine-go/entwine/kit/codegen"
	"github.com/entwine-go/entwine/kit/codegen/planner"
	"github.com/entwine-go/entwine/kit/kittest/storetest"
	"github.com/entwine-go/entwine/kit/migration"
	"github.com/entwine-go/entwine/kit/store"
)

// day asks for the changes of a day: make faults.
var day = flag.Bool("day", false, "make ten changes of a schema, one after the other")

// edit replaces a text of a file in schema/ by another.
type edit struct{ file, from, to string }

// step is a change of a schema, and what is in the databases then.
type step struct {
	name  string
	edits []edit
	move  [2]string // a file that is called otherwise
	drop  []string
	none  bool     // there is nothing to migrate
	first []string // statements before
	want  map[string]string
}

// tree is the schema of the branches of suppliers.
type tree struct{ field, branches, parent, topic string }

func treeOf(s string) tree {
	return tree{
		field:    cut(s, "		field.Int64(\"parent_id\")", "		field.String(\"nickname\")"),
		branches: cut(s, "		edge.To(\"branches\"", "		edge.To(\"badges\""),
		parent:   cut(s, "		edge.From(\"parent\"", "	}\n}\n\n// Indexes"),
		topic:    cut(s, "			{Name: \"supplier.branched\"", "			{Name: \"supplier.removed\""),
	}
}

// withoutTree is the supplier before it has branches.
func withoutTree() string {
	s, has := supplierSchema, treeOf(supplierSchema)
	for _, part := range []string{has.field, has.branches, has.parent, has.topic, "		index.Fields(\"parent_id\", \"created_at\", \"id\"),\n"} {
		s = strings.Replace(s, part, "", 1)
	}
	return s
}

// cut is the text from the one up to the other.
func cut(text, from, to string) string {
	i := strings.Index(text, from)
	return text[i : i+strings.Index(text[i:], to)]
}

func steps() []step {
	const at = `'2026-01-02 03:04:05.000000+00:00'`
	person := func(name string) string {
		return `INSERT INTO users (created_at, updated_at, name, email, name_fold, email_fold) VALUES (` +
			at + `, ` + at + `, '` + name + `', '` + name + `@example.com', '` + strings.ToLower(name) + `', '` + strings.ToLower(name) + `@example.com')`
	}
	branched, removed := treeOf(supplierSchema), "			{Name: \"supplier.removed\""
	manager := cut(supplierSchema, "		field.Int64(\"manager_id\")", "		field.Int64(\"parent_id\")")
	looksAfter := cut(supplierSchema, "		edge.To(\"manager\"", "		edge.To(\"contract\"")
	return []step{
		{name: "entity", first: []string{
			person("Ada"), person("Bob"),
			`INSERT INTO posts (created_at, updated_at, title, content, title_fold, content_fold, published, published_at, author_id) VALUES
				(` + at + `, ` + at + `, 'One', 'First', 'one', 'first', true, ` + at + `, 1), (` + at + `, ` + at + `, 'Two', 'Second', 'two', 'second', false, NULL, 1)`,
			`INSERT INTO comments (created_at, updated_at, text, post_id, author_id) VALUES (` + at + `, ` + at + `, 'Ça ALORS', 1, 2)`,
		}, want: map[string]string{`SELECT title FROM posts ORDER BY id`: "One Two", `SELECT name FROM suppliers`: ""}},
		{name: "categories", first: []string{
			`INSERT INTO suppliers (created_at, updated_at, name, name_fold, terms, terms_fold, grade, employees, labels, branches_of, manager_id) VALUES
				(` + at + `, ` + at + `, 'Acme', 'acme', 'Net 30', 'net 30', 'gold', 12, '["fast"]', '[]', 1), (` + at + `, ` + at + `, 'Beta', 'beta', 'Cash', 'cash', 'bronze', NULL, '[]', '[]', 2)`,
			`INSERT INTO categories (created_at, updated_at, name, name_fold) VALUES (` + at + `, ` + at + `, 'tools', 'tools')`,
		}, edits: []edit{
			{"supplier.go", looksAfter, looksAfter + "		edge.To(\"categories\", Category.Type).\n			Comment(\"What they deliver.\"),\n"},
			{"category.go", "		edge.To(\"posts\"", "		edge.From(\"suppliers\", Supplier.Type).Ref(\"categories\").\n			Comment(\"Who delivers it.\"),\n		edge.To(\"posts\""},
		},
			want: map[string]string{`SELECT name || grade FROM suppliers ORDER BY id`: "Acmegold Betabronze", `SELECT CAST(count(*) AS text) FROM supplier_categories`: "0"}},
		{name: "tree", first: []string{`INSERT INTO supplier_categories (supplier_id, category_id) VALUES (1, 1)`},
			edits: []edit{
				{"supplier.go", manager, manager + branched.field}, {"supplier.go", looksAfter, looksAfter + branched.branches + branched.parent},
				{"supplier.go", removed, branched.topic + removed},
			},
			want: map[string]string{`SELECT CAST(count(*) AS text) FROM suppliers WHERE parent_id IS NULL`: "2"}},
		{name: "language", first: []string{`UPDATE suppliers SET parent_id = 1 WHERE id = 2`},
			edits: []edit{{"post.go", "		field.Bool(\"published\")", "		expose.Length(field.String(\"language\"), 2, 2).\n			Comment(\"The language it is in.\").\n			Annotations(expose.By(expose.Filter), expose.Backfill(\"'en'\"), expose.Example(\"en\")),\n		field.Bool(\"published\")"}},
			want:  map[string]string{`SELECT language || title FROM posts ORDER BY id`: "enOne enTwo"}},
		{name: "conditions", edits: []edit{
			{"supplier.go", `field.Text("terms").Default("")`, `field.Text("conditions").Default("")`},
			{"supplier.go", "The terms of delivery.\").\n			Annotations(", "The terms of delivery.\").\n			Annotations(expose.Was(\"terms\"), "},
			{"supplier.go", `"name", "terms"`, `"name", "conditions"`},
		}, want: map[string]string{`SELECT conditions || conditions_fold FROM suppliers ORDER BY id`: "Net 30net 30 Cashcash"}},
		{name: "vendors", move: [2]string{"supplier.go", "vendor.go"}, edits: []edit{
			{"vendor.go", "Supplier", "Vendor"}, {"vendor.go", `"suppliers"`, `"vendors"`}, {"category.go", "Supplier.Type", "Vendor.Type"},
			{"vendor.go", `schema.Comment("Who delivers products."),`, `schema.Comment("Who delivers products."), expose.Was("Supplier"),`},
			{"vendor.go", `expose.Was("terms"), `, ``},
		}, want: map[string]string{
			`SELECT name || grade || conditions FROM vendors ORDER BY id`: "AcmegoldNet 30 BetabronzeCash", `SELECT CAST(parent_id AS text) FROM vendors WHERE id = 2`: "1",
			`SELECT CAST(vendor_id AS text) FROM vendor_categories`: "1",
		}},
		{name: "grades", edits: []edit{
			{"vendor.go", `Values("gold", "silver", "bronze").Default("bronze")`, `Values("first", "silver", "third").Default("third")`},
			{"vendor.go", `expose.At("grade", "gold")`, `expose.At("grade", "first")`},
			{"vendor.go", "How good they are.\").\n			Annotations(", "How good they are.\").\n			Annotations(expose.ValueWas(\"first\", \"gold\"), expose.ValueWas(\"third\", \"bronze\"), "},
		}, want: map[string]string{`SELECT grade FROM vendors ORDER BY id`: "first third"}},
		{name: "search", edits: []edit{
			{"comment.go", `Annotations(expose.Example("I could`, `Annotations(expose.By(expose.Search), expose.Example("I could`},
			{"comment.go", "Operations: expose.CRUD(),", "Operations: expose.CRUD(),\n			Search:     []string{\"text\"},"},
		}, want: map[string]string{`SELECT text_fold FROM comments`: "ça alors"}},
		{name: "count", edits: []edit{{"user.go", "		field.Int64(\"following_count\")", "		field.Int64(\"posts_count\").Default(0).\n			Comment(\"How many posts the user has published.\").\n			Annotations(expose.By(expose.Sort), expose.CountOf(\"posts\", \"NEW.published\")),\n		field.Int64(\"following_count\")"}},
			want: map[string]string{`SELECT CAST(posts_count AS text) FROM users ORDER BY id`: "1 0"}},
		{name: "policy", none: true, edits: []edit{{"vendor.go", "Read:       known,", "Read:       admin,"}}},
		{name: "employees", drop: []string{"vendors.employees"}, edits: []edit{
			{"vendor.go", cut(supplierSchema, "		expose.Range(field.Int(\"employees\")", "		field.Float(\"score\")"), ""},
		}, want: map[string]string{`SELECT name || grade FROM vendors ORDER BY id`: "Acmefirst Betathird"}},
	}
}

// TestTenChangesOfADay edits schema files one after the other, in a copy of the
// tree whose databases have rows. No SQL is written by hand, and no value goes
// but the one that was meant to. Then the program is made of it, and both APIs
// show the rows, count them, find them and write more.
func TestTenChangesOfADay(t *testing.T) {
	if !*day {
		t.Skip("it compiles the schemas eleven times, and the program: make faults does it")
	}
	storetest.NeedPostgres(t)
	root := copyTree(t)
	write(t, filepath.Join(root, "schema/supplier.go"), withoutTree())
	urls := []string{storetest.Schema{}.SQLiteURL(t), storetest.Schema{}.PostgresURL(t)}
	var databases []*store.DB
	for _, url := range urls {
		db, err := store.Open(t.Context(), store.Config{URL: url, Conns: 2})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = db.Close() })
		databases = append(databases, db)
	}
	migrate(t, root, databases)
	for _, s := range steps() {
		s.take(t, root, databases)
	}
	if t.Failed() {
		return
	}
	if err := codegen.Generate(t.Context(), root, os.Stderr); err != nil {
		t.Fatal(err)
	}
	binary := filepath.Join(root, "entwine")
	shell(t, root, nil, "go", "build", "-trimpath", "-ldflags=-s -w", "-o", binary, "./cmd/entwine")
	for i, name := range []string{"sqlite", "postgres"} {
		t.Run(name, func(t *testing.T) { driveDay(t, binary, urls[i]) })
	}
}

func (s step) take(t *testing.T, root string, databases []*store.DB) {
	t.Helper()
	for _, db := range databases {
		for _, statement := range s.first {
			if _, err := db.ExecContext(t.Context(), statement); err != nil {
				t.Fatalf("%s: %s: %v", s.name, statement, err)
			}
		}
	}
	if s.move[0] != "" {
		if err := os.Rename(filepath.Join(root, "schema", s.move[0]), filepath.Join(root, "schema", s.move[1])); err != nil {
			t.Fatal(err)
		}
	}
	for _, e := range s.edits {
		path := filepath.Join(root, "schema", e.file)
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		edited := strings.ReplaceAll(string(text), e.from, e.to)
		if edited == string(text) {
			t.Fatalf("%s: %s has no %q", s.name, e.file, e.from)
		}
		write(t, path, edited)
	}
	wanted, err := codegen.Database(root)
	if err != nil {
		t.Fatalf("%s: %v", s.name, err)
	}
	folder, wantedDigest := filepath.Join(root, "migrate"), wanted.Digest()
	if _, err := planner.Diff(t.Context(), folder, s.name, wanted, planner.Allow{}); (err != nil) != (s.drop != nil) || err != nil && !errors.Is(err, planner.ErrLoss) {
		t.Fatalf("%s: %v", s.name, err)
	}
	if s.drop != nil { // another process, once it was refused
		if wanted, err = codegen.Database(root); err != nil {
			t.Fatal(err)
		}
		if _, err := planner.Diff(t.Context(), folder, s.name, wanted, planner.Allow{Drop: s.drop}); err != nil {
			t.Fatalf("%s: %v", s.name, err)
		}
	}
	if files, err := filepath.Glob(filepath.Join(folder, "*", "*_"+s.name+".sql")); err != nil || (len(files) == 0) != s.none {
		t.Errorf("%s: migrations %v, %v", s.name, files, err)
	}
	if err := migration.Matches(os.DirFS(folder), wantedDigest, dialect.Postgres); err != nil {
		t.Errorf("%s: %v", s.name, err)
	}
	migrate(t, root, databases)
	for query, want := range s.want {
		for _, db := range databases {
			if got := texts(t, db, query); got != want {
				t.Errorf("%s: %s: %q, want %q", s.name, query, got, want)
			}
		}
	}
}

func migrate(t *testing.T, root string, databases []*store.DB) {
	t.Helper()
	for _, db := range databases {
		if err := migration.Up(context.WithoutCancel(t.Context()), db, os.DirFS(filepath.Join(root, "migrate"))); err != nil {
			t.Fatal(err)
		}
	}
}

func write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

func texts(t *testing.T, db *store.DB, query string) string {
	t.Helper()
	rows, err := db.QueryContext(t.Context(), query)
	if err != nil {
		t.Fatalf("%s: %v", query, err)
	}
	defer rows.Close()
	var all []string
	for rows.Next() {
		var s string
		if err := rows.Scan(&s); err != nil {
			t.Fatalf("%s: %v", query, err)
		}
		all = append(all, s)
	}
	return strings.Join(all, " ")
}
