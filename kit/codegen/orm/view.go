package orm

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"

	"entgo.io/ent/dialect/entsql"
	"entgo.io/ent/entc/gen"
	"entgo.io/ent/entc/load"
	"entgo.io/ent/schema"
	"entgo.io/ent/schema/field"

	"github.com/entwine-go/entwine/kit/codegen/model"
	"github.com/entwine-go/entwine/kit/expose"
)

// addRowID has the rows of a schema with a key of several columns (field.ID) read from a
// view over the table, which has an id: see [model.RowKey]. A key of which no id can be
// made is left, and so is that of a table between two entities (edge.Through), which is
// Ent's own: package model refuses both.
func addRowID(cfg *gen.Config, s *load.Schema, all []*load.Schema) error {
	var key field.Annotation
	if _, err := model.Annotation(s.Annotations, &key); err != nil || len(key.ID) == 0 || through(s, all) {
		return err
	}
	t, err := gen.NewType(cfg, s)
	if err != nil {
		return err
	}
	if k, _, wrong := model.NewRowKey(t, key.ID); wrong == nil {
		return readFrom(s, k, key.ID)
	}
	return nil
}

// readFrom has Ent and the APIs read the view of the key that is the fields with the names.
func readFrom(s *load.Schema, k model.RowKey, names []string) error {
	id, err := load.NewField(field.String("id").Immutable().Comment("The id: "+strings.Join(names, " and ")+", with ~ between them.").
		Annotations(expose.By(expose.Filter, expose.Sort), expose.Computed()).Descriptor())
	if err != nil {
		return err
	}
	s.Fields = append([]*load.Field{id}, s.Fields...)
	var table entsql.Annotation
	if _, err := model.Annotation(s.Annotations, &table); err != nil {
		return err
	}
	table.Table = k.View
	s.Annotations = maps.Clone(s.Annotations)
	delete(s.Annotations, field.Annotation{}.Name())
	for _, a := range []schema.Annotation{table, k} { // in the form that schemas are loaded in
		text, err := json.Marshal(a)
		if err != nil {
			return err
		}
		var plain map[string]any
		if err := json.Unmarshal(text, &plain); err != nil {
			return err
		}
		s.Annotations[a.Name()] = plain
	}
	return nil
}

// through reports whether rows of the schema are what is between two entities.
func through(s *load.Schema, all []*load.Schema) bool {
	return slices.ContainsFunc(all, func(o *load.Schema) bool {
		return slices.ContainsFunc(model.Ends(o), func(e *load.Edge) bool { return e.Through != nil && e.Through.T == s.Name })
	})
}
