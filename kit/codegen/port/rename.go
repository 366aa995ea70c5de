package port

import (
	"cmp"
	"go/ast"

	"github.com/entwine-go/entwine/kit/codegen/naming"
)

// now is the name that the entity has from now on.
func (p *porter) now(name string) string { return cmp.Or(p.as[name], name) }

// called is the name of a file, which follows that of its entity.
func (p *porter) called(file string) string {
	for old, name := range p.as {
		if file == naming.Snake(old)+".go" {
			return naming.Snake(name) + ".go"
		}
	}
	return file
}

// rename gives entities their other names in a file.
func (p *porter) rename(f *file) {
	ast.Inspect(f.parsed, func(n ast.Node) bool { return p.renameAt(f, n) })
}

func (p *porter) renameAt(f *file, n ast.Node) bool {
	switch n := n.(type) {
	case *ast.SelectorExpr: // of another package, or User.Type
		if of, ok := n.X.(*ast.Ident); !ok || p.as[of.Name] == "" {
			ast.Inspect(n.X, func(n ast.Node) bool { return p.renameAt(f, n) })
		} else {
			p.edit(f, of.Pos(), of.End(), p.as[of.Name], "%s is called %s", of.Name, p.as[of.Name])
		}
		return false
	case *ast.Ident:
		if name := p.as[n.Name]; name != "" {
			p.edit(f, n.Pos(), n.End(), name, "%s is called %s", n.Name, name)
		}
	}
	return true
}
