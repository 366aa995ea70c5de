package store_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/entwine-go/entwine/kit/store"
)

// A plan is asked for without arguments, and nothing is run for it.
func TestPlan(t *testing.T) {
	t.Parallel()
	test := func(t *testing.T, url string) {
		db, err := store.Open(t.Context(), store.Config{URL: url})
		if err != nil {
			t.Fatal(err)
		}
		defer db.Close()
		exec(t, t.Context(), db, "CREATE TABLE planned (id bigint PRIMARY KEY, name text)")
		mark := strings.TrimRight(string(db.Dialect.AppendBindVar(nil, 1)), "1")
		for _, text := range []string{
			"SELECT name FROM planned WHERE id = " + mark + "1 AND name = " + mark + "2",
			"INSERT INTO planned (id, name) VALUES (" + mark + "1, 'what? $9')",
			"DELETE FROM planned WHERE id = 1",
		} {
			lines, err := db.Plan(t.Context(), text)
			if err != nil {
				t.Errorf("%s: %v", text, err)
			}
			if strings.HasPrefix(text, "SELECT") && !slices.ContainsFunc(lines, func(line string) bool { return strings.Contains(line, "planned") }) {
				t.Errorf("%s: the plan is %q", text, lines)
			}
		}
		for _, text := range []string{"DROP TABLE planned", "BEGIN", "DELETE FROM planned; DROP TABLE planned", "EXPLAIN SELECT 1", "SELECT 1 FROM absent"} {
			if lines, err := db.Plan(t.Context(), text); err == nil {
				t.Errorf("%s has the plan %q", text, lines)
			}
		}
		rows, err := db.QueryContext(t.Context(), "SELECT id FROM planned")
		if err != nil {
			t.Fatal(err)
		}
		defer rows.Close()
		if rows.Next() {
			t.Error("a statement was run for its plan")
		}
	}
	t.Run("sqlite", func(t *testing.T) {
		t.Parallel()
		test(t, "sqlite::memory:")
	})
	t.Run("postgres", func(t *testing.T) {
		t.Parallel()
		test(t, items.PostgresURL(t))
	})
}
