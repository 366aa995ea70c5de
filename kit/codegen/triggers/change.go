package triggers

import (
	"fmt"
	"strings"

	"entgo.io/ent/entc/gen"
	"entgo.io/ent/schema/field"

	"github.com/entwine-go/entwine/kit/codegen/model"
)

// noting are the triggers that note the writes of an entity whose changes are followed
// (expose.Resource.Changes), with what policies may ask of the row before. A row that
// is deleted softly is one that is deleted, and writes of it are not noted.
func noting(e *model.Entity) []trigger {
	if !e.Changes {
		return nil
	}
	all := []trigger{
		note(e, "insert", "'insert'", "NEW", "", nil),
		note(e, "update", "'update'", "NEW", "", e.Judged()),
		note(e, "delete", "'delete'", "OLD", "", e.Judged()),
	}
	if e.SoftDelete {
		all = []trigger{
			note(e, "insert", "'insert'", "NEW", `NEW."deleted_at" IS NULL`, nil),
			note(e, "update", `CASE WHEN NEW."deleted_at" IS NOT NULL THEN 'delete' WHEN OLD."deleted_at" IS NOT NULL THEN 'insert' ELSE 'update' END`,
				"NEW", `NEW."deleted_at" IS NULL OR OLD."deleted_at" IS NULL`, e.Judged()),
			note(e, "delete", "'delete'", "OLD", `OLD."deleted_at" IS NULL`, e.Judged()),
		}
	}
	return all
}

// note is the trigger of one statement.
func note(e *model.Entity, on, kind, row, when string, before []*gen.Field) trigger {
	id := named("entity_id", "entity_text", e.Type, e.Type.ID, row)
	insert := func(xid, before, now string) string {
		return fmt.Sprintf("INSERT INTO \"changes\" (\"xid\", \"entity\", %s, \"kind\", \"before\", \"created_at\")\n"+
			"\tVALUES (%s, '%s', %s, %s, %s, %s);", id.columns, xid, e.Name, id.values, kind, before, now)
	}
	return trigger{
		name: fmt.Sprintf("change_of_%s_on_%s", e.Type.Table(), on), table: model.StoredIn(e.Type), on: on, when: when, announces: true,
		body: []string{insert(postgresXID, judged(e, before, "json_build_object", "::text", func(column string) string { return column }), postgresNow)},
		lite: []string{insert(sqliteXID, judged(e, before, "json_object", "", func(column string) string {
			return fmt.Sprintf("json(CASE WHEN %[1]s THEN 'true' WHEN NOT %[1]s THEN 'false' ELSE 'null' END)", column)
		}), SQLiteNow)},
	}
}

// judged is the JSON object of the columns of the row before, null where it was
// deleted softly.
func judged(e *model.Entity, columns []*gen.Field, object, cast string, flag func(column string) string) string {
	if columns == nil {
		return "NULL"
	}
	members := make([]string, len(columns))
	for i, f := range columns {
		column := model.Cell(e.Type, f, "OLD")
		if f.Type.Type == field.TypeBool {
			column = flag(column)
		}
		members[i] = fmt.Sprintf("'%s', %s", f.StorageKey(), column)
	}
	text := object + "(" + strings.Join(members, ", ") + ")" + cast
	if e.SoftDelete {
		return `CASE WHEN OLD."deleted_at" IS NULL THEN ` + text + " END"
	}
	return text
}
