package orm

import (
	"encoding/json"
	"reflect"
	"slices"

	"entgo.io/ent/entc/load"

	"github.com/entwine-go/entwine/kit/expose"
)

// addKeys adds the foreign keys that edges name by Field and that are declared nowhere
// else, as [expose.Keys] has them when the schema runs.
func addKeys(s *load.Schema) error {
	for _, e := range s.Edges {
		if e.Field == "" || slices.ContainsFunc(s.Fields, func(f *load.Field) bool { return f.Name == e.Field }) {
			continue
		}
		key, err := load.NewField(expose.Key(e.Field, e.Comment, e.Required, e.Immutable).Descriptor())
		if err != nil {
			return err
		}
		if err := move(e, key); err != nil {
			return err
		}
		s.Fields = append(s.Fields, key)
	}
	return nil
}

// move takes from an edge what is said of its foreign key: how the APIs show it, and
// the value of rows that are there.
func move(e *load.Edge, key *load.Field) error {
	of := expose.Field{}.Name()
	if says, ok := e.Annotations[of]; ok {
		key.Annotations[of] = says
		delete(e.Annotations, of)
	}
	of = expose.Change{}.Name()
	said, ok := e.Annotations[of]
	if !ok {
		return nil
	}
	text, err := json.Marshal(said)
	if err != nil {
		return err
	}
	var c expose.Change
	if err := json.Unmarshal(text, &c); err != nil {
		return err
	}
	if c.Backfill == "" {
		return nil
	}
	key.Annotations[of] = expose.Change{Backfill: c.Backfill, Inverses: c.Inverses}
	c.Backfill, c.Inverses = "", nil
	if e.Annotations[of] = c; reflect.ValueOf(c).IsZero() {
		delete(e.Annotations, of)
	}
	return nil
}
