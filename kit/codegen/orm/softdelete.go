package orm

import (
	"slices"
	"text/template"

	"github.com/entwine-go/entwine/kit/codegen/model"
	"github.com/entwine-go/entwine/kit/codegen/source"
)

// softDeletes are methods of Ent's clients: deleting a row softly with what
// goes with it, and bringing exactly that back.
var softDeletes = template.Must(template.New("softdelete").Parse(`{{ .Header }}

package ent

import (
	"context"
	"time"

	{{ range .Entities }}
	"{{ $.Module }}/ent/{{ .Type.Package }}"
	{{- end }}
	"{{ .Module }}/ent/predicate"
	{{- if .Typed }}
	"{{ .Module }}/ent/typedid"
	{{- end }}
	{{- if .UUIDs }}
	"github.com/google/uuid"
	{{- end }}
	"{{ .Kit }}/policy"
)
{{ range $e := .Entities }}{{ $package := .Type.Package }}
// Hide deletes the row softly{{ if .DeletedWith }}, and the database with it its {{ range $i, $g := .DeletedWith }}{{ if $i }}, {{ end }}{{ $g.Name }}{{ end }}{{ end }}.
// It returns how many rows it touched, 0 or 1: none that is deleted, hidden
// from the viewer or not theirs to delete.
func (c *{{ .Name }}Client) Hide(ctx context.Context, id {{ .Type.ID.Type }}, at time.Time, where ...predicate.{{ .Name }}) (int, error) {
	return c.Update().Where({{ $package }}.ID(id), {{ $package }}.DeletedAtIsNil()).Where(where...).
		SetDeletedAt(at).Save(policy.As(ctx, policy.Delete))
}

// Restore brings a deleted row back{{ if .DeletedWith }}, and the database with it what its deletion took along{{ end }}.
// It returns how many rows it touched, 0 or 1.
func (c *{{ .Name }}Client) Restore(ctx context.Context, id {{ .Type.ID.Type }}, where ...predicate.{{ .Name }}) (int, error) {
	return c.Update().Where({{ $package }}.ID(id), {{ $package }}.DeletedAtNotNil()).Where(where...).
		ClearDeletedAt().ClearDeletedWith().Save(policy.As(ctx, policy.Restore))
}
{{ end }}`))

// writeSoftDeletes adds them to package ent, if an entity has any.
func writeSoftDeletes(tree *source.Tree, m *model.Model) error {
	var soft []*model.Entity
	for _, e := range m.Entities {
		if e.SoftDelete {
			soft = append(soft, e)
		}
	}
	folder := tree.Folder("ent")
	if len(soft) == 0 {
		return folder.RemoveOthers("softdelete.go")
	}
	return folder.WriteGo("softdelete.go", softDeletes, source.Data{"Entities": soft,
		"Typed": slices.ContainsFunc(soft, func(e *model.Entity) bool { return e.Type.ID.Type.Type.Integer() }),
		"UUIDs": slices.ContainsFunc(soft, func(e *model.Entity) bool { return e.Type.ID.IsUUID() }),
	})
}
