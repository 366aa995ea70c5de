package validation

import (
	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/validator/core"
)

// uniqueLabels refuses a label that two fragments of a document are deferred by: a
// client could not tell their parts apart. A label is written in the document, not
// in a variable, as the proposal for @defer has it.
func uniqueLabels(observers *core.Events, addError core.AddErrFunc) {
	known := map[string]*ast.Directive{}
	passed := map[*ast.Directive]bool{} // a fragment is passed where it is spread, and by itself
	observers.OnDirective(func(_ *core.Walker, d *ast.Directive) {
		if d.Name != "defer" || passed[d] {
			return
		}
		passed[d] = true
		label := d.Arguments.ForName("label")
		switch {
		case label == nil || label.Value.Kind == ast.NullValue:
			return
		case label.Value.Kind == ast.Variable:
			addError(core.Message("the label of @defer must be a text in the document, not a variable"), core.At(d.Position))
			return
		}
		other := known[label.Value.Raw]
		if other == nil {
			known[label.Value.Raw] = d
		} else {
			addError(core.Message("the label %q of @defer must be unique: line %d has it, too", label.Value.Raw, other.Position.Line), core.At(d.Position))
		}
	})
}

// unconditionalRoot refuses @skip and @include where a subscription selects its one
// root field (section 5.2.4.1 of the specification of September 2025): whether there
// is something to subscribe to can't depend on variables.
func unconditionalRoot(observers *core.Events, addError core.AddErrFunc) {
	observers.OnOperation(func(_ *core.Walker, operation *ast.OperationDefinition) {
		if operation.Operation != ast.Subscription {
			return
		}
		spread := map[string]bool{}
		var pass func(ast.SelectionSet)
		pass = func(set ast.SelectionSet) {
			for _, selection := range set {
				directives, below := belowRoot(selection, spread)
				for _, d := range directives {
					if d.Name == "skip" || d.Name == "include" {
						addError(core.Message("@%s is not allowed at the root of a subscription", d.Name), core.At(d.Position))
					}
				}
				pass(below)
			}
		}
		pass(operation.SelectionSet)
	})
}

// belowRoot returns the directives of a selection and, of a fragment, its own
// selection: that of a field is no longer the root, and that of a fragment which has
// been spread before is known.
func belowRoot(selection ast.Selection, spread map[string]bool) (ast.DirectiveList, ast.SelectionSet) {
	switch s := selection.(type) {
	case *ast.Field:
		return s.Directives, nil
	case *ast.InlineFragment:
		return s.Directives, s.SelectionSet
	case *ast.FragmentSpread:
		if s.Definition == nil || spread[s.Name] {
			return s.Directives, nil
		}
		spread[s.Name] = true
		return s.Directives, s.Definition.SelectionSet
	}
	return nil, nil
}
