package store_test

import (
	"context"
	"slices"
	"testing"

	"github.com/entwine-go/entwine/kit/store"
)

func TestStatementLog(t *testing.T) {
	t.Parallel()
	items.Each(t, func(t *testing.T, db *store.DB) {
		var log store.Log
		ctx := store.WithStatementLog(t.Context(), &log)
		err := db.InTx(ctx, func(ctx context.Context) error {
			return db.InTx(ctx, func(ctx context.Context) error {
				exec(t, ctx, db, insert, "a")
				return nil
			})
		})
		if err != nil {
			t.Fatal(err)
		}
		exec(t, t.Context(), db, insert, "not logged")
		if got := log.Statements(); !slices.Equal(got, []string{insert}) {
			t.Errorf("statements %q, want %q", got, insert)
		}
		want := []string{"BEGIN", "SAVEPOINT s1", "RELEASE SAVEPOINT s1", "COMMIT"}
		if got := log.Control(); !slices.Equal(got, want) {
			t.Errorf("control %q, want %q", got, want)
		}
	})
}
