// Package moved rewrites the imports of packages of entwine that have moved, and of
// names that have moved from one package to another, in the Go code of a project that
// takes a newer version.
//
// It owns the tables of former paths and names. A package's name in a file follows
// its new path, except where the file has that name for something else. There the
// former name stays, as the name of the import, and a package that is new to the file
// gets the prefix "kit".
package moved

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/format"
	"go/parser"
	"go/token"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	files "github.com/entwine-go/entwine/kit/codegen/source"
)

// Rewrite rewrites the Go files below the folder, and returns the names of those
// that it changed, below root. A file that does not parse is left alone: the
// compiler says what is wrong with it.
func Rewrite(root string) (changed []string, err error) {
	err = files.GoFiles(root, func(name string) error {
		done, err := rewriteFile(name)
		if err != nil {
			return err
		}
		if done {
			below, err := filepath.Rel(root, name)
			changed = append(changed, filepath.ToSlash(below))
			return err
		}
		return nil
	})
	return changed, err
}

func rewriteFile(name string) (bool, error) {
	text, err := os.ReadFile(name)
	if err != nil || !bytes.Contains(text, []byte(kit)) {
		return false, err
	}
	rewritten, err := source(text)
	if err != nil || bytes.Equal(rewritten, text) {
		return false, err
	}
	info, err := os.Stat(name)
	if err != nil {
		return false, err
	}
	if err := os.WriteFile(name, rewritten, info.Mode().Perm()); err != nil {
		return false, fmt.Errorf("rewrite the imports of %s: %w", name, err)
	}
	return true, nil
}

// source rewrites one file.
func source(text []byte) ([]byte, error) {
	set := token.NewFileSet()
	file, err := parser.ParseFile(set, "", text, parser.ParseComments)
	if err != nil {
		return text, nil //nolint:nilerr // see Rewrite
	}
	found := false
	for _, spec := range file.Imports {
		was, err := strconv.Unquote(spec.Path.Value)
		if err != nil {
			continue
		}
		is, ok := now(was)
		if !ok {
			continue
		}
		found = true
		spec.Path.Value = strconv.Quote(is)
		if before, after := path.Base(was), path.Base(is); spec.Name == nil && before != after {
			name(file, spec, before, after)
		}
	}
	for _, spec := range slices.Clone(file.Imports) {
		found = split(file, spec) || found
	}
	if !found {
		return text, nil
	}
	ast.SortImports(set, file)
	var b bytes.Buffer
	if err := format.Node(&b, set, file); err != nil {
		return nil, err
	}
	return b.Bytes(), nil
}

// now is where a package is that was at the path, if it has moved.
func now(was string) (string, bool) {
	below, ours := strings.CutPrefix(was, kit)
	if !ours {
		return "", false
	}
	is, ok := paths[below]
	return kit + is, ok
}

// name has the file call an import by its new name, or names the import as before
// where the file has another thing of that name.
func name(file *ast.File, spec *ast.ImportSpec, before, after string) {
	if taken(file, after) {
		spec.Name = ast.NewIdent(before)
		return
	}
	ast.Inspect(file, func(n ast.Node) bool {
		// An identifier that the parser did not resolve belongs to an import.
		if s, ok := n.(*ast.SelectorExpr); ok {
			if id, ok := s.X.(*ast.Ident); ok && id.Name == before && id.Obj == nil {
				id.Name = after
			}
		}
		return true
	})
}

// taken reports whether the name is something else in the file.
func taken(file *ast.File, name string) bool {
	for _, spec := range file.Imports {
		text, err := strconv.Unquote(spec.Path.Value)
		if err == nil && (spec.Name != nil && spec.Name.Name == name || spec.Name == nil && path.Base(text) == name && !strings.HasPrefix(text, kit)) {
			return true
		}
	}
	used := false
	ast.Inspect(file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.SelectorExpr:
			ast.Inspect(n.X, func(x ast.Node) bool {
				id, ok := x.(*ast.Ident)
				used = used || ok && id.Name == name
				return true
			})
			return false // a member may have any name
		case *ast.ImportSpec:
			return false
		case *ast.Ident:
			used = used || n.Name == name
		}
		return !used
	})
	return used
}
