package triggers

import (
	"fmt"
	"strings"

	"github.com/entwine-go/entwine/kit/codegen/model"
	"github.com/entwine-go/entwine/kit/gid"
)

// Full-text search finds the newest rows first, and looks at no more of the others than it
// has to: ids that are numbers say which these are. A row whose id is a text or a UUID has a
// number for it, in the order in which rows are inserted: on PostgreSQL a column of the
// row, and on SQLite, whose full-text tables know rows by numbers alone, a row of another
// table.

// byNumbers reports whether the ids of the entity are numbers.
func byNumbers(e *model.Entity) bool { return model.IDsOf(e.Type.ID) == gid.Numbers }

// age is PostgreSQL's column of the numbers.
func age(e *model.Entity) keptColumn {
	return keptColumn{
		table: model.StoredIn(e.Type), name: model.SearchRow, kind: "bigint", once: true,
		value: fmt.Sprintf("nextval('%s')", model.SearchRows(e.Type)),
	}
}

// ageObjects are the column, what it is counted by, and the index that the newest rows are
// read from.
func ageObjects(e *model.Entity) []Object {
	table, rows := model.StoredIn(e.Type), model.SearchRows(e.Type)
	return append(append([]Object{{Name: rows, Create: fmt.Sprintf("CREATE SEQUENCE %q", rows)}}, age(e).objects()...),
		Object{Name: model.SearchRow + "_" + table, Create: fmt.Sprintf("CREATE INDEX %q ON %q (%q)", model.SearchRow+"_"+table, table, model.SearchRow)})
}

// numberedTexts are SQLite's full-text tables of an entity whose ids are no numbers. One
// trigger keeps them all: SQLite says nothing of the order of several.
func numberedTexts(e *model.Entity) []Object {
	table, rows, key := e.Type.Table(), model.SearchRows(e.Type), e.Type.ID.StorageKey()
	was, is, oldest := model.RowID(e.Type, "OLD"), model.RowID(e.Type, "NEW"), "rowid"
	if model.RowKeyOf(e.Type) != nil {
		oldest = key // a view numbers no rows
	}
	kind := "text"
	if model.IDsOf(e.Type.ID) == gid.UUIDs {
		kind = "uuid" // of the same affinity, so that the index finds them
	}
	number := func(id string) string {
		return fmt.Sprintf("(SELECT \"row\" FROM %q WHERE \"id\" = %s)", rows, id)
	}
	objects := []Object{{Name: rows, Create: fmt.Sprintf(
		"CREATE TABLE %q (\"row\" integer PRIMARY KEY, \"id\" %s NOT NULL UNIQUE);\nINSERT INTO %[1]q (\"id\") SELECT %[4]q FROM %[3]q ORDER BY %[5]q", rows, kind, table, key, oldest)}}
	insert := []string{fmt.Sprintf("INSERT INTO %q (\"id\") VALUES (%s);", rows, is)}
	renamed, added := renumbered(e), is
	if renamed != "" {
		added = was // until the last statement
	}
	var update, changed, remove []string
	for _, t := range fullTexts(e) {
		columns := strings.Join(t.columns, ", ")
		objects = append(objects, Object{Name: t.name, Create: fmt.Sprintf(
			"CREATE VIRTUAL TABLE %q USING fts5(%s, content='', %s);\nINSERT INTO %[1]q (\"rowid\", %[2]s) SELECT \"rows\".\"row\", %[2]s FROM %[4]q AS \"rows\" CROSS JOIN %[5]q AS \"texts\" ON \"texts\".%[6]q = \"rows\".\"id\"",
			t.name, columns, t.options, rows, table, key)})
		insert = append(insert, t.add(number(is)))
		update = append(update, t.remove(number(was)), t.add(number(added)))
		changed = append(changed, t.changed(""))
		remove = append(remove, t.remove(number(was)))
	}
	if renamed != "" {
		update = append(update, fmt.Sprintf("UPDATE %q SET \"id\" = %s WHERE \"id\" = %s;", rows, is, was))
		changed = append(changed, renamed)
	}
	remove = append(remove, fmt.Sprintf("DELETE FROM %q WHERE \"id\" = %s;", rows, was))
	for _, t := range []trigger{
		{on: "insert", lite: insert},
		{on: "update", lite: update, when: strings.Join(changed, " OR ")},
		{on: "delete", lite: remove},
	} {
		t.table, t.name = model.StoredIn(e.Type), "search_"+table+"_on_"+t.on
		objects = append(objects, t.sqlite())
	}
	return objects
}
