package port

import (
	"go/ast"
	"slices"
	"strconv"
)

// chain is field.String("name").Optional() and the like: a function of a package of Ent's
// and the methods that are called of its result.
type chain struct {
	of    *ast.CallExpr // the whole
	root  *ast.CallExpr
	fn    *ast.SelectorExpr // field.String
	calls []call
}

// call is a method of a chain.
type call struct {
	name string
	*ast.CallExpr
}

// chainOf takes an expression apart, nil where it is no such chain of the package.
func chainOf(e ast.Expr, pkg string) *chain {
	c := &chain{}
	c.of, _ = e.(*ast.CallExpr)
	for {
		at, ok := e.(*ast.CallExpr)
		if !ok {
			return nil
		}
		fn, ok := at.Fun.(*ast.SelectorExpr)
		if !ok {
			return nil
		}
		if name, ok := fn.X.(*ast.Ident); ok && name.Name == pkg {
			c.root, c.fn = at, fn
			return c
		}
		c.calls = append([]call{{fn.Sel.Name, at}}, c.calls...)
		e = fn.X
	}
}

// method is the last call of the method, nil where there is none.
func (c *chain) method(name string) *ast.CallExpr {
	for _, one := range slices.Backward(c.calls) {
		if one.name == name {
			return one.CallExpr
		}
	}
	return nil
}

// text is the text that is the first argument of the call, empty where it is another expression.
func text(c *ast.CallExpr) string {
	if c == nil || len(c.Args) == 0 {
		return ""
	}
	lit, ok := c.Args[0].(*ast.BasicLit)
	if !ok {
		return ""
	}
	s, err := strconv.Unquote(lit.Value)
	if err != nil {
		return ""
	}
	return s
}

// typeOf is T of the argument T.Type.
func typeOf(c *ast.CallExpr, i int) string {
	if len(c.Args) <= i {
		return ""
	}
	if s, ok := c.Args[i].(*ast.SelectorExpr); ok && s.Sel.Name == "Type" {
		if name, ok := s.X.(*ast.Ident); ok {
			return name.Name
		}
	}
	return ""
}

// listed are the chains in lists of a type of Ent's, []ent.Field, below the node.
func listed(n ast.Node, typ, pkg string) (all []*chain) {
	ast.Inspect(n, func(n ast.Node) bool {
		if lit, ok := n.(*ast.CompositeLit); ok && isList(lit, typ) {
			for _, e := range lit.Elts {
				if c := chainOf(e, pkg); c != nil {
					all = append(all, c)
				}
			}
		}
		return true
	})
	return all
}

func isList(lit *ast.CompositeLit, typ string) bool {
	of, ok := lit.Type.(*ast.ArrayType)
	if !ok {
		return false
	}
	s, ok := of.Elt.(*ast.SelectorExpr)
	return ok && s.Sel.Name == typ
}

// list is the list that the method returns, nil where it returns something else.
func list(f *ast.FuncDecl, typ string) *ast.CompositeLit {
	if f == nil || f.Body == nil || len(f.Body.List) != 1 {
		return nil
	}
	r, ok := f.Body.List[0].(*ast.ReturnStmt)
	if !ok || len(r.Results) != 1 {
		return nil
	}
	lit, ok := r.Results[0].(*ast.CompositeLit)
	if !ok || !isList(lit, typ) {
		return nil
	}
	return lit
}
