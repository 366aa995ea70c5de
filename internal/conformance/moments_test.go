package conformance_test

import (
	"strings"
	"testing"

	"github.com/entwine-go/entwine/ent/orm"
	"github.com/entwine-go/entwine/internal/entity"
	"github.com/entwine-go/entwine/kit/gid"
	"github.com/entwine-go/entwine/kit/read"
	"github.com/entwine-go/entwine/kit/store"
	"github.com/entwine-go/entwine/kit/viewer"
	"github.com/entwine-go/entwine/migrate/migratetest"
)

// Times come as they are stored, whichever form the database sends them in.
func TestTimesComeAsTheyAreStored(t *testing.T) {
	t.Parallel()
	migratetest.Each(t, func(t *testing.T, db *store.DB) {
		ctx := viewer.With(t.Context(), viewer.System())
		id := int64(orm.Client(db).User.Create().SetName("Ada").SetEmail("ada@example.com").SaveX(ctx).ID)
		rows := read.Select(entity.User)
		rows.Field("at", entity.UserFields.CreatedAt)
		r := &read.Reader{DB: db, Dialect: db.Dialect}
		for _, at := range []string{"0001-01-01T00:00:00Z", "1969-12-31T23:59:59.999999Z", "1999-12-31T23:59:59.999999Z", "2000-01-01T00:00:00.000001Z", "2026-11-23T02:45:00Z", "9999-12-31T23:59:59.999999Z"} {
			stored := strings.Replace(strings.TrimSuffix(at, "Z"), "T", " ", 1)
			if !strings.Contains(stored, ".") {
				stored += ".000000"
			}
			if _, err := db.ExecContext(ctx, `UPDATE users SET created_at = '`+stored+`+00:00'`); err != nil {
				t.Fatal(err)
			}
			got, _, err := r.One(ctx, nil, rows, read.ByID(entity.User, gid.Int(id)), false)
			if want := `{"at":"` + at + `"}`; err != nil || string(got) != want {
				t.Errorf("%s, %v; want %s", got, err, want)
			}
		}
	})
}
