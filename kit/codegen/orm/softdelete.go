package orm

import (
	"text/template"

	"github.com/entwine-go/entwine/kit/codegen/model"
	"github.com/entwine-go/entwine/kit/codegen/source"
)

// softDeletes are methods of Ent's clients: deleting a row softly with what
// goes with it, and bringing exactly that back, for every door that writes.
var softDeletes = template.Must(template.New("softdelete").Funcs(template.FuncMap{
	"tenanted": func(e *model.Entity) bool { return model.TenantOf(e.Type) != nil },
}).Parse(`{{ .Header }}

package ent

import (
	"context"
	"time"

	{{ range .Entities }}
	"{{ $.Module }}/ent/{{ .Type.Package }}"
	{{- end }}
	"{{ .Module }}/ent/predicate"
	{{- if .Tenancy }}
	"{{ .Module }}/ent/tenancy"
	{{- end }}
	"{{ .Module }}/ent/typedid"
	"{{ .Kit }}/policy"
	{{- if .Takes }}
	"{{ .Kit }}/viewer"
	{{- end }}
)
{{ range $e := .Entities }}{{ $package := .Type.Package }}
// Hide deletes the row softly{{ if .DeletedWith }}, and with it its {{ range $i, $g := .DeletedWith }}{{ if $i }}, {{ end }}{{ $g.Name }}{{ end }}{{ end }}.
// It returns how many rows it touched, 0 or 1: none that is deleted, hidden
// from the viewer or not theirs to delete.{{ if .DeletedWith }} The context has a transaction.{{ end }}
func (c *{{ .Name }}Client) Hide(ctx context.Context, id {{ .Type.ID.Type }}, at time.Time, where ...predicate.{{ .Name }}) (int, error) {
	{{ if .DeletedWith }}n, err :={{ else }}return{{ end }} c.Update().Where({{ $package }}.ID(id), {{ $package }}.DeletedAtIsNil()).Where(where...).
		SetDeletedAt(at).Save(policy.As(ctx, policy.Delete))
	{{- if .DeletedWith }}
	if n == 0 || err != nil {
		return n, err
	}
	ctx = viewer.With(ctx, {{ if tenanted . }}tenancy.{{ .Name }}().AsSystem(viewer.From(ctx)){{ else }}viewer.From(ctx).AsSystem(){{ end }}) // a caller who may delete the row may delete what goes with it
	{{- range .DeletedWith }}{{ $to := .To.Type.Package }}
	if err := New{{ .To.Name }}Client(c.config).Update().Where({{ $to }}.{{ .FarKey.StructField }}(id), {{ $to }}.DeletedAtIsNil()).
		SetDeletedAt(at).SetDeletedWith(int64(id)).Exec(ctx); err != nil {
		return n, err
	}
	{{- end }}
	return n, nil
	{{- end }}
}

// Restore brings a deleted row back{{ if .DeletedWith }}, and with it what its deletion took along{{ end }}.
// It returns how many rows it touched, 0 or 1.{{ if .DeletedWith }} The context has a transaction.{{ end }}
func (c *{{ .Name }}Client) Restore(ctx context.Context, id {{ .Type.ID.Type }}, where ...predicate.{{ .Name }}) (int, error) {
	{{ if .DeletedWith }}n, err :={{ else }}return{{ end }} c.Update().Where({{ $package }}.ID(id), {{ $package }}.DeletedAtNotNil()).Where(where...).
		ClearDeletedAt().ClearDeletedWith().Save(policy.As(ctx, policy.Restore))
	{{- if .DeletedWith }}
	if n == 0 || err != nil {
		return n, err
	}
	ctx = viewer.With(ctx, {{ if tenanted . }}tenancy.{{ .Name }}().AsSystem(viewer.From(ctx)){{ else }}viewer.From(ctx).AsSystem(){{ end }})
	{{- range .DeletedWith }}{{ $to := .To.Type.Package }}
	if err := New{{ .To.Name }}Client(c.config).Update().Where({{ $to }}.{{ .FarKey.StructField }}(id), {{ $to }}.DeletedWith(int64(id))).
		ClearDeletedAt().ClearDeletedWith().Exec(ctx); err != nil {
		return n, err
	}
	{{- end }}
	return n, nil
	{{- end }}
}
{{ end }}`))

// writeSoftDeletes adds them to package ent, if an entity has any.
func writeSoftDeletes(tree *source.Tree, m *model.Model) error {
	var soft []*model.Entity
	takes, tenancy := false, false // a deletion takes other rows along, and some of tenants
	for _, e := range m.Entities {
		if e.SoftDelete {
			soft = append(soft, e)
			takes = takes || len(e.DeletedWith()) > 0
			tenancy = tenancy || len(e.DeletedWith()) > 0 && model.TenantOf(e.Type) != nil
		}
	}
	folder := tree.Folder("ent")
	if len(soft) == 0 {
		return folder.RemoveOthers("softdelete.go")
	}
	return folder.WriteGo("softdelete.go", softDeletes, source.Data{"Entities": soft, "Takes": takes, "Tenancy": tenancy})
}
