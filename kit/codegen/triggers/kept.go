package triggers

import (
	"fmt"
	"hash/crc32"
	"strings"

	"entgo.io/ent/dialect"
	"entgo.io/ent/entc/gen"

	"github.com/entwine-go/entwine/kit/codegen/model"
)

// Keeping begins the names of triggers of PostgreSQL that compute a column. It
// sorts after the names of those that give rows what programs from before a
// migration don't write: triggers are called in the order of their names, and
// this one reads what those have written.
const Keeping = "keep_"

// keptColumn is a column of PostgreSQL that a trigger computes from others of
// the row. A generated column would have PostgreSQL write the table anew when it
// is added, below a lock that stops all others: this one is added at once, and
// filled in batches (doc/operations/migrations.md).
type keptColumn struct {
	table, name, kind string
	// from are the columns that it is computed from, value the expression, over
	// columns that are quoted.
	from  []string
	value string
	// always is set where the value is never null, and once where a row keeps the value
	// that it was inserted with.
	always, once bool
}

// trigger is the name of the trigger, and of its function.
func (c keptColumn) trigger() string {
	name := Keeping + c.table + "_" + c.name
	if len(name) > 63 { // as PostgreSQL keeps of names
		return fmt.Sprintf("%s_%08x", name[:54], crc32.ChecksumIEEE([]byte(name)))
	}
	return name
}

// objects are the column and what computes it for rows that are written.
func (c keptColumn) objects() []Object {
	changed, value := []string{"TG_OP = 'INSERT'"}, c.value
	for _, column := range c.from {
		changed = append(changed, fmt.Sprintf("NEW.%q IS DISTINCT FROM OLD.%[1]q", column))
		value = strings.ReplaceAll(value, fmt.Sprintf("%q", column), fmt.Sprintf("NEW.%q", column))
	}
	return []Object{
		{Name: c.name + " of " + c.table, Create: fmt.Sprintf("ALTER TABLE %q ADD COLUMN %q %s", c.table, c.name, c.kind)},
		{Name: c.trigger() + " (function)", Create: fmt.Sprintf(
			"CREATE OR REPLACE FUNCTION %q() RETURNS trigger LANGUAGE plpgsql AS $$\nBEGIN\n\tIF %s THEN\n\t\tNEW.%q := %s;\n\tEND IF;\n\tRETURN NEW;\nEND $$",
			c.trigger(), strings.Join(changed, " OR "), c.name, value)},
		{Name: c.trigger(), Create: fmt.Sprintf("CREATE TRIGGER %q BEFORE INSERT OR UPDATE ON %q FOR EACH ROW EXECUTE FUNCTION %[1]q()", c.trigger(), c.table)},
	}
}

// fill computes the column of the rows that are there. Those that have the value
// already are not written: they were a generated column's, or the trigger's.
func (c keptColumn) fill() Fill {
	wrong := fmt.Sprintf("%q IS DISTINCT FROM (%s)", c.name, c.value)
	switch {
	case c.once:
		wrong = fmt.Sprintf("%q IS NULL", c.name)
	case c.always: // what is empty needs no comparison
		wrong = fmt.Sprintf("%q IS NULL OR %s", c.name, wrong)
	}
	return Fill{Table: c.table, Columns: []string{c.name}, From: c.from, Objects: objectNames(c.trigger()), Statements: map[string][]string{
		dialect.Postgres: {fmt.Sprintf("UPDATE %q SET %q = (%s) WHERE (%s)", c.table, c.name, c.value, wrong)},
	}}
}

// Kept are the columns of the type's rows that the database keeps beside those of its fields.
func Kept(m *model.Model, t *gen.Type) (all map[string][]string) {
	all = map[string][]string{}
	for _, e := range m.Entities {
		if e.Type != t {
			continue
		}
		for _, f := range e.Fields {
			if f.Units() != "" {
				all[dialect.Postgres] = append(all[dialect.Postgres], f.UnitColumn())
				all[dialect.SQLite] = append(all[dialect.SQLite], f.UnitColumn())
			}
		}
		if len(e.SearchFields) > 0 {
			all[dialect.Postgres] = append(all[dialect.Postgres], searchColumn)
			if !byNumbers(e) {
				all[dialect.Postgres] = append(all[dialect.Postgres], model.SearchRow)
			}
		}
	}
	return all
}

// keptColumns are those of the schema: the documents of full-text search, and
// what amounts of mixed currencies are compared by.
func keptColumns(m *model.Model) (all []keptColumn) {
	for _, e := range m.Searchable() {
		all = append(all, document(e))
		if !byNumbers(e) {
			all = append(all, age(e))
		}
	}
	for _, e := range m.Entities {
		for _, f := range e.Fields {
			if f.Units() != "" {
				all = append(all, units(f))
			}
		}
	}
	return all
}
