package mutation_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"

	"entgo.io/ent"
	"entgo.io/ent/dialect/sql"
	"entgo.io/ent/schema"
	"entgo.io/ent/schema/field"

	"github.com/entwine-go/entwine/kit/gid"
	"github.com/entwine-go/entwine/kit/kittest/storetest"
	"github.com/entwine-go/entwine/kit/mutation"
	"github.com/entwine-go/entwine/kit/problem"
	"github.com/entwine-go/entwine/kit/store"
	"github.com/entwine-go/entwine/kit/viewer"
)

// Stamp has the key of a letter and a text together.
type Stamp struct{ ent.Schema }

func (Stamp) Fields() []ent.Field {
	return []ent.Field{field.Int64("letter_id").StorageKey("letter").Immutable(), field.String("label").Immutable(), field.Int64("rank").Default(0), field.String("note").Optional().Nillable()}
}

func (Stamp) Annotations() []schema.Annotation {
	return []schema.Annotation{field.ID("letter_id", "label")}
}

var stamps = storetest.Schema{Key: "mutation-stamps-1", Up: func(ctx context.Context, db *store.DB) error {
	for _, s := range []string{
		`CREATE TABLE "stamps" ("letter" bigint NOT NULL, "label" text NOT NULL, "rank" bigint NOT NULL, "note" text, PRIMARY KEY ("letter", "label"))`,
		`CREATE VIEW "stamps_rows" AS SELECT CAST("letter" AS text) || '~' || replace(CAST("label" AS text), '/', '!2') AS "id", "letter", "label", "rank", "note" FROM "stamps"`,
	} {
		if _, err := db.ExecContext(ctx, s); err != nil {
			return err
		}
	}
	return nil
}}

// Rows whose key is of several columns are made in the table below their view, and changed
// and removed by their ids and by conditions, of which none is left out.
func TestRowsBelowAViewAreWritten(t *testing.T) {
	t.Parallel()
	stamps.Each(t, func(t *testing.T, db *store.DB) {
		table, ctx := mutation.Of(Stamp{}, "stamps_rows"), viewer.With(t.Context(), viewer.System())
		of := func(letter int64, label string) *mutation.Mutation {
			m := table.Create(db.Driver())
			if err := m.Set(map[string]any{"letter": letter, "label": label}); err != nil {
				t.Fatal(err)
			}
			return m
		}
		one, other, third := of(1, "in/out"), of(1, "b"), of(2, "")
		if err := errors.Join(table.Insert(ctx, one), table.Insert(ctx, other, third)); err != nil {
			t.Fatal(err)
		}
		if got := []string{one.ID().String(), other.ID().String(), third.ID().String()}; !slices.Equal(got, []string{"1~in!2out", "1~b", "2~"}) {
			t.Errorf("the ids are %q", got)
		}
		for _, id := range []gid.ID{one.ID(), other.ID(), third.ID()} {
			if _, err := table.Query(db.Driver(), sql.FieldEQ("id", id.Any())).Only(ctx); err != nil {
				t.Errorf("%s: %v", id, err)
			}
		}
		if err := table.Insert(ctx, of(1, "b")); problem.KindOf(store.Problem(err)) != problem.Duplicate {
			t.Errorf("a key that there is: %v", err)
		}
		for _, label := range []string{strings.Repeat("x", 260), "a\nb"} {
			var wrong *mutation.ValidationError
			if err := table.Insert(ctx, of(1, label)); !errors.As(err, &wrong) || wrong.InvalidField() != "label" {
				t.Errorf("label %.9q: %v", label, err)
			}
		}

		set := func(m *mutation.Mutation, values map[string]any, want int) {
			t.Helper()
			if err := m.Set(values); err != nil {
				t.Fatal(err)
			}
			if n, err := m.Save(ctx); err != nil || n != want {
				t.Errorf("%v touches %d rows (%v), want %d", values, n, err, want)
			}
		}
		set(table.UpdateOne(db.Driver(), one.ID()), map[string]any{"rank": int64(5), "note": "first"}, 1)
		unless := table.UpdateOne(db.Driver(), one.ID())
		unless.WhereP(sql.FieldLT("rank", 5))
		set(unless, map[string]any{"rank": int64(6)}, 0)
		set(table.UpdateOne(db.Driver(), gid.Text("7~x")), map[string]any{"rank": int64(6)}, 0)
		many := table.Update(db.Driver())
		many.WhereP(sql.FieldEQ("letter", 1))
		set(many, map[string]any{"note": nil}, 2)
		if err := table.UpdateOne(db.Driver(), one.ID()).SetField("label", "c"); err == nil {
			t.Error("a key changes")
		}
		row, err := table.Query(db.Driver(), sql.FieldEQ("id", one.ID().Any())).Only(ctx)
		if err != nil || row.Field("rank") != int64(5) || row.Field("note") != nil {
			t.Errorf("the row is %v (%v)", row, err)
		}

		if n, err := table.DeleteOne(ctx, db.Driver(), one.ID(), sql.FieldEQ("rank", 4)); err != nil || n != 0 {
			t.Errorf("a row that a condition leaves out: %d removed (%v)", n, err)
		}
		if n, err := table.DeleteOne(ctx, db.Driver(), one.ID()); err != nil || n != 1 {
			t.Errorf("a row: %d removed (%v)", n, err)
		}
		if n, err := table.Delete(ctx, db.Driver(), sql.FieldGT("letter", 0)); err != nil || n != 2 {
			t.Errorf("the others: %d removed (%v)", n, err)
		}
	})
}
