package triggers

import (
	"fmt"
	"strings"

	"github.com/entwine-go/entwine/kit/codegen/model"
)

// unitColumns are what amounts of mixed currencies are compared by. PostgreSQL
// stores them; SQLite, which adds none that is stored to a table that is
// there, reckons one where it is read, and keeps it in the indexes over it.
func unitColumns(m *model.Model) (postgres, sqlite []Object) {
	for _, e := range m.Entities {
		for _, f := range e.Fields {
			if f.Units() == "" {
				continue
			}
			o := Object{Name: f.UnitColumn() + " of " + e.Type.Table(), Create: fmt.Sprintf(
				"ALTER TABLE %q ADD COLUMN %q bigint GENERATED ALWAYS AS (%s) STORED", e.Type.Table(), f.UnitColumn(), f.Units())}
			postgres = append(postgres, o)
			o.Create = strings.TrimSuffix(o.Create, "STORED") + "VIRTUAL"
			sqlite = append(sqlite, o)
		}
	}
	return postgres, sqlite
}

// unitIndex is made beside Ent's indexes: Ent knows neither generated columns
// nor the tables between two entities.
func unitIndex(i model.UnitIndex) Object {
	return Object{Name: i.Name, Create: fmt.Sprintf("CREATE INDEX %q ON %q (%s)", i.Name, i.Table, strings.Join(i.Terms, ", "))}
}
