package orm

import (
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"slices"

	"entgo.io/ent/entc/load"
	entfield "entgo.io/ent/schema/field"

	"github.com/entwine-go/entwine/kit/codegen/model"
	"github.com/entwine-go/entwine/kit/expose"
)

// addKeys adds the foreign keys that edges name by Field and that are declared nowhere
// else, as [expose.Keys] has them when the schema runs. It refuses declared ones that are not as their
// edges, which Ent refuses without a place.
func addKeys(s *load.Schema, all []*load.Schema) error {
	var errs []error
	for _, e := range model.Ends(s) {
		if e.Field == "" {
			continue
		}
		if i := slices.IndexFunc(s.Fields, func(f *load.Field) bool { return f.Name == e.Field }); i >= 0 {
			errs = append(errs, agree(s, e, s.Fields[i]))
			continue
		}
		if id := idOf(e.Type, all); id != nil && !id.Type.Integer() { // the schema that runs knows no type of another
			field := "String(%[2]q)"
			if id.Type == entfield.TypeUUID {
				field = "UUID(%[2]q, uuid.UUID{})"
			}
			if !e.Required {
				field += ".Optional().Nillable()"
			}
			if e.Immutable {
				field += ".Immutable()"
			}
			errs = append(errs, &model.SchemaError{Entity: s.Name, Member: e.Name, Err: fmt.Errorf("the ids of %[1]s are no integers: field."+field+" among the Fields is allowed", e.Type, e.Field)})
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
	return errors.Join(errs...)
}

// agree refuses a declared foreign key that can be absent, or change, where its edge can't,
// and the other way round.
func agree(s *load.Schema, e *load.Edge, key *load.Field) error {
	wrong := func(format string) error {
		return &model.SchemaError{Entity: s.Name, Member: key.Name, Err: fmt.Errorf(format, e.Name)}
	}
	switch {
	case e.Required && key.Optional:
		return wrong("the edge %s is Required, and its field is Optional: both or neither is")
	case !e.Required && !key.Optional:
		return wrong("a row can be without the edge %s, and not without its field: the field with Optional().Nillable(), or the edge with Required() is allowed")
	case e.Immutable && !key.Immutable:
		return wrong("the edge %s is Immutable, and its field is not: both or neither is")
	case !e.Immutable && key.Immutable:
		return wrong("the field is Immutable, and its edge %s is not: both or neither is")
	}
	return nil
}

// idOf is the type of the ids of the entity with the name, nil where the schema
// has no field id.
func idOf(name string, all []*load.Schema) *entfield.TypeInfo {
	for _, s := range all {
		if i := slices.IndexFunc(s.Fields, func(f *load.Field) bool { return f.Name == "id" }); s.Name == name && i >= 0 {
			return s.Fields[i].Info
		}
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
