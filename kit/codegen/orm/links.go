package orm

import (
	"bytes"
	"fmt"
	"go/format"
	"os"
	"regexp"
	"slices"
	"text/template"

	"entgo.io/ent/entc/gen"

	"github.com/entwine-go/entwine/kit/codegen/model"
	"github.com/entwine-go/entwine/kit/codegen/source"
)

var linksFile = template.Must(template.New("links").Parse(`{{ .Header }}

// Package links has the rules of entities with the edges by which mutations name
// other rows, which have to be ones that the viewer may link (policy.Attach).
package links

import (
	"{{ .Kit }}/policy"
	{{- if .Tenanted }}
	"{{ .Module }}/ent/tenancy"
	{{- end }}
	{{- if .Schema }}
	"{{ .Module }}/schema"
	{{- end }}
)
{{ range .Types }}
// {{ .Name }} returns the rules of {{ .Name }}.
func {{ .Name }}() policy.Rules {
	return {{ .Rules }}{{ if .Links }}.Linking(schema.{{ .Name }}{},
		{{- range .Links }}
		policy.Link{
			Edge: "{{ .Edge }}", Table: "{{ .Table }}", To: {{ .To.Rules }},
			{{- with .Column }} Column: "{{ . }}",{{ end }}
			{{- with .Between }} Between: "{{ . }}",{{ end }}
			{{- with .Near }} Near: "{{ . }}",{{ end }}
			{{- with .Far }} Far: "{{ . }}",{{ end }}
			{{- with .ID }} ID: "{{ . }}",{{ end }}
			{{- with .Key }} Key: "{{ . }}",{{ end }}
			{{- if .Caller }} Caller: true,{{ end }}
		},
		{{- end }}
	){{ end }}
}
{{ end }}`))

// writeLinks writes the rules with the links of entities, and has Ent's client
// judge by them.
func writeLinks(tree *source.Tree, m *model.Model, client *gen.Graph) error {
	folder := tree.Folder("ent/links")
	types := m.Linked()
	if len(types) == 0 {
		return os.RemoveAll(tree.Path("ent/links"))
	}
	named := slices.ContainsFunc(types, func(l model.Linked) bool { return len(l.Links) > 0 || model.TenantOf(l.Type) == nil })
	if err := folder.WriteGo("links.go", linksFile, source.Data{"Types": types, "Tenanted": len(m.Tenanted()) > 0, "Schema": named}); err != nil {
		return err
	}
	file := tree.Path("ent/runtime/runtime.go")
	text, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	for _, t := range types {
		if !slices.ContainsFunc(client.Nodes, func(n *gen.Type) bool { return n.Name == t.Name }) {
			continue
		}
		judges := regexp.MustCompile(`(\bNewPolicies\(.*)schema\.` + t.Name + `\{\}\)`)
		if t.Mixed { // the rules of the mixins are among those of links
			judges = regexp.MustCompile(`(\b` + t.Package() + `\.Policy = privacy\.NewPolicies\().*\)`)
		}
		if !judges.Match(text) {
			return fmt.Errorf("%s: no policy of %s is where Ent had it", file, t.Name)
		}
		text = judges.ReplaceAll(text, []byte("${1}links."+t.Name+"())"))
	}
	first := "\t\"" + tree.Module + "/ent/"
	text = bytes.Replace(text, []byte(first), []byte(first+"links\"\n"+first), 1)
	if text, err = format.Source(text); err != nil {
		return fmt.Errorf("%s: %w", file, err)
	}
	return os.WriteFile(file, text, 0o644)
}
