package manifest

import (
	"cmp"
	"encoding/json"
	"strings"

	"github.com/entwine-go/entwine/kit/codegen/model"
	"github.com/entwine-go/entwine/kit/codegen/naming"
	"github.com/entwine-go/entwine/kit/entity"
	"github.com/entwine-go/entwine/kit/expose"
	"github.com/entwine-go/entwine/kit/manifest"
	"github.com/entwine-go/entwine/kit/viewer"
)

func fieldsOf(m *model.Model, e *model.Entity) (all []*manifest.Field) {
	for _, f := range e.Fields {
		d := field(f)
		d.ReadOnly = !f.OnCreate()
		switch {
		case !f.OnCreate():
		case f.RequiredOnCreate():
			d.Create = "required"
		default:
			d.Create = "optional"
		}
		d.Update = f.OnUpdate()
		d.Immutable = f.OnCreate() && !f.OnUpdate()
		d.Caller = f.Caller
		if f.Caller {
			d.OnBehalf = names(f.OnBehalf)
		}
		d.Restricted = len(f.Visible) > 0 || f.Known
		d.Unique = f.Type.Unique || f.Unique
		d.Sort, d.Search = f.SortBy(), f.SearchBy()
		d.Scans = (d.Sort || d.Search || f.FilterBy()) && (f.Scanned || !m.Serves(f))
		if f.FilterBy() {
			d.Filters = filters(f.EntityKind())
		}
		all = append(all, d)
	}
	return all
}

// filters are the operators by which lists compare fields of the kind.
func filters(name string) []string {
	operators := []string{"eq", "in"}
	for k := range entity.Forms() {
		if form := entity.Kind(k).Form(); form.Name == name && form.Ordered {
			operators = append(operators, "gte", "gt", "lte", "lt")
		}
	}
	return operators
}

// field describes the common parts of fields of entities and of inputs.
func field(f *model.Field) *manifest.Field {
	d := &manifest.Field{
		Name: f.REST, Label: label(f.Name), Description: f.Type.Comment(), GraphQL: f.GraphQL[0],
		Kind: kind(f.Kind), To: f.Ref, Nullable: f.Nullable(), Secret: f.Secret, Currency: f.Currency, Values: values(f),
		Limits: limits(f), Example: f.Example, Deprecated: ending(f.Ending),
		Long: f.Kind == "String" && (f.MaxLength == nil && f.Type.Column().Size > 255 || f.MaxLength != nil && *f.MaxLength > 1000),
	}
	if f.Ref != "" {
		d.Label = label(strings.TrimSuffix(f.Name, "_id"))
	}
	if f.Type.Default && f.Kind != "Money" {
		d.HasDefault = true
		if !f.Type.DefaultFunc() {
			d.Default = plain(f.Type.DefaultValue())
		}
	}
	for _, inner := range f.Members {
		d.Members = append(d.Members, input(inner))
	}
	if r := f.File; r != nil {
		d.File = &manifest.File{For: f.FileTarget(), MaxSize: r.Size, Types: r.Types, Pixels: r.Pixels, Elsewhere: r.Elsewhere, Issued: r.Issued}
		for _, v := range r.Variants {
			d.File.Variants = append(d.File.Variants, manifest.Variant{Name: v.Name, Width: v.Width, Height: v.Height, Fit: string(cmp.Or(v.Fit, expose.Inside)), Format: string(v.Format)})
		}
	}
	return d
}

// plain is the value as JSON has it, nil for what has no such form.
func plain(value any) (decoded any) {
	text, err := json.Marshal(value)
	if err != nil || json.Unmarshal(text, &decoded) != nil {
		return nil
	}
	return decoded
}

// inputs are the fields of an input.
func inputs(fields []*model.Field) (all []*manifest.Field) {
	for _, f := range fields {
		all = append(all, input(f))
	}
	return all
}

func input(f *model.Field) *manifest.Field {
	d := field(f)
	if d.Create = "optional"; f.RequiredOnCreate() {
		d.Create = "required"
	}
	return d
}

func values(f *model.Field) (all []manifest.Value) {
	if f.Enum != nil {
		for _, c := range f.Enum.Choices {
			all = append(all, manifest.Value{Name: c.Value, Label: label(c.Value), Description: c.Comment})
		}
	}
	if len(all) == 0 && f.Type.IsEnum() {
		for _, value := range f.Type.EnumValues() {
			all = append(all, manifest.Value{Name: value, Label: label(value)})
		}
	}
	return all
}

// limits bound the values of a field. Those of an amount are in minor units, which
// differ by currency: only the sign is given.
func limits(f *model.Field) *manifest.Bounds {
	b := manifest.Bounds{
		MinLength: f.MinLength, MaxLength: f.MaxLength, Minimum: f.Minimum, Maximum: f.Maximum, MaxItems: f.MaxItems,
		Pattern: f.Pattern, Format: f.Format,
	}
	if f.Kind == "Money" {
		b.Maximum = nil
		if b.Minimum != nil {
			least := min(*b.Minimum, 0)
			b.Minimum = &least
		}
	}
	if f.Object != nil {
		b.MinItems, b.MaxItems = &f.Object.Minimum, &f.Object.Maximum
	}
	if size := f.Size(); size > 0 {
		b.MaxSize = &size
	}
	if b == (manifest.Bounds{}) {
		return nil
	}
	return &b
}

func derivedOf(e *model.Entity) (all []*manifest.Field) {
	for _, d := range e.Derived {
		f := &manifest.Field{
			Name: d.Name, Label: label(d.Name), Description: d.Comment, GraphQL: model.DerivedName(d), Kind: kind(model.DerivedKind(d)),
			Nullable: d.Nullable, ReadOnly: true, Derived: true, OnRequest: d.OnRequest, Single: d.Single, Currency: d.Currency, Example: d.Example,
		}
		for _, value := range d.Values {
			f.Values = append(f.Values, manifest.Value{Name: value, Label: label(value)})
		}
		if d.Render != "" {
			f.Render, f.Long = "html", true
		}
		for _, member := range d.Members {
			if member.Name != model.MutationMember {
				f.Members = append(f.Members, memberOf(member))
			}
		}
		all = append(all, f)
	}
	return all
}

// shapes are the kinds of members by their shapes.
var shapes = map[expose.Shape]string{
	expose.Text: "string", expose.Count: "int", expose.Decimal: "float", expose.Flag: "bool", expose.Amount: "money",
	expose.Objects: "objects", expose.Moments: "time", expose.One: "object", expose.Values: "enum", expose.Texts: "strings",
}

// memberOf is a member of an answer.
func memberOf(m expose.Member) *manifest.Field {
	f := &manifest.Field{
		Name: m.Name, Label: label(m.Name), Description: m.Comment, GraphQL: naming.GraphQL(m.Name), Kind: shapes[m.Shape],
		Nullable: m.Nullable, Example: m.Example,
	}
	if m.Refers != "" {
		f.Kind, f.To = "ref", m.Refers
	}
	if m.Format != "" {
		f.Limits = &manifest.Bounds{Format: m.Format}
	}
	if m.Enum != nil {
		for _, c := range m.Enum.Choices {
			f.Values = append(f.Values, manifest.Value{Name: c.Value, Label: label(c.Value), Description: c.Comment})
		}
	}
	if m.Object != nil {
		for _, inner := range m.Object.Members {
			f.Members = append(f.Members, memberOf(inner))
		}
	}
	return f
}

func kind(name string) string { return strings.ToLower(name) }

func names(roles []viewer.Role) (all []string) {
	for _, r := range roles {
		all = append(all, string(r))
	}
	return all
}
