package main

import (
	"bytes"
	"fmt"
	"go/format"
	"os"
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

// writeGo renders a template, formats it and writes it where it differs from what is there.
func writeGo(path string, t *template.Template, data any) error {
	var b bytes.Buffer
	if err := t.Execute(&b, data); err != nil {
		return fmt.Errorf("render %s: %w", path, err)
	}
	source, err := format.Source(b.Bytes())
	if err != nil {
		return fmt.Errorf("format %s: %w\n%s", path, err, b.Bytes())
	}
	return writeFile(path, source)
}

// writeFile writes the file unless it has the content already, so that
// nothing is rebuilt for nothing.
func writeFile(path string, content []byte) error {
	if old, err := os.ReadFile(path); err == nil && bytes.Equal(old, content) {
		return nil
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	return os.WriteFile(path, content, 0o644)
}
