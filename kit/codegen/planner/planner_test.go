package planner_test

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"entgo.io/ent/dialect"
	"entgo.io/ent/dialect/entsql"
	"entgo.io/ent/dialect/sql/schema"
	"entgo.io/ent/schema/field"

	"github.com/entwine-go/entwine/kit/codegen/planner"
	"github.com/entwine-go/entwine/kit/kittest/storetest"
	"github.com/entwine-go/entwine/kit/store"
)

// blog is a schema with what ours has: a partial unique index, defaults, a
// check, a foreign key, and objects that Ent doesn't know.
func blog() planner.Schema {
	users := &schema.Table{Name: "users", Columns: []*schema.Column{
		{Name: "id", Type: field.TypeInt64, Increment: true},
		{Name: "name", Type: field.TypeString, Default: "it's"},
		{Name: "email", Type: field.TypeString},
		{Name: "bio", Type: field.TypeString, Size: 2147483647, Nullable: true},
		{Name: "role", Type: field.TypeEnum, Enums: []string{"user", "admin"}, Default: "user"},
		{Name: "age", Type: field.TypeInt, Default: 18},
		{Name: "active", Type: field.TypeBool, Default: true},
		{Name: "tags", Type: field.TypeJSON, Nullable: true},
		{Name: "deleted_at", Type: field.TypeTime, Nullable: true},
		{Name: "created_at", Type: field.TypeTime, Default: map[string]schema.Expr{
			dialect.Postgres: "CURRENT_TIMESTAMP", dialect.SQLite: store.SQLiteNow,
		}},
	}, Annotation: &entsql.Annotation{Checks: map[string]string{"adult": "age >= 18 AND age <= 120"}}}
	users.PrimaryKey = users.Columns[:1]
	users.Indexes = []*schema.Index{
		{Name: "users_email", Unique: true, Columns: users.Columns[2:3], Annotation: &entsql.IndexAnnotation{Where: "deleted_at IS NULL"}},
		{Name: "users_created_at_id", Columns: []*schema.Column{users.Columns[9], users.Columns[0]},
			Annotation: &entsql.IndexAnnotation{DescColumns: map[string]bool{"created_at": true}}},
	}
	posts := &schema.Table{Name: "posts", Columns: []*schema.Column{
		{Name: "id", Type: field.TypeInt64, Increment: true},
		{Name: "title", Type: field.TypeString},
		{Name: "user_id", Type: field.TypeInt64},
	}}
	posts.PrimaryKey = posts.Columns[:1]
	posts.ForeignKeys = []*schema.ForeignKey{{Symbol: "posts_users_posts", Columns: posts.Columns[2:3],
		RefTable: users, RefColumns: users.Columns[:1], OnDelete: schema.Cascade}}
	return planner.Schema{Tables: []*schema.Table{users, posts}, Objects: objects()}
}

func objects() map[string][]planner.Object {
	return map[string][]planner.Object{
		dialect.SQLite: {
			{Name: "log", Create: "CREATE VIEW names AS SELECT name FROM users;"},
			{Name: "touch", Create: `CREATE TRIGGER users_touch AFTER UPDATE OF name ON users BEGIN
	UPDATE users SET age = age + 1 WHERE id = NEW.id;
	UPDATE posts SET title = 'touched; twice' WHERE user_id = NEW.id;
END;`},
			{Name: "search", Create: `CREATE VIRTUAL TABLE posts_search USING fts5(title, content='posts', content_rowid='id');
INSERT INTO posts_search (posts_search) VALUES ('rebuild');
CREATE TRIGGER posts_search_insert AFTER INSERT ON posts BEGIN
	INSERT INTO posts_search (rowid, title) VALUES (NEW.id, NEW.title);
END`},
			{Name: "months", Create: `ALTER TABLE "users" ADD COLUMN "age_units" bigint GENERATED ALWAYS AS ("age" * 12) VIRTUAL`},
			{Name: "units", Create: `CREATE INDEX "units_users_age" ON "users" ("age_units", "id")`},
		},
		dialect.Postgres: {
			{Name: "trigrams", First: true, Create: "CREATE EXTENSION IF NOT EXISTS pg_trgm"},
			{Name: "fold", First: true, Create: "CREATE OR REPLACE FUNCTION fold(t text) RETURNS text LANGUAGE sql IMMUTABLE AS $$ SELECT lower(t); $$"},
			{Name: "search", Create: "CREATE INDEX posts_search ON posts USING gin (fold(title) gin_trgm_ops)"},
			{Name: "touch", Create: `CREATE OR REPLACE FUNCTION users_touch() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	NEW.age := NEW.age + 1;
	UPDATE posts SET title = 'touched; twice' WHERE user_id = NEW.id;
	RETURN NEW;
END $$`},
			{Name: "age_units", Create: `ALTER TABLE "users" ADD COLUMN "age_units" bigint`},
			{Name: "months", Create: `CREATE OR REPLACE FUNCTION keep_users_age_units() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	NEW."age_units" := NEW."age" * 12;
	RETURN NEW;
END $$`},
			{Name: "keeping", Create: "CREATE TRIGGER keep_users_age_units BEFORE INSERT OR UPDATE ON users FOR EACH ROW EXECUTE FUNCTION keep_users_age_units()"},
			{Name: "units", Create: `CREATE INDEX "units_users_age" ON "users" ("age_units", "id")`},
			{Name: "touching", Create: "CREATE TRIGGER users_touch BEFORE UPDATE OF name ON users FOR EACH ROW EXECUTE FUNCTION users_touch()"},
		},
	}
}

