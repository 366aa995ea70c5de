package deferral

import "github.com/vektah/gqlparser/v2/ast"

// Without returns the selection with nothing deferred in it.
func Without(set ast.SelectionSet) ast.SelectionSet {
	all := make(ast.SelectionSet, len(set))
	for i, selection := range set {
		switch s := selection.(type) {
		case *ast.Field:
			field := *s
			field.SelectionSet = Without(s.SelectionSet)
			all[i] = &field
		case *ast.InlineFragment:
			inline := *s
			inline.Directives, inline.SelectionSet = withoutDirective(s.Directives, "defer"), Without(s.SelectionSet)
			all[i] = &inline
		case *ast.FragmentSpread:
			spread := *s
			spread.Directives = withoutDirective(s.Directives, "defer")
			all[i] = &spread
		}
	}
	return all
}

// WithoutInFragments returns the document with nothing deferred in its fragments.
func WithoutInFragments(doc *ast.QueryDocument) *ast.QueryDocument {
	all := *doc
	all.Fragments = make(ast.FragmentDefinitionList, len(doc.Fragments))
	for i, def := range doc.Fragments {
		fragment := *def
		fragment.SelectionSet = Without(def.SelectionSet)
		all.Fragments[i] = &fragment
	}
	return &all
}

func withoutDirective(directives ast.DirectiveList, name string) ast.DirectiveList {
	var left ast.DirectiveList
	for _, d := range directives {
		if d.Name != name {
			left = append(left, d)
		}
	}
	return left
}
