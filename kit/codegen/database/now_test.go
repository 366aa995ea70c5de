package database_test

import (
	"database/sql"
	"testing"
	"time"

	"entgo.io/ent/dialect"
	"entgo.io/ent/dialect/entsql"
	"entgo.io/ent/dialect/sql/schema"
	"entgo.io/ent/schema/field"
)

// SQLite compares times as text: that of a default has the form of all others.
func TestADefaultOfNowIsATimeLikeOthers(t *testing.T) {
	t.Parallel()
	w := newWorld()
	w.Author.With(field.Time("born_at").Optional().Nillable().Annotations(entsql.DefaultExpr("CURRENT_TIMESTAMP")),
		field.Time("seen_at").Optional().Nillable().Annotations(entsql.DefaultExprs(map[string]string{dialect.SQLite: "CURRENT_TIMESTAMP", dialect.Postgres: "now()"})))
	seen := 0
	for _, table := range w.schema(t).Tables {
		for _, c := range table.Columns {
			if c.Name != "born_at" && c.Name != "seen_at" {
				continue
			}
			seen++
			defaults, ok := c.Default.(map[string]schema.Expr)
			if !ok || defaults[dialect.Postgres] == "" {
				t.Fatalf("the default of %s is %v", c.Name, c.Default)
			}
			db, err := sql.Open("sqlite", ":memory:")
			if err != nil {
				t.Fatal(err)
			}
			defer db.Close()
			var text string
			if err := db.QueryRowContext(t.Context(), "SELECT CAST("+string(defaults[dialect.SQLite])+" AS text)").Scan(&text); err != nil {
				t.Fatal(err)
			}
			const form = "2006-01-02 15:04:05.000000-07:00"
			if at, err := time.Parse(form, text); err != nil || at.Format(form) != text {
				t.Errorf("%s is %q by default: %v", c.Name, text, err)
			}
		}
	}
	if seen != 2 {
		t.Errorf("%d columns have defaults, want 2", seen)
	}
}
