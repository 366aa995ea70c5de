package orm

import (
	"slices"

	"entgo.io/ent/entc/gen"

	"github.com/entwine-go/entwine/kit/codegen/model"
)

// before are the states that a row may have before it gets each of the field's values,
// that value among them: nil where the field has no moves.
func before(f *gen.Field) (map[string][]string, error) {
	a, err := model.FieldAnnotation(f.Annotations)
	if err != nil || len(a.Moves) == 0 {
		return nil, err
	}
	states := map[string][]string{}
	for _, state := range f.EnumValues() {
		states[state] = []string{state}
		for _, m := range a.Moves {
			if slices.Contains(m.Tos, state) {
				states[state] = append(states[state], m.Froms...)
			}
		}
		slices.Sort(states[state])
		states[state] = slices.Compact(states[state])
	}
	return states, nil
}
