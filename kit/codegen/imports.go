package main

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"path"
	"strings"
	"text/template"
)

// writeImporting renders a template without imports, and adds those of the
// packages that the source uses.
func writeImporting(file string, t *template.Template, data any, packages []string) error {
	var b bytes.Buffer
	if err := t.Execute(&b, data); err != nil {
		return fmt.Errorf("render %s: %w", file, err)
	}
	source, err := addImports(b.String(), packages)
	if err != nil {
		return fmt.Errorf("parse %s: %w\n%s", file, err, b.String())
	}
	return writeGo(file, template.Must(template.New("done").Delims("\x00", "\x00").Parse(source)), nil)
}

func addImports(source string, packages []string) (string, error) {
	used, err := qualifiers(source)
	if err != nil {
		return "", err
	}
	var standard, ours strings.Builder
	for _, p := range packages {
		if !used[path.Base(p)] {
			continue
		}
		if strings.Contains(p, ".") {
			fmt.Fprintf(&ours, "\t%q\n", p)
		} else {
			fmt.Fprintf(&standard, "\t%q\n", p)
		}
	}
	clause := "package " + packageName(source) + "\n"
	block := clause + "\nimport (\n" + standard.String() + "\n" + ours.String() + ")\n"
	return strings.Replace(source, clause, block, 1), nil
}

// qualifiers are the names before a dot that no declaration in the source explains.
func qualifiers(source string) (map[string]bool, error) {
	file, err := parser.ParseFile(token.NewFileSet(), "", source, 0)
	if err != nil {
		return nil, err
	}
	names := map[string]bool{}
	ast.Inspect(file, func(n ast.Node) bool {
		if selector, ok := n.(*ast.SelectorExpr); ok {
			if x, ok := selector.X.(*ast.Ident); ok {
				names[x.Name] = true
			}
		}
		return true
	})
	return names, nil
}

func packageName(source string) string {
	_, after, _ := strings.Cut(source, "\npackage ")
	name, _, _ := strings.Cut(after, "\n")
	return name
}
