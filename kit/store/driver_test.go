package store_test

import (
	"context"
	"errors"
	"slices"
	"testing"

	entsql "entgo.io/ent/dialect/sql"
	"entgo.io/ent/dialect/sql/sqlgraph"
	"entgo.io/ent/schema/field"

	"github.com/entwine-go/entwine/kit/store"
)

// create makes an item as Ent's generated code does, with parts in the same
// mutation: several statements.
func create(ctx context.Context, db *store.DB, name string, parts ...int) error {
	id := sqlgraph.NewFieldSpec("id", field.TypeInt)
	spec := sqlgraph.NewCreateSpec("items", id)
	spec.SetField("name", field.TypeString, name)
	if len(parts) > 0 {
		edge := &sqlgraph.EdgeSpec{Rel: sqlgraph.O2M, Table: "parts", Columns: []string{"item"},
			Target: &sqlgraph.EdgeTarget{IDSpec: id}}
		for _, p := range parts {
			edge.Target.Nodes = append(edge.Target.Nodes, p)
		}
		spec.Edges = append(spec.Edges, edge)
	}
	return sqlgraph.CreateNode(ctx, db.Driver(), spec)
}

func rename(ctx context.Context, db *store.DB, from, to string) error {
	spec := sqlgraph.NewUpdateSpec("items", []string{"id", "name"}, sqlgraph.NewFieldSpec("id", field.TypeInt))
	spec.Node.ID.Value = 1
	spec.Predicate = func(s *entsql.Selector) { s.Where(entsql.EQ("name", from)) }
	spec.SetField("name", field.TypeString, to)
	var id int
	var name string
	spec.ScanValues = func([]string) ([]any, error) { return []any{&id, &name}, nil }
	spec.Assign = func([]string, []any) error { return nil }
	return sqlgraph.UpdateNode(ctx, db.Driver(), spec)
}

func TestEntOutsideOfATransaction(t *testing.T) {
	t.Parallel()
	items.Each(t, func(t *testing.T, db *store.DB) {
		if err := create(t.Context(), db, "a"); err != nil {
			t.Fatal(err)
		}
		if err := create(t.Context(), db, "b", 404); err == nil {
			t.Error("create with an absent part succeeded")
		}
		if got := names(t, db); !slices.Equal(got, []string{"a"}) {
			t.Errorf("rows %v, want [a]: Ent's own transaction was not undone", got)
		}
	})
}

func TestEntInATransaction(t *testing.T) {
	t.Parallel()
	items.Each(t, func(t *testing.T, db *store.DB) {
		err := db.InTx(t.Context(), func(ctx context.Context) error {
			return errors.Join(create(ctx, db, "a"), errStop)
		})
		if !errors.Is(err, errStop) || names(t, db) != nil {
			t.Errorf("%v, rows %v, want %v and none", err, names(t, db), errStop)
		}
		err = db.InTx(t.Context(), func(ctx context.Context) error {
			_ = create(ctx, db, "half", 404) // the error is swallowed
			return nil
		})
		if err == nil || names(t, db) != nil {
			t.Errorf("%v, rows %v, want an error and none: half a mutation was kept", err, names(t, db))
		}
		err = db.InTx(t.Context(), func(ctx context.Context) error {
			if err := db.InTx(ctx, func(ctx context.Context) error { return create(ctx, db, "half", 404) }); err == nil {
				t.Error("create with an absent part succeeded")
			}
			return create(ctx, db, "whole")
		})
		if got := names(t, db); err != nil || !slices.Equal(got, []string{"whole"}) {
			t.Errorf("%v, rows %v, want nil, [whole]", err, got)
		}
	})
}

func TestEntUpdateInATransactionIsTwoStatements(t *testing.T) {
	t.Parallel()
	items.Each(t, func(t *testing.T, db *store.DB) {
		exec(t, t.Context(), db, "INSERT INTO items (id, name) VALUES (1, 'a')")
		var log store.Log
		err := db.InTx(store.WithStatementLog(t.Context(), &log), func(ctx context.Context) error {
			if err := rename(ctx, db, "absent", "b"); !sqlgraphNotFound(err) {
				t.Errorf("rename of an absent row: %v, want not found", err)
			}
			log.Reset()
			return rename(ctx, db, "a", "b")
		})
		if err != nil {
			t.Fatalf("InTx after a row was not found: %v", err)
		}
		if s, c := log.Statements(), log.Control(); len(s) > 2 || !slices.Equal(c, []string{"COMMIT"}) {
			t.Errorf("statements %q, control %q, want 2 and COMMIT", s, c)
		}
		if got := names(t, db); !slices.Equal(got, []string{"b"}) {
			t.Errorf("rows %v, want [b]", got)
		}
	})
}

func sqlgraphNotFound(err error) bool {
	var e *sqlgraph.NotFoundError
	return errors.As(err, &e)
}

func TestWritesDoNotGoToAReader(t *testing.T) {
	t.Parallel()
	db := items.SQLite(t)
	for _, query := range []string{
		"INSERT INTO items (name) VALUES ('a') RETURNING id",
		"WITH x AS (SELECT 'b' AS b) INSERT INTO items (name) SELECT b FROM x RETURNING id",
		"PRAGMA user_version",
		"REPLACE INTO items (id, name) VALUES (9, 'c') RETURNING id",
	} {
		var id int
		scan(t, t.Context(), db, query, &id)
	}
}
