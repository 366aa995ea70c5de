package mutation_test

import (
	"context"
	"testing"

	"entgo.io/ent"
	"entgo.io/ent/schema/field"

	"github.com/entwine-go/entwine/kit/expose"
	"github.com/entwine-go/entwine/kit/kittest/storetest"
	"github.com/entwine-go/entwine/kit/mutation"
	"github.com/entwine-go/entwine/kit/store"
	"github.com/entwine-go/entwine/kit/viewer"
)

// Shelf has a text whose column has another name.
type Shelf struct{ ent.Schema }

func (Shelf) Fields() []ent.Field {
	return []ent.Field{field.String("name").StorageKey("label").Annotations(expose.UniqueFold())}
}

var shelved = storetest.Schema{Key: "mutation-fold-1", Up: func(ctx context.Context, db *store.DB) error {
	_, err := db.ExecContext(ctx, `CREATE TABLE "shelves" ("id" `+map[bool]string{true: "bigserial", false: "integer"}[db.Postgres()]+` PRIMARY KEY, "label" text NOT NULL, "label_fold" text UNIQUE)`)
	return err
}}

// A text is folded beside its column, whatever the field is called.
func TestATextIsFoldedBesideItsColumn(t *testing.T) {
	t.Parallel()
	shelved.Each(t, func(t *testing.T, db *store.DB) {
		ctx, table := viewer.With(t.Context(), viewer.System()), mutation.Of(Shelf{}, "shelves")
		if _, err := table.Make(ctx, db.Driver(), map[string]any{"label": "ÉTÉ"}); err != nil {
			t.Fatal(err)
		}
		if n := storetest.Count(t, db, "shelves WHERE label_fold = 'été'"); n != 1 {
			t.Errorf("%d texts are folded, want 1", n)
		}
		if _, err := table.Make(ctx, db.Driver(), map[string]any{"label": "été"}); !store.IsUnique(err) {
			t.Errorf("the same text in another case: %v", err)
		}
	})
}
