package validation

import (
	"fmt"

	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/validator/core"
)

// Whether fields that share a name in the answer can be merged is validated by
// comparing each with each, level by level: a name that is repeated 1,900 times is
// 1.8 million comparisons. Fields that are certain to merge (the same field with
// the same arguments) are therefore merged first, and their selections put
// together. There the rule finds the conflicts that it had found between the
// repetitions.

// mergedFirst returns the rule for documents with their repetitions merged.
func mergedFirst(rule core.RuleFunc) core.RuleFunc {
	return apart(func(document *ast.QueryDocument) (core.RuleFunc, *ast.QueryDocument) {
		return rule, mergedDocument(document)
	})
}

// mergedDocument returns a copy of a document with its repetitions merged.
func mergedDocument(document *ast.QueryDocument) *ast.QueryDocument {
	merged := *document
	merged.Operations = make(ast.OperationList, len(document.Operations))
	for i, operation := range document.Operations {
		o := *operation
		o.SelectionSet = mergedSet(o.SelectionSet)
		merged.Operations[i] = &o
	}
	merged.Fragments = make(ast.FragmentDefinitionList, len(document.Fragments))
	for i, fragment := range document.Fragments {
		f := *fragment
		f.SelectionSet = mergedSet(f.SelectionSet)
		merged.Fragments[i] = &f
	}
	return &merged
}

// mergeKey is the same for selections that are merged: the name in the answer,
// name and arguments of a field, or the type or name of a fragment.
type mergeKey struct {
	kind                   rune
	alias, name, arguments string
}

func mergeKeyOf(selection ast.Selection) mergeKey {
	switch s := selection.(type) {
	case *ast.Field:
		k := mergeKey{kind: 'f', alias: s.Alias, name: s.Name}
		for _, argument := range s.Arguments {
			k.arguments += fmt.Sprint(argument.Name, ":", argument.Value.Kind, argument.Value, ",")
		}
		return k
	case *ast.InlineFragment:
		return mergeKey{kind: 'i', name: s.TypeCondition}
	case *ast.FragmentSpread:
		return mergeKey{kind: 's', name: s.Name}
	}
	return mergeKey{}
}

// mergedSet returns a selection set with one selection for each key, which
// selects what all of them do. Directives have no part in this.
func mergedSet(set ast.SelectionSet) ast.SelectionSet {
	if len(set) == 0 {
		return nil
	}
	var keys []mergeKey
	first := make(map[mergeKey]ast.Selection, len(set))
	below := make(map[mergeKey]ast.SelectionSet)
	for _, selection := range set {
		k := mergeKeyOf(selection)
		if first[k] == nil {
			keys, first[k] = append(keys, k), selection
		}
		below[k] = append(below[k], selectedBy(selection)...)
	}
	merged := make(ast.SelectionSet, 0, len(keys))
	for _, k := range keys {
		switch s := first[k].(type) {
		case *ast.Field:
			f := *s
			f.Directives, f.SelectionSet = nil, mergedSet(below[k])
			merged = append(merged, &f)
		case *ast.InlineFragment:
			f := *s
			f.Directives, f.SelectionSet = nil, mergedSet(below[k])
			merged = append(merged, &f)
		case *ast.FragmentSpread:
			f := *s
			f.Directives = nil
			merged = append(merged, &f)
		}
	}
	return merged
}

func selectedBy(selection ast.Selection) ast.SelectionSet {
	switch s := selection.(type) {
	case *ast.Field:
		return s.SelectionSet
	case *ast.InlineFragment:
		return s.SelectionSet
	}
	return nil
}
