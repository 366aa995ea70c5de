package model

import (
	"fmt"
	"slices"

	"entgo.io/ent/entc/gen"
	"entgo.io/ent/schema/field"

	"github.com/entwine-go/entwine/kit/codegen/naming"
	"github.com/entwine-go/entwine/kit/expose"
	"github.com/entwine-go/entwine/kit/gid"
)

// Field is a field that the APIs show.
type Field struct {
	expose.Field
	Type   *gen.Field
	Entity *Entity
	// Name is the schema's name, REST the name in REST v1, GraphQL the names
	// in GraphQL (the first is the camelCase one).
	Name, REST string
	GraphQL    []string
	// Kind is the name of a read.Kind.
	Kind string
	// Ref is the entity that a foreign key leads to.
	Ref string
	// Known is set where anonymous callers do not see the field.
	Known bool
	// Ending is when the field ends, nil where it does not.
	Ending *expose.Ending
	// Old is its name before and OldValues are those of its values; Now is the field
	// that this is an old name of. See [Field.Alias].
	Old       *Old
	OldValues []OldValue
	Now       *Field
	// Fold is the column of the folded text.
	Fold string
	// Members are the fields of each object of a list, in an action's input.
	Members []*Field
}

// FilterBy reports whether listings can be filtered by the field.
func (f *Field) FilterBy() bool { return slices.Contains(f.By, expose.Filter) }

// SortBy reports whether listings can be sorted by the field.
func (f *Field) SortBy() bool { return slices.Contains(f.By, expose.Sort) }

// SearchBy reports whether listings can be searched by the field.
func (f *Field) SearchBy() bool { return slices.Contains(f.By, expose.Search) }

// Parts is the index that finds parts of the field's text, empty for none.
func (f *Field) Parts() string {
	if !f.SearchBy() || len(f.Entity.SearchFields) == 0 {
		return ""
	}
	return f.Entity.Parts()
}

// OnCreate reports whether a client can set the field when it creates a row: an id, where
// nothing else makes it.
func (f *Field) OnCreate() bool { return !f.ReadOnly && (f.Name != "id" || f.Given()) }

// Given reports whether the field is the id of rows to which clients give theirs.
func (f *Field) Given() bool {
	return f.Kind == "ID" && !f.ReadOnly && IDsOf(f.Type) != gid.Numbers && !f.Type.Default
}

// OnUpdate reports whether a client can change the field.
func (f *Field) OnUpdate() bool {
	return f.OnCreate() && f.Kind != "ID" && !f.Type.Immutable && !f.Initial
}

// EntityKind is the name of the field's kind in package entity, where a kind of ids says
// what these are.
func (f *Field) EntityKind() string {
	if f.Kind == "ID" || f.Kind == "Ref" {
		switch IDsOf(f.Type) {
		case gid.Texts:
			return "Text" + f.Kind
		case gid.UUIDs:
			return "UUID" + f.Kind
		}
	}
	return f.Kind
}

// IDsOf is the form of the ids that the field holds.
func IDsOf(f *gen.Field) gid.Form {
	switch {
	case f == nil, f.Type.Type.Integer():
		return gid.Numbers
	case f.IsUUID():
		return gid.UUIDs
	}
	return gid.Texts
}

// KeyKind is the name of the kind of the ids of the type's rows in package entity.
func KeyKind(t *gen.Type) string {
	return map[gid.Form]string{gid.Numbers: "ID", gid.Texts: "TextID", gid.UUIDs: "UUIDID"}[IDsOf(t.ID)]
}

// RequiredOnCreate reports whether a client must set the field when it creates a row.
func (f *Field) RequiredOnCreate() bool {
	return f.OnCreate() && !f.Type.Optional && !f.Type.Default && !f.Caller
}

// NamedOrNull reports whether an input has to be named and may be null, which is
// said by Nillable without Optional: to leave it out is no way to say null.
func (f *Field) NamedOrNull() bool { return f.RequiredOnCreate() && f.Type.Nillable }

// RequiredOnReplace reports whether a client must name the field when it
// replaces a row: it has no default to return to.
func (f *Field) RequiredOnReplace() bool {
	return f.OnUpdate() && !f.Type.Optional && !f.Type.Default && !f.Kept && len(f.Writable) == 0
}

// Tallied reports whether the field changes while the row's updated_at stays.
func (f *Field) Tallied() bool { return f.Tally != nil || f.Stamp != nil || f.Unversioned }

// Nullable reports whether the field can be null. Of JSON, Ent knows no
// pointer: it is null where it is optional.
func (f *Field) Nullable() bool {
	return f.Type.Nillable || f.Kind == "JSON" && f.Type.Optional && !f.Type.Default
}

// Size is how many bytes a value has at most, 0 where it is not counted in bytes.
func (f *Field) Size() int {
	switch {
	case f.Kind != "JSON" && f.Kind != "Bytes":
		return 0
	case f.MaxSize != nil:
		return *f.MaxSize
	}
	return expose.DefaultSize
}

// Strings reports whether the field is a list of texts.
func (f *Field) Strings() bool {
	return f.Type.IsJSON() && f.Type.Type.String() == "[]string"
}

func newField(e *Entity, f *gen.Field, a expose.Field) (*Field, error) {
	kind, err := kindOf(f, a)
	if err != nil {
		return nil, err
	}
	a.ReadOnly = a.ReadOnly || ownedBy(e.Type, f)
	shown := &Field{Field: a, Type: f, Entity: e, Name: f.Name, REST: f.Name, Kind: kind}
	if a.Named != "" {
		shown.REST = a.Named
	}
	if name, ok := e.Names[f.Name]; ok {
		shown.REST = name
	}
	if shown.Ending, err = ending(f.Annotations); err != nil {
		return nil, err
	}
	shown.Known = len(e.Public) > 0 && !slices.Contains(e.Public, f.Name)
	shown.GraphQL = []string{naming.GraphQL(f.Name)}
	if a.Also != "" {
		shown.GraphQL = append(shown.GraphQL, a.Also)
	}
	if err := shown.old(); err != nil {
		return nil, err
	}
	if a.Folded() {
		shown.Fold = f.StorageKey() + expose.FoldSuffix
	}
	for _, edge := range e.Type.Edges {
		if edge.Field() == f {
			shown.Kind, shown.Ref = "Ref", edge.Type.Name
		}
	}
	return shown, nil
}

func kindOf(f *gen.Field, a expose.Field) (string, error) {
	switch {
	case f.Name == "id":
		return "ID", nil
	case a.Currency != "":
		return "Money", nil
	case f.IsEnum():
		return "Enum", nil
	case f.Type.String() == "date.Date":
		return "Date", nil
	case f.IsBool():
		return "Bool", nil
	case f.IsTime():
		return "Time", nil
	case f.IsString():
		return "String", nil
	case f.IsJSON() && f.Type.RType != nil && f.Type.RType.Ident == "[]string":
		return "Strings", nil
	case f.IsJSON():
		return "JSON", nil
	case f.IsUUID():
		return "UUID", nil
	case f.IsBytes():
		return "Bytes", nil
	case f.Type.Type == field.TypeFloat64 || f.Type.Type == field.TypeFloat32:
		return "Float", nil
	case f.Type.Type.Integer():
		return "Int", nil
	}
	return "", fmt.Errorf("a field of type %s cannot be shown: string, text, enum, bool, int, float, time, date, UUID, bytes, JSON and []string are allowed, or expose.Internal()", f.Type)
}
