package source

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"path"
	"strings"
)

// addImports adds to a Go file the imports of those packages that it uses: a path, or
// the name that the file calls it by and the path, with a space between them.
func addImports(source string, packages []string) (string, error) {
	used, err := qualifiers(source)
	if err != nil {
		return "", err
	}
	var standard, ours strings.Builder
	for _, p := range packages {
		name, at, named := strings.Cut(p, " ")
		if !named {
			name, at = path.Base(p), p
		}
		if !used[name] {
			continue
		}
		switch {
		case named:
			fmt.Fprintf(&ours, "\t%s %q\n", name, at)
		case strings.Contains(p, "."):
			fmt.Fprintf(&ours, "\t%q\n", p)
		default:
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
