package project

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/format"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// kit is the module that projects are made with, and whose own service is where
// parts come from.
const kit = "github.com/entwine-go/entwine"

// parts has a list for each part of that service that a project can begin with: the
// files that are copied. The folder of its name has what is not copied but written.
// Handlers of operations by hand (the cart as a whole, an invoice to print, how far
// an order is paid, messages of a payment gateway) are not among them: a project
// has no operations by hand.
const parts = "with"

// Parts are the names of what a project can begin with.
func Parts() (names []string) {
	lists, err := fs.Glob(files, parts+"/*.txt")
	if err != nil {
		panic(err) // the pattern is a constant
	}
	for _, list := range lists {
		names = append(names, strings.TrimSuffix(filepath.Base(list), ".txt"))
	}
	return names
}

// Has reports whether the project begins with the part.
func (p Project) Has(part string) bool { return slices.Contains(p.With, part) }

// begin adds the parts that the project begins with: the copied files, and the
// edges of its users that lead there.
func (p *Project) begin(contents map[string][]byte) error {
	for _, part := range p.With {
		list, err := fs.ReadFile(files, parts+"/"+part+".txt")
		if err != nil {
			return fmt.Errorf("there is no %q to begin with; there are: %s", part, strings.Join(Parts(), ", "))
		}
		for pattern := range strings.FieldsSeq(string(list)) {
			if err := p.copy(contents, pattern); err != nil {
				return err
			}
		}
	}
	entities, err := declared(contents)
	if err != nil {
		return err
	}
	p.UserEdges, err = p.edges(entities)
	return err
}

// copy adds the files of entwine's source that match, as they are there but for
// the paths of imports.
func (p *Project) copy(contents map[string][]byte, pattern string) error {
	found, err := filepath.Glob(filepath.Join(p.Source, filepath.FromSlash(pattern)))
	if err != nil {
		return err
	}
	if len(found) == 0 {
		return fmt.Errorf("%s is not entwine's source: it has no %s", p.Source, pattern)
	}
	for _, file := range found {
		text, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		name, err := filepath.Rel(p.Source, file)
		if err != nil {
			return err
		}
		if filepath.Ext(name) == ".go" {
			if text, err = p.own(text); err != nil {
				return fmt.Errorf("%s: %w", name, err)
			}
		}
		contents[filepath.ToSlash(name)] = text
	}
	return nil
}

// own is a file of Go whose imports of the service are those of the project.
func (p *Project) own(text []byte) ([]byte, error) {
	for _, folder := range []string{"ent", "internal/", "schema", "worker"} {
		text = bytes.ReplaceAll(text, []byte(`"`+kit+"/"+folder), []byte(`"`+p.Module+"/"+folder))
	}
	return format.Source(text) // sorts imports
}

// declared are the types of the schemas among the files.
func declared(contents map[string][]byte) (types map[string]bool, err error) {
	types = map[string]bool{}
	for name, text := range contents {
		if !strings.HasPrefix(name, "schema/") {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), name, text, parser.SkipObjectResolution)
		if err != nil {
			return nil, err
		}
		ast.Inspect(file, func(n ast.Node) bool {
			if spec, ok := n.(*ast.TypeSpec); ok {
				types[spec.Name.Name] = true
			}
			return true
		})
	}
	return types, nil
}

// edges are those of the users of entwine's service that lead to the entities, as
// Go has them.
func (p *Project) edges(entities map[string]bool) (string, error) {
	file := filepath.Join(p.Source, "schema", "user.go")
	text, err := os.ReadFile(file)
	if err != nil {
		return "", err
	}
	files := token.NewFileSet()
	parsed, err := parser.ParseFile(files, file, text, parser.SkipObjectResolution)
	if err != nil {
		return "", err
	}
	var all strings.Builder
	for _, d := range parsed.Decls {
		f, ok := d.(*ast.FuncDecl)
		if !ok || f.Name.Name != "Edges" {
			continue
		}
		ast.Inspect(f.Body, func(n ast.Node) bool {
			list, ok := n.(*ast.CompositeLit)
			if !ok {
				return true
			}
			for _, edge := range list.Elts {
				if leadsTo(edge, entities) {
					fmt.Fprintf(&all, "\t\t%s,\n", text[files.Position(edge.Pos()).Offset:files.Position(edge.End()).Offset])
				}
			}
			return false
		})
	}
	return all.String(), nil
}

// leadsTo reports whether an edge is one to an entity: it has its Type.
func leadsTo(edge ast.Expr, entities map[string]bool) (leads bool) {
	ast.Inspect(edge, func(n ast.Node) bool {
		if s, ok := n.(*ast.SelectorExpr); ok && s.Sel.Name == "Type" {
			entity, ok := s.X.(*ast.Ident)
			leads = leads || ok && entities[entity.Name]
		}
		return true
	})
	return leads
}
