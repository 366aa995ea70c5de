package database_test

import (
	"strings"
	"testing"

	"entgo.io/ent/schema/field"

	"github.com/entwine-go/entwine/kit/codegen/planner"
	"github.com/entwine-go/entwine/kit/expose"
	"github.com/entwine-go/entwine/kit/kittest/storetest"
	"github.com/entwine-go/entwine/kit/migration"
	"github.com/entwine-go/entwine/kit/store"
)

// owes is how many triggers of the database are there for programs from before.
func owes(t *testing.T, db *store.DB) int {
	t.Helper()
	owed, err := migration.OwedOf(t.Context(), db)
	if err != nil {
		t.Fatal(err)
	}
	return len(owed)
}

// Rows that programs from before a migration wrote are folded before a later migration
// drops the trigger that folded them until then. One that takes away something else leaves
// the trigger.
func TestWhatIsOwedIsSettled(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		after  func(w *world)
		accept []string
	}{
		"with a rename": {after: func(w *world) {
			w.Author.Without("email")
			w.Author.With(field.String("address").Annotations(expose.UniqueFold(), expose.Was("email")))
		}},
		"with a rename, while others stop": {accept: []string{"LV101"}, after: func(w *world) {
			w.Author.Without("email")
			w.Author.With(field.String("address").Annotations(expose.UniqueFold(), expose.Was("email")), field.Int64("age").Default(0))
		}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			root, db := begin(t, change{}), storetest.Schema{}.Postgres(t)
			step := func(name string, allow planner.Allow, after ...func(w *world)) error {
				t.Helper()
				w := newWorld()
				for _, do := range after {
					do(w)
				}
				if _, err := planner.Diff(t.Context(), root, name, w.schema(t), allow); err != nil {
					t.Fatal(err)
				}
				return apply(t.Context(), db, root)
			}
			if err := step("second", planner.Allow{}, uniqueEmail); err != nil {
				t.Fatal(err)
			}
			dropped := func(w *world) { w.Author.Without("bio") }
			if err := step("third", planner.Allow{Drop: []string{"authors.bio"}}, uniqueEmail, dropped); err != nil {
				t.Fatal(err)
			}
			if n := owes(t, db); n != 1 {
				t.Errorf("%d triggers are owed after a drop of another column, want 1", n)
			}
			exec(t, db, `INSERT INTO authors (name, email) VALUES ('Bob', 'Straße')`)
			if _, err := db.ExecContext(t.Context(), `INSERT INTO authors (name, email) VALUES ('Bob', 'STRASSE')`); !store.IsUnique(err) {
				t.Errorf("two texts that are one: %v", err)
			}
			// As a trigger of an earlier version folded, which knew ASCII alone.
			exec(t, db, `DELETE FROM authors`, `INSERT INTO authors (id, name, email, email_fold) VALUES (1, 'Eve', 'ÄÖ-1', 'ÄÖ-1')`, `INSERT INTO authors (id, name, email, email_fold) VALUES (2, 'Ann', 'äö-1', 'äö-1')`)
			err := step("fourth", planner.Allow{Accept: c.accept}, c.after, dropped)
			if err == nil || !strings.Contains(err.Error(), "no two rows may have the same address, whatever the case: change or remove these, or the other row with that text: 1 (äö-1)") {
				t.Errorf("two texts that are one: %v", err)
			}
			column := "address"
			if len(c.accept) > 0 { // nothing of it has happened
				column = "email"
			}
			exec(t, db, `DELETE FROM authors WHERE `+column+` = 'äö-1'`)
			if err := apply(t.Context(), db, root); err != nil {
				t.Fatal(err)
			}
			if got := read(t, db, `SELECT address || ' ' || address_fold FROM authors`); got != "ÄÖ-1 äö-1" {
				t.Errorf("the text of a program from before is kept as %q", got)
			}
			if n := owes(t, db); n != 0 {
				t.Errorf("%d triggers are owed, want none", n)
			}
			if written, err := planner.Contract(t.Context(), root, "fifth"); err != nil || written != "" {
				t.Errorf("Contract: %q, %v, want nothing to end", written, err)
			}
			if found, err := planner.Lint(t.Context(), root, ""); err != nil || len(findings(found)) > 0 {
				t.Errorf("Lint: %v, %v", findings(found), err)
			}
		})
	}
}
