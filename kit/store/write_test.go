package store_test

import (
	"context"
	"sync/atomic"
	"testing"

	"github.com/entwine-go/entwine/kit/store"
)

func TestOnWriteIsCalledOnceWhatWasWrittenCanBeRead(t *testing.T) {
	t.Parallel()
	items.Each(t, func(t *testing.T, db *store.DB) {
		ctx := t.Context()
		var calls atomic.Int32
		db.OnWrite(func() { calls.Add(1) })
		for _, c := range []struct {
			name string
			do   func() error
			want int32
		}{
			{"a statement", func() error { _, err := db.ExecContext(ctx, insert, "a"); return err }, 1},
			{"a statement that returns", func() error {
				rows, err := db.QueryContext(ctx, insert+" RETURNING id", "b")
				if err != nil {
					return err
				}
				if calls.Load() != 0 {
					t.Error("called while the rows are being read")
				}
				return rows.Close()
			}, 1},
			{"a transaction", func() error {
				return db.InTx(ctx, func(ctx context.Context) error {
					exec(t, ctx, db, insert, "c")
					exec(t, ctx, db, insert, "d")
					if calls.Load() != 0 {
						t.Error("called inside of the transaction")
					}
					return nil
				})
			}, 1},
			{"a CTE", func() error {
				_, err := db.ExecContext(ctx, "WITH x AS (SELECT 'e' AS name) INSERT INTO items (name) SELECT name FROM x")
				return err
			}, 1},
			{"a read", func() error { names(t, db); return nil }, 0},
			{"a transaction that reads", func() error {
				return db.InTx(ctx, func(ctx context.Context) error {
					var n int
					scan(t, ctx, db, "SELECT count(*) FROM items", &n)
					return nil
				})
			}, 0},
		} {
			calls.Store(0)
			if err := c.do(); err != nil {
				t.Fatalf("%s: %v", c.name, err)
			}
			if got := calls.Load(); got != c.want {
				t.Errorf("%s: called %d times, want %d", c.name, got, c.want)
			}
		}
	})
}
