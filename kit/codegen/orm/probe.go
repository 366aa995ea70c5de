package orm

import (
	"bytes"
	"context"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"text/template"

	"entgo.io/ent/entc/load"

	"github.com/entwine-go/entwine/kit/codegen/facts"
	"github.com/entwine-go/entwine/kit/codegen/model"
	"github.com/entwine-go/entwine/kit/codegen/source"
	"github.com/entwine-go/entwine/kit/expose"
)

var probeFile = template.Must(template.New("probe").Parse(`package main

import (
	"os"

	"{{ .Kit }}/codegen/facts"
	"{{ .Schema }}"
)

func main() {
	{{- if .Service }}
	service := schema.Service()
	{{- end }}
	if err := facts.Write(os.Stdout, {{ if .Service }}&service{{ else }}nil{{ end }},
		{{- range .Names }}
		schema.{{ . }}{},
		{{- end }}
	); err != nil {
		panic(err)
	}
}
`))

// Probe returns what only a program that imports the schemas can find out: it
// compiles one and runs it. The bounds of their fields are added to spec. A service without a name in the schemas is called like
// the module.
func Probe(ctx context.Context, tree *source.Tree, spec *load.SchemaSpec) (told facts.Facts, err error) {
	about, err := saysService(tree.Path("schema"))
	if err != nil {
		return told, err
	}
	var names []string
	for _, s := range spec.Schemas {
		names = append(names, s.Name)
	}
	dir, err := os.MkdirTemp(tree.Root, ".weave-probe-")
	if err != nil {
		return told, err
	}
	defer os.RemoveAll(dir)
	var program bytes.Buffer
	if err := probeFile.Execute(&program, map[string]any{"Kit": source.Kit, "Schema": spec.PkgPath, "Names": names, "Service": about}); err != nil {
		return told, err
	}
	file := filepath.Join(dir, "main.go")
	if err := os.WriteFile(file, program.Bytes(), 0o600); err != nil {
		return told, err
	}
	cmd := exec.CommandContext(ctx, "go", "run", linked, file)
	cmd.Dir = tree.Root
	var failure bytes.Buffer
	cmd.Stderr = &failure
	out, err := cmd.Output()
	if err != nil {
		return told, fmt.Errorf("ask the schemas: %w\n%s", err, failure.Bytes())
	}
	if told, err = facts.Read(out); err != nil {
		return told, err
	}
	if told.Service == nil {
		told.Service = &expose.Service{Name: path.Base(tree.Module), Version: "1.0.0"}
	}
	return told, bound(spec, told.Entities)
}

// bound has the annotations of fields say what their validators allow, where they do not say
// it themselves.
func bound(spec *load.SchemaSpec, told []facts.Entity) error {
	for i, s := range spec.Schemas {
		for _, f := range s.Fields {
			bounds, ok := told[i].Bounds[f.Name]
			if !ok {
				continue
			}
			var says expose.Field
			if _, err := model.Annotation(f.Annotations, &says); err != nil {
				return err
			}
			if f.Annotations == nil {
				f.Annotations = map[string]any{}
			}
			f.Annotations[says.Name()] = bounds.Merge(says)
		}
	}
	return nil
}

// saysService reports whether the package in the folder has a func Service.
func saysService(dir string) (bool, error) {
	files, err := filepath.Glob(filepath.Join(dir, "*.go"))
	if err != nil {
		return false, err
	}
	for _, name := range files {
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.SkipObjectResolution)
		if err != nil {
			return false, err
		}
		for _, d := range file.Decls {
			if f, ok := d.(*ast.FuncDecl); ok && f.Recv == nil && f.Name.Name == "Service" {
				return true, nil
			}
		}
	}
	return false, nil
}
