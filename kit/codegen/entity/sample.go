package entity

import (
	"fmt"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"text/template"

	"entgo.io/ent/dialect/entsql"
	"entgo.io/ent/entc/gen"

	"github.com/entwine-go/entwine/kit/codegen/model"
	"github.com/entwine-go/entwine/kit/codegen/source"
	"github.com/entwine-go/entwine/kit/expose"
)

var samplesFile = template.Must(template.New("samples").Parse(`{{ .Header }}

package entity

import (
	{{- if .Keeps }}
	"{{ .Kit }}/mutation"
	{{- end }}
	"{{ .Kit }}/sample"
	{{- range .Keepers }}
	"{{ . }}"
	{{- end }}
	{{- if .Scans }}
	"{{ .Module }}/schema"
	{{- end }}
)

// Samples describe the tables of the exposed entities to who invents rows.
func Samples() []sample.Table {
	return []sample.Table{
		{{- range .Tables }}
		{
			Entity: "{{ .Entity }}", Path: "{{ .Path }}", Name: "{{ .Name }}",
			{{- with .Kept }}
			Kept: "{{ . }}",
			{{- end }}
			{{- with .Unique }}
			Unique: {{ . }},
			{{- end }}
			{{- with .Checks }}
			Checks: {{ . }},
			{{- end }}
			Columns: []sample.Column{
				{{- range .Columns }}
				{ {{- . -}} },
				{{- end }}
			},
		},
		{{- end }}
	}
}
`))

// sampleTable is a table as the template writes it.
type sampleTable struct {
	Entity, Path, Name, Kept, Unique, Checks string
	Columns                                  []string
}

// writeSamples describes the tables to who invents rows.
func writeSamples(folder *source.Folder, m *model.Model, schema string) error {
	var tables []sampleTable
	used := keepers{schema: schema}
	for _, e := range m.Entities {
		tables = append(tables, sampleOf(e))
		for _, f := range e.Type.Fields {
			if sampled(e, f) {
				used.add(f)
			}
		}
	}
	return folder.WriteGo("samples.go", samplesFile, source.Data{"Tables": tables, "Keeps": used.Any, "Keepers": used.Paths, "Scans": used.Schemas})
}

func sampleOf(e *model.Entity) sampleTable {
	t := sampleTable{Entity: e.Name, Path: e.Path, Name: e.Type.Table()}
	var folds []string
	checks := checksOf(e.Type)
	for _, f := range e.Type.Fields {
		a, err := model.FieldAnnotation(f.Annotations)
		if err != nil {
			continue // the check of all fields reported it
		}
		if of, folded := strings.CutSuffix(f.Name, expose.FoldSuffix); folded && e.Field(of) != nil && e.Field(of).Fold == f.StorageKey() {
			folds = append(folds, fmt.Sprintf("Name: %q, Kind: sample.Fold, Of: %q", f.StorageKey(), e.Field(of).Type.StorageKey()))
			continue
		}
		kept := a.ReadOnly || a.Internal || f.Sensitive()
		if !sampled(e, f) {
			continue
		}
		if model.LeadsWithin(e.Type, f) { // to a row of the same parent, which none that is invented would be
			if f.Optional {
				continue
			}
			t.Kept = f.StorageKey() + " leads to a row of the same parent"
		}
		if kind, _ := sampleKind(e, f, &model.Field{Field: a, Type: f}); kept && !f.Default && !f.Optional && kind != "Ref" && t.Kept == "" {
			t.Kept = "it sets " + f.StorageKey()
		}
		t.Columns = append(t.Columns, sampleColumn(e, f, &model.Field{Field: a, Type: f, Entity: e, Name: f.Name}, kept))
	}
	t.Columns = append(t.Columns, folds...)
	if !createdByClients(e) {
		t.Kept = "no generated operation creates them"
	}
	var unique [][]string
	for _, i := range e.Type.Indexes {
		if i.Unique {
			unique = append(unique, i.Columns)
		}
	}
	if len(unique) > 0 {
		t.Unique = fmt.Sprintf("%#v", unique)
	}
	if len(checks) > 0 {
		t.Checks = fmt.Sprintf("%#v", checks)
	}
	return t
}

// sampled reports whether rows that are invented have the field: those that only the
// service sets are left out where they can be null and no check speaks of them.
func sampled(e *model.Entity, f *gen.Field) bool {
	a, err := model.FieldAnnotation(f.Annotations)
	kept := a.ReadOnly || a.Internal || f.Sensitive()
	if err == nil && a.File != nil && !a.File.Elsewhere { // an address of no file would be refused
		return mentions(checksOf(e.Type), f.StorageKey())
	}
	return err == nil && (!kept || !f.Optional || mentions(checksOf(e.Type), f.StorageKey()))
}

