package model

import (
	"errors"
	"slices"
	"strings"

	"entgo.io/ent/dialect/entsql"
	"entgo.io/ent/entc/gen"

	"github.com/entwine-go/entwine/kit/expose"
)

// indexSelective gives each field that is said to be selective an index in
// the order of listings. Where rows are deleted softly it is of those that are
// not, and says so in its last column, which SQLite would look up in the table
// otherwise: a count reads the index alone.
func (m *Model) indexSelective() {
	for _, e := range m.Entities {
		for _, f := range e.Fields {
			column := f.Type.StorageKey()
			if !f.Selective || f.Type.Unique {
				continue
			}
			columns := []string{column}
			for _, other := range m.order(e.Type) {
				if other != column {
					columns = append(columns, other)
				}
			}
			index := &gen.Index{Name: strings.ToLower(e.Type.Name) + "_by_" + column, Columns: columns}
			if e.SoftDelete {
				a := entsql.IndexWhere("deleted_at IS NULL")
				index.Columns = append(index.Columns, "deleted_at")
				index.Annotations = gen.Annotations{a.Name(): a}
			}
			e.Type.Indexes = append(e.Type.Indexes, index)
		}
	}
}

// Continued reports whether the index of the field serves an order by the field alone and
// then by the entity's own order. Keysets (after, after_id) have a time and an id alone.
func (f *Field) Continued() bool {
	return f.Selective && !f.Type.Unique && f.SortBy() && !f.Nullable() && f.Kind != "Time" && f.Kind != "Money" &&
		!slices.ContainsFunc(f.Entity.Order(), func(t Term) bool { return t.Field == f || t.Field.Nullable() || t.Field.Kind == "Money" })
}

// Unserved are the fields that listings filter or sort by, and no index
// serves, though the author has not said that it is meant ([expose.Scanned]).
// They are no mistakes: the table may be small.
func (m *Model) Unserved() (all []error) {
	for _, e := range m.Entities {
		if !e.Offers(expose.List) || e.Under != "" {
			continue // listed within a parent, by the index of its key
		}
		for _, f := range e.Fields {
			if f.Scanned {
				continue
			}
			if f.SearchBy() && f.Parts() == "" {
				all = append(all, ProblemAt(e.Type, f.Name, errors.New(
					"listings are searched by it, and no index serves that: Search of the expose.Resource gives the entity one, expose.Scanned() says that the table may be read")))
			}
			if !f.FilterBy() && !f.SortBy() || m.serves(e, f) {
				continue
			}
			all = append(all, ProblemAt(e.Type, f.Name, errors.New(
				"listings "+f.uses()+" by it, and no index serves that: expose.Selective() gives it one, expose.Scanned() says that the table may be read")))
		}
	}
	return all
}

// uses says what listings do with the field.
func (f *Field) uses() string {
	switch {
	case !f.SortBy():
		return "filter"
	case !f.FilterBy():
		return "sort"
	}
	return "filter and sort"
}

// Serves reports whether an index serves listings by the field.
func (m *Model) Serves(f *Field) bool {
	if f.SearchBy() && f.Parts() == "" {
		return false
	}
	return !f.FilterBy() && !f.SortBy() || m.serves(f.Entity, f)
}

// serves reports whether an index begins with the field: one of all rows, or
// of those that are not deleted.
func (m *Model) serves(e *Entity, f *Field) bool {
	column := f.Type.StorageKey()
	switch {
	case f.Name == "id" || f.Type.Unique:
		return true
	case RowKeyOf(e.Type) != nil && RowKeyOf(e.Type).Columns[0] == column:
		return true // the key's own index
	case f.Kind == "Money":
		return slices.ContainsFunc(m.UnitIndexes, func(i UnitIndex) bool { return i.Of == f })
	}
	return slices.ContainsFunc(e.Type.Indexes, func(i *gen.Index) bool {
		var a entsql.IndexAnnotation
		_, err := Annotation(i.Annotations, &a)
		return err == nil && leads(e.Type, i) == column && (a.Where == "" || a.Where == "deleted_at IS NULL" ||
			!f.SortBy() && a.Where == column+" IS NOT NULL") // which a filter by a value implies
	})
}
