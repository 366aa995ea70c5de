package storetest_test

import (
	"context"
	"testing"

	"github.com/entwine-go/entwine/kit/kittest/storetest"
	"github.com/entwine-go/entwine/kit/store"
)

var notes = storetest.Schema{Key: "notes", Up: func(ctx context.Context, db *store.DB) error {
	_, err := db.ExecContext(ctx, "CREATE TABLE notes (id bigint PRIMARY KEY, text text)")
	return err
}}

func TestEachTestHasADatabaseOfItsOwn(t *testing.T) {
	t.Parallel()
	for range 3 {
		t.Run("it is empty", func(t *testing.T) {
			t.Parallel()
			notes.Each(t, func(t *testing.T, db *store.DB) {
				if _, err := db.ExecContext(t.Context(), "INSERT INTO notes VALUES (1, 'mine')"); err != nil {
					t.Fatal(err)
				}
			})
		})
	}
}
