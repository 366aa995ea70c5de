package database_test

import (
	"os"
	"strings"
	"testing"

	"entgo.io/ent/schema/field"

	"github.com/entwine-go/entwine/kit/codegen/planner"
	"github.com/entwine-go/entwine/kit/expose"
	"github.com/entwine-go/entwine/kit/kittest/storetest"
)

// Columns that are filled in one migration are filled in one way through their
// table, each where its own condition holds; one that follows from another that is
// filled needs a second way.
func TestColumnsOfATableAreFilledInOnePass(t *testing.T) {
	t.Parallel()
	root, db := begin(t, change{}), storetest.Schema{}.Postgres(t)
	if err := apply(t.Context(), db, root); err != nil {
		t.Fatal(err)
	}
	exec(t, db, rows...)
	exec(t, db, `UPDATE authors SET bio = 'kept' WHERE id = 1`)
	w := newWorld()
	w.Author.With(
		field.String("bio").Annotations(expose.Backfill("'of ' || name")),
		field.String("town").MaxLen(40).Annotations(expose.Backfill("substr(email, 1, 3)")),
		field.Int64("months").Annotations(expose.Backfill("age * 12")),
		field.Bool("old").Annotations(expose.Backfill("age > 36")))
	w.Post.With(field.Int64("dear").Annotations(expose.Backfill("price * 2")), field.Int64("dearer").Annotations(expose.Backfill("dear * 2")))
	written, err := planner.Diff(t.Context(), root, "second", w.schema(t), planner.Allow{})
	if err != nil {
		t.Fatal(err)
	}
	ways := map[string]int{}
	for _, path := range written {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		for _, table := range []string{"authors", "posts"} {
			ways[table] += strings.Count(string(text), "CALL entwine_backfill('"+table+"'")
		}
	}
	if ways["authors"] != 1 || ways["posts"] != 2 {
		t.Errorf("authors are gone through %d times, and posts %d times; want 1 and 2", ways["authors"], ways["posts"])
	}
	if err := apply(t.Context(), db, root); err != nil {
		t.Fatal(err)
	}
	got := read(t, db, `SELECT bio || '|' || town || '|' || months || '|' || old FROM authors ORDER BY id`) + " " + read(t, db, `SELECT dear || '|' || dearer FROM posts ORDER BY id`)
	t.Log(got)
	want := read(t, db, `SELECT (CASE id WHEN 1 THEN 'kept' ELSE 'of ' || name END) || '|' || substr(email, 1, 3) || '|' || age * 12 || '|' || (age > 36) FROM authors ORDER BY id`) +
		" " + read(t, db, `SELECT (price * 2) || '|' || (price * 4) FROM posts ORDER BY id`)
	if got != want {
		t.Errorf("the rows have %s, want %s", got, want)
	}
}
