package triggers

import (
	"fmt"
	"strings"

	"github.com/entwine-go/entwine/kit/codegen/model"
)

// forgetting is the triggers that replace texts about a person once the
// foreign key to the person has become null.
func forgetting(e *model.Entity) []trigger {
	set := map[string][]string{}
	var keys []string
	for _, f := range e.Type.Fields {
		a, _ := model.FieldAnnotation(f.Annotations)
		if a.Forget == nil {
			continue
		}
		key := a.Forget.Column
		if set[key] == nil {
			keys = append(keys, key)
		}
		text := "'" + strings.ReplaceAll(a.Forget.Replacement, "'", "''") + "'"
		if a.File != nil {
			text = "NULL" // the address of no file
		}
		set[key] = append(set[key], fmt.Sprintf("%q = %s", f.StorageKey(), text))
	}
	var triggers []trigger
	for _, key := range keys {
		triggers = append(triggers, trigger{
			name: "forget_" + e.Type.Table() + "_" + key, table: e.Type.Table(), on: "update",
			when: fmt.Sprintf("OLD.%q IS NOT NULL AND NEW.%q IS NULL", key, key),
			body: []string{fmt.Sprintf("UPDATE %q SET %s WHERE \"id\" = NEW.\"id\";", e.Type.Table(), strings.Join(set[key], ", "))},
		})
	}
	return triggers
}
