package triggers

import (
	"fmt"

	"github.com/entwine-go/entwine/kit/codegen/model"
	"github.com/entwine-go/entwine/kit/expose"
)

// attaching are the triggers that attach a file to the row whose field has its address
// (expose.File), and release it once the field has another or the row is removed, by
// whatever writes the row. Each statement touches one row of the table of files, which
// its address finds.
func attaching(e *model.Entity) []trigger {
	var all []trigger
	for _, f := range e.Fields {
		if f.File == nil {
			continue
		}
		column, name := f.Type.StorageKey(), fmt.Sprintf("file_of_%s_%s_on_", e.Type.Table(), f.Type.StorageKey())
		is := func(row string) string { return fmt.Sprintf("%s.%q LIKE '%s%%'", row, column, expose.FilePath) }
		now := named("entity_id", "entity_text", e.Type, e.Type.ID, "NEW")
		attach := fmt.Sprintf("UPDATE \"files\" SET %s, \"released_at\" = NULL\n"+
			"\tWHERE \"address\" = NEW.%q AND \"entity\" = '%s' AND \"field\" = '%s' AND (\"entity_id\" IS NULL OR %s);",
			now.set(), column, e.Name, f.Name, now.is())
		release := func(at string) string {
			return fmt.Sprintf("UPDATE \"files\" SET \"released_at\" = %s\n"+
				"\tWHERE \"address\" = OLD.%q AND %s AND \"field\" = '%s';", at, column, named("entity_id", "entity_text", e.Type, e.Type.ID, "OLD").is(), f.Name)
		}
		changes := fmt.Sprintf("COALESCE(NEW.%q, '') <> COALESCE(OLD.%[1]q, '')", column)
		all = append(all,
			trigger{name: name + "insert", table: e.Type.Table(), on: "insert", when: is("NEW"), body: []string{attach}},
			trigger{
				name: name + "update", table: e.Type.Table(), on: "update", when: fmt.Sprintf("%s AND (%s OR %s)", changes, is("NEW"), is("OLD")),
				body: []string{release(postgresNow), attach}, lite: []string{release(SQLiteNow), attach},
			},
			trigger{
				name: name + "delete", table: e.Type.Table(), on: "delete", when: is("OLD"),
				body: []string{release(postgresNow)}, lite: []string{release(SQLiteNow)},
			},
		)
	}
	return all
}
