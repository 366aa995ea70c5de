package triggers

import (
	"maps"

	"entgo.io/ent/dialect"
	"entgo.io/ent/dialect/sql/schema"
	"entgo.io/ent/schema/field"

	"github.com/entwine-go/entwine/kit/codegen/model"
)

// DefaultClock has SQLite write the current time, where it is a default, as all other
// times are written: it compares them as text, and its own CURRENT_TIMESTAMP has
// another form.
func DefaultClock(t *schema.Table) {
	for _, c := range t.Columns {
		if c.Type != field.TypeTime {
			continue
		}
		switch x := c.Default.(type) {
		case schema.Expr:
			if model.Clock(string(x)) {
				c.Default = map[string]schema.Expr{dialect.SQLite: SQLiteNow, dialect.Postgres: x}
			}
		case map[string]schema.Expr:
			if model.Clock(string(x[dialect.SQLite])) {
				x = maps.Clone(x)
				x[dialect.SQLite] = SQLiteNow
				c.Default = x
			}
		}
	}
}
