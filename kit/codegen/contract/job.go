package contract

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"go/ast"
	"go/parser"
	"go/printer"
	"go/token"
	"io/fs"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/entwine-go/entwine/kit/codegen/source"
)

// jobsOf are the kinds of jobs of the module, and those that the kit brings: the
// types whose method Kind returns a constant text. They are read from the
// source, so that nothing generated has to be there.
func jobsOf(ctx context.Context, tree *source.Tree) (jobs []Job, err error) {
	folders := []string{tree.Root}
	if _, own := strings.CutPrefix(source.Kit, tree.Module+"/"); !own {
		kit, err := kitFolder(ctx, tree)
		if err != nil {
			return nil, err
		}
		if kit != "" {
			folders = append(folders, kit)
		}
	}
	for _, folder := range folders {
		packages, err := parse(os.DirFS(folder))
		if err != nil {
			return nil, err
		}
		for _, files := range packages {
			jobs = append(jobs, kindsOf(files)...)
		}
	}
	slices.SortFunc(jobs, func(a, b Job) int { return cmp.Or(cmp.Compare(a.Kind, b.Kind), cmp.Compare(a.Type, b.Type)) })
	return jobs, nil
}

// kitFolder is where the kit's packages are, empty where the module does without.
func kitFolder(ctx context.Context, tree *source.Tree) (string, error) {
	module := path.Dir(source.Kit)
	text, err := os.ReadFile(tree.GoMod())
	if err != nil || !bytes.Contains(text, []byte(module)) {
		return "", err
	}
	cmd := exec.CommandContext(ctx, "go", "list", "-m", "-f", "{{.Dir}}", module)
	cmd.Dir = tree.Root
	out, err := cmd.Output()
	if err != nil {
		return "", fmt.Errorf("find the kit: %w", err)
	}
	return filepath.Join(strings.TrimSpace(string(out)), path.Base(source.Kit)), nil
}

