// Package entity writes the descriptions of entities, internal/entity: columns,
// edges, policies, and what listings can do with each field. Both APIs read by
// them.
package entity

import (
	"fmt"
	"slices"
	"strings"
	"text/template"

	"entgo.io/ent/entc/gen"

	"github.com/entwine-go/entwine/kit/codegen/model"
	"github.com/entwine-go/entwine/kit/codegen/naming"
	"github.com/entwine-go/entwine/kit/codegen/source"
	"github.com/entwine-go/entwine/kit/codegen/triggers"
	"github.com/entwine-go/entwine/kit/expose"
	"github.com/entwine-go/entwine/kit/gen/generation"
)

var descriptionFile = template.Must(template.New("entity").Funcs(template.FuncMap{
	"quoted": quoted,
	"offers": func() string { return model.OffersField },
	"terms":  (*model.Entity).Order,
	"long":   long,
	"list":   list,
	"keeps":  model.Keeps,
	"key":    model.KeyColumn,
	"own":    ownKind,
	"snake":  naming.Snake,
	"camel":  naming.Camel,
	"pascal": naming.Pascal, "derivedKind": model.DerivedKind, "derivedName": model.DerivedName,
}).Parse(`{{ .Header }}

package entity

import (
	"{{ .Kit }}/entity"
	{{- if or .Entity.Conditional .Entity.HasFiles .Entity.Presence }}
	"{{ .Kit }}/expose"
	{{- end }}
	{{- if .Ends }}
	"{{ .Kit }}/lifecycle"
	{{- end }}
	{{- if .Keepers.Any }}
	"{{ .Kit }}/mutation"
	{{- end }}
	{{- if .Entity.Calcs }}
	"{{ .Kit }}/read"
	{{- end }}
	{{- range .Keepers.Paths }}
	"{{ . }}"
	{{- end }}
	{{- range .Renderings }}
	"{{ $.Kit }}/gen/{{ . }}"
	{{- end }}
	{{- if or (not .Links) .Restored .Entity.Rights }}
	"{{ .Kit }}/policy"
	{{- end }}
	{{- if .Roles }}
	"{{ .Kit }}/viewer"
	{{- end }}
	{{- if .Links }}
	"{{ .Module }}/ent/links"
	{{- end }}
	{{- if or (not .Links) .Entity.Conditional .Entity.Calcs .Entity.Presence .Keepers.Schemas }}
	"{{ .Module }}/schema"
	{{- end }}
)
{{ with .Entity }}
// {{ .Name }} describes the entity: {{ .Comment }}
var {{ .Name }} = &entity.Entity{
	Name:     "{{ .Name }}",
	Singular: "{{ .Singular }}",
	Path:     "{{ .Path }}",
	Table:    "{{ .Type.Table }}",
	Rules:    {{ if $.Links }}links.{{ .Name }}(){{ else }}policy.Of(schema.{{ .Name }}{}){{ end }},
	Limit:    {{ .PageSize }},
	{{- if .Changes }}
	Changes:  true,
	{{- end }}
	{{- if .Live }}
	Live:     true,
	{{- end }}
	{{- if .Presence }}
	Presence: expose.PresenceIn(schema.{{ .Name }}{}),
	{{- end }}
	{{- with .Old }}
	Was:      "{{ .Name }}", WasSingular: "{{ snake .Name }}", WasTable: "{{ .Table }}",
	{{- end }}
}

// {{ .Name }}Fields are the fields of {{ .Name }}.
var {{ .Name }}Fields = struct {
	{{ range .Fields }}{{ .Type.StructField }}, {{ end }}{{ range .Derived }}{{ pascal .Name }}, {{ end }}_ *entity.Field
}{
	{{- range .Fields }}
	{{ .Type.StructField }}: &entity.Field{
		Name: "{{ .Name }}", Column: "{{ .Type.StorageKey }}", REST: "{{ .REST }}", GraphQL: {{ quoted .GraphQL }},
		Kind: entity.{{ .EntityKind }},
		{{- if .Ref }} Ref: "{{ .Ref }}",{{ end }}
		{{- if .Type.IsEnum }} Values: []string{ {{- range .Type.EnumValues }}"{{ . }}", {{ end -}} },{{ end }}
		{{- if .Nullable }} Nullable: true,{{ end }}
		{{- if long . }} Long: true,{{ end }}
		{{- if .Href }} Href: true,{{ end }}
		{{- with .File }} File: &expose.FileRule{Size: {{ .Size }}{{ with .Types }}, Types: {{ quoted . }}{{ end }}{{ if .Elsewhere }}, Elsewhere: true{{ end }}{{ if .Issued }}, Issued: true{{ end }}{{ if .Image }}, Image: true, Pixels: {{ .Pixels }}{{ end }}
			{{- with .Variants }}, Variants: []expose.Variant{ {{- range . }}{Name: "{{ .Name }}", Width: {{ .Width }}, Height: {{ .Height }}, Fit: "{{ .Fit }}"{{ with .Format }}, Format: "{{ . }}"{{ end }}}, {{ end -}} }{{ end }}},{{ end }}
		{{- if .FilterBy }} Filter: true,{{ end }}
		{{- if .SortBy }} Sort: true,{{ end }}
		{{- if .Continued }} Continued: true,{{ end }}
		{{- if .SearchBy }} Fold: "{{ .Fold }}",{{ end }}
		{{- with .Parts }} Parts: "{{ . }}",{{ end }}
		{{- if .Lowest }} Lowest: "{{ .Lowest }}", Highest: "{{ .Highest }}",{{ end }}
		{{- if .Visible }} Roles: []viewer.Role{ {{- range .Visible }}"{{ . }}", {{ end -}} },{{ end }}
		{{- if .Known }} Known: true, Of: {{ $.Entity.Name }},{{ end }}
		{{- if .Scanned }} Scanned: true,{{ end }}
		{{- with index $.Shown .Name }} Expression: {{ printf "%q" . }},{{ end }}
		{{- if .Tallied }} Tallied: true,{{ end }}
		{{- with keeps .Entity.Type .Type }} Own: {{ . }},{{ end }}
		{{- with .Ending }} Ending: lifecycle.End({{ printf "%q, %q, %q" .Since .Sunset .Instead }}),{{ end }}
		{{- with .Old }} Old: &entity.Old{Name: "{{ .Name }}", REST: "{{ .REST }}", GraphQL: "{{ .GraphQL }}", Ending: lifecycle.End({{ with .Ending }}{{ printf "%q, %q, %q" .Since .Sunset .Instead }}{{ end }})},{{ end }}
		{{- with .OldValues }} OldValues: map[string]string{ {{- range . }}"{{ .Before }}": "{{ .Now }}", {{ end -}} },{{ end }}
	},
	{{- end }}
	{{- range .Derived }}
	{{ pascal .Name }}: &entity.Field{
		Name: "{{ .Name }}", Column: "{{ .Name }}", REST: "{{ .Name }}", GraphQL: []string{"{{ derivedName . }}"},
		Kind: entity.{{ derivedKind . }},{{ if not ($.Entity.Computed .Name) }} Expression: {{ printf "%q" .SQL }},{{ end }}
		{{- if .Nullable }} Nullable: true,{{ end }}
		{{- if .OnRequest }} OnRequest: true,{{ end }}
		{{- if .Single }} Single: true,{{ end }}
		{{- if .Render }} Long: true, Render: {{ .Render }}.HTML,{{ end }}
		{{- if .Values }} Values: {{ quoted .Values }},{{ end }}
		{{- if .Members }} Members: []entity.Member{
			{{- range .Members }}
			{Name: "{{ .Name }}", GraphQL: "{{ camel .Name }}"{{ if eq .Shape "amount" }}, Money: true{{ end }}},
			{{- end }}
		},{{ end }}
	},
	{{- end }}
}

func init() {
	f := &{{ .Name }}Fields
	{{- range .Fields }}{{ if .Currency }}
	f.{{ .Type.StructField }}.Currency = f.{{ (.Entity.Field .Currency).Type.StructField }}
	{{- if .Units }}
	f.{{ .Type.StructField }}.Units = &entity.Field{
		Name: "{{ .Name }}", Column: "{{ .UnitColumn }}", Kind: entity.Int, Nullable: {{ .Type.Nillable }},
	}
	{{- end }}
	{{- end }}{{ end }}
	{{- range .Derived }}{{ if .Currency }}
	f.{{ pascal .Name }}.Currency = f.{{ pascal .Currency }}
	{{- end }}{{ end }}
	{{ .Name }}.Fields = []*entity.Field{ {{- range .Fields }}{{ if not .Secret }}f.{{ .Type.StructField }}, {{ end }}{{ end }}{{ range .Derived }}f.{{ pascal .Name }}, {{ end -}} }
	{{- if .SearchFields }}
	{{ .Name }}.Search = []*entity.Field{ {{- range .SearchFields }}f.{{ .Type.StructField }}, {{ end -}} }
	{{- end }}
	{{- if .Calcs }}
	{{ .Name }}.Calcs = read.Calculated(schema.{{ .Name }}{},
		{{- range .Calcs }}
		&entity.Calc{
			Field: &entity.Field{
				Name: "{{ .Name }}", Column: "{{ .Name }}", REST: "{{ .Name }}", GraphQL: []string{"{{ .GraphQL }}"}, Kind: entity.{{ .Kind }}, Nullable: true,
				{{- if eq .Kind "Money" }} Currency: f.{{ (.Entity.Field .Currency).Type.StructField }},{{ end }}
			},
			{{- with .Scale }}
			Scale: {{ printf "%q" . }},
			{{- end }}
			{{- with .Arguments }}
			Arguments: []*entity.Argument{
				{{- range . }}
				{Field: &entity.Field{Name: "{{ .Name }}", REST: "{{ .REST }}", GraphQL: {{ quoted .GraphQL }}, Kind: entity.{{ .Kind }}
					{{- if .Type.IsEnum }}, Values: {{ quoted .Type.EnumValues }}{{ end }}}{{ if .RequiredOnCreate }}, Required: true{{ end }}},
				{{- end }}
			},
			{{- end }}
			Reads: []*entity.Field{ {{- range .Reads }}f.{{ .Type.StructField }}, {{ end -}} },
		},
		{{- end }}
	)
	{{- end }}
	{{- with .KeyField }}
	{{ .Entity.Name }}.Key = f.{{ .Type.StructField }}
	{{- end }}
	{{- if .Conditional }}
	rules := expose.Conditions(schema.{{ .Name }}{})
	{{- end }}
	{{- if .Offered }}
	f.{{ pascal offers }}.Of = {{ .Name }}
	f.{{ pascal offers }}.Offers = []entity.Offer{
		{{- range .Offered }}
		{
			Name: "{{ .Name }}", Method: "{{ .Method }}",{{ with .Mutation }} Mutation: "{{ . }}",{{ end }} Before: "{{ .Before }}", After: "{{ .After }}",
			{{- if .Verb }} Verb: "{{ .Verb }}",{{ end }}
			{{- with .Ending }} Ending: lifecycle.End({{ printf "%q, %q, %q" .Since .Sunset .Instead }}),{{ end }}
			{{- if .Deleted }} Deleted: true, Rule: policy.Anyone(),{{ else }} Rule: rules["{{ .Name }}"],{{ end }}
		},
		{{- end }}
	}
	{{- end }}
	{{- range .Rights }}
	f.{{ pascal .Name }}.Of, f.{{ pascal .Name }}.May = {{ $.Entity.Name }}, &entity.Offer{Verb: "{{ .Verb }}", Rule: policy.Anyone()}
	{{- end }}
	{{ .Name }}.Sort = []entity.Term{ {{- range terms . }}{Field: f.{{ .Field.Type.StructField }}, Desc: {{ .Desc }}}, {{ end -}} }
	{{- if .Edges }}
	{{ .Name }}.Edges = []*entity.Edge{
		{{- range .Edges }}
		{
			Name: "{{ .Name }}", GraphQL: "{{ camel .Name }}", To: {{ .To.Name }}, Many: {{ not .Type.Unique }},
			{{- if .Tree }}
			Tree: &entity.Tree{Column: "{{ .Tree.Key.StorageKey }}", Levels: {{ .Tree.Levels }}, Up: {{ .Tree.Up }}},
			{{- else if .Type.M2M }}
			Join: &entity.Join{Table: "{{ .Type.Rel.Table }}", From: "{{ if .Type.IsInverse }}{{ index .Type.Rel.Columns 1 }}{{ else }}{{ index .Type.Rel.Columns 0 }}{{ end }}", To: "{{ if .Type.IsInverse }}{{ index .Type.Rel.Columns 0 }}{{ else }}{{ index .Type.Rel.Columns 1 }}{{ end }}"},
			{{- else }}
			Column: "{{ .Type.Rel.Column }}", Own: {{ .Type.OwnFK }},
			{{- end }}
			{{- with key $.Entity.Type }} Key: "{{ . }}",{{ end }}
			{{- with own $.Entity.Type }} Of: entity.{{ . }},{{ end }}
			Required: {{ and .Type.OwnFK (not .Type.Optional) }}, Through: {{ .Through }}, Filter: {{ .Filter }},
			{{- with .Within }} Within: "{{ . }}",{{ end }}
			{{- with list $.Entity . }} List: "{{ . }}",{{ end }}
			{{- if .Old }} Old: &entity.Old{Name: "{{ .Old.Name }}", REST: "{{ .Old.REST }}", GraphQL: "{{ .Old.GraphQL }}", IDs: "{{ .Alias.IDs }}", Ending: lifecycle.End({{ with .Old.Ending }}{{ printf "%q, %q, %q" .Since .Sunset .Instead }}{{ end }})},{{ end }}
		},
		{{- end }}
	}
	{{- end }}
}
{{ end }}`))

