package orm

import (
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/entwine-go/entwine/kit/codegen/source"
)

// checkFiles refuses what the source of the schemas says and a program of them can't
// tell: imports of what is generated, and entities that are not exported, which Ent
// leaves out. A file that does not parse is left to the compiler.
func checkFiles(tree *source.Tree, generated []string) error {
	names, err := filepath.Glob(tree.Path("schema/*.go"))
	if err != nil {
		return err
	}
	p := &parsed{fset: token.NewFileSet(), used: map[string]bool{}}
	for _, name := range names {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		if file, err := parser.ParseFile(p.fset, name, nil, parser.SkipObjectResolution); err == nil {
			p.imports(file, tree.Module, generated)
			p.declarations(file)
		}
	}
	for _, spec := range p.hidden {
		if name := spec.Name.Name; !p.used[name] {
			p.wrong(spec.Pos(), "%s: the name of an entity begins with a capital letter: %s", name, strings.ToUpper(name[:1])+name[1:])
		}
	}
	return errors.Join(p.errs...)
}

// parsed is the source of a folder of schemas.
type parsed struct {
	fset *token.FileSet
	// hidden are types that are not exported and look like entities, and used those
	// that others embed, or that are used as values: bases and mixins.
	hidden []*ast.TypeSpec
	used   map[string]bool
	errs   []error
}

func (p *parsed) wrong(at token.Pos, format string, args ...any) {
	place := p.fset.Position(at)
	p.errs = append(p.errs, fmt.Errorf("schema/%s:%d: %s", filepath.Base(place.Filename), place.Line, fmt.Sprintf(format, args...)))
}

func (p *parsed) imports(file *ast.File, module string, generated []string) {
	for _, spec := range file.Imports {
		imported, err := strconv.Unquote(spec.Path.Value)
		if err != nil {
			continue
		}
		below, ours := strings.CutPrefix(imported, module+"/")
		if ours && slices.ContainsFunc(generated, func(g string) bool { return below == g || strings.HasPrefix(below, g+"/") }) {
			p.wrong(spec.Pos(), "%q is generated from the schemas, which can't import it: without %s nothing could be generated%s", imported, path.Dir(below+"/"), instead[below])
		}
	}
}

// instead says what is allowed in the place of packages that schemas of Ent import.
var instead = map[string]string{
	"ent/privacy":   `: "entgo.io/ent/privacy" is allowed, whose rules see what a mutation is about by an interface, such as interface{ Title() (string, bool) }`,
	"ent/hook":      `: a hook that asks m.Op() and m.Fields() is allowed`,
	"ent/intercept": `: a condition of Read in policy.Rules is allowed (doc/guides/policies.md#policies-of-entprivacy)`,
	"ent":           `: a hook that sees what a mutation is about by an interface, such as interface{ Title() (string, bool) }, is allowed`,
}

// declarations notes the types of a file.
func (p *parsed) declarations(file *ast.File) {
	ast.Inspect(file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.CompositeLit:
			p.use(n.Type)
		case *ast.TypeSpec:
			s, ok := n.Type.(*ast.StructType)
			if !ok {
				break
			}
			entity := false
			for _, f := range s.Fields.List {
				if len(f.Names) == 0 {
					p.use(f.Type)
					entity = entity || embedsEntity(f.Type)
				}
			}
			if entity && !n.Name.IsExported() {
				p.hidden = append(p.hidden, n)
			}
		}
		return true
	})
}

func (p *parsed) use(of ast.Expr) {
	if star, ok := of.(*ast.StarExpr); ok {
		of = star.X
	}
	if name, ok := of.(*ast.Ident); ok {
		p.used[name.Name] = true
	}
}

// embedsEntity reports whether the embedded type makes an entity of its struct: that
// of Ent, or a table of the kit.
func embedsEntity(of ast.Expr) bool {
	s, ok := of.(*ast.SelectorExpr)
	if !ok {
		return false
	}
	from, ok := s.X.(*ast.Ident)
	return ok && (from.Name == "ent" && s.Sel.Name == "Schema" || from.Name == "tables")
}
