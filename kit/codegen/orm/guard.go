package orm

import (
	"slices"
	"strings"
	"text/template"

	"github.com/entwine-go/entwine/kit/codegen/model"
	"github.com/entwine-go/entwine/kit/codegen/source"
)

// guards are methods of Ent's mutations: what the vocabulary says about values,
// for activities that make rows themselves. Both APIs write by package writing.
var guards = template.Must(template.New("guard").Funcs(template.FuncMap{
	"judged": judged, "enumValues": enumValues,
}).Parse(`{{ .Header }}

package ent

import (
	"strings"
	"unicode/utf8"

	{{ range .Entities }}{{ if judged . }}
	"{{ $.Module }}/ent/{{ .Type.Package }}"
	{{- end }}{{ end }}
	"{{ .Kit }}/expose"
	"{{ .Kit }}/problem"
)

// validText reports whether both databases take the text.
func validText(s string) bool { return utf8.ValidString(s) && strings.IndexByte(s, 0) < 0 }

const badText = "must be valid UTF-8 without NUL"

// fits is the error of a value that is larger.
func fits(value any, size int) error { return expose.CheckSize(value, size) }
{{ range $e := .Entities }}{{ $mutation := .Type.MutationName }}
// Invalid lists what is wrong with the values of the mutation, all at once,
// by the names that the fields have in the schema.
func (m *{{ $mutation }}) Invalid() []problem.Detail {
	var bad []problem.Detail
	{{- range .Fields }}{{ if or .OnCreate .OnUpdate }}
	{{- $check := or .Type.Validators .Type.IsEnum }}{{ $text := eq .Kind "String" }}
	{{- $required := or .RequiredOnCreate (and .Caller (not .Type.Optional)) }}
	{{- if .Size }}
	if v, ok := m.{{ .Type.MutationGet }}(); ok {
		if err := fits(v, {{ .Size }}); err != nil {
			bad = append(bad, problem.Rulef("{{ .Name }}", nil, "%v", err))
		}
		{{- if $check }} else if err := {{ $e.Type.Package }}.{{ .Type.Validator }}(v); err != nil {
			bad = append(bad, problem.Rulef("{{ .Name }}", nil, "%v", err))
		}
		{{- end }}
	}{{ if $required }} else if m.Op().Is(OpCreate) {
		bad = append(bad, problem.Invalidf("{{ .Name }}", nil, "is required"))
	}{{ end }}
	{{- else if or $check $text }}
	if v, ok := m.{{ .Type.MutationGet }}(); ok {
		{{- if $text }}
		if !validText({{ if .Type.HasGoType }}string(v){{ else }}v{{ end }}) {
			bad = append(bad, problem.Invalidf("{{ .Name }}", nil, badText))
		}{{ if $check }} else {{ end }}
		{{- end }}
		{{- if .Type.IsEnum }}
		if {{ $e.Type.Package }}.{{ .Type.Validator }}(v) != nil {
			bad = append(bad, problem.Rulef("{{ .Name }}", v, "must be one of {{ enumValues . }}"))
		}
		{{- else if $check }}
		if err := {{ $e.Type.Package }}.{{ .Type.Validator }}({{ .Type.BasicType "v" }}); err != nil {
			bad = append(bad, problem.Rulef("{{ .Name }}", {{ if .Secret }}nil{{ else }}v{{ end }}, "%v", err))
		}
		{{- end }}
	}{{ if $required }} else if m.Op().Is(OpCreate) {
		bad = append(bad, problem.Invalidf("{{ .Name }}", nil, "is required"))
	}{{ end }}
	{{- else if $required }}
	if _, ok := m.{{ .Type.MutationGet }}(); !ok && m.Op().Is(OpCreate) {
		bad = append(bad, problem.Invalidf("{{ .Name }}", nil, "is required"))
	}
	{{- end }}{{ end }}{{ end }}
	return bad
}
{{ end }}`))

// judged reports whether the guards ask the entity's package about a value.
func judged(e *model.Entity) bool {
	return slices.ContainsFunc(e.Fields, func(f *model.Field) bool {
		if !f.OnCreate() && !f.OnUpdate() {
			return false
		}
		return f.Type.Validators > 0 || f.Type.IsEnum()
	})
}

// enumValues is the enum's values in a message.
func enumValues(f *model.Field) string { return strings.Join(f.Type.EnumValues(), ", ") }

// writeGuards adds the guards to package ent.
func writeGuards(tree *source.Tree, m *model.Model) error {
	return tree.Folder("ent").WriteGo("guard.go", guards, source.Data{"Entities": m.Entities})
}
