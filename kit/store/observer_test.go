package store_test

import (
	"context"
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
}

func (o *witness) Statement(_ context.Context, kind, _ string, _ time.Time, failure string) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.seen = append(o.seen, strings.TrimSpace(kind+" "+failure))
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