var indexFile = template.Must(template.New("all").Parse(`{{ .Header }}

// Package entity describes every exposed entity: columns,
// edges, policies, and what listings can do with each field.
package entity

import (
	"{{ .Kit }}/entity"
	"{{ .Kit }}/gen/generation"
)

// Where this does not compile, the version of entwine in go.mod is not the one
// that generated it: weave generate.
const (
	_ = generation.Enforce({{ .Generation }} - generation.Oldest)
	_ = generation.Enforce(generation.Newest - {{ .Generation }})
)

// All lists the exposed entities.
var All = []*entity.Entity{
	{{- range .Entities }}
	{{ .Name }},
	{{- end }}
}
`))

// Write writes the descriptions that both APIs read by.
func Write(tree *source.Tree, m *model.Model) error {
	folder := tree.Folder("internal/entity")
	if err := folder.WriteGo("entity.go", indexFile, source.Data{"Entities": m.Entities, "Generation": generation.Newest}); err != nil {
		return err
	}
	schema := tree.Module + "/schema"
	for _, e := range m.Entities {
		if err := folder.WriteGo(naming.Snake(e.Name)+".go", descriptionFile, source.Data{
			"Entity": e, "Links": m.LinksOf(e), "Shown": shown(m, e),
			"Restored": slices.ContainsFunc(e.Offered, func(o model.Offer) bool { return o.Deleted }),
			"Keepers":  keepersOf(e, schema),
			"Roles":    hidesByRole(e), "Renderings": renderings(e),
			"Ends": slices.ContainsFunc(e.Fields, func(f *model.Field) bool { return f.Ending != nil || f.Old != nil }) ||
				slices.ContainsFunc(e.Edges, func(g *model.Edge) bool { return g.Old != nil }) ||
				slices.ContainsFunc(e.Offered, func(o model.Offer) bool { return o.Ending != nil }),
		}); err != nil {
			return err
		}
	}
	if err := writeSamples(folder, m, schema); err != nil {
		return err
	}
	return folder.RemoveOthers("*")
}

