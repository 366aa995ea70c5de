package orm

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"text/template"

	"entgo.io/ent/entc/load"

	"github.com/entwine-go/entwine/kit/codegen/facts"
	"github.com/entwine-go/entwine/kit/codegen/source"
)

var probeFile = template.Must(template.New("probe").Parse(`package main

import (
	"os"

	"{{ .Kit }}/codegen/facts"
	"{{ .Schema }}"
)

func main() {
	if err := facts.Write(os.Stdout,
		{{- range .Names }}
		schema.{{ . }}{},
		{{- end }}
	); err != nil {
		panic(err)
	}
}
`))

// Probe tells of the schemas what a program that imports them can tell: it
// compiles one and runs it.
func Probe(ctx context.Context, tree *source.Tree, spec *load.SchemaSpec) ([]facts.Entity, error) {
	var names []string
	for _, s := range spec.Schemas {
		names = append(names, s.Name)
	}
	dir, err := os.MkdirTemp(tree.Root, ".weave-probe-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	var program bytes.Buffer
	if err := probeFile.Execute(&program, map[string]any{"Kit": source.Kit, "Schema": spec.PkgPath, "Names": names}); err != nil {
		return nil, err
	}
	file := filepath.Join(dir, "main.go")
	if err := os.WriteFile(file, program.Bytes(), 0o600); err != nil {
		return nil, err
	}
	cmd := exec.CommandContext(ctx, "go", "run", file)
	cmd.Dir = tree.Root
	var failure bytes.Buffer
	cmd.Stderr = &failure
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("ask the schemas: %w\n%s", err, failure.Bytes())
	}
	return facts.Read(out)
}
