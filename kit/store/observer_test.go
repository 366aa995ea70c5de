package store_test

import (
	"context"
	"database/sql/driver"
	"errors"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/entwine-go/entwine/kit/store"
)

// witness is an observer that remembers.
type witness struct {
	mu   sync.Mutex
	seen []string
	rows []int64
}

func (o *witness) Statement(_ context.Context, kind, _ string, _ time.Time, failure string) func(int64) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.seen = append(o.seen, strings.TrimSpace(kind+" "+failure))
	return func(rows int64) {
		o.mu.Lock()
		defer o.mu.Unlock()
		o.rows = append(o.rows, rows)
	}
}

func TestObserver(t *testing.T) {
	t.Parallel()
	test := func(t *testing.T, url string) {
		seen := new(witness)
		db, err := store.Open(t.Context(), store.Config{URL: url, Observer: seen})
		if err != nil {
			t.Fatal(err)
		}
		defer db.Close()
		_ = db.InTx(t.Context(), func(ctx context.Context) error {
			exec(t, ctx, db, "CREATE TABLE things (name text UNIQUE)")
			exec(t, ctx, db, "INSERT INTO things VALUES ('a')")
			return db.InTx(ctx, func(ctx context.Context) error {
				exec(t, ctx, db, "WITH a AS (SELECT 'a') UPDATE things SET name = 'b'")
				return nil
			})
		})
		if _, err := db.ExecContext(t.Context(), "INSERT INTO things VALUES ('b')"); !store.IsUnique(err) {
			t.Errorf("the second b: %v", err)
		}
		rows, err := db.QueryContext(t.Context(), "WITH a AS (SELECT 1) SELECT * FROM a")
		if err != nil {
			t.Fatal(err)
		}
		_ = rows.Close()
		want := []string{"begin", "other", "insert", "savepoint", "update", "release", "commit", "insert constraint", "select"}
		if !slices.Equal(seen.seen, want) {
			t.Errorf("observed %q, want %q", seen.seen, want)
		}
		seen.rows = nil
		exec(t, t.Context(), db, "INSERT INTO things VALUES ('c'), ('d')")
		none := func([]driver.Value) error { return nil }
		if err := errors.Join(db.Each(t.Context(), "SELECT name FROM things", nil, none), db.EachSent(t.Context(), "SELECT name FROM things", nil, none)); err != nil {
			t.Fatal(err)
		}
		if err := db.EachSent(t.Context(), "SELECT name FROM things", nil, none); err != nil { // which is prepared by now
			t.Fatal(err)
		}
		if want := []int64{2, 3, 3, 3}; !slices.Equal(seen.rows, want) {
			t.Errorf("counted the rows %v, want %v", seen.rows, want)
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