// shown are the expressions for fields whose columns lag behind, by their names.
func shown(m *model.Model, e *model.Entity) map[string]string {
	all := map[string]string{}
	for _, f := range e.Fields {
		if text := triggers.Shown(m, f); text != "" {
			all[f.Name] = text
		}
	}
	return all
}

// ownKind is the kind of the ids of the type's rows, empty where these are integers.
func ownKind(t *gen.Type) string {
	if kind := model.KeyKind(t); kind != "ID" {
		return kind
	}
	return ""
}

// long reports whether the field takes texts of over a thousand characters.
func long(f *model.Field) bool { return f.Type.IsString() && f.Type.Column().Size > 1000 }

// list is the path in REST of the list that an edge to many leads to: below the
// row, or by a filter of the other entity's own list.
func list(e *model.Entity, edge *model.Edge) string {
	if edge.Type.Unique {
		return ""
	}
	if slices.Contains(edge.Nested, expose.List) && e.KeyField == nil {
		return "/" + e.Path + "/{id}/" + strings.ReplaceAll(edge.Name, "_", "-")
	}
	key := edge.FarKey()
	if key == nil || edge.To.Under != "" || !slices.Contains(edge.To.Operations, expose.List) {
		return ""
	}
	if f := edge.To.Field(key.Name); f != nil && f.FilterBy() {
		return "/" + edge.To.Path + "?" + f.REST + "={id}"
	}
	return ""
}

// hidesByRole reports whether some field is for some roles only.
func hidesByRole(e *model.Entity) bool {
	for _, f := range e.Fields {
		if len(f.Visible) > 0 {
			return true
		}
	}
	return false
}

// renderings are the packages that make what is shown of texts.
func renderings(e *model.Entity) []string {
	var names []string
	for _, d := range e.Derived {
		if d.Render != "" && !slices.Contains(names, string(d.Render)) {
			names = append(names, string(d.Render))
		}
	}
	return names
}

func quoted(names []string) string {
	return fmt.Sprintf("%#v", names)
}
