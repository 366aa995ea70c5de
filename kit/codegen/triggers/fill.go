package triggers

import (
	"fmt"
	"strings"

	"entgo.io/ent/dialect"

	"github.com/entwine-go/entwine/kit/codegen/model"
	"github.com/entwine-go/entwine/kit/store"
)

// Fill makes columns that the database keeps right for the rows that are there
// when the schema comes to have them.
type Fill struct {
	Table string
	// Columns are written, From are columns of the same table that are read.
	Columns, From []string
	// Of is another table that is read.
	Of string
	// Objects are the names of those that keep the columns from then on.
	Objects []string
	// Statements are its SQL, by Ent's name of the database.
	Statements map[string][]string
}

// Everywhere repeats a value for all databases, by Ent's names of them.
func Everywhere[T any](value T) map[string]T {
	all := map[string]T{}
	for _, d := range store.Dialects {
		all[d.Name()] = value
	}
	return all
}

// both are statements that both databases understand.
func both(statements ...string) map[string][]string { return Everywhere(statements) }

// Fills are those of counts, sums, means, stamps and columns that are computed,
// as their triggers would have written them.
func Fills(m *model.Model) []Fill {
	var all []Fill
	for _, e := range m.Entities {
		for _, r := range relations(m, e) {
			all = append(all, r.fill())
		}
	}
	all = append(all, stampFills(m)...)
	for _, c := range keptColumns(m) {
		all = append(all, c.fill())
	}
	return all
}

// fill counts the rows that are there.
func (r *relation) fill() Fill {
	f := Fill{Table: r.parent, Of: r.child}
	for _, on := range []string{"insert", "update", "delete"} {
		f.Objects = append(f.Objects, objectNames(tallyName(r.child, on))...)
	}
	counted := fmt.Sprintf("FROM %q AS \"child\" WHERE \"child\".%q = %q.%q", r.child, r.fk, r.parent, r.key)
	if there := r.there(`"child"`); there != "" {
		counted += " AND " + there
	}
	var set []string
	for _, c := range r.counters {
		f.Columns = append(f.Columns, c.column)
		set = append(set, fmt.Sprintf("%q = (SELECT COALESCE(sum(%s), 0) %s)", c.column, c.adds(`"child"`), counted))
	}
	texts := []string{fmt.Sprintf("UPDATE %q SET %s", r.parent, strings.Join(set, ", "))}
	set = nil
	for _, m := range r.means {
		f.Columns = append(f.Columns, m.column)
		set = append(set, fmt.Sprintf("%q = CASE WHEN %q > 0 THEN CAST(%q AS double precision) / %q END", m.column, m.count, m.sum, m.count))
	}
	if len(set) > 0 {
		texts = append(texts, fmt.Sprintf("UPDATE %q SET %s", r.parent, strings.Join(set, ", ")))
	}
	f.Statements = both(texts...)
	return f
}

// objectNames are the objects of a trigger, on either database.
func objectNames(trigger string) []string { return []string{trigger, trigger + " (function)"} }

// stampFills set the times of rows for which the condition holds already. One
// that speaks of a change says nothing of rows that did not change.
func stampFills(m *model.Model) (all []Fill) {
	for _, t := range m.Graph.Nodes {
		for _, f := range t.Fields {
			a, _ := model.FieldAnnotation(f.Annotations)
			if a.Stamp == nil || strings.Contains(a.Stamp.When, "OLD.") {
				continue
			}
			other := referred(t, a.Stamp.Column)
			if other == nil {
				continue
			}
			set := func(now string) []string {
				return []string{fmt.Sprintf("UPDATE %q SET %q = %s WHERE %[2]q IS NULL AND EXISTS (SELECT 1 FROM %[4]q AS \"other\" WHERE \"other\".\"id\" = %[1]q.%[5]q AND (%[6]s))",
					t.Table(), f.StorageKey(), now, other.Table(), a.Stamp.Column, strings.ReplaceAll(a.Stamp.When, "NEW.", `"other".`))}
			}
			all = append(all, Fill{Table: t.Table(), Columns: []string{f.StorageKey()}, Of: other.Table(),
				Statements: map[string][]string{dialect.Postgres: set(postgresNow), dialect.SQLite: set(SQLiteNow)}})
		}
	}
	return all
}

// Now is the expression of the time, as package store keeps times, by the
// database.
func Now() map[string]string {
	return map[string]string{dialect.Postgres: postgresNow, dialect.SQLite: SQLiteNow}
}
