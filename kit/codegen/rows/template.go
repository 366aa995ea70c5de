package rows

import (
	"text/template"
)

// entityFile describes how an entity is written.
var entityFile = template.Must(template.New("rows").Funcs(functions).Parse(`{{ .Header }}

package rows
{{ with .E }}{{ $e := . }}
// {{ .Name }} describes how {{ words .Path }} are written.
var {{ .Name }} = write.Described(schema.{{ .Name }}{}, &write.Entity{
	Entity: entity.{{ .Name }}, Versioned: {{ .Versioned }}, SoftDelete: {{ .SoftDelete }},{{ if .InSteps }} InSteps: true,{{ end }}
	{{- with .Keeps }}
	Keeps: map[string]*kitentity.Own{
		{{- range . }}
		"{{ .Name }}": {{ keeps $e.Type . }},
		{{- end }}
	},
	{{- end }}
	Fields: []*write.Field{
		{{- range .Inputs }}
		{Field: entity.{{ $e.Name }}Fields.{{ .Type.StructField }}
			{{- if .OnCreate }}, OnCreate: true{{ end }}
			{{- if .OnUpdate }}, OnUpdate: true{{ end }}
			{{- if .Demanded }}, Required: true{{ end }}
			{{- with .Writers }}, Writers: {{ . }}{{ end }}
			{{- if .Caller }}, Caller: true{{ end }}
			{{- if .Kept }}, Kept: true{{ end }}
			{{- if .Secret }}, Secret: true{{ end }}
			{{- if .Set }}{{ with .Size }}, Size: {{ . }}{{ end }}{{ end }}
			{{- with .Decode }}, Decode: {{ . }}{{ end }}
			{{- with .Refers }}, Refers: entity.{{ .To.Name }}{{ if .To.KeyField }}, Key: "{{ .Name }}"{{ end }}{{ end }}},
		{{- end }}
	},
	{{- with .Constraints }}
	Constraints: []write.Constraint{
		{{- range . }}
		{Name: "{{ .Name }}", Fields: []string{ {{- range .Fields }}"{{ . }}", {{ end -}} }, Says: {{ printf "%q" .Says }}
			{{- if .Declared }}, Rule: resource(schema.{{ $e.Name }}{}).Checks[{{ .At }}].Folded(){{ end }}},
		{{- end }}
	},
	{{- end }}
	{{- with .Attached }}
	Edges: []*write.Edge{
		{{- range . }}
		write.Attached(entity.{{ $e.Name }}.Edge("{{ .Name }}"), "{{ .IDs }}", "{{ .GraphQLIDs }}"),
		{{- end }}
	},
	{{- end }}
	{{- with .MarkList }}
	Marks: []*write.Mark{
		{{- range . }}
		{
			Mark: marks(schema.{{ $e.Name }}{}, "{{ .Verb }}"), Of: {{ .Of.Name }}, Count: entity.{{ $e.Name }}Fields.{{ .Count.Type.StructField }},
			To: {{ .Of.Name }}.Field("{{ .To.Name }}"), By: {{ .Of.Name }}.Field("{{ .By.Name }}"),
		},
		{{- end }}
	},
	{{- end }}
	{{- if .Acts }}
	Actions: {{ camel .Name }}Actions(),
	{{- end }}
	{{- if .Links }}
	Links: resource(schema.{{ $e.Name }}{}).Links,
	{{- end }}
	{{- if .Upsert }}
	Upsert: resource(schema.{{ $e.Name }}{}).Upsert,
	{{- end }}
	{{- with .Makes }}
	Making: func(ctx context.Context, methods any, in write.Values) (write.Result, error) {
		return methods.(*Methods).{{ $e.Name }}.Create(ctx, in)
	},
	{{- end }}
	{{- with .Beside "create" }}
	CreateBeside: write.Inputs(beside(schema.{{ $e.Name }}{}, "create"), []*write.Field{
		{{- range . }}
		{{ .Described }},
		{{- end }}
	}),
	{{- end }}
	{{- with .Beside "patch" }}
	UpdateBeside: write.Inputs(beside(schema.{{ $e.Name }}{}, "patch"), []*write.Field{
		{{- range . }}
		{{ .Described }},
		{{- end }}
	}),
	{{- end }}
})
{{ if .Moving }}
func init() {
	{{ .Name }}.State = write.Stateful(schema.{{ .Name }}{}, entity.{{ .Name }})
}
{{ end }}{{ end }}`))

// indexFile gathers the descriptions.
var indexFile = template.Must(template.New("index").Parse(`{{ .Header }}

// Package rows describes each exposed entity to package write: its fields as
// inputs.
package rows

import (
	"slices"

	"entgo.io/ent"

	"{{ .Kit }}/expose"
	"{{ .Kit }}/read"
	"{{ .Kit }}/store"
	"{{ .Kit }}/write"
)

// All lists the exposed entities.
var All = []*write.Entity{
	{{- range .Entities }}
	{{ .Name }},
	{{- end }}
}

// Engine returns an engine that writes all of them.
func Engine(db *store.DB) *write.Engine {
	return &write.Engine{
		DB: db, Entities: All,
		Reader: &read.Reader{DB: db.Reads(), Dialect: db.Dialect},
	}
}

// resource is the schema's annotation expose.Resource.
func resource(s ent.Interface) expose.Resource {
	r, _ := expose.ResourceOf(s)
	return r
}

// marks is the schema's declaration of a mark.
func marks(s ent.Interface, verb string) expose.Mark {
	r := resource(s)
	return r.Marks[slices.IndexFunc(r.Marks, func(m expose.Mark) bool { return m.Verb == verb })]
}

// beside are the inputs of an operation that are no fields of the entity.
func beside(s ent.Interface, operation expose.Operation) []ent.Field {
	r := resource(s)
	return r.Beside[slices.IndexFunc(r.Beside, func(b expose.Beside) bool { return slices.Contains(b.On, operation) })].Input
}
`))
