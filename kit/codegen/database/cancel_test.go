package database_test

import (
	"errors"
	"os"
	"strings"
	"testing"

	"entgo.io/ent/schema/field"

	"github.com/entwine-go/entwine/kit/codegen/planner"
	"github.com/entwine-go/entwine/kit/expose"
	"github.com/entwine-go/entwine/kit/kittest/storetest"
	"github.com/entwine-go/entwine/kit/migration"
)

// shape is all that PostgreSQL knows of the tables.
const shape = `SELECT what FROM (
	SELECT 'column ' || table_name || '.' || column_name || ' ' || data_type || ' ' || is_nullable || coalesce(' ' || column_default, '') AS what FROM information_schema.columns WHERE table_schema = current_schema()
	UNION ALL SELECT 'trigger ' || pg_get_triggerdef(oid) FROM pg_trigger WHERE NOT tgisinternal
	UNION ALL SELECT 'function ' || pg_get_functiondef(oid) FROM pg_proc WHERE pronamespace = current_schema()::regnamespace AND prokind = 'f' AND NOT EXISTS (SELECT FROM pg_depend d WHERE d.objid = pg_proc.oid AND d.deptype = 'e')
	UNION ALL SELECT 'constraint ' || conrelid::regclass || ' ' || conname || ' ' || pg_get_constraintdef(oid) FROM pg_constraint WHERE connamespace = current_schema()::regnamespace
	UNION ALL SELECT 'index ' || indexdef FROM pg_indexes WHERE schemaname = current_schema()
) AS all_of_it ORDER BY what`

// A migration that stopped half-way is taken back: the database is as it was, and
// can have the migration later.
func TestHalfAMigrationIsCancelled(t *testing.T) {
	t.Parallel()
	root, db := begin(t, change{before: counted}), storetest.Schema{}.Postgres(t)
	if err := apply(t.Context(), db, root); err != nil {
		t.Fatal(err)
	}
	exec(t, db, rows...)
	exec(t, db, `INSERT INTO authors (id, name, email) VALUES (4, 'Eve', 'ADA@example.com')`)
	// An earlier one has left a trigger, behind which go those of this one.
	said := func(w *world) {
		w.Post.With(statuses("draft", "public", "dead", expose.ValueWas("public", "live")))
	}
	w := newWorld()
	said(w)
	counted(w)
	if _, err := planner.Diff(t.Context(), root, "owing", w.schema(t), planner.Allow{}); err != nil {
		t.Fatal(err)
	}
	if err := apply(t.Context(), db, root); err != nil {
		t.Fatal(err)
	}
	before := read(t, db, shape)
	w = newWorld()
	said(w)
	uniqueEmail(w)
	written("author_id")(w)
	w.Author.With(
		field.Int64("posts_count").Default(0).Annotations(expose.CountOf("posts", "NEW.status = 'public'")),
		field.String("bio").Annotations(expose.Backfill("'of ' || name")))
	w.Post.With(field.Int64("dear").Annotations(expose.Backfill("price * 2")), field.String("title").Annotations(expose.By(expose.Search)))
	w.Post.Resource.Search = []string{"title"}
	w.Post.Checks = map[string]string{"cheap": "price < 1000"}
	if _, err := planner.Diff(t.Context(), root, "second", w.schema(t), planner.Allow{}); err != nil {
		t.Fatal(err)
	}
	files := os.DirFS(root)
	if _, err := migration.Cancelling(t.Context(), db, files); !errors.Is(err, migration.ErrNotBegun) {
		t.Errorf("before the migration: %v, want that none has begun", err)
	}
	if err := apply(t.Context(), db, root); err == nil || !strings.Contains(err.Error(), "no two rows may have the same email") {
		t.Fatalf("Apply: %v, want that it stops", err)
	}
	c, err := migration.Cancelling(t.Context(), db, files)
	if err != nil {
		t.Fatal(err)
	}
	lost := strings.Join(c.Lost, "; ")
	for _, want := range []string{"posts.dear: 3 values", "authors.email_fold: 4 values", "post_writers: 3 rows"} {
		if !strings.Contains(lost, want) {
			t.Errorf("lost would be %q, want %q", lost, want)
		}
	}
	if !strings.Contains(strings.Join(c.Stays, " "), "authors.bio") {
		t.Errorf("what stays is %q, want the bios", c.Stays)
	}
	if err := (migration.Runner{}).Cancel(t.Context(), db, files); err != nil {
		t.Fatal(err)
	}
	if after := read(t, db, shape); after != before {
		t.Errorf("the database is not as it was:\n%s", difference(before, after))
	}
	exec(t, db, `INSERT INTO posts (id, title, author_id) VALUES (9, 'Fourth', 2)`, `DELETE FROM authors WHERE id = 4`)
	if err := apply(t.Context(), db, root); err != nil {
		t.Fatal(err)
	}
	if _, err := migration.Cancelling(t.Context(), db, files); !errors.Is(err, migration.ErrNotBegun) {
		t.Errorf("after the migration: %v, want that none is half applied", err)
	}
	if got := read(t, db, `SELECT dear::text FROM posts ORDER BY id`); got != "200 500 10 0" {
		t.Errorf("what the migration fills is %s", got)
	}
}

