package crud

import "text/template"

// table is the table of operations.
var table = template.Must(template.New("table").Parse(`{{ .Header }}

// Package crud has the table of REST's operations that follow from the schema,
// which package crud of the kit answers.
package crud

import (
	"{{ .Module }}/internal/entity"
	kitentity "{{ .Kit }}/entity"
	"{{ .Kit }}/expose"
	"{{ .Kit }}/rest/crud"
	"{{ .Kit }}/rest/handler"
)

// Entities as REST serves them.
var (
	{{- range .Entities }}
	{{ .Resource }} = &handler.Resource{Entity: entity.{{ .Name }}
		{{- with .Cache }}, Cache: "{{ . }}"{{ end }}
		{{- if .Located }}, Located: true{{ end }}}
	{{- end }}
)

// Resources are the resources of operations.
var Resources = []*handler.Resource{
	{{- range .Entities }}
	{{ .Resource }},
	{{- end }}
}

// Operations are those that follow from the schema, by operationId.
var Operations = map[string]*crud.Operation{
	{{- range $i, $e := .Entities }}{{ $resource := .Resource }}
	{{- if $i }}
	{{ end }}
	{{- range .Calls }}
	"{{ .ID }}": {Op: {{ .OpName }}, Resource: {{ $resource }}
		{{- with .Does }}, Verb: "{{ . }}"{{ end }}
		{{- with .Row }}, Row: "{{ . }}"{{ end }}
		{{- if .Nested }}, Parent: &crud.Parent{Entity: entity.{{ .Parent.Name }}, Row: "{{ .ID1 }}"
			{{- if .Edge.Tree }}, Tree: "{{ .Edge.Name }}"{{ else }}{{ with .ParentKey }}, Column: "{{ .StorageKey }}"{{ else }}, Edge: "{{ .Back.Name }}"{{ end }}{{ end }}
			{{- if .Open }}, Through: true{{ end }}}
		{{- end }}
		{{- if .Bulk }}, Bulk: &crud.Bulk{ {{- if .Bulk.Each }}Each: true, {{ end }}Maximum: {{ .Bulk.Maximum }}, Member: "{{ .Bulk.Member }}"}{{ end }}
		{{- if .Attaches }}, Edge: "{{ .Edge.Name }}", End: "{{ .ID2 }}"{{ end }}},
	{{- end }}
	{{- end }}
}
{{- with .Jobs }}

// Jobs are those that actions are answered with.
var Jobs = {{ .Name }}Resource
{{- end }}

// AlsoSent are second names of fields in bodies.
var AlsoSent = map[*kitentity.Field]string{
	{{- range .Also }}
	entity.{{ .Entity.Name }}Fields.{{ .Type.StructField }}: "{{ .AlsoSent }}",
	{{- end }}
}
`))
