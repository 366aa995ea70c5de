package store_test

import (
	"context"
	"testing"

	"github.com/entwine-go/entwine/kit/store"
)

func TestLockGuardsRowsThatAreNotThere(t *testing.T) {
	t.Parallel()
	items.Each(t, func(t *testing.T, db *store.DB) {
		const most = 5
		done := make(chan error, 20)
		for i := range cap(done) {
			go func() {
				done <- db.InTx(context.WithoutCancel(t.Context()), func(ctx context.Context) error {
					if err := db.Lock(ctx, "items"); err != nil {
						return err
					}
					_, err := db.ExecContext(ctx, "INSERT INTO items (name) SELECT $1 WHERE (SELECT count(*) FROM items) < $2", string(rune('a'+i)), most)
					return err
				})
			}()
		}
		for range cap(done) {
			if err := <-done; err != nil {
				t.Error(err)
			}
		}
		if got := names(t, db); len(got) != most {
			t.Errorf("%d rows, want %d", len(got), most)
		}
		if err := db.Lock(t.Context(), "items"); err == nil {
			t.Error("a lock outside of a transaction")
		}
	})
}
