package store_test

import (
	"context"
	"fmt"
	"testing"

	"github.com/entwine-go/entwine/kit/store"
)

func TestStatementsArePreparedOnce(t *testing.T) {
	t.Parallel()
	db := open(t, store.Config{URL: items.PostgresURL(t), Conns: 1, Statements: 3})
	prepared := func(ctx context.Context) (n int) {
		t.Helper()
		scan(t, ctx, db, "SELECT count(*) FROM pg_prepared_statements WHERE statement LIKE '%items%'", &n)
		return n
	}
	for range 5 {
		exec(t, t.Context(), db, insert, fmt.Sprint(prepared(t.Context()), t.Name()))
		exec(t, t.Context(), db, "DELETE FROM items")
	}
	if n := prepared(t.Context()); n != 3 { // the question is one of them
		t.Errorf("%d statements prepared, want 3", n)
	}
	err := db.InTx(t.Context(), func(ctx context.Context) error {
		exec(t, ctx, db, insert, "in a transaction")
		if n := prepared(ctx); n != 3 {
			t.Errorf("%d statements prepared in a transaction, want 3", n)
		}
		return nil
	})
	if err != nil {
		t.Error(err)
	}
	for i := range 5 {
		var n int
		scan(t, t.Context(), db, fmt.Sprintf("SELECT count(*) + %d FROM items", i), &n)
	}
	if n := prepared(t.Context()); n > 3 {
		t.Errorf("%d statements prepared, want no more than 3", n)
	}
}

func TestStatementsOutliveMigrations(t *testing.T) {
	t.Parallel()
	items.Each(t, func(t *testing.T, db *store.DB) {
		exec(t, t.Context(), db, insert, "a")
		read := func(ctx context.Context) (columns int, err error) {
			rows, err := db.QueryContext(ctx, "SELECT * FROM items WHERE name = $1", "a")
			if err != nil {
				return 0, err
			}
			defer rows.Close()
			names, err := rows.Columns()
			for rows.Next() {
			}
			return len(names), err
		}
		check := func(want int) {
			t.Helper()
			if n, err := read(t.Context()); err != nil || n != want {
				t.Errorf("%d columns (%v), want %d", n, err, want)
			}
		}
		check(4)
		exec(t, t.Context(), db, "ALTER TABLE items ADD COLUMN more bigint")
		check(5)
		exec(t, t.Context(), db, "ALTER TABLE items ADD COLUMN most bigint")
		err := db.InTx(t.Context(), func(ctx context.Context) error {
			n, err := read(ctx)
			if err == nil && n != 6 {
				t.Errorf("%d columns in a transaction, want 6", n)
			}
			return err
		})
		if err != nil {
			t.Errorf("in a transaction: %v", err)
		}
	})
}

func TestSameStatementWhileItsRowsAreOpen(t *testing.T) {
	t.Parallel()
	db := items.SQLite(t)
	for _, name := range []string{"a", "b", "c"} {
		exec(t, t.Context(), db, insert, name)
	}
	err := db.InTx(t.Context(), func(ctx context.Context) error {
		const query = "SELECT name FROM items ORDER BY name"
		rows, err := db.QueryContext(ctx, query)
		if err != nil {
			return err
		}
		defer rows.Close()
		for _, want := range []string{"a", "b", "c"} {
			var first, outer string
			scan(t, ctx, db, query, &first)
			if !rows.Next() || rows.Scan(&outer) != nil || outer != want || first != "a" {
				t.Fatalf("outer row %q, want %q; inner row %q, want a", outer, want, first)
			}
		}
		return rows.Err()
	})
	if err != nil {
		t.Error(err)
	}
}

func TestScriptsAndOddStatements(t *testing.T) {
	t.Parallel()
	items.Each(t, func(t *testing.T, db *store.DB) {
		exec(t, t.Context(), db, "INSERT INTO items (name) VALUES ('a'); INSERT INTO items (name) VALUES ('b;')")
		exec(t, t.Context(), db, "  insert into items (name) values ($1)", "c")
		var n int
		scan(t, t.Context(), db, "WITH x AS (SELECT 'UPDATE' AS u) SELECT count(*) FROM items, x", &n)
		if n != 3 {
			t.Errorf("%d rows, want 3", n)
		}
		scan(t, t.Context(), db, "WITH x AS (SELECT 'd' AS d) INSERT INTO items (name) SELECT d FROM x RETURNING id", &n)
	})
}

func open(t *testing.T, c store.Config) *store.DB {
	t.Helper()
	db, err := store.Open(t.Context(), c)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = db.Close() })
	return db
}
