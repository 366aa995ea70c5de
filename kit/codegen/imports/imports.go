// Package imports holds the Go code that is written by hand in a project to the
// packages of the kit that are for it: what generated code alone imports, and what is
// the kit's own, changes with any version (doc/adr/0011-kit-and-service.md).
package imports

import (
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/entwine-go/entwine/kit/codegen/source"
)

// closed are the folders of the kit that are not for a project's own code, and why.
var closed = []struct{ folder, why string }{
	{"gen/", "is for generated code alone"},
	{"internal/", "is the kit's own"},
}

// Check returns an error for each import, by code of the project in the folder that is
// not generated, of a package that is not for it: "a.go:3: …".
func Check(root string) error {
	tree, err := source.Open(root)
	if err != nil {
		return err
	}
	var found []error
	err = source.GoFiles(tree.Root, func(name string) error {
		below, err := filepath.Rel(tree.Root, name)
		if err != nil || strings.HasPrefix(tree.Module+"/"+filepath.ToSlash(below), source.Kit+"/") { // it is the kit
			return err
		}
		found = append(found, file(name, below)...)
		return nil
	})
	return errors.Join(err, errors.Join(found...))
}

// file checks a file, which is called so below the root. A file that does not parse is
// left to the compiler.
func file(name, below string) (found []error) {
	files := token.NewFileSet()
	parsed, err := parser.ParseFile(files, name, nil, parser.ImportsOnly|parser.ParseComments)
	if err != nil || ast.IsGenerated(parsed) {
		return nil
	}
	for _, spec := range parsed.Imports {
		path, err := strconv.Unquote(spec.Path.Value)
		in, ok := strings.CutPrefix(path, source.Kit+"/")
		if err != nil || !ok {
			continue
		}
		for _, c := range closed {
			if strings.HasPrefix(in, c.folder) {
				found = append(found, fmt.Errorf("%s:%d: %s %s, and changes with any version", filepath.ToSlash(below), files.Position(spec.Pos()).Line, path, c.why))
			}
		}
	}
	return found
}
