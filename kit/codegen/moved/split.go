package moved

import (
	"go/ast"
	"go/token"
	"path"
	"slices"
	"strconv"
	"strings"
)

// split has the file import the packages that names of an imported package have moved
// to, and reports whether there are such names in it. An import that nothing of is
// left to use is removed.
func split(file *ast.File, spec *ast.ImportSpec) bool {
	from, err := strconv.Unquote(spec.Path.Value)
	if err != nil || spec.Name != nil && (spec.Name.Name == "_" || spec.Name.Name == ".") {
		return false
	}
	names := names[strings.TrimPrefix(from, kit)]
	if names == nil || !strings.HasPrefix(from, kit) {
		return false
	}
	called := path.Base(from)
	if spec.Name != nil {
		called = spec.Name.Name
	}
	moved := map[string][]*ast.SelectorExpr{} // by the path of now
	left := false
	ast.Inspect(file, func(n ast.Node) bool {
		s, ok := n.(*ast.SelectorExpr)
		if !ok {
			return true
		}
		if id, ok := s.X.(*ast.Ident); ok && id.Name == called && id.Obj == nil {
			if to, ok := names[s.Sel.Name]; ok {
				at, name := path.Split(to)
				s.Sel.Name = name
				moved[path.Clean(at)] = append(moved[path.Clean(at)], s)
			} else {
				left = true
			}
		}
		return true
	})
	for to, uses := range moved {
		name := imported(file, spec, kit+to)
		for _, use := range uses {
			use.X.(*ast.Ident).Name = name
		}
	}
	if len(moved) > 0 && !left {
		remove(file, spec)
	}
	return len(moved) > 0
}

// imported returns what the file calls the package at the path, which it imports
// beside the other from now on, if it did not.
func imported(file *ast.File, beside *ast.ImportSpec, at string) string {
	for _, spec := range file.Imports {
		if text, err := strconv.Unquote(spec.Path.Value); err == nil && text == at {
			if spec.Name != nil {
				return spec.Name.Name
			}
			return path.Base(at)
		}
	}
	name := path.Base(at)
	spec := &ast.ImportSpec{Path: &ast.BasicLit{ValuePos: beside.Path.ValuePos, Kind: token.STRING, Value: strconv.Quote(at)}}
	if taken(file, name) {
		name = "kit" + name
		spec.Name = &ast.Ident{NamePos: beside.Path.ValuePos, Name: name}
	}
	for _, decl := range file.Decls {
		d, ok := decl.(*ast.GenDecl)
		if !ok || d.Tok != token.IMPORT || !slices.Contains(d.Specs, ast.Spec(beside)) {
			continue
		}
		d.Specs = slices.Insert(d.Specs, slices.Index(d.Specs, ast.Spec(beside))+1, ast.Spec(spec))
		if !d.Lparen.IsValid() {
			d.Lparen, d.Rparen = d.Pos(), beside.End()
		}
	}
	file.Imports = append(file.Imports, spec)
	return name
}

// remove has the file no longer import the package.
func remove(file *ast.File, spec *ast.ImportSpec) {
	for _, decl := range file.Decls {
		if d, ok := decl.(*ast.GenDecl); ok && d.Tok == token.IMPORT {
			d.Specs = slices.DeleteFunc(d.Specs, func(s ast.Spec) bool { return s == ast.Spec(spec) })
		}
	}
	file.Imports = slices.DeleteFunc(file.Imports, func(s *ast.ImportSpec) bool { return s == spec })
}
