package main

import (
	"path/filepath"
	"text/template"
)

var typedIDs = template.Must(template.New("typedid").Parse(`{{ .Header }}

// Package typedid holds a Go type for the ids of each entity, so that the id
// of one is not taken for that of another. In GraphQL they are global ids.
package typedid

import (
	"io"
	"strconv"

	"{{ .Module }}/kit/runtime/gid"
)
{{ range .Names }}
// {{ . }}ID is the id of a {{ . }}.
type {{ . }}ID int64

// MarshalGQL writes the global id.
func (id {{ . }}ID) MarshalGQL(w io.Writer) {
	_, _ = io.WriteString(w, strconv.Quote(gid.Encode("{{ . }}", int64(id))))
}

// UnmarshalGQL takes a global id of a {{ . }} or a plain integer.
func (id *{{ . }}ID) UnmarshalGQL(v any) error {
	n, err := gid.Unmarshal("{{ . }}", v)
	*id = {{ . }}ID(n)
	return err
}
{{ end }}`))

func writeTypedIDs(root string, m *Model) error {
	var names []string
	for _, t := range m.Graph.Nodes {
		names = append(names, t.Name)
	}
	return writeGo(filepath.Join(root, "ent/typedid/typedid.go"), typedIDs, map[string]any{
		"Header": header, "Module": module, "Names": names,
	})
}
