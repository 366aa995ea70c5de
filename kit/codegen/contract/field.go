package contract

import (
	"fmt"
	"slices"

	"entgo.io/ent/dialect/sql/schema"
	"entgo.io/ent/entc/gen"

	"github.com/entwine-go/entwine/kit/codegen/model"
	"github.com/entwine-go/entwine/kit/expose"
	"github.com/entwine-go/entwine/kit/viewer"
)

// fieldOf describes a field of a type, as the column keeps it.
func fieldOf(m *model.Model, shown *model.Entity, f *gen.Field, column *schema.Column) (Field, error) {
	var change expose.Change
	if _, err := model.Annotation(f.Annotations, &change); err != nil {
		return Field{}, err
	}
	says, err := model.FieldAnnotation(f.Annotations)
	if err != nil {
		return Field{}, err
	}
	field := Field{
		Name: f.Name, Was: change.Was, Column: f.StorageKey(), Null: f.Optional, Unique: f.Unique || says.Unique,
		Default: defaultOf(f), Backfill: change.Backfill, Values: valuesOf(f), ValuesWas: change.Values,
	}
	if column != nil {
		field.Null = column.Nullable
		field.Stored = storedAs(column)
	}
	switch {
	case says.Tally != nil:
		field.Kept = text(says.Tally)
	case says.Stamp != nil:
		field.Kept = text(says.Stamp)
	case says.Follow != nil:
		field.Kept = text(says.Follow)
	}
	if shown == nil {
		return field, nil
	}
	for _, visible := range shown.Fields {
		if visible.Name == f.Name {
			field.Shown = shownOf(visible)
			field.Shown.Scans = scans(m, visible)
			field.Generated = visible.Units()
		}
	}
	return field, nil
}

// storedAs is the type of a column. A text's length is the APIs' limit, unless
// the column has one of its own.
func storedAs(c *schema.Column) string {
	stored := c.Type.String()
	if c.Size > 0 {
		stored += fmt.Sprintf("(%d)", c.Size)
	}
	if len(c.SchemaType) > 0 {
		stored += " " + text(c.SchemaType)
	}
	return stored
}

func defaultOf(f *gen.Field) string {
	switch {
	case !f.Default:
		return ""
	case f.DefaultFunc():
		return Computed
	}
	return text(f.DefaultValue())
}

func valuesOf(f *gen.Field) []string {
	if !f.IsEnum() {
		return nil
	}
	return f.EnumValues()
}

// shownOf is the field's form in the APIs.
func shownOf(f *model.Field) *Shown {
	s := &Shown{
		REST: f.REST, GraphQL: f.GraphQL, Kind: f.Kind, Ref: f.Ref, Currency: f.Currency,
		Nullable: f.Nullable(), Secret: f.Secret, Create: f.OnCreate(), Update: f.OnUpdate(),
		Required: f.RequiredOnCreate(), Replaced: f.RequiredOnReplace(),
		Visible: roles(f.Visible), Writable: roles(f.Writable), Known: f.Known,
		Filter: f.FilterBy(), Sort: f.SortBy(), Search: f.SearchBy(), Limits: limitsOf(f.Field),
	}
	if f.Ending != nil {
		s.Deprecated, s.Sunset = true, f.Ending.Sunset
	}
	if f.Old != nil {
		s.WasREST, s.WasGraphQL = f.Old.REST, f.Old.GraphQL
	}
	if f.Object != nil {
		s.Limits.MinItems, s.Limits.MaxItems = &f.Object.Minimum, &f.Object.Maximum
	}
	if size := f.Size(); size > 0 {
		s.Limits.MaxSize = &size
	}
	return s
}

func limitsOf(f expose.Field) Limits {
	return Limits{
		MinLength: f.MinLength, MaxLength: f.MaxLength, Minimum: f.Minimum, Maximum: f.Maximum, MaxItems: f.MaxItems,
		Pattern: f.Pattern, Format: f.Format,
	}
}

func roles(all []viewer.Role) (names []string) {
	for _, r := range all {
		names = append(names, string(r))
	}
	slices.Sort(names)
	return names
}

// scans reports whether listings that filter or sort by the field read the table.
func scans(m *model.Model, f *model.Field) bool {
	return (f.FilterBy() || f.SortBy() || f.SearchBy()) && !m.Serves(f)
}
