package project

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/format"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// kit is the module that projects are made with, and whose own service is where
// parts come from.
const kit = "github.com/entwine-go/entwine"

// part is something of entwine's own service that a project can begin with: the
// files that are copied, and the folder below with that has what is not.
type part struct {
	name string
	// entities are those that the project's users have edges to.
	entities []string
	files    []string
}

// shared are the files that every part needs.
var shared = []string{"schema/mixin.go", "schema/rule.go"}

// parts are those that there are. What answers operations that are by hand in
// entwine's service (the cart as a whole, an invoice to print, how far an order is
// paid, messages of a payment gateway) is not among their files: a project has no
// operations by hand.
var parts = []part{
	{
		name:     "blog",
		entities: []string{"Post", "Comment", "Like", "Share"},
		files:    []string{"schema/category.go", "schema/comment.go", "schema/like.go", "schema/post.go", "schema/share.go"},
	},
	{
		name:     "shop",
		entities: []string{"Review", "Order", "CartItem"},
		files: []string{
			"schema/cart_item.go", "schema/invoice.go", "schema/order.go", "schema/order_item.go", "schema/payment.go",
			"schema/product.go", "schema/refund.go", "schema/review.go", "schema/sandbox_charge.go", "schema/sequence.go",
			"internal/cart/actions.go", "internal/cart/add.go", "internal/cart/around.go", "internal/cart/cart.go",
			"internal/checkout/actions.go", "internal/checkout/cashier.go", "internal/checkout/expire.go",
			"internal/checkout/letter.go", "internal/checkout/pay.go", "internal/checkout/place.go",
			"internal/checkout/refund.go", "internal/checkout/settle.go", "internal/checkout/state.go", "internal/checkout/stock.go",
			"internal/invoicing/invoicing.go",
			"internal/mailing/mailing.go", "internal/mailing/template.go", "internal/mailing/template/*",
			"worker/customer_mail.go", "worker/email.go", "worker/expire_orders.go", "worker/kinds.go", "worker/settle_payments.go",
		},
	},
}

// Parts are the names of what a project can begin with.
func Parts() (names []string) {
	for _, p := range parts {
		names = append(names, p.name)
	}
	return names
}

// chosen are the parts that the project begins with.
func (p Project) chosen() (all []part, err error) {
	for _, name := range p.With {
		i := slices.IndexFunc(parts, func(one part) bool { return one.name == name })
		if i < 0 {
			return nil, fmt.Errorf("there is no %q to begin with; there are: %s", name, strings.Join(Parts(), ", "))
		}
		all = append(all, parts[i])
	}
	return all, nil
}

// Has reports whether the project begins with the part.
func (p Project) Has(name string) bool { return slices.Contains(p.With, name) }

// copied are the files of entwine's source that the project gets, as they are
// there but for the paths of imports.
func (p Project) copied(chosen []part) (contents map[string][]byte, err error) {
	contents = map[string][]byte{}
	patterns := slices.Clone(shared)
	for _, one := range chosen {
		patterns = append(patterns, one.files...)
	}
	for _, pattern := range patterns {
		files, err := filepath.Glob(filepath.Join(p.Source, filepath.FromSlash(pattern)))
		if err != nil {
			return nil, err
		}
		if len(files) == 0 {
			return nil, fmt.Errorf("%s is not entwine's source: it has no %s", p.Source, pattern)
		}
		for _, file := range files {
			text, err := os.ReadFile(file)
			if err != nil {
				return nil, err
			}
			name, err := filepath.Rel(p.Source, file)
			if err != nil {
				return nil, err
			}
			if filepath.Ext(name) == ".go" {
				if text, err = p.own(text); err != nil {
					return nil, fmt.Errorf("%s: %w", name, err)
				}
			}
			contents[filepath.ToSlash(name)] = text
		}
	}
	return contents, nil
}

// own is a file of Go whose imports of the service are those of the project.
func (p Project) own(text []byte) ([]byte, error) {
	for _, folder := range []string{"ent", "internal/", "schema", "worker"} {
		text = bytes.ReplaceAll(text, []byte(`"`+kit+"/"+folder), []byte(`"`+p.Module+"/"+folder))
	}
	return format.Source(text) // sorts imports
}

// edges are those of the users of entwine's service that lead to entities of the
// parts, as Go has them.
func (p Project) edges(chosen []part) (string, error) {
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
			for _, e := range list.Elts {
				if leadsTo(e, chosen) {
					fmt.Fprintf(&all, "\t\t%s,\n", text[files.Position(e.Pos()).Offset:files.Position(e.End()).Offset])
				}
			}
			return false
		})
	}
	return all.String(), nil
}

// leadsTo reports whether an edge is one to an entity of the parts: Post.Type.
func leadsTo(edge ast.Expr, chosen []part) (leads bool) {
	ast.Inspect(edge, func(n ast.Node) bool {
		s, ok := n.(*ast.SelectorExpr)
		if !ok || s.Sel.Name != "Type" {
			return true
		}
		entity, ok := s.X.(*ast.Ident)
		leads = leads || ok && slices.ContainsFunc(chosen, func(p part) bool { return slices.Contains(p.entities, entity.Name) })
		return true
	})
	return leads
}
