package graphql

import (
	"slices"
	"strings"
	"text/template"

	"github.com/vektah/gqlparser/v2/ast"

	"github.com/entwine-go/entwine/kit/codegen/model"
	"github.com/entwine-go/entwine/kit/codegen/source"
)

// subscriptions are the root fields that the entity's topics feed.
func subscriptions(e *model.Entity) ast.FieldList {
	var fields ast.FieldList
	for _, s := range e.Subscriptions {
		f := &ast.FieldDefinition{Name: s.Name, Description: s.Comment, Type: ast.NonNullNamedType(e.Name, nil)}
		if s.Argument != "" {
			comment := s.ArgumentComment
			if comment == "" {
				comment = "The " + strings.ReplaceAll(s.Of.Singular, "_", " ") + "'s global id, or its " + plainID(s.Of) + "."
			}
			f.Arguments = ast.ArgumentDefinitionList{argument(s.Argument, comment, ast.NonNullNamedType("ID", nil))}
		}
		fields = append(fields, f)
	}
	return fields
}

var subscriptionsFile = template.Must(template.New("subscriptions").Parse(`{{ .Header }}

package generated

import (
	{{- if .Subscriptions }}
	"{{ .Module }}/internal/entity"
	{{- end }}
	"{{ .Kit }}/graph/subscribe"
	{{- if .Final }}
	"{{ .Kit }}/read"
	{{- end }}
)

// Announcements are the subscriptions by their names, with the events that each sends.
func Announcements() map[string]subscribe.Announcement {
	return map[string]subscribe.Announcement{
		{{- range .Subscriptions }}
		"{{ .Name }}": {
			Entity: entity.{{ .Entity.Name }}, Topics: []string{"{{ .Topic.Name }}"},
			{{- if .Deleted }} Deleted: true,{{ end }}
			{{- if .Argument }}
			Argument: "{{ .Argument }}", Of: entity.{{ .Of.Name }},
			{{- with .Gone }} Gone: "{{ . }}",{{ end }}
			{{- if .Present }} Present: true,{{ end }}
			{{- if .Final }}
			Final: read.Compare(entity.{{ .Entity.Name }}Fields.{{ .FinalField.Type.StructField }}, read.In, []any{
				{{- range .Final.Values }}"{{ . }}", {{ end -}}
			}),
			{{- end }}
			{{- end }}
		},
		{{- end }}
	}
}
`))

// writeSubscriptions writes the table of what feeds the subscriptions.
func (g *Schema) writeSubscriptions(folder *source.Folder) error {
	var all []*model.Subscription
	for _, e := range g.model.Entities {
		all = append(all, e.Subscriptions...)
	}
	slices.SortFunc(all, func(a, b *model.Subscription) int { return strings.Compare(a.Name, b.Name) })
	return folder.WriteGo("subscriptions.go", subscriptionsFile, source.Data{
		"Subscriptions": all, "Final": slices.ContainsFunc(all, func(s *model.Subscription) bool { return s.Final != nil }),
	})
}
