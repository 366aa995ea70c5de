package store_test

import (
	"slices"
	"testing"

	"github.com/entwine-go/entwine/kit/problem"
	"github.com/entwine-go/entwine/kit/store"
)

func TestViolations(t *testing.T) {
	t.Parallel()
	items.Each(t, func(t *testing.T, db *store.DB) {
		exec(t, t.Context(), db, "INSERT INTO items (name, size) VALUES ('a', 5)")
		exec(t, t.Context(), db, "INSERT INTO parts (item) VALUES (1)")
		for _, c := range []struct {
			name, query string
			want        store.Violation
			kind        problem.Kind
		}{
			{"a unique column", "INSERT INTO items (name) VALUES ('a')", store.Violation{Rule: store.Unique, Table: "items", Columns: []string{"name"}}, problem.Duplicate},
			{"a primary key", "INSERT INTO items (id, name) VALUES (1, 'x')", store.Violation{Rule: store.Unique, Table: "items", Columns: []string{"id"}}, problem.Duplicate},
			{"a unique expression", "INSERT INTO items (name, size) VALUES ('A', -5)", store.Violation{Rule: store.Unique, Name: "items_folded"}, problem.Duplicate},
			{"a check", "INSERT INTO items (name, size) VALUES ('b', 100)", store.Violation{Rule: store.Check, Name: "small"}, problem.Unprocessable},
			{"an absent row", "INSERT INTO parts (item) VALUES (2)", store.Violation{Rule: store.ForeignKey}, problem.Conflict},
			{"a row in use", "DELETE FROM items", store.Violation{Rule: store.ForeignKey}, problem.Conflict},
			{"a null", "INSERT INTO items (name) VALUES (NULL)", store.Violation{Rule: store.NotNull, Table: "items", Columns: []string{"name"}}, problem.Internal},
		} {
			_, err := db.ExecContext(t.Context(), c.query)
			got, ok := store.ViolationOf(err)
			if !ok || got.Rule != c.want.Rule ||
				c.want.Name != "" && got.Name != c.want.Name ||
				c.want.Table != "" && (got.Table != c.want.Table || !slices.Equal(got.Columns, c.want.Columns)) {
				t.Errorf("ViolationOf %s: %+v, want %+v (%v)", c.name, got, c.want, err)
			}
			if kind := problem.KindOf(store.Problem(err)); kind != c.kind {
				t.Errorf("Problem of %s: kind %v, want %v", c.name, kind, c.kind)
			}
		}
	})
}
