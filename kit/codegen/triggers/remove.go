package triggers

import (
	"fmt"
	"slices"
	"strings"

	"entgo.io/ent/dialect/entsql"
	"entgo.io/ent/entc/gen"

	"github.com/entwine-go/entwine/kit/codegen/model"
)

// To remove a row for good removes and detaches what refers to it by foreign keys. Where
// that is much, the write hides the row: it deletes it softly, and sets "deleted_with" to
// 0. A trigger then leaves the removal to the job that counts what follows from a
// deletion (see recounts): a row of "recounts" whose relation is that of no table. The job
// counts first, and then removes what refers to the row, a batch at a time, and the row
// last (package removal).
//
// The name of the relation begins as those of cascades do, so that rows that are deleted with the
// row are hidden meanwhile. Rows that a soft deletion has left go with the removal.
const removalRelation = "with_"

// removes are the triggers that leave removals to the job.
func removes(m *model.Model) (all []trigger) {
	counted := map[string]bool{} // their removal forgets what is left of a row
	for _, r := range keptRelations(m) {
		counted[r.keepers] = counted[r.keepers] || r.later
	}
	for _, e := range m.Entities {
		if !e.InSteps {
			continue
		}
		table := e.Type.Table()
		t := trigger{name: "remove_" + table + "_on_update", table: table, on: "update", when: `NEW."deleted_with" = 0 AND OLD."deleted_with" IS DISTINCT FROM 0`}
		var tables, forget []string
		if byNumbers(e) {
			tables = append(tables, recountsTable)
		}
		if !byNumbers(e) || mixed(e) { // rows that are deleted with it are hidden by the table that they ask
			tables = append(tables, keyedTable)
		}
		for _, left := range tables {
			id := `NEW."id"`
			if left == keyedTable {
				id = `CAST(NEW."id" AS text)`
			}
			t.body = append(t.body,
				fmt.Sprintf("DELETE FROM %q WHERE %s AND SUBSTR(\"relation\", 1, 5) = 'with_';", left, of(left, table, "NEW")),
				fmt.Sprintf("INSERT INTO %q (\"keepers\", \"keeper\", \"relation\", \"place\", \"away\", \"steps\") VALUES ('%s', %s, '%s', 0, TRUE, 0);", left, table, id, removalRelation))
			if left == keyedTable || !counted[table] {
				forget = append(forget, fmt.Sprintf("DELETE FROM %q WHERE %s;", left, of(left, table, "OLD")))
			}
		}
		t.lite = slices.Clone(t.body)
		postgres, lite := vacated(e.Type)
		t.body, t.lite = append(t.body, postgres...), append(t.lite, lite...)
		k := keeperOf(m, table)
		t.body, t.lite = append(t.body, later(k, "")), append(t.lite, laterLite(k, ""))
		all = append(all, t)
		if len(forget) > 0 {
			all = append(all, trigger{name: "remove_" + table + "_on_delete", table: table, on: "delete", when: `OLD."deleted_with" = 0`, body: forget})
		}
	}
	return all
}

// vacated are the statements by which the row leaves its unique values to others: they are
// free once it is gone. A column is null then, or has a text that is no other row's; numbers,
// and texts that a check of the table is about, stay until the row goes.
func vacated(t *gen.Type) (postgres, lite []string) {
	var columns []string
	fields := map[string]*gen.Field{}
	for _, f := range t.Fields {
		fields[f.StorageKey()] = f
	}
	for _, index := range t.Indexes {
		if !index.Unique || lapses(index) {
			continue
		}
		at := slices.IndexFunc(index.Columns, func(column string) bool { return vacates(t, fields[column]) })
		if at >= 0 {
			columns = append(columns, index.Columns[at])
		}
	}
	for _, f := range t.Fields {
		if f.Unique && vacates(t, f) {
			columns = append(columns, f.StorageKey())
		}
	}
	if len(columns) == 0 {
		return nil, nil
	}
	slices.Sort(columns)
	columns = slices.Compact(columns)
	write := func(free string) []string {
		set := make([]string, len(columns))
		for i, column := range columns {
			value := "NULL"
			if !fields[column].Optional {
				value = free
			}
			set[i] = fmt.Sprintf("%q = %s", column, value)
		}
		return []string{fmt.Sprintf("UPDATE %q SET %s WHERE \"id\" = NEW.\"id\";", t.Table(), strings.Join(set, ", "))}
	}
	return write("'removed ' || gen_random_uuid()"), write("'removed ' || lower(hex(randomblob(16)))")
}

// vacates reports whether the column of the field can be left to others.
func vacates(t *gen.Type, f *gen.Field) bool {
	if f == nil || !f.IsString() || f.IsEnum() || f.Column().Size > 0 && f.Column().Size < int64(len("removed "))+36 {
		return false
	}
	var a entsql.Annotation
	if _, err := model.Annotation(t.Annotations, &a); err != nil {
		return false
	}
	for _, check := range a.Checks {
		if strings.Contains(check, f.StorageKey()) {
			return false
		}
	}
	return true
}

// lapses reports whether the index has no rows that are deleted softly.
func lapses(index *gen.Index) bool {
	var a entsql.IndexAnnotation
	_, err := model.Annotation(index.Annotations, &a)
	return err == nil && strings.Contains(a.Where, "deleted_at IS NULL")
}
