package adopt

import (
	"bytes"
	"fmt"
	"go/format"
	"slices"
	"strings"
	"text/template"
)

// Opened is the file that says who may do what with all that is adopted.
const Opened = "schema/adopted.go"

const opened = `package schema

import "github.com/entwine-go/entwine/kit/policy"

// adopted says who may read and write the rows of tables that weave adopt has read: admins.
// An entity is opened in its own method Policy: policy.Anyone() in the place of adopted
// lets everyone do the verb, policy.SignedIn() users, policy.Key("read") API keys.
// Package policy has the other rules.
var adopted = policy.Roles("admin")
`

var entityFile = template.Must(template.New("entity").Funcs(template.FuncMap{"quote": func(s string) string { return fmt.Sprintf("%q", s) }}).Parse(`package schema

import (
	{{- range .Imports }}
	{{ . }}
	{{- end }}
)
{{ with .Entity }}
// {{ .Name }} is a row of the table {{ .Table }}, which weave adopt has read. The table was there
// before, and migrations leave its columns alone.
{{- range .Why }}
//
// Decided: {{ . }}.
{{- end }}
{{- range .Checks }}
//
// The database keeps {{ . }}.
{{- end }}
type {{ .Name }} struct{ ent.Schema }

// Fields of the {{ .Name }}.
func ({{ .Name }}) Fields() []ent.Field {
	return []ent.Field{
		{{- range .Fields }}
		{{- range .Why }}
		// {{ . }}.
		{{- end }}
		{{ .Code }},
		{{- end }}
	}
}
{{ if .HasEdges }}
// Edges of the {{ .Name }}.
func ({{ .Name }}) Edges() []ent.Edge {
	return []ent.Edge{
		{{- range .Edges }}{{ with .Code }}
		{{ . }},
		{{- end }}{{ end }}
	}
}
{{ end }}
{{- if .Indexes }}
// Indexes of the {{ .Name }}.
func ({{ .Name }}) Indexes() []ent.Index {
	return []ent.Index{
		{{- range .Indexes }}
		index.Fields({{ range $i, $f := .Fields }}{{ if $i }}, {{ end }}{{ quote $f }}{{ end }}){{ if .Unique }}.Unique(){{ end }},
		{{- end }}
	}
}
{{ end }}
// Policy of the {{ .Name }}: it is closed, see adopted.go.
func ({{ .Name }}) Policy() ent.Policy {
	return policy.Rules{
		Read: adopted,
		{{- if .Closed }}
		Verbs: policy.Verbs{ {{- range $i, $v := .Closed }}{{ if $i }}, {{ end }}policy.{{ $v }}: adopted{{ end -}} },
		{{- end }}
	}
}

// Annotations of the {{ .Name }}.
func ({{ .Name }}) Annotations() []schema.Annotation {
	return []schema.Annotation{
		entsql.Table({{ quote .Table }}),
		schema.Comment({{ quote .Comment }}),
		{{- if .Key }}
		field.ID({{ range $i, $f := .Key }}{{ if $i }}, {{ end }}{{ quote $f }}{{ end }}),
		{{- end }}
		expose.Resource{
			Path: {{ quote .Path }}, Sort: "id", Operations: {{ .Exposed }},
			{{- if .Derived }}
			Derived: []expose.Derived{
				{{- range .Derived }}
				{Name: {{ quote .Name }}, Comment: {{ quote .Comment }}, Example: "2026-11-26 12:00:00", Shape: expose.Text, SQL: {{ quote .SQL }}{{ if .Nullable }}, Nullable: true{{ end }}},
				{{- end }}
			},
			{{- end }}
		},
	}
}
{{ end }}`))

// Files are those of schema/, by their names.
func (p *Plan) Files() (map[string][]byte, error) {
	files := map[string][]byte{Opened: []byte(opened)}
	for _, e := range p.Entities {
		text, err := e.Source()
		if err != nil {
			return nil, err
		}
		files[e.File] = text
	}
	return files, nil
}

// Source is the entity's file.
func (e *Entity) Source() ([]byte, error) {
	var text bytes.Buffer
	if err := entityFile.Execute(&text, map[string]any{"Entity": e, "Imports": e.imports()}); err != nil {
		return nil, err
	}
	code, err := format.Source(text.Bytes())
	if err != nil {
		return nil, fmt.Errorf("format %s: %w\n%s", e.File, err, text.Bytes())
	}
	return code, nil
}

