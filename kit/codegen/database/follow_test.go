package database_test

import (
	"strings"
	"testing"

	"entgo.io/ent/schema/field"

	"github.com/entwine-go/entwine/kit/codegen/planner"
	"github.com/entwine-go/entwine/kit/expose"
	"github.com/entwine-go/entwine/kit/kittest/storetest"
	"github.com/entwine-go/entwine/kit/store"
)

// addressed has authors have an address.
func addressed(w *world) { w.Author.With(field.String("address").Optional().Nillable()) }

// split has them have its parts beside it, and a nick that is their name at first.
func split(w *world) {
	addressed(w)
	const whole = "street || '/' || town"
	w.Author.With(
		field.String("street").Optional().Nillable().Annotations(expose.Backfill("substr(address, 1, 4)").Inverse("address", whole)),
		field.String("town").Optional().Nillable().Annotations(expose.Backfill("substr(address, 6, 4)").Inverse("address", whole)),
		field.String("nick").Annotations(expose.Backfill("name")),
	)
}

// While programs of two versions write, new columns follow those that they take the place
// of, and the other way where there is an inverse. Values that were written otherwise are
// not overwritten.
func TestColumnsFollowEachOther(t *testing.T) {
	t.Parallel()
	root, db := begin(t, change{before: addressed}), storetest.Schema{}.Postgres(t)
	w := newWorld()
	split(w)
	if err := apply(t.Context(), db, root); err != nil {
		t.Fatal(err)
	}
	exec(t, db, `INSERT INTO authors (id, name, email, address) VALUES (1, 'Ada', 'a', 'High/Bath')`)
	if _, err := planner.Diff(t.Context(), root, "second", w.schema(t), planner.Allow{}); err != nil {
		t.Fatal(err)
	}
	if err := apply(t.Context(), db, root); err != nil {
		t.Fatal(err)
	}
	for _, step := range []struct{ says, write, want string }{
		{"the row that was there", `SELECT 1`, "High/Bath High Bath Ada"},
		{"a program from before updates", `UPDATE authors SET address = 'Elms/Oslo', name = 'Eve'`, "Elms/Oslo Elms Oslo Eve"},
		{"a new program updates one part", `UPDATE authors SET town = 'Rome', nick = 'E'`, "Elms/Rome Elms Rome E"},
		{"a new program updates all parts", `UPDATE authors SET street = 'Oaks', town = 'Pisa'`, "Oaks/Pisa Oaks Pisa E"},
		{"a program from before updates what the other has written since", `UPDATE authors SET name = 'Zoe'`, "Oaks/Pisa Oaks Pisa E"},
		{"a new program takes a value away", `UPDATE authors SET street = NULL, address = NULL`, "- - - E"},
		{"a program from before writes one again", `UPDATE authors SET address = 'High/Bath'`, "High/Bath High Bath E"},
		{"a program from before inserts", `DELETE FROM authors; INSERT INTO authors (name, email, address) VALUES ('Bob', 'b', 'Lane/York')`, "Lane/York Lane York Bob"},
		{"a new program inserts", `DELETE FROM authors; INSERT INTO authors (name, email, street, town, nick) VALUES ('Bob', 'b', 'Mews', 'Hull', 'B')`, "Mews/Hull Mews Hull B"},
	} {
		exec(t, db, step.write)
		if got := read(t, db, `SELECT concat_ws(' ', coalesce(address, '-'), coalesce(street, '-'), coalesce(town, '-'), nick) FROM authors`); got != step.want {
			t.Errorf("%s: %s, want %s", step.says, got, step.want)
		}
	}
	contract(t, root)
	if err := apply(t.Context(), db, root); err != nil {
		t.Fatal(err)
	}
	exec(t, db, `UPDATE authors SET address = 'Elms/Oslo'`)
	if got := read(t, db, `SELECT street FROM authors`); got != "Mews" {
		t.Errorf("after contract the street is %s", got)
	}
}

