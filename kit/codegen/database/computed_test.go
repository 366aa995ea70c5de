package database_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/entwine-go/entwine/kit/codegen/planner"
	"github.com/entwine-go/entwine/kit/kittest/storetest"
)

// generated has the first migration of PostgreSQL make generated columns, as
// migrations from before did, of the expression.
func generated(t *testing.T, root, column, kind, expression string) {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(root, "postgres", "*_first.sql"))
	if err != nil || len(files) != 1 {
		t.Fatalf("%v, %v", files, err)
	}
	text, err := os.ReadFile(files[0])
	if err != nil {
		t.Fatal(err)
	}
	trigger := regexp.MustCompile(`(?s)(?:-- [^\n]*\n)?CREATE (?:OR REPLACE FUNCTION|TRIGGER) "keep_posts_` + column + `".*?(?:END \$\$|\(\));\n`)
	changed := trigger.ReplaceAllString(string(text), "")
	add := `ADD COLUMN "` + column + `" ` + kind
	changed = strings.Replace(changed, add+";", add+" GENERATED ALWAYS AS ("+expression+") STORED;", 1)
	if strings.Contains(changed, "keep_") || !strings.Contains(changed, "STORED") {
		t.Fatalf("the first migration is\n%s", changed)
	}
	if err := os.WriteFile(files[0], []byte(changed), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := planner.Hash(root); err != nil {
		t.Fatal(err)
	}
}

// A column that was generated comes to be computed by a trigger: no row is read
// where the expression is the same, and those that differ are written where it is
// another one.
func TestGeneratedColumnsComeToBeComputed(t *testing.T) {
	t.Parallel()
	compared := newWorld()
	compareAmounts(compared)
	var same string
	for _, o := range compared.schema(t).Fills {
		for _, text := range o.Statements["postgres"] {
			if found := regexp.MustCompile(`SET "price_units" = \((.*)\) WHERE`).FindStringSubmatch(text); found != nil {
				same = found[1]
			}
		}
	}
	for name, c := range map[string]struct {
		expression string
		fills      bool
	}{"as before": {same, false}, "otherwise": {`"price" * 7`, true}} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			root := begin(t, change{before: compareAmounts})
			generated(t, root, "price_units", "bigint", c.expression)
			db := storetest.Schema{}.Postgres(t)
			if err := apply(t.Context(), db, root); err != nil {
				t.Fatal(err)
			}
			exec(t, db, rows...)
			w := newWorld()
			compareAmounts(w)
			written, err := planner.Diff(t.Context(), root, "second", w.schema(t), planner.Allow{})
			if err != nil {
				t.Fatal(err)
			}
			var all []byte
			for _, path := range written {
				text, err := os.ReadFile(path)
				if err != nil {
					t.Fatal(err)
				}
				all = append(all, text...)
			}
			if text := string(all); strings.Contains(text, "entwine_backfill") != c.fills || !strings.Contains(text, "DROP EXPRESSION") || strings.Contains(text, "COLUMN \"price_units\" bigint") {
				t.Errorf("the migration is\n%s", text)
			}
			if err := apply(t.Context(), db, root); err != nil {
				t.Fatal(err)
			}
			exec(t, db, `UPDATE posts SET price = 6 WHERE id = 3`, `INSERT INTO posts (id, title, price, author_id) VALUES (9, 'x', 1, 1)`)
			if got := read(t, db, `SELECT CAST(price_units AS text) FROM posts ORDER BY id`); got != "10000 25000 600 100" {
				t.Errorf("prices are compared by %s", got)
			}
			if found, err := planner.Lint(t.Context(), root, ""); err != nil || len(found) > 0 {
				t.Errorf("Lint: %v, %v", found, err)
			}
		})
	}
}