// repository is a folder with no migrations.
func repository(t *testing.T) string {
	t.Helper()
	storetest.NeedPostgres(t)
	root := t.TempDir()
	const none = "h1:47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=\n"
	for _, folder := range []string{"postgres", "sqlite"} {
		if err := os.Mkdir(filepath.Join(root, folder), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(root, folder, "atlas.sum"), []byte(none), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return root
}

// released is a folder with the blog's first migration.
func released(t *testing.T) string {
	t.Helper()
	root := repository(t)
	first.Do(func() {
		dir := repository(t)
		diff(t, dir, "first", blog())
		first.files = make(map[string][]byte)
		for _, pattern := range []string{"*/*.sql", "*/atlas.sum"} {
			paths, _ := fs.Glob(os.DirFS(dir), pattern)
			for _, path := range paths {
				first.files[path], _ = os.ReadFile(filepath.Join(dir, path))
			}
		}
	})
	for path, content := range first.files {
		if err := os.WriteFile(filepath.Join(root, path), content, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return root
}

// first is the blog's first migration, which takes a second to write.
var first struct {
	sync.Once
	files map[string][]byte
}

// diff writes the next migration and returns the text of both files.
func diff(t *testing.T, root, name string, s planner.Schema, drop ...string) string {
	t.Helper()
	written, err := planner.Diff(t.Context(), root, name, s, planner.Allow{Drop: drop, Accept: []string{"MF103"}})
	if err != nil {
		t.Fatalf("Diff %s: %v", name, err)
	}
	var all strings.Builder
	for _, path := range written {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		all.Write(text)
	}
	return all.String()
}

func TestDiffWritesTheSchemaOnce(t *testing.T) {
	t.Parallel()
	root, s := released(t), blog()
	before := s.Digest()
	if again := diff(t, root, "second", s); again != "" {
		t.Errorf("a second Diff writes:\n%s", again)
	}
	if after := s.Digest(); after != before {
		t.Error("a schema that was planned has another digest: what plans it has written into it")
	}
	if err := planner.Verify(t.Context(), root, blog()); err != nil {
		t.Errorf("Verify: %v", err)
	}
	for _, name := range []string{"", "../x", "a b", "A"} {
		if _, err := planner.Diff(t.Context(), root, name, blog(), planner.Allow{}); !errors.Is(err, planner.ErrName) {
			t.Errorf("Diff %q: %v, want %v", name, err, planner.ErrName)
		}
	}
	if _, err := planner.Lint(t.Context(), root, "nope"); err == nil || !strings.Contains(err.Error(), `version "nope"`) {
		t.Errorf("Lint since what there is not: %v", err)
	}
}

// The indexes of a table called units are named as those of amounts begin.
func TestATableCalledUnits(t *testing.T) {
	t.Parallel()
	root := repository(t)
	made := func() planner.Schema {
		units := &schema.Table{Name: "units", Columns: []*schema.Column{
			{Name: "id", Type: field.TypeInt64, Increment: true},
			{Name: "name", Type: field.TypeString, Unique: true},
			{Name: "symbol", Type: field.TypeString},
		}}
		units.PrimaryKey = units.Columns[:1]
		units.Indexes = []*schema.Index{{Name: "units_by_symbol", Columns: units.Columns[2:3]}}
		return planner.Schema{Tables: []*schema.Table{units}}
	}
	if text := diff(t, root, "first", made()); strings.Count(text, "units_by_symbol") < 2 || strings.Contains(text, "DROP") {
		t.Errorf("Diff writes:\n%s", text)
	}
	if err := planner.Verify(t.Context(), root, made()); err != nil {
		t.Errorf("Verify: %v", err)
	}
	changed := made()
	changed.Tables[0].Columns = append(changed.Tables[0].Columns, &schema.Column{Name: "note", Type: field.TypeString, Nullable: true})
	changed.Tables[0].Indexes = nil
	if text := diff(t, root, "second", changed); !strings.Contains(text, "units_by_symbol") || strings.Contains(text, "units_pkey") {
		t.Errorf("Diff of a change writes:\n%s", text)
	}
	if again := diff(t, root, "third", changed); again != "" {
		t.Errorf("a further Diff writes:\n%s", again)
	}
}

func TestTextSortsByItsBytes(t *testing.T) {
	t.Parallel()
	root := released(t)
	from(root).Each(t, func(t *testing.T, db *store.DB) {
		for _, name := range []string{"b", "B", "a", "é", "A"} {
			exec(t, db, "INSERT INTO users (name, email) VALUES ($1, $1)", name)
		}
		if got := read(t, db, "SELECT name FROM users ORDER BY name"); got != "A B a b é" {
			t.Errorf("names sort as %s, want A B a b é", got)
		}
	})
}

// Each case changes the schema; Diff itself proves that the migration leads
// there, triggers included.
func TestDiffOfAChange(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name   string
		change func(s *planner.Schema)
		want   []string // in one file or the other
		not    []string
		drop   []string
	}{
		{"a column", func(s *planner.Schema) {
			s.Tables[0].Columns = append(s.Tables[0].Columns, &schema.Column{Name: "city", Type: field.TypeString, Nullable: true})
		}, []string{`ADD COLUMN "city" character varying NULL COLLATE "C"`, "ADD COLUMN `city` text NULL"}, []string{"TRIGGER"}, nil},
		{"a check rewrites the table on SQLite", func(s *planner.Schema) {
			s.Tables[0].Annotation.Checks["adult"] = "age >= 16"
		}, []string{"DROP TABLE `users`", "DROP TRIGGER \"users_touch\";", "CREATE TRIGGER users_touch", "CREATE VIEW names"}, []string{"posts_search"}, nil},
		{"a foreign key rewrites the table on SQLite", func(s *planner.Schema) {
			s.Tables[1].ForeignKeys[0].OnDelete = schema.NoAction
		}, []string{"DROP TABLE `posts`", "CREATE TRIGGER posts_search_insert"}, nil, nil},
		{"a trigger", func(s *planner.Schema) {
			edit(s, dialect.SQLite, "touch", "age + 1", "age + 2")
			edit(s, dialect.Postgres, "touching", "BEFORE UPDATE OF name", "BEFORE UPDATE")
		}, []string{`DROP TRIGGER "users_touch" ON "users"`, "age + 2"}, []string{"FUNCTION users_touch() RETURNS", "CREATE TABLE"}, nil},
		{"a function", func(s *planner.Schema) {
			edit(s, dialect.Postgres, "touch", "age + 1", "age + 2")
		}, []string{"CREATE OR REPLACE FUNCTION users_touch"}, []string{"TRIGGER users"}, nil},
		{"no objects", func(s *planner.Schema) { s.Objects = nil },
			[]string{"DROP FUNCTION users_touch()", "DROP EXTENSION", "DROP TABLE \"posts_search\""}, []string{"DROP VIEW"}, nil},
		{"no table", func(s *planner.Schema) { s.Tables, s.Objects = s.Tables[:1], nil }, []string{"DROP TABLE", "-- entwine:drop posts"}, nil, []string{"posts"}},
		{"a rename of what a column is generated of", func(s *planner.Schema) {
			for _, c := range s.Tables[0].Columns {
				if c.Name == "age" {
					c.Name = "years"
				}
			}
			for check, text := range s.Tables[0].Annotation.Checks {
				s.Tables[0].Annotation.Checks[check] = strings.ReplaceAll(text, "age", "years")
			}
			for _, d := range []string{dialect.SQLite, dialect.Postgres} {
				edit(s, d, "touch", "age = age + 1", "years = years + 1")
				edit(s, d, "touch", "NEW.age := NEW.age + 1", "NEW.years := NEW.years + 1")
				edit(s, d, "months", `"age" *`, `"years" *`)
			}
			s.Renames = []planner.Rename{{Table: "users", From: "age", To: "years"}}
		}, []string{`RENAME COLUMN "age" TO "years"`}, []string{`ADD COLUMN "years`}, nil},
		{"a rename", func(s *planner.Schema) {
			s.Tables[0].Columns[3].Name = "about"
			s.Renames = []planner.Rename{{Table: "users", From: "bio", To: "about"}, {Table: "users", From: "gone", To: "long ago"}}
		}, []string{`RENAME COLUMN "bio" TO "about"`}, []string{"DROP COLUMN", "ADD COLUMN", "gone"}, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			root := released(t)
			s := blog()
			c.change(&s)
			text := diff(t, root, "second", s, c.drop...)
			for _, want := range c.want {
				if !strings.Contains(text, want) {
					t.Errorf("the migration lacks %q:\n%s", want, text)
				}
			}
			for _, not := range c.not {
				if strings.Contains(text, not) {
					t.Errorf("the migration has %q:\n%s", not, text)
				}
			}
		})
	}
}

func edit(s *planner.Schema, dialectName, name, from, to string) {
	for i, o := range s.Objects[dialectName] {
		if o.Name == name {
			s.Objects[dialectName][i].Create = strings.Replace(o.Create, from, to, 1)
		}
	}
}

// What PostgreSQL would write a table anew for is refused with another way.
func TestRewritesAreRefused(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		change func(users *schema.Table)
		want   string
	}{
		"another type": {func(users *schema.Table) {
			users.Columns[5].Type = field.TypeInt64
			users.Columns[5].SchemaType = map[string]string{dialect.Postgres: "numeric"}
		}, "TY101"},
		"a default that is another one in each row": {func(users *schema.Table) {
			users.Columns = append(users.Columns, &schema.Column{Name: "luck", Type: field.TypeFloat64, Default: map[string]schema.Expr{dialect.Postgres: "random()", dialect.SQLite: "0.5"}})
		}, "users.luck has a default that is another one in each row"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			root := released(t)
			changed := func() planner.Schema {
				s := blog()
				c.change(s.Tables[0])
				return s
			}
			if _, err := planner.Diff(t.Context(), root, "second", changed(), planner.Allow{}); !errors.Is(err, planner.ErrLoss) || !strings.Contains(err.Error(), c.want) {
				t.Fatalf("Diff: %v, want %q", err, c.want)
			}
			written, err := planner.Diff(t.Context(), root, "second", changed(), planner.Allow{Accept: []string{"LV101", "TY101"}})
			if err != nil || len(written) == 0 {
				t.Fatalf("Diff of what is accepted: %v, %v", written, err)
			}
			text, err := os.ReadFile(written[0])
			if err != nil || !strings.Contains(string(text), "-- entwine:long users") || strings.Contains(string(text), "txmode") {
				t.Errorf("the migration does not say that it takes long: %v\n%s", err, text)
			}
		})
	}
}

