package graphql

import (
	"fmt"
	"slices"
	"strings"
	"text/template"

	"github.com/vektah/gqlparser/v2/ast"

	"github.com/entwine-go/entwine/kit/codegen/model"
	"github.com/entwine-go/entwine/kit/codegen/naming"
	"github.com/entwine-go/entwine/kit/codegen/source"
	"github.com/entwine-go/entwine/kit/expose"
)

// declaredQueries are those that the entity has beside its own.
func declaredQueries(e *model.Entity) ast.FieldList {
	var fields ast.FieldList
	for _, q := range e.Queries {
		f := &ast.FieldDefinition{Name: q.Name, Description: q.Comment, Type: ast.NonNullListType(ast.NonNullNamedType(e.Name, nil), nil)}
		if q.Caller {
			f.Type = ast.NamedType(e.Name, nil)
		}
		if q.Pages {
			f.Arguments = append(f.Arguments,
				argument("page", "Counts from 1.", ast.NamedType("Int", nil)),
				argument("limit", fmt.Sprintf("At most 100, and %d without it.", e.PageSize()), ast.NamedType("Int", nil)))
		}
		if q.By != "" {
			of := naming.Words(naming.Snake(e.Field(q.By).Ref))
			f.Arguments = append(f.Arguments, argument(q.By, "Only those of the "+of+" with the id.", ast.NamedType("ID", nil)))
		}
		if q.Search != "" {
			f.Arguments = append(f.Arguments, argument(q.Search, "", ast.NonNullNamedType("String", nil)))
		}
		fields = append(fields, f)
	}
	return fields
}

var queriesFile = template.Must(template.New("queries").Funcs(template.FuncMap{"plural": plural}).Parse(`{{ .Header }}

package generated

import (
	{{- if .Queries }}
	"{{ .Module }}/internal/entity"
	{{- end }}
	"{{ .Kit }}/graph/plan"
)

// Queries are those that entities have beside their own, by their names.
func Queries() map[string]plan.Declared {
	return map[string]plan.Declared{
		{{- range .Queries }}
		"{{ .Name }}": {
			Entity: entity.{{ .Entity.Name }},
			{{- if .Pages }} Pages: "{{ plural .Entity }}Connection",{{ end }}
			{{- if .By }} By: entity.{{ .Entity.Name }}Fields.{{ (.Entity.Field .By).Type.StructField }},{{ end }}
			{{- with .Search }} Search: "{{ . }}",{{ end }}
			{{- if .Caller }} Caller: true,{{ end }}
		},
		{{- end }}
	}
}
`))

// declaredQuery is a query with the entity that it is of.
type declaredQuery struct {
	expose.Query
	Entity *model.Entity
}

// writeQueries writes the table of what declared queries answer with.
func (g *Schema) writeQueries(folder *source.Folder) error {
	var all []declaredQuery
	for _, e := range g.model.Entities {
		for _, q := range e.Queries {
			all = append(all, declaredQuery{q, e})
		}
	}
	slices.SortFunc(all, func(a, b declaredQuery) int { return strings.Compare(a.Name, b.Name) })
	return folder.WriteGo("queries.go", queriesFile, source.Data{"Queries": all})
}
