package triggers

import (
	"fmt"
	"strings"

	"github.com/entwine-go/entwine/kit/codegen/model"
)

// units is the value by which amounts of several currencies are compared, as
// PostgreSQL keeps it.
func units(f *model.Field) keptColumn {
	return keptColumn{
		table: model.StoredIn(f.Entity.Type), name: f.UnitColumn(), kind: "bigint",
		from:  []string{f.Type.StorageKey(), f.Entity.Field(f.Currency).Type.StorageKey()},
		value: f.Units(),
	}
}

// unitColumns are both databases' columns of that. SQLite reckons one where it
// is read, and keeps it in the indexes over it: it is added without a look at
// the rows.
func unitColumns(m *model.Model) (postgres, sqlite []Object) {
	for _, e := range m.Entities {
		for _, f := range e.Fields {
			if f.Units() == "" {
				continue
			}
			postgres = append(postgres, units(f).objects()...)
			sqlite = append(sqlite, Object{Name: f.UnitColumn() + " of " + e.Type.Table(), Create: fmt.Sprintf(
				"ALTER TABLE %q ADD COLUMN %q bigint GENERATED ALWAYS AS (%s) VIRTUAL", model.StoredIn(e.Type), f.UnitColumn(), f.Units())})
		}
	}
	return postgres, sqlite
}

// unitIndex is made beside Ent's indexes: Ent knows neither these columns nor
// the tables between two entities.
func unitIndex(i model.UnitIndex) Object {
	return Object{Name: i.Name, Create: fmt.Sprintf("CREATE INDEX %q ON %q (%s)", i.Name, i.Table, strings.Join(i.Terms, ", "))}
}