func TestVerifyFindsWhatIsMissing(t *testing.T) {
	t.Parallel()
	root := released(t)
	s := blog()
	s.Tables[0].Columns[8].Nullable = false
	edit(&s, dialect.SQLite, "touch", "age + 1", "age + 2")
	err := planner.Verify(t.Context(), root, s)
	if err == nil || !strings.Contains(err.Error(), "deleted_at") || !strings.Contains(err.Error(), "age + 2") {
		t.Errorf("Verify: %v, want deleted_at and age + 2", err)
	}
}

func TestLint(t *testing.T) {
	t.Parallel()
	root := released(t)
	s := blog()
	s.Tables[0].Columns = append(s.Tables[0].Columns[:3], s.Tables[0].Columns[4:]...) // bio
	s.Tables[0].Annotation.Checks["adult"] = "age >= 16"
	s.Tables[1].Columns = append(s.Tables[1].Columns, &schema.Column{Name: "at", Type: field.TypeTime})
	diff(t, root, "second", s, "users.bio")
	if found, err := planner.Lint(t.Context(), root, ""); err != nil || len(found) > 0 {
		t.Errorf("Lint of what was thought about: %v, %v", found, err)
	}
	rewrite(t, root, "*_second.sql", func(text string) string {
		_, text, _ = strings.Cut(text, "\n\n") // the header
		return text
	})
	found, err := planner.Lint(t.Context(), root, "")
	if err != nil {
		t.Fatal(err)
	}
	for _, folder := range []string{"postgres", "sqlite"} {
		for _, want := range []string{`users.bio`, `column "at"`} {
			has := slices.ContainsFunc(found, func(f planner.Finding) bool {
				return strings.HasPrefix(f.File, folder) && strings.Contains(f.Text, want)
			})
			if !has {
				t.Errorf("Lint of %s does not find %s in %v", folder, want, found)
			}
		}
	}
	if len(found) != 4 {
		t.Errorf("Lint: %v, want 4 findings", found)
	}
	if said := found[len(found)-1].String(); !strings.Contains(said, "expose.Backfill") {
		t.Errorf("Lint does not say what to do: %s", said)
	}
	rewrite(t, root, "*_second.sql", func(text string) string {
		return "-- entwine:drop users.bio\n-- entwine:long posts\n\n" + text + "\nUPDATE posts\nSET title = 'x', at = '2026-01-02';\n"
	})
	found, err = planner.Lint(t.Context(), root, "")
	if err != nil || len(found) != 2 || !found[0].Note || !found[1].Note {
		t.Errorf("Lint of what is filled and named: %v, %v, want a note for each database", found, err)
	}
}

