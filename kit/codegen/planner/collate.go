package planner

import (
	"strings"

	"entgo.io/ent/dialect"
	"entgo.io/ent/dialect/sql/schema"
	"entgo.io/ent/schema/field"
)

// collate makes PostgreSQL compare every text by its bytes, as SQLite does,
// so that both sort alike, whatever the database's own order is. It returns
// what undoes it, since SQLite reads the same tables.
func collate(tables []*schema.Table) (undo func()) {
	var set []*schema.Column
	for _, t := range tables {
		for _, c := range t.Columns {
			if c.Collation == "" && isText(c) {
				c.Collation = "C"
				set = append(set, c)
			}
		}
	}
	return func() {
		for _, c := range set {
			c.Collation = ""
		}
	}
}

func isText(c *schema.Column) bool {
	if t := strings.ToLower(c.SchemaType[dialect.Postgres]); t != "" {
		return t == "text" || strings.HasPrefix(t, "varchar") || strings.HasPrefix(t, "char")
	}
	return c.Type == field.TypeString || c.Type == field.TypeEnum
}
