package orm

import (
	"reflect"
	"text/template"

	"entgo.io/ent/entc/load"
	"entgo.io/ent/schema/field"

	"github.com/entwine-go/entwine/kit/codegen/model"
	"github.com/entwine-go/entwine/kit/codegen/source"
	"github.com/entwine-go/entwine/kit/gid"
)

var typedIDs = template.Must(template.New("typedid").Funcs(template.FuncMap{"an": gid.An}).Parse(`{{ .Header }}

// Package typedid holds a Go type for the ids of each entity, so that the id
// of one is not taken for that of another. In GraphQL they are global ids.
package typedid

import (
	"io"
	"strconv"

	"{{ .Kit }}/gid"
)
{{ range .Names }}
// {{ . }}ID is the id of {{ an . }}.
type {{ . }}ID int64

// MarshalGQL writes the global id.
func (id {{ . }}ID) MarshalGQL(w io.Writer) {
	_, _ = io.WriteString(w, strconv.Quote(gid.Encode("{{ . }}", int64(id))))
}

// UnmarshalGQL takes a global id of {{ an . }} or a plain integer.
func (id *{{ . }}ID) UnmarshalGQL(v any) error {
	n, err := gid.Unmarshal("{{ . }}", v)
	*id = {{ . }}ID(n.Int())
	return err
}
{{ end }}`))

func writeTypedIDs(tree *source.Tree, m *model.Model) error {
	var names []string
	for _, t := range m.Graph.Nodes {
		if t.ID == nil || t.ID.Type.Type.Integer() { // a text or a UUID has a type of its own
			names = append(names, t.Name)
		}
	}
	return tree.Folder("ent/typedid").WriteGo("typedid.go", typedIDs, source.Data{"Names": names})
}

// typeIDs gives the id and the foreign keys of a schema the Go types of the package typedid.
func typeIDs(s *load.Schema, path string) {
	targets := map[string]string{"id": s.Name}
	for _, e := range model.Ends(s) {
		if e.Field != "" {
			targets[e.Field] = e.Type
		}
	}
	for _, f := range s.Fields {
		if target, ok := targets[f.Name]; ok && f.Info.Type == field.TypeInt64 {
			f.Info = typedID(path, target)
		}
	}
}

func typedID(path, entity string) *field.TypeInfo {
	info := *field.Int64("id").GoType(gid.Prototype(0)).Descriptor().Info
	name := entity + "ID"
	info.Ident = "typedid." + name
	info.PkgPath = path
	info.PkgName = "typedid"
	info.RType = &field.RType{
		Name:    name,
		Ident:   info.Ident,
		Kind:    reflect.Int64,
		PkgPath: info.PkgPath,
		Methods: info.RType.Methods,
	}
	return &info
}
