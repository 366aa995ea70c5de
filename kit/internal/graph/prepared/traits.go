package prepared

import (
	"slices"

	"github.com/vektah/gqlparser/v2/ast"
)

// traits are the properties of an operation that its variables decide.
type traits struct {
	// switches are the variables in directives.
	switches []string
	// costly are the names of the arguments that costs depend on.
	costly []string
	// fixed is set where no argument below the root fields has a variable in
	// it, constant where none has at all, measured where none has that costs depend
	// on.
	fixed, constant, measured bool
}

// spread is a fragment among the root fields, or below them.
type spread struct {
	name string
	root bool
}

// traitsOf returns those of an operation whose cost depends on the arguments with
// the names.
func traitsOf(doc *ast.QueryDocument, op *ast.OperationDefinition, costly []string) traits {
	t := traits{fixed: true, constant: true, measured: true, costly: costly}
	t.walk(doc, op.SelectionSet, true, map[spread]bool{})
	slices.Sort(t.switches)
	t.switches = slices.Compact(t.switches)
	return t
}

func (t *traits) walk(doc *ast.QueryDocument, set ast.SelectionSet, root bool, seen map[spread]bool) {
	for _, selection := range set {
		switch s := selection.(type) {
		case *ast.Field:
			t.directives(s.Directives)
			for _, a := range s.Arguments {
				if varies(a.Value) {
					t.constant, t.fixed = false, t.fixed && root
					t.measured = t.measured && !slices.Contains(t.costly, a.Name)
				}
			}
			t.walk(doc, s.SelectionSet, false, seen)
		case *ast.InlineFragment:
			t.directives(s.Directives)
			t.walk(doc, s.SelectionSet, root, seen)
		case *ast.FragmentSpread:
			t.directives(s.Directives)
			if key := (spread{s.Name, root}); !seen[key] {
				seen[key] = true
				t.walk(doc, doc.Fragments.ForName(s.Name).SelectionSet, root, seen)
			}
		}
	}
}

func (t *traits) directives(all ast.DirectiveList) {
	for _, d := range all {
		for _, a := range d.Arguments {
			if a.Value.Kind == ast.Variable {
				t.switches = append(t.switches, a.Value.Raw)
			}
		}
	}
}

// varies reports whether there is a variable in the value.
func varies(v *ast.Value) bool {
	return v.Kind == ast.Variable || slices.ContainsFunc(v.Children, func(c *ast.ChildValue) bool { return varies(c.Value) })
}

// switched are the values of the switches.
func (t *traits) switched(variables map[string]any) string {
	if len(t.switches) == 0 {
		return ""
	}
	set := make([]byte, len(t.switches))
	for i, name := range t.switches {
		switch variables[name] {
		case true:
			set[i] = '1'
		case false:
			set[i] = '0'
		default:
			set[i] = '-'
		}
	}
	return string(set)
}