// rewrite edits the migrations of both databases.
func rewrite(t *testing.T, root, pattern string, edit func(string) string) {
	t.Helper()
	paths, err := filepath.Glob(filepath.Join(root, "*", pattern))
	if err != nil || len(paths) == 0 {
		t.Fatalf("no files %s: %v", pattern, err)
	}
	for _, path := range paths {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(edit(string(text))), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := planner.Hash(root); err != nil {
		t.Fatal(err)
	}
}

// Two branches have each written a migration, and one has been edited: what
// atlas.sum says is written anew, and the later merge comes last.
func TestEditsAndMergesOfMigrations(t *testing.T) {
	t.Parallel()
	root, other := released(t), released(t)
	with := func(s planner.Schema, table int, column string) planner.Schema {
		s.Tables[table].Columns = append(s.Tables[table].Columns, &schema.Column{Name: column, Type: field.TypeString, Nullable: true})
		return s
	}
	mine, theirs := func() planner.Schema { return with(blog(), 0, "motto") }, with(blog(), 1, "note")
	both := func() planner.Schema { return with(mine(), 1, "note") } // anew for each command: Ent completes what it migrates
	if text := diff(t, root, "add_motto", mine()); strings.Count(text, "weave migrate rebase add_motto") != 2 {
		t.Errorf("the files do not say what to do after a merge:\n%s", text)
	}
	diff(t, other, "add_note", theirs)

	// The merge: both files, and a sum with marks of the conflict.
	for _, folder := range []string{"postgres", "sqlite"} {
		files, err := filepath.Glob(filepath.Join(other, folder, "*_add_note.sql"))
		if err != nil || len(files) != 1 {
			t.Fatalf("migrations %v, %v", files, err)
		}
		text, err := os.ReadFile(files[0])
		if err != nil {
			t.Fatal(err)
		}
		for name, content := range map[string][]byte{filepath.Base(files[0]): text, "atlas.sum": []byte("<<<<<<< HEAD\n")} {
			if err := os.WriteFile(filepath.Join(root, folder, name), content, 0o600); err != nil {
				t.Fatal(err)
			}
		}
	}
	if err := planner.Verify(t.Context(), root, both()); err == nil || !strings.Contains(err.Error(), "weave migrate hash") {
		t.Errorf("Verify of a merge: %v", err)
	}
	moved, err := planner.Rebase(root, "add_motto")
	if err != nil || len(moved) != 2 {
		t.Fatalf("Rebase: %v, %v", moved, err)
	}
	for _, path := range moved {
		all, err := filepath.Glob(filepath.Join(filepath.Dir(path), "*.sql"))
		if err != nil || len(all) != 3 || all[2] != path {
			t.Errorf("%v, %v: %s should be the last of 3", all, err, path)
		}
	}
	if err := planner.Seal(t.Context(), root, mine()); err == nil {
		t.Error("Seal: no error, and the migrations lead to another schema")
	}
	if err := planner.Seal(t.Context(), root, both()); err != nil {
		t.Errorf("Seal: %v", err)
	}
	if err := planner.Verify(t.Context(), root, both()); err != nil {
		t.Errorf("Verify after Rebase: %v", err)
	}
	if _, err := planner.Rebase(root, "add_mtto"); err == nil || !strings.Contains(err.Error(), `no migration "add_mtto"`) {
		t.Errorf("Rebase of what there is not: %v", err)
	}

	// An edit.
	edited, err := os.ReadFile(moved[0])
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(moved[0], append(edited, "-- reviewed\n"...), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := planner.Verify(t.Context(), root, both()); err == nil {
		t.Error("an edit was not noticed")
	}
	if err := planner.Hash(root); err != nil {
		t.Fatal(err)
	}
	if err := planner.Verify(t.Context(), root, both()); err != nil {
		t.Errorf("Verify after Hash: %v", err)
	}
}
