package planner_test

import (
	"context"
	"os"
	"strings"
	"testing"

	"github.com/entwine-go/entwine/kit/kittest/storetest"
	"github.com/entwine-go/entwine/kit/migration"
	"github.com/entwine-go/entwine/kit/pgserver"
	"github.com/entwine-go/entwine/kit/store"
)

// from is a database with the folder's migrations.
func from(root string) storetest.Schema {
	return storetest.Schema{Key: pgserver.Unique(), Up: func(ctx context.Context, db *store.DB) error {
		return apply(ctx, db, root)
	}}
}

func apply(ctx context.Context, db *store.DB, root string) error {
	dir, err := migration.Dir(os.DirFS(root), db.Dialect.Name())
	if err != nil {
		return err
	}
	return migration.Apply(ctx, db, dir)
}

func exec(t *testing.T, db *store.DB, query string, args ...any) {
	t.Helper()
	if _, err := db.ExecContext(t.Context(), query, args...); err != nil {
		t.Fatalf("%s: %v", query, err)
	}
}

// read is a column of texts.
func read(t *testing.T, db *store.DB, query string) string {
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
			t.Fatal(err)
		}
		all = append(all, s)
	}
	return strings.Join(all, " ")
}

func TestARewriteKeepsRowsAndTriggers(t *testing.T) {
	t.Parallel()
	root, next := released(t), released(t)
	s := blog()
	s.Tables[0].Annotation.Checks["adult"] = "age >= 16"
	diff(t, next, "second", s)
	from(root).Each(t, func(t *testing.T, db *store.DB) {
		exec(t, db, "INSERT INTO users (name, email) VALUES ('a', 'a')")
		exec(t, db, "INSERT INTO posts (title, user_id) VALUES ('kept', 1)")
		exec(t, db, "INSERT INTO users (name, email) VALUES ('gone', 'gone')")
		exec(t, db, "DELETE FROM users WHERE name = 'gone'")
		if err := apply(t.Context(), db, next); err != nil {
			t.Fatal(err)
		}
		if got := read(t, db, "SELECT title FROM posts"); got != "kept" {
			t.Errorf("posts %q after their users were rewritten, want kept", got)
		}
		exec(t, db, "UPDATE users SET name = 'b', age = 16")
		if got := read(t, db, "SELECT title FROM posts"); got != "touched; twice" {
			t.Errorf("posts %q, want what the trigger writes", got)
		}
		if _, err := db.ExecContext(t.Context(), "INSERT INTO posts (title, user_id) VALUES ('orphan', 99)"); !store.IsForeignKey(err) {
			t.Errorf("a foreign key is not kept after the migration: %v", err)
		}
		exec(t, db, "INSERT INTO users (name, email, age) VALUES ('c', 'c', 20)")
		if got := read(t, db, "SELECT CAST(id AS text) FROM users ORDER BY id"); got != "1 3" {
			t.Errorf("users %s, want 1 3: the id of a row that was removed is another's", got)
		}
	})
}

// copied is the folder of migrations once more.
func copied(t *testing.T, root string) string {
	t.Helper()
	to := t.TempDir()
	if err := os.CopyFS(to, os.DirFS(root)); err != nil {
		t.Fatal(err)
	}
	return to
}
