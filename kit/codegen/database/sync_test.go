package database_test

import (
	"strings"
	"testing"

	"entgo.io/ent/schema/field"

	"github.com/entwine-go/entwine/kit/codegen/planner"
	"github.com/entwine-go/entwine/kit/expose"
	"github.com/entwine-go/entwine/kit/kittest/storetest"
)

// Triggers that a migration leaves for programs from before it disturb no other migration:
// the column may go, and the table be called otherwise, before it was ended.
func TestSyncsEndWithTheirColumns(t *testing.T) {
	t.Parallel()
	said := func(w *world) {
		w.Post.With(field.String("language").Annotations(expose.Backfill("'en'")))
		w.Author.With(field.String("bio").Annotations(expose.Backfill("'of ' || name")))
	}
	root := begin(t, change{})
	first := newWorld()
	said(first)
	if _, err := planner.Diff(t.Context(), root, "second", first.schema(t), planner.Allow{}); err != nil {
		t.Fatal(err)
	}
	left := func() (n int) {
		t.Helper()
		found, err := planner.Lint(t.Context(), root, "")
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range found {
			if strings.Contains(f.Text, "weave migrate contract") && f.Note {
				n++
			}
		}
		return n
	}
	if left() != 1 {
		t.Error("Lint does not say what has been left")
	}
	again := newWorld()
	said(again)
	again.Post.Without("language")
	again.Rename()
	was := expose.Was("Author")
	again.Author.Change = &was
	if _, err := planner.Diff(t.Context(), root, "third", again.schema(t), planner.Allow{Drop: []string{"posts.language"}}); err != nil {
		t.Fatal(err)
	}
	if left() != 0 {
		t.Error("Lint says that something has been left")
	}
	if written, err := planner.Contract(t.Context(), root, "fourth"); err != nil || written != "" {
		t.Errorf("Contract: %q, %v, want nothing to end", written, err)
	}
	db := storetest.Schema{}.Postgres(t)
	if err := apply(t.Context(), db, root); err != nil {
		t.Fatal(err)
	}
	exec(t, db, `INSERT INTO writers (id, name, email, bio) VALUES (1, 'Ada', 'a', 'b')`, `INSERT INTO posts (title, author_id) VALUES ('x', 1)`)
	if _, err := db.ExecContext(t.Context(), `INSERT INTO writers (name, email) VALUES ('Eve', 'e')`); err == nil {
		t.Error("a writer without a bio is let pass")
	}
}
