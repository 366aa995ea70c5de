package store_test

import (
	"context"
	"database/sql/driver"
	"strings"
	"testing"

	"github.com/entwine-go/entwine/kit/internal/fastpath"
	"github.com/entwine-go/entwine/kit/store"
)

// A statement that runs ends when its context does, and what its connection runs
// next does not: whether its cancelling is the store's, or lib/pq's, as where
// the connection might be encrypted.
func TestAStatementEndsWithItsContext(t *testing.T) {
	t.Parallel()
	plain := items.PostgresURL(t)
	if !strings.Contains(plain, "sslmode=disable") {
		t.Fatalf("%s may be encrypted", plain)
	}
	const slow = "SELECT pg_sleep($1::float8)::text, pg_backend_pid()"
	for name, url := range map[string]string{"disable": plain, "prefer": strings.Replace(plain, "sslmode=disable", "sslmode=prefer", 1)} {
		db, other := open(t, store.Config{URL: url, Conns: 1}), open(t, store.Config{URL: plain, Conns: 1})
		query := func(ctx context.Context, seconds int) (pid string, taken int, err error) {
			rows, taken, err := sent(ctx, db, slow, seconds)
			return strings.Join(rows, ""), taken, err
		}
		first, _, err := query(t.Context(), 0)
		if err != nil {
			t.Fatal(err)
		}
		for how, run := range map[string]func(context.Context) error{
			"query": func(ctx context.Context) error {
				rows, err := db.QueryContext(ctx, slow, 60)
				if err != nil {
					return err
				}
				defer rows.Close()
				rows.Next()
				return rows.Err()
			},
			"exec": func(ctx context.Context) error { _, err := db.ExecContext(ctx, slow, 60); return err },
			"each": func(ctx context.Context) error {
				return db.Each(ctx, slow, []any{60}, func([]driver.Value) error { return nil })
			},
			"sent": func(ctx context.Context) error { _, _, err := query(ctx, 60); return err },
		} {
			ctx, cancel := context.WithCancel(t.Context())
			done := make(chan error, 1)
			go func() { done <- run(ctx) }()
			for running := int64(0); running == 0; {
				if err := other.Each(t.Context(), "SELECT count(*) FROM pg_stat_activity WHERE wait_event = 'PgSleep' AND datname = current_database()", nil, func(values []driver.Value) error {
					running = values[0].(int64)
					return nil
				}); err != nil {
					t.Fatal(err)
				}
			}
			cancel()
			if err := <-done; err == nil {
				t.Errorf("%s, %s: it ended without an error", name, how)
			}
			again, _, err := query(t.Context(), 0)
			if err != nil || again != first {
				t.Errorf("%s, %s: after that its connection has %q and %v, before %q", name, how, again, err, first)
			}
		}
		if _, taken, _ := query(t.Context(), 0); taken > 0 != (name == "disable" && !fastpath.Off()) {
			t.Errorf("%s: %d values were taken as they were sent", name, taken)
		}
	}
}
