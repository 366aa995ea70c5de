package port

import (
	"go/ast"
	"go/token"
	"path"
	"slices"
	"strconv"
	"strings"
)

// olds are where Ent was before.
var olds = []string{"github.com/facebook/ent", "github.com/facebookincubator/ent"}

// privacies are the words of package privacy that are the same in Ent's own and in what Ent
// generates.
var privacies = strings.Fields(`Allow Deny Skip Allowf Denyf Skipf AlwaysAllowRule AlwaysDenyRule ContextQueryMutationRule QueryRule QueryPolicy MutationRule MutationPolicy
	QueryMutationRule MutationRuleFunc OnMutationOperation DenyMutationOperationRule Policy Policies DecisionContext DecisionFromContext`)

// generated says what is allowed in the place of packages that Ent generates.
var generated = map[string]string{
	"privacy":   `rules see what a mutation is about by an interface, such as interface{ Title() (string, bool) }`,
	"hook":      `a hook asks m.Op() and m.Fields()`,
	"intercept": `a condition of Read in policy.Rules is allowed (doc/guides/policies.md#policies-of-entprivacy)`,
	"ent":       `hooks and rules see what a mutation is about by an interface, such as interface{ Title() (string, bool) }`,
}

// imports edits the imports of a file, and lists those of what is generated.
func (p *porter) imports(f *file) {
	for _, spec := range f.parsed.Imports {
		from, err := strconv.Unquote(spec.Path.Value)
		if err != nil {
			continue
		}
		for _, old := range olds {
			if rest, is := strings.CutPrefix(from, old); is && (rest == "" || rest[0] == '/') {
				p.edit(f, spec.Path.Pos(), spec.Path.End(), strconv.Quote("entgo.io/ent"+rest), "%s is entgo.io/ent%s now", from, rest)
			}
		}
		if strings.HasPrefix(from, "entgo.io/ent/") && !strings.HasPrefix(from, "entgo.io/ent/examples/") && !strings.HasPrefix(from, "entgo.io/ent/entc/integration/") || from == "entgo.io/ent" {
			continue
		}
		says := generated[path.Base(from)]
		if says == "" || path.Base(from) != "ent" && path.Base(path.Dir(from)) != "ent" {
			continue
		}
		if path.Base(from) == "privacy" && p.uses(f.parsed, "privacy", privacies) {
			p.edit(f, spec.Path.Pos(), spec.Path.End(), `"entgo.io/ent/privacy"`, "entgo.io/ent/privacy has what is used of %s", from)
			continue
		}
		p.decide(spec.Pos(), "%q is generated from the schemas, which can't import it: %s", from, says)
	}
}

// uses reports whether the file uses no other words of the package.
func (p *porter) uses(f *ast.File, pkg string, words []string) bool {
	all := true
	ast.Inspect(f, func(n ast.Node) bool {
		if s, ok := n.(*ast.SelectorExpr); ok {
			if name, ok := s.X.(*ast.Ident); ok && name.Name == pkg && !slices.Contains(words, s.Sel.Name) {
				all = false
			}
		}
		return true
	})
	return all
}

// imported adds the imports that edits need.
func (p *porter) imported(f *file) {
	if strings.Contains(f.more, "ent.") {
		f.needs["entgo.io/ent"] = true
	}
	var lines []string
	for _, need := range slices.Sorted(func(yield func(string) bool) {
		for name := range f.needs {
			if !yield(name) {
				return
			}
		}
	}) {
		if !slices.ContainsFunc(f.parsed.Imports, func(s *ast.ImportSpec) bool { return s.Path.Value == strconv.Quote(need) }) {
			lines = append(lines, "\t"+strconv.Quote(need))
		}
	}
	if len(lines) == 0 {
		return
	}
	text := strings.Join(lines, "\n") + "\n"
	for _, d := range f.parsed.Decls {
		if g, ok := d.(*ast.GenDecl); ok && g.Tok == token.IMPORT && g.Rparen.IsValid() {
			at := p.offset(g.Rparen)
			f.edits = append(f.edits, edit{at, at, "\n" + text})
			return
		}
	}
	at := p.offset(f.parsed.Name.End())
	f.edits = append(f.edits, edit{at, at, "\n\nimport (\n" + text + ")"})
}