// difference are the lines that only one of the texts has.
func difference(a, b string) string {
	var all []string
	for _, side := range [][3]string{{"-", a, b}, {"+", b, a}} {
		for line := range strings.SplitSeq(side[1], "\n") {
			if !strings.Contains(side[2], line) {
				all = append(all, side[0]+" "+line)
			}
		}
	}
	return strings.Join(all, "\n")
}

// Values that were renamed have their names of before again.
func TestARenamedValueIsCancelled(t *testing.T) {
	t.Parallel()
	root, db := begin(t, change{}), storetest.Schema{}.Postgres(t)
	if err := apply(t.Context(), db, root); err != nil {
		t.Fatal(err)
	}
	exec(t, db, rows...)
	exec(t, db, `INSERT INTO authors (id, name, email) VALUES (4, 'Eve', 'ADA@example.com')`)
	before, values := read(t, db, shape), func() string { return read(t, db, `SELECT id || status FROM posts ORDER BY id`) }
	were := values()
	w := newWorld()
	w.Post.With(statuses("draft", "public", "dead", expose.ValueWas("public", "live")))
	uniqueEmail(w)
	if _, err := planner.Diff(t.Context(), root, "second", w.schema(t), planner.Allow{}); err != nil {
		t.Fatal(err)
	}
	files := os.DirFS(root)
	if err := apply(t.Context(), db, root); err == nil || !strings.Contains(err.Error(), "no two rows may have the same email") {
		t.Fatalf("Apply: %v, want that it stops", err)
	}
	if now := values(); now == were {
		t.Fatalf("no value was renamed: %s", now)
	}
	if err := (migration.Runner{}).Cancel(t.Context(), db, files); err != nil {
		t.Fatal(err)
	}
	if after := read(t, db, shape); after != before {
		t.Errorf("the database is not as it was:\n%s", difference(before, after))
	}
	if now := values(); now != were {
		t.Errorf("the values are %s, want %s", now, were)
	}
}

// Where one name was that of another value, too, the rows of each are not known any longer.
func TestAValueThatBecameAnotherIsNotCancelled(t *testing.T) {
	t.Parallel()
	root, db := begin(t, change{}), storetest.Schema{}.Postgres(t)
	if err := apply(t.Context(), db, root); err != nil {
		t.Fatal(err)
	}
	exec(t, db, rows...)
	exec(t, db, `INSERT INTO authors (id, name, email) VALUES (4, 'Eve', 'ADA@example.com')`)
	w := newWorld()
	w.Post.With(statuses("draft", "live", expose.ValueWas("live", "dead")))
	uniqueEmail(w)
	if _, err := planner.Diff(t.Context(), root, "second", w.schema(t), planner.Allow{}); err != nil {
		t.Fatal(err)
	}
	if err := apply(t.Context(), db, root); err == nil {
		t.Fatal("it does not stop")
	}
	if _, err := migration.Cancelling(t.Context(), db, os.DirFS(root)); err == nil || !strings.Contains(err.Error(), "'live' of posts.status was a value before") {
		t.Errorf("Cancelling: %v", err)
	}
}
