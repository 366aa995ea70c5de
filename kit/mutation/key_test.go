package mutation_test

import (
	"context"
	"fmt"
	"slices"
	"testing"

	"entgo.io/ent"
	"entgo.io/ent/dialect/sql"
	"entgo.io/ent/schema/field"
	"github.com/google/uuid"

	"github.com/entwine-go/entwine/kit/gid"
	"github.com/entwine-go/entwine/kit/kittest/storetest"
	"github.com/entwine-go/entwine/kit/mutation"
	"github.com/entwine-go/entwine/kit/store"
	"github.com/entwine-go/entwine/kit/viewer"
)

// Region has ids that its writer gives, Trace such as a default makes, and Ticket
// numbers that a default makes.
type (
	Region struct{ ent.Schema }
	Trace  struct{ ent.Schema }
	Ticket struct{ ent.Schema }
)

func (Region) Fields() []ent.Field {
	return []ent.Field{field.String("id").MaxLen(8), field.String("name")}
}

func (Trace) Fields() []ent.Field {
	return []ent.Field{field.UUID("id", uuid.UUID{}).Default(uuid.New), field.String("name")}
}

func (Ticket) Fields() []ent.Field {
	return []ent.Field{field.Int64("id").DefaultFunc(func() int64 { return 4711 }), field.String("name")}
}

var keyed = storetest.Schema{Key: "mutation-keys-1", Up: func(ctx context.Context, db *store.DB) error {
	unique := "text"
	if db.Postgres() {
		unique = "uuid"
	}
	for table, of := range map[string]string{"regions": "text", "traces": unique, "tickets": "bigint"} {
		if _, err := db.ExecContext(ctx, fmt.Sprintf(`CREATE TABLE %q ("id" %s PRIMARY KEY, "name" text NOT NULL)`, table, of)); err != nil {
			return err
		}
	}
	return nil
}}

func TestIDsAreOfTheTypeOfTheSchema(t *testing.T) {
	t.Parallel()
	keyed.Each(t, func(t *testing.T, db *store.DB) {
		ctx := viewer.With(t.Context(), viewer.System())
		given := uuid.MustParse("0191F6AE-7E3C-7B5A-9C1E-2F8D4B6A0C3D")
		for _, c := range []struct {
			table *mutation.Table
			id    any    // nil: the default
			want  gid.ID // zero: any UUID
		}{
			{mutation.Of(Region{}, "regions"), "eu-west", gid.Text("eu-west")},
			{mutation.Of(Trace{}, "traces"), nil, gid.ID{}},
			{mutation.Of(Trace{}, "traces"), given, gid.Text("0191f6ae-7e3c-7b5a-9c1e-2f8d4b6a0c3d")},
			{mutation.Of(Ticket{}, "tickets"), nil, gid.Int(4711)},
			{mutation.Of(Ticket{}, "tickets"), int64(7), gid.Int(7)},
		} {
			values := map[string]any{"name": "first"}
			if c.id != nil {
				values["id"] = c.id
			}
			id, err := c.table.Make(ctx, db.Driver(), values)
			if err != nil {
				t.Fatalf("%s: %v", c.table.Name, err)
			}
			if _, err := uuid.Parse(id.String()); id != c.want && (!c.want.IsZero() || err != nil) {
				t.Errorf("%s: the id is %v, want %v", c.table.Name, id, c.want)
			}
			changed := c.table.UpdateOne(db.Driver(), id)
			if err := changed.SetField("name", "second"); err != nil {
				t.Fatal(err)
			}
			if ids, err := changed.IDs(ctx); err != nil || !slices.Equal(ids, []gid.ID{id}) {
				t.Errorf("%s: the change is of %v, %v, want %v", c.table.Name, ids, err, id)
			}
			if n, err := changed.Save(ctx); n != 1 || err != nil {
				t.Errorf("%s: %d rows are changed, %v", c.table.Name, n, err)
			}
			row, err := c.table.Query(db.Driver(), sql.FieldEQ("id", id.Any())).Only(ctx)
			if err != nil || row.ID() != id || row.Field("name") != "second" {
				t.Errorf("%s: the row is %+v, %v", c.table.Name, row, err)
			}
			if n, err := c.table.DeleteOne(ctx, db.Driver(), id); n != 1 || err != nil {
				t.Errorf("%s: %d rows are deleted, %v", c.table.Name, n, err)
			}
			draft := c.table.Create(db.Driver())
			if err := draft.Set(values); err != nil {
				t.Fatal(err)
			}
			stored, ok := draft.Stored()
			if c.table.Name == "Trace" { // as other columns with UUIDs
				continue
			}
			if !ok || stored[0].Column != "id" || draft.ID().IsZero() || stored[0].Value != draft.ID().Any() {
				t.Errorf("%s: stored are %v", c.table.Name, stored)
			}
		}
	})
}

func TestAnIDThatIsMissingOrWrongIsRefused(t *testing.T) {
	t.Parallel()
	keyed.Each(t, func(t *testing.T, db *store.DB) {
		ctx, regions := viewer.With(t.Context(), viewer.System()), mutation.Of(Region{}, "regions")
		for _, values := range []map[string]any{{"name": "none"}, {"name": "long", "id": "somewhere"}, {"name": "number", "id": 7.5}} {
			if id, err := regions.Make(ctx, db.Driver(), values); err == nil {
				t.Errorf("%v is made as %v", values, id)
			}
		}
		first, second := regions.Create(db.Driver()), regions.Create(db.Driver())
		for id, draft := range map[string]*mutation.Mutation{"us": first, "eu": second} {
			if err := draft.Set(map[string]any{"id": id, "name": id}); err != nil {
				t.Fatal(err)
			}
		}
		if err := regions.Insert(ctx, first, second); err != nil || first.ID() != gid.Text("us") || second.ID() != gid.Text("eu") {
			t.Errorf("many are made as %v and %v, %v", first.ID(), second.ID(), err)
		}
	})
}