// A write of the program before that the new column can't follow is refused as a conflict,
// and not as an error of the program. Before the rows that are there allow it nothing is
// refused.
func TestWhatCantFollowIsAConflict(t *testing.T) {
	t.Parallel()
	root, db := begin(t, change{before: noted}), storetest.Schema{}.Postgres(t)
	if err := apply(t.Context(), db, root); err != nil {
		t.Fatal(err)
	}
	exec(t, db, rows...)
	exec(t, db, `UPDATE posts SET note = 'many' WHERE id = 1`)
	w := newWorld()
	noted(w)
	w.Post.With(field.Int32("words").Annotations(expose.Backfill("coalesce(CAST(note AS integer), 0)")))
	if _, err := planner.Diff(t.Context(), root, "second", w.schema(t), planner.Allow{}); err != nil {
		t.Fatal(err)
	}
	if err := apply(t.Context(), db, root); err == nil {
		t.Fatal("a row without a value is let pass")
	}
	exec(t, db, `UPDATE posts SET note = 'few' WHERE id = 2`, `UPDATE posts SET note = '7' WHERE note IS NOT NULL`)
	if err := apply(t.Context(), db, root); err != nil {
		t.Fatal(err)
	}
	for _, write := range []string{`UPDATE posts SET note = 'many' WHERE id = 1`, `INSERT INTO posts (title, author_id, note) VALUES ('x', 1, 'many')`} {
		_, err := db.ExecContext(t.Context(), write)
		if v, _ := store.ViolationOf(err); v.Rule != store.ForeignKey || !strings.HasPrefix(v.Name, store.Syncing) {
			t.Errorf("%s: %v, want a violation that is answered as a conflict", write, err)
		}
	}
	exec(t, db, `UPDATE posts SET note = '8' WHERE id = 1`)
	if got := read(t, db, `SELECT words::text FROM posts ORDER BY id`); got != "8 7 0" {
		t.Errorf("words are %s", got)
	}
}

// A column that follows from another new one is asked for before anything changes, too:
// the program from before is refused nothing by a migration that is not applied.
func TestWhatFollowsFromANewColumnIsAskedFirst(t *testing.T) {
	t.Parallel()
	root, db := begin(t, change{before: noted}), storetest.Schema{}.Postgres(t)
	if err := apply(t.Context(), db, root); err != nil {
		t.Fatal(err)
	}
	exec(t, db, rows...)
	exec(t, db, `UPDATE posts SET note = CASE id WHEN 1 THEN ' many' ELSE ' 7' END`)
	before := read(t, db, shape)
	w := newWorld()
	noted(w)
	w.Post.With(field.String("remark").Annotations(expose.Backfill("trim(note)")), field.Int32("words").Annotations(expose.Backfill("CAST(remark AS integer)")))
	if _, err := planner.Diff(t.Context(), root, "second", w.schema(t), planner.Allow{}); err != nil {
		t.Fatal(err)
	}
	if err := apply(t.Context(), db, root); err == nil || !strings.Contains(err.Error(), `no value of words: change them first: 1 (invalid input syntax for type integer: "many")`) {
		t.Fatalf("Apply: %v, want the row that has no value", err)
	}
	if after := read(t, db, shape); after != before {
		t.Errorf("the database has changed:\n%s", difference(before, after))
	}
	exec(t, db, `UPDATE posts SET note = ' 8' WHERE id = 1`)
	if err := apply(t.Context(), db, root); err != nil {
		t.Fatal(err)
	}
	if got := read(t, db, `SELECT remark || words FROM posts ORDER BY id`); got != "88 77 77" {
		t.Errorf("the values are %s", got)
	}
}

// Links follow the foreign key that they take the place of while programs of two
// versions write.
func TestLinksFollowAForeignKey(t *testing.T) {
	t.Parallel()
	root, db := begin(t, change{}), storetest.Schema{}.Postgres(t)
	if err := apply(t.Context(), db, root); err != nil {
		t.Fatal(err)
	}
	exec(t, db, rows...)
	w := newWorld()
	written("author_id")(w)
	if _, err := planner.Diff(t.Context(), root, "second", w.schema(t), planner.Allow{}); err != nil {
		t.Fatal(err)
	}
	if err := apply(t.Context(), db, root); err != nil {
		t.Fatal(err)
	}
	exec(t, db, `INSERT INTO post_writers VALUES (1, 2)`, `UPDATE posts SET author_id = 3 WHERE id = 1`, `UPDATE posts SET title = 'x'`,
		`INSERT INTO posts (id, title, author_id) VALUES (9, 'Ninth', 3)`)
	const links = `SELECT post_id || '-' || author_id FROM post_writers ORDER BY 1`
	if got := read(t, db, links); got != "1-2 1-3 2-1 3-2 9-3" {
		t.Errorf("links are %s", got)
	}
	if n := owes(t, db); n != 1 {
		t.Errorf("%d triggers are owed, want 1", n)
	}
	// The key goes in a later release, and with it what followed it.
	next := newWorld()
	written("author_id")(next)
	next.Post.Without("author_id")
	next.Post.Edges, next.Author.Edges = next.Post.Edges[1:], next.Author.Edges[1:]
	if _, err := planner.Diff(t.Context(), root, "third", next.schema(t), planner.Allow{Drop: []string{"posts.author_id"}}); err != nil {
		t.Fatal(err)
	}
	if err := apply(t.Context(), db, root); err != nil {
		t.Fatal(err)
	}
	exec(t, db, `UPDATE posts SET title = 'y'`)
	if n := owes(t, db); n != 0 {
		t.Errorf("%d triggers are owed, want none", n)
	}
	if got := read(t, db, links); got != "1-2 1-3 2-1 3-2 9-3" {
		t.Errorf("links are %s", got)
	}
}
