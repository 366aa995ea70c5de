package orm

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"slices"

	"entgo.io/ent/entc/gen"
	"entgo.io/ent/entc/load"

	"github.com/entwine-go/entwine/kit/codegen/model"
	"github.com/entwine-go/entwine/kit/codegen/source"
)

// keep has what the database counts, adds up and averages be no field that Ent's client
// changes: it has no setters of it in updates, and an upsert leaves the column of a row
// that is there alone. The setters of creates are left out by [writeKept].
func keep(s *load.Schema) error {
	for i, f := range s.Fields {
		a, err := model.FieldAnnotation(f.Annotations)
		if err != nil {
			return fmt.Errorf("%s.%s: %w", s.Name, f.Name, err)
		}
		if a.Tally == nil {
			continue
		}
		kept := *f
		kept.Immutable = true
		s.Fields[i] = &kept
	}
	return nil
}

// writeKept takes the setters of what the database counts out of the creates.
func writeKept(tree *source.Tree, client *gen.Graph) error {
	for _, t := range client.Nodes {
		var setters []string
		for _, f := range t.Fields {
			a, err := model.FieldAnnotation(f.Annotations)
			if err != nil {
				return err
			}
			if a.Tally != nil {
				setters = append(setters, f.MutationSet(), "SetNillable"+f.StructField())
			}
		}
		if len(setters) == 0 {
			continue
		}
		if err := withoutMethods(tree.Path("ent/"+t.PackageDir()+"_create.go"), t.CreateName(), setters); err != nil {
			return err
		}
	}
	return nil
}

// withoutMethods takes methods of the type out of a Go file, with their comments.
func withoutMethods(file, of string, names []string) error {
	text, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	fset := token.NewFileSet()
	parsed, err := parser.ParseFile(fset, file, text, parser.ParseComments)
	if err != nil {
		return err
	}
	for _, d := range slices.Backward(parsed.Decls) {
		f, ok := d.(*ast.FuncDecl)
		if !ok || f.Recv == nil || !slices.Contains(names, f.Name.Name) {
			continue
		}
		if star, ok := f.Recv.List[0].Type.(*ast.StarExpr); !ok || star.X.(*ast.Ident).Name != of {
			continue
		}
		from := f.Pos()
		if f.Doc != nil {
			from = f.Doc.Pos()
		}
		text = slices.Concat(text[:fset.Position(from).Offset], bytes.TrimLeft(text[fset.Position(f.End()).Offset:], "\n"))
	}
	return os.WriteFile(file, text, 0o644)
}