// mentions reports whether a check speaks of the column.
func mentions(checks []string, column string) bool {
	word := regexp.MustCompile(`\b` + regexp.QuoteMeta(column) + `\b`)
	return slices.ContainsFunc(checks, word.MatchString)
}

// createdByClients reports whether a generated operation makes rows, or none
// is there at all: rows such as likes are made by actions, and are what their
// foreign keys say.
func createdByClients(e *model.Entity) bool {
	if e.Under != "" {
		return e.Has(expose.Replace) || e.Has(expose.Patch)
	}
	return e.Has(expose.Create) || len(e.Operations) == 0 && len(e.ByHand) == 0
}

func checksOf(t *gen.Type) []string {
	var a entsql.Annotation
	if ok, err := model.Annotation(t.Annotations, &a); !ok || err != nil {
		return nil
	}
	var all []string
	if a.Check != "" {
		all = append(all, a.Check)
	}
	for _, check := range a.Checks {
		all = append(all, check)
	}
	slices.Sort(all)
	return all
}

// sampleColumn is the column's literal, without braces.
func sampleColumn(e *model.Entity, f *gen.Field, shown *model.Field, kept bool) string {
	parts := []string{fmt.Sprintf("Name: %q", f.StorageKey())}
	add := func(yes bool, format string, args ...any) {
		if yes {
			parts = append(parts, fmt.Sprintf(format, args...))
		}
	}
	kind, of := sampleKind(e, f, shown)
	add(true, "Kind: sample.%s", kind)
	add(of != "", "Of: %q", of)
	add(f.Optional, "Null: true")
	if tree := model.TreeOf(e.Type); tree != nil {
		add(tree.Key == f, "Roots: true")
	}
	add(f.Unique || shown.Unique, "Unique: true")
	add(kept, "Kept: true")
	add(f.IsEnum(), "Values: %#v", f.EnumValues())
	value := sampleDefault(f, kind)
	add(value != "", "Default: %s", value)
	add(shown.MinLength != nil, "Shortest: %v", deref(shown.MinLength))
	longest := int(f.Column().Size)
	switch {
	case shown.MaxLength != nil:
		longest = *shown.MaxLength
	case shown.MaxSize != nil:
		longest = *shown.MaxSize
	}
	add(longest > 0 && longest < 1<<31-1, "Longest: %d", longest)
	add(shown.MaxItems != nil, "Most: %v", deref(shown.MaxItems))
	add(shown.Minimum != nil, "Least: sample.Bound(%v)", deref(shown.Minimum))
	add(shown.Maximum != nil, "Greatest: sample.Bound(%v)", deref(shown.Maximum))
	add(shown.Pattern != "", "Pattern: %q", shown.Pattern)
	format := shown.Format
	if shown.File != nil { // there are addresses elsewhere alone
		format = "uri"
	}
	add(format != "", "Format: %q", format)
	if own := model.Keeps(e.Type, f); own != "" {
		add(true, "Store: %s.Write", own)
	}
	return strings.Join(parts, ", ")
}

func deref[T any](p *T) any {
	if p == nil {
		return nil
	}
	return *p
}

func sampleKind(e *model.Entity, f *gen.Field, shown *model.Field) (kind, of string) {
	for _, edge := range e.Type.Edges {
		if edge.Field() == f {
			return "Ref", edge.Type.Table()
		}
	}
	switch {
	case shown.Currency != "":
		return "Amount", ""
	case f.IsEnum():
		return "Enum", ""
	case f.IsBool():
		return "Bool", ""
	case f.Type.String() == "date.Date":
		return "Date", ""
	case f.IsTime():
		return "Time", ""
	case f.IsUUID():
		return "UUID", ""
	case f.IsBytes():
		return "Bytes", ""
	case shown.Strings():
		return "Strings", ""
	case f.IsJSON():
		return "JSON", ""
	case f.Type.Type.Integer():
		return "Int", ""
	case f.Type.Type.Float():
		return "Float", ""
	}
	return "Text", ""
}

// sampleDefault is the literal of the default as the column has it, empty for none.
func sampleDefault(f *gen.Field, kind string) string {
	switch {
	case kind == "JSON" && f.Type.RType != nil && f.Type.RType.Kind == reflect.Slice && f.Type.RType.Ident != "json.RawMessage":
		return `"[]"`
	case kind == "JSON":
		return `"{}"`
	case kind == "Strings" && f.Default:
		return `"[]"`
	case !f.Default || f.DefaultFunc():
		return ""
	}
	switch value := reflect.ValueOf(f.DefaultValue()); {
	case value.Kind() == reflect.String && kind != "Int" && kind != "Amount" && kind != "Float":
		return fmt.Sprintf("%q", value.String())
	case value.Kind() == reflect.Bool:
		return fmt.Sprint(value.Bool())
	case kind == "Float":
		return fmt.Sprintf("float64(%v)", value)
	}
	return fmt.Sprintf("int64(%v)", f.DefaultValue())
}
