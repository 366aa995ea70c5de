package triggers

import (
	"fmt"
	"strings"

	"entgo.io/ent/entc/gen"
	"entgo.io/ent/schema/field"

	"github.com/entwine-go/entwine/kit/codegen/model"
)

// stamps are the triggers that set times when something becomes true of the
// row that a foreign key names. Entities that no API shows have them too.
func stamps(m *model.Model) ([]trigger, error) {
	var triggers []trigger
	for _, t := range m.Graph.Nodes {
		for _, f := range t.Fields {
			a, err := model.FieldAnnotation(f.Annotations)
			if err != nil {
				return nil, model.ProblemAt(t, f.Name, err)
			}
			if a.Stamp == nil {
				continue
			}
			other := referred(t, a.Stamp.Column)
			if other == nil || f.Type.Type != field.TypeTime || !f.Nillable {
				return nil, model.ProblemAt(t, f.Name, fmt.Errorf("expose.StampWhen(%q): a nillable time, and a foreign key of the same entity, are allowed", a.Stamp.Column))
			}
			triggers = append(triggers, stamp(t, f, a.Stamp.Column, other, a.Stamp.When))
		}
	}
	return triggers, nil
}

// stamp is the trigger of the other entity's table.
func stamp(t *gen.Type, f *gen.Field, key string, other *gen.Type, when string) trigger {
	set := func(now string) []string {
		return []string{fmt.Sprintf("UPDATE %q SET %q = %s WHERE %q = NEW.\"id\" AND %[2]q IS NULL;", t.Table(), f.StorageKey(), now, key)}
	}
	return trigger{
		name: "stamp_" + t.Table() + "_" + f.StorageKey(), table: other.Table(), on: "update",
		when: fmt.Sprintf("(%s) AND NOT (%s)", when, strings.ReplaceAll(when, "NEW.", "OLD.")),
		body: set(postgresNow), lite: set(SQLiteNow),
	}
}

// referred returns the entity that the foreign key leads to, nil where the
// field is none.
func referred(t *gen.Type, column string) *gen.Type {
	for _, edge := range t.Edges {
		if f := edge.Field(); f != nil && f.StorageKey() == column {
			return edge.Type
		}
	}
	return nil
}