// parse reads the Go files that may declare a kind of job, by their folders.
func parse(files fs.FS) (packages map[string][]*ast.File, err error) {
	packages = map[string][]*ast.File{}
	err = fs.WalkDir(files, ".", func(file string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() {
			if file != "." && skipped(files, file) {
				return fs.SkipDir
			}
			return nil
		}
		if !strings.HasSuffix(file, ".go") || strings.HasSuffix(file, "_test.go") {
			return nil
		}
		text, err := fs.ReadFile(files, file)
		if err != nil {
			return err
		}
		if !bytes.Contains(text, []byte("Kind() string")) && !bytes.Contains(text, []byte("struct")) {
			return nil
		}
		parsed, err := parser.ParseFile(token.NewFileSet(), file, text, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		packages[path.Dir(file)] = append(packages[path.Dir(file)], parsed)
		return nil
	})
	return packages, err
}

// skipped reports whether a folder has no kinds of jobs: generated folders, other
// modules, and folders that Go itself passes over.
func skipped(files fs.FS, folder string) bool {
	name := path.Base(folder)
	if strings.HasPrefix(name, ".") || strings.HasPrefix(name, "_") || name == "testdata" || name == "node_modules" || name == "ent" || name == "oas" {
		return true
	}
	_, err := fs.Stat(files, path.Join(folder, "go.mod"))
	return err == nil
}

// kindsOf are the kinds that a package declares.
func kindsOf(files []*ast.File) (jobs []Job) {
	types := map[string]ast.Expr{}
	for _, f := range files {
		for _, d := range f.Decls {
			g, ok := d.(*ast.GenDecl)
			if !ok {
				continue
			}
			for _, s := range g.Specs {
				if t, ok := s.(*ast.TypeSpec); ok {
					types[t.Name.Name] = t.Type
				}
			}
		}
	}
	was := map[string][]string{}
	for _, f := range files {
		for _, d := range f.Decls {
			if kinds, name := wasMethod(d); name != "" {
				was[name] = kinds
			}
		}
	}
	for _, f := range files {
		for _, d := range f.Decls {
			if kind, name := kindMethod(d); kind != "" {
				jobs = append(jobs, Job{Kind: kind, Was: was[name], Type: f.Name.Name + "." + name, Args: arguments("", types[name], types, map[string]bool{name: true})})
			}
		}
	}
	return jobs
}

// wasMethod returns the texts of the list that a method Was returns, and of which
// type it is.
func wasMethod(d ast.Decl) (kinds []string, name string) {
	result, name := constant(d, "Was")
	list, ok := result.(*ast.CompositeLit)
	if !ok {
		return nil, ""
	}
	for _, e := range list.Elts {
		if literal, ok := e.(*ast.BasicLit); ok && literal.Kind == token.STRING {
			if kind, err := strconv.Unquote(literal.Value); err == nil {
				kinds = append(kinds, kind)
			}
		}
	}
	return kinds, name
}

// kindMethod returns what a method Kind returns, and of which type it is.
func kindMethod(d ast.Decl) (kind, name string) {
	result, name := constant(d, "Kind")
	literal, ok := result.(*ast.BasicLit)
	if !ok || literal.Kind != token.STRING {
		return "", ""
	}
	kind, err := strconv.Unquote(literal.Value)
	if err != nil {
		return "", ""
	}
	return kind, name
}

// constant returns what a method without parameters returns at once, and of which
// type it is: nil of any other declaration.
func constant(d ast.Decl, method string) (result ast.Expr, name string) {
	f, ok := d.(*ast.FuncDecl)
	if !ok || f.Recv == nil || f.Name.Name != method || f.Type.Params.NumFields() > 0 || f.Type.Results.NumFields() != 1 || f.Body == nil || len(f.Body.List) != 1 {
		return nil, ""
	}
	returns, ok := f.Body.List[0].(*ast.ReturnStmt)
	if !ok || len(returns.Results) != 1 {
		return nil, ""
	}
	of := f.Recv.List[0].Type
	if star, ok := of.(*ast.StarExpr); ok {
		of = star.X
	}
	receiver, ok := of.(*ast.Ident)
	if !ok {
		return nil, ""
	}
	return returns.Results[0], receiver.Name
}

// arguments are the fields of a struct as encoding/json names them, those of
// objects of the same package by their paths.
func arguments(prefix string, t ast.Expr, types map[string]ast.Expr, seen map[string]bool) (all []Argument) {
	s, ok := t.(*ast.StructType)
	if !ok {
		return nil
	}
	for _, f := range s.Fields.List {
		tag, options := jsonTag(f)
		_, pointer := f.Type.(*ast.StarExpr)
		names := []string{}
		for _, n := range f.Names {
			names = append(names, n.Name)
		}
		if len(f.Names) == 0 {
			inner := named(f.Type)
			if tag == "" && local(f.Type) && types[inner] != nil && !seen[inner] {
				all = append(all, arguments(prefix, types[inner], types, with(seen, inner))...)
				continue
			}
			names = append(names, inner)
		}
		for _, name := range names {
			if tag == "-" || !ast.IsExported(name) {
				continue
			}
			if tag != "" {
				name = tag
			}
			all = append(all, Argument{Name: prefix + name, Was: within(prefix, tagged(f, "was")), Type: printed(f.Type), Optional: pointer || strings.Contains(options, "omit")})
			if inner := named(f.Type); local(f.Type) && types[inner] != nil && !seen[inner] {
				dot := "."
				if _, list := f.Type.(*ast.ArrayType); list {
					dot = "[]."
				}
				all = append(all, arguments(prefix+name+dot, types[inner], types, with(seen, inner))...)
			}
		}
	}
	return all
}

func with(seen map[string]bool, name string) map[string]bool {
	more := map[string]bool{name: true}
	for n := range seen {
		more[n] = true
	}
	return more
}

// local reports whether a type is of the package itself.
func local(t ast.Expr) bool {
	switch t := t.(type) {
	case *ast.Ident:
		return true
	case *ast.StarExpr:
		return local(t.X)
	case *ast.ArrayType:
		return local(t.Elt)
	}
	return false
}

// named is the name of a type, through pointers and lists.
func named(t ast.Expr) string {
	switch t := t.(type) {
	case *ast.Ident:
		return t.Name
	case *ast.StarExpr:
		return named(t.X)
	case *ast.ArrayType:
		return named(t.Elt)
	case *ast.SelectorExpr:
		return t.Sel.Name
	}
	return ""
}

func jsonTag(f *ast.Field) (name, options string) {
	name, options, _ = strings.Cut(tagged(f, "json"), ",")
	return name, options
}

// tagged is the value of the key in a field's tag.
func tagged(f *ast.Field, key string) string {
	if f.Tag == nil {
		return ""
	}
	text, err := strconv.Unquote(f.Tag.Value)
	if err != nil {
		return ""
	}
	return reflect.StructTag(text).Get(key)
}

func within(prefix, name string) string {
	if name == "" {
		return ""
	}
	return prefix + name
}

func printed(t ast.Expr) string {
	var b bytes.Buffer
	if err := printer.Fprint(&b, token.NewFileSet(), t); err != nil {
		return ""
	}
	return b.String()
}