// HasEdges reports whether an edge is said here: of one between rows of one entity
// the other end says both.
func (e *Entity) HasEdges() bool { return len(e.Edges) > 0 }

// Code is how the edge is said, empty where the other one says it.
func (g *Edge) Code() string { return g.code }

// imports are those of the file, with empty lines between groups.
func (e *Entity) imports() (lines []string) {
	all := []string{"entgo.io/ent", "entgo.io/ent/dialect/entsql", "entgo.io/ent/schema", "entgo.io/ent/schema/field", kit + "/expose", kit + "/policy"}
	if e.HasEdges() {
		all = append(all, "entgo.io/ent/schema/edge")
	}
	if len(e.Indexes) > 0 {
		all = append(all, "entgo.io/ent/schema/index")
	}
	for _, f := range e.Fields {
		all = append(all, f.form.imports...)
		if f.default_ == "tables.Now" {
			all = append(all, kit+"/tables")
		}
	}
	slices.Sort(all)
	groups := make([][]string, 3)
	for _, path := range slices.Compact(all) {
		at := 1
		if !strings.Contains(path, ".") {
			at = 0
		} else if strings.HasPrefix(path, kit) {
			at = 2
		}
		groups[at] = append(groups[at], fmt.Sprintf("%q", path))
	}
	for _, group := range groups {
		if len(lines) > 0 && len(group) > 0 {
			lines = append(lines, "")
		}
		lines = append(lines, group...)
	}
	return lines
}

// Code is how the field is said.
func (f *Field) Code() string {
	code := fmt.Sprintf("field.%s(%q%s)", f.form.of, f.Name, f.form.args)
	if f.form.of == "Enum" {
		code += ".Values(" + quoted(f.form.values) + ")"
	}
	if f.Column != f.Name {
		code += fmt.Sprintf(".StorageKey(%q)", f.Column)
	}
	switch {
	case f.Computed || f.Sensitive:
	case f.form.of == "String" && len(f.form.values) > 0:
		code = fmt.Sprintf("expose.Pattern(%s, %q, %q)", code, "^("+strings.Join(f.form.values, "|")+")$", "one of "+strings.Join(f.form.values, ", "))
	case f.form.size > 0:
		code = fmt.Sprintf("expose.Length(%s, 0, %d)", code, f.form.size)
	case f.form.low != 0:
		code = fmt.Sprintf("expose.Range(%s, %d, %d)", code, f.form.low, f.form.high)
	}
	code += f.form.tail
	if f.key || f.part {
		code += ".Immutable()"
	}
	if f.Nullable && !f.key {
		code += ".Optional()"
		if f.form.of != "JSON" {
			code += ".Nillable()"
		}
	}
	if f.default_ != "" {
		code += ".Default(" + f.default_ + ")"
	}
	if f.Name == "updated_at" && f.default_ == "tables.Now" && f.Computed && len(f.extra) > 0 {
		code += ".UpdateDefault(tables.Now)"
	}
	if f.Sensitive && f.hiding() == "Sensitive" {
		code += ".Sensitive()"
	}
	code += fmt.Sprintf(".\n\t\t\tComment(%q)", f.Comment)
	if notes := f.notes(); len(notes) > 0 {
		code += ".\n\t\t\tAnnotations(" + strings.Join(notes, ", ") + ")"
	}
	return code
}

// notes are the annotations.
func (f *Field) notes() (notes []string) {
	if len(f.by) > 0 && !f.Sensitive {
		notes = append(notes, "expose.By(expose."+strings.Join(f.by, ", expose.")+")")
	}
	if f.form.bare || f.Sensitive && f.hiding() != "Sensitive" {
		return []string{"expose.Internal()"}
	}
	if f.Computed && !f.Sensitive {
		notes = append(notes, "expose.Computed()")
	}
	return append(notes, f.extra...)
}

func quoted(all []string) string {
	var texts []string
	for _, s := range all {
		texts = append(texts, fmt.Sprintf("%q", s))
	}
	return strings.Join(texts, ", ")
}
