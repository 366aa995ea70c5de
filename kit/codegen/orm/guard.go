package orm

import (
	"slices"
	"strconv"
	"strings"
	"text/template"

	"github.com/entwine-go/entwine/kit/codegen/model"
	"github.com/entwine-go/entwine/kit/codegen/source"
	"github.com/entwine-go/entwine/kit/viewer"
)

// guards are methods of Ent's mutations: what the vocabulary says about
// values and about who sets them, for every door that writes.
var guards = template.Must(template.New("guard").Funcs(template.FuncMap{
	"quote": quoteRoles, "guarded": guarded, "restricted": restricted, "judged": judged, "enumValues": enumValues, "plain": plain,
}).Parse(`{{ .Header }}

package ent

import (
	"context"
	"reflect"
	"strings"
	"unicode/utf8"

	{{ range .Entities }}{{ if judged . }}
	"{{ $.Module }}/ent/{{ .Type.Package }}"
	{{- end }}{{ end }}
	"{{ .Module }}/ent/typedid"
	"{{ .Kit }}/expose"
	"{{ .Kit }}/policy"
	"{{ .Kit }}/problem"
	"{{ .Kit }}/viewer"
)

// validText reports whether both databases take the text.
func validText(s string) bool { return utf8.ValidString(s) && strings.IndexByte(s, 0) < 0 }

const badText = "must be valid UTF-8 without NUL"

// alike compares values of types that have no ==.
func alike(a, b any) bool { return reflect.DeepEqual(a, b) }

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

// GuardCreate sees to it that the caller sets only what they may. A field
// that is the caller's is filled in; a field that only some may set must have
// its default.
func (m *{{ $mutation }}) GuardCreate(ctx context.Context) error {
	{{- if guarded . }}
	v := viewer.From(ctx)
	{{- range .Fields }}
	{{- if .Caller }}
	if given, ok := m.{{ .Type.MutationGet }}(); !ok && v.UserID != 0 {
		m.{{ .Type.MutationSet }}({{ .Type.Type }}(v.UserID))
	} else if ok && int64(given) != v.UserID && !v.System{{ with .OnBehalf }} && !v.Is({{ quote . }}){{ end }} {
		return policy.Denied(v)
	}
	{{- end }}
	{{- if and .Writable .OnCreate }}
	if {{ if .Type.Default }}value{{ else }}_{{ end }}, ok := m.{{ .Type.MutationGet }}(); ok && !v.System && !v.Is({{ quote .Writable }}){{ if .Type.Default }} && {{ if plain . }}value != {{ else }}!alike(value, {{ end }}{{ $e.Type.Package }}.{{ .Type.DefaultName }}{{ if .Type.DefaultFunc }}(){{ end }}{{ if not (plain .) }}){{ end }}{{ end }} {
		return policy.Denied(v)
	}
	{{- end }}
	{{- end }}
	{{- end }}
	return nil
}

// GuardUpdate sees to it that the caller changes only what they may: a field
// that only some may set can be named by others with its current value.
func (m *{{ $mutation }}) GuardUpdate(ctx context.Context, id {{ .Type.ID.Type }}) error {
	{{- if restricted . }}
	v := viewer.From(ctx)
	var same []func(*{{ $e.Name }}) bool
	{{- range restricted . }}
	if {{ if .Visible }}_{{ else }}value{{ end }}, ok := m.{{ .Type.MutationGet }}(); ok && !v.System && !v.Is({{ quote .Writable }}) {
		{{- if .Visible }}
		return policy.Denied(v) // to compare would tell what is hidden
	}
	if m.{{ .Type.StructField }}Cleared() && !v.System && !v.Is({{ quote .Writable }}) {
		return policy.Denied(v)
		{{- else }}
		m.{{ .Type.MutationReset }}()
		same = append(same, func(row *{{ $e.Name }}) bool { return {{ if .Type.Nillable }}row.{{ .Type.StructField }} != nil && {{ if plain . }}*{{ end }}{{ end }}{{ if plain . }}row.{{ .Type.StructField }} == value{{ else }}alike({{ if .Type.Nillable }}*{{ end }}row.{{ .Type.StructField }}, value){{ end }} })
		{{- if .Nullable }}
	}
	if m.{{ .Type.StructField }}Cleared() && !v.System && !v.Is({{ quote .Writable }}) {
		m.{{ .Type.MutationReset }}()
		same = append(same, func(row *{{ $e.Name }}) bool { return row.{{ .Type.StructField }} == nil })
		{{- end }}
		{{- end }}
	}
	{{- end }}
	if len(same) == 0 {
		return nil
	}
	row, err := m.Client().{{ $e.Name }}.Get(ctx, id)
	if IsNotFound(err) {
		return nil // the update will touch no row, and the door asks why
	}
	if err != nil {
		return err
	}
	for _, is := range same {
		if !is(row) {
			return policy.Denied(v)
		}
	}
	{{- end }}
	return nil
}
{{ end }}`))

// guarded reports whether a create sets some field that is not for everyone.
func guarded(e *model.Entity) bool {
	return len(restricted(e)) > 0 || slices.ContainsFunc(e.Fields, func(f *model.Field) bool { return f.Caller })
}

// restricted lists the fields that only some may change.
func restricted(e *model.Entity) []*model.Field {
	var fields []*model.Field
	for _, f := range e.Fields {
		if len(f.Writable) > 0 && (f.OnCreate() || f.OnUpdate()) {
			fields = append(fields, f)
		}
	}
	return fields
}

// judged reports whether the guards ask the entity's package about a value.
func judged(e *model.Entity) bool {
	return slices.ContainsFunc(e.Fields, func(f *model.Field) bool {
		if !f.OnCreate() && !f.OnUpdate() {
			return false
		}
		return f.Type.Validators > 0 || f.Type.IsEnum() || len(f.Writable) > 0 && f.Type.Default
	})
}

// plain reports whether values of the field have ==.
func plain(f *model.Field) bool { return f.Kind != "JSON" && f.Kind != "Bytes" && f.Kind != "Strings" }

// enumValues is the enum's values in a message.
func enumValues(f *model.Field) string { return strings.Join(f.Type.EnumValues(), ", ") }

func quoteRoles(roles []viewer.Role) string {
	quoted := make([]string, len(roles))
	for i, r := range roles {
		quoted[i] = strconv.Quote(string(r))
	}
	return strings.Join(quoted, ", ")
}

// writeGuards adds the guards to package ent.
func writeGuards(tree *source.Tree, m *model.Model) error {
	return tree.Folder("ent").WriteGo("guard.go", guards, source.Data{"Entities": m.Entities})
}
