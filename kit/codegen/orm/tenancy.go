package orm

import (
	"os"
	"text/template"

	"entgo.io/ent/entc/gen"

	"github.com/entwine-go/entwine/kit/codegen/model"
	"github.com/entwine-go/entwine/kit/codegen/source"
)

var tenancyFile = template.Must(template.New("tenancy").Parse(`{{ .Header }}

// Package tenancy has the rules of entities whose rows belong to tenants, within
// these (doc/schema/tenants.md).
package tenancy

import (
	"{{ .Kit }}/policy"
	{{- if .Roles }}
	"{{ .Kit }}/viewer"
	{{- end }}
	{{- if .Typed }}
	"{{ .Module }}/ent/typedid"
	{{- end }}
	"{{ .Module }}/schema"
)
{{ range .Types }}
// {{ .Name }} returns the rules of {{ .Name }}.
func {{ .Name }}() policy.Rules {
	return policy.Of(schema.{{ .Name }}{}).Within(policy.Tenancy{
		Column: "{{ .Tenant.StorageColumn }}", Tables: tables(),
		{{- if .Typed }}
		Typed: func(id int64) any { return {{ .Tenant.Field.Type }}(id) },
		{{- end }}
		{{- if .Tenant.Users }} Viewers: true,{{ end }}
		{{- if .Tenant.Roles }} Across: []viewer.Role{ {{- range .Tenant.Roles }}"{{ . }}", {{ end -}} },{{ end }}
	})
}
{{ end }}
// tables are the columns of tenants, by the tables.
func tables() map[string]string {
	return map[string]string{
		{{- range .Types }}
		"{{ .Table }}": "{{ .Tenant.StorageColumn }}",
		{{- end }}
	}
}
`))

// tenanted is a type whose rows belong to tenants.
type tenanted struct {
	*gen.Type
	Tenant *model.Tenant
}

// Typed reports whether the column has a type of its own.
func (t tenanted) Typed() bool { return t.Tenant.Field.HasGoType() && !t.Tenant.Root() }

// writeTenancy writes the rules within tenants.
func writeTenancy(tree *source.Tree, m *model.Model) error {
	folder := tree.Folder("ent/tenancy")
	var types []tenanted
	roles, typed := false, false
	for _, t := range m.Tenanted() {
		types = append(types, tenanted{t, model.TenantOf(t)})
		typed = typed || types[len(types)-1].Typed()
		roles = roles || len(model.TenantOf(t).Roles) > 0
	}
	if len(types) == 0 {
		return os.RemoveAll(tree.Path("ent/tenancy"))
	}
	return folder.WriteGo("tenancy.go", tenancyFile, source.Data{"Types": types, "Roles": roles, "Typed": typed})
}
