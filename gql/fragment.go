package gql

import (
	"strings"
	"sync"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/ast"
)

// fragment is a part of a selection that is deferred.
type fragment struct {
	label string
	set   ast.SelectionSet
}

// fragments divide the selections of an operation into what is answered at
// once and the fragments that are deferred. What is selected both at once and
// in a fragment is answered in both: a client reads each as a whole.
type fragments struct {
	op *graphql.OperationContext

	mu      sync.Mutex
	divided map[selectionKey]*division
}

// selectionKey is a selection's address.
type selectionKey struct {
	first *ast.Selection
	n     int
}

// division is a selection that was divided. It keeps the selection itself:
// gqlgen knows selections by their addresses.
type division struct {
	set, now ast.SelectionSet
	later    []fragment
}

// fragmentsName is where an operation's fragments are kept.
const fragmentsName = "fragments"

// keepFragments prepares the operation, if its document may defer something.
func keepFragments(op *graphql.OperationContext) {
	if strings.Contains(op.RawQuery, "defer") {
		op.Stats.SetExtension(fragmentsName, &fragments{op: op, divided: map[selectionKey]*division{}})
	}
}

// fragmentsOf returns those of an operation, nil where nothing is deferred.
func fragmentsOf(op *graphql.OperationContext) *fragments {
	f, _ := op.Stats.GetExtension(fragmentsName).(*fragments)
	return f
}

// divide returns what is selected at once, of the types, and what is deferred.
// A fragment that holds but deferred ones stands for these. It divides nothing
// where there are no fragments.
func (f *fragments) divide(set ast.SelectionSet, types []string) (now ast.SelectionSet, later []fragment) {
	if f == nil || len(set) == 0 {
		return set, nil
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	whole := f.division(set)
	rounds := 0
	for queue := whole.later; len(queue) > 0; queue = queue[1:] {
		if rounds++; rounds > 10*maxDeferred { // fragments can double
			return whole.now, append(later, queue...)
		}
		inner := f.division(queue[0].set)
		if len(graphql.CollectFields(f.op, inner.now, types)) > 0 {
			later = append(later, queue[0])
		} else if len(inner.later) > 0 {
			queue = append(queue[:1:1], append(inner.later[:len(inner.later):len(inner.later)], queue[1:]...)...)
		}
	}
	return whole.now, later
}

func (f *fragments) division(set ast.SelectionSet) *division {
	if len(set) == 0 {
		return &division{}
	}
	key := selectionKey{&set[0], len(set)}
	known := f.divided[key]
	if known == nil {
		known = &division{set: set}
		known.now, known.later = f.split(set, map[string]bool{})
		f.divided[key] = known
	}
	return known
}

// split divides a selection. A fragment that is spread again adds nothing.
func (f *fragments) split(set ast.SelectionSet, seen map[string]bool) (now ast.SelectionSet, later []fragment) {
	for _, selection := range set {
		inline, name := f.inline(selection)
		if inline == nil || !f.included(inline.Directives) {
			now = append(now, selection)
			continue
		}
		label, deferred := f.deferred(inline.Directives)
		if deferred {
			inline.Directives = without(inline.Directives, "defer")
			if key := label + "\n" + name; name == "" || !seen[key] {
				seen[key] = true
				later = append(later, fragment{label, ast.SelectionSet{inline}})
			}
			continue
		}
		if name != "" && seen[name] {
			continue
		}
		seen[name] = name != ""
		own, below := f.split(inline.SelectionSet, seen)
		if len(below) == 0 {
			now = append(now, selection)
			continue
		}
		for _, b := range below {
			around := *inline
			around.SelectionSet = b.set
			later = append(later, fragment{b.label, ast.SelectionSet{&around}})
		}
		inline.SelectionSet = own
		now = append(now, inline)
	}
	return now, later
}

// inline returns a copy of a fragment as if it stood in the selection, and its
// name if it has one: nil of a field.
func (f *fragments) inline(selection ast.Selection) (*ast.InlineFragment, string) {
	switch s := selection.(type) {
	case *ast.InlineFragment:
		inline := *s
		return &inline, ""
	case *ast.FragmentSpread:
		def := f.op.Doc.Fragments.ForName(s.Name)
		if def == nil {
			return nil, ""
		}
		return &ast.InlineFragment{
			TypeCondition: def.TypeCondition, Directives: s.Directives, SelectionSet: def.SelectionSet,
			ObjectDefinition: def.Definition, Position: s.Position,
		}, s.Name
	}
	return nil, ""
}

// deferred reports whether a fragment is deferred, and as what.
func (f *fragments) deferred(directives ast.DirectiveList) (label string, deferred bool) {
	d := directives.ForName("defer")
	if d == nil || f.value(d, "if") == false {
		return "", false
	}
	label, _ = f.value(d, "label").(string)
	return label, true
}

// included reports whether @skip and @include leave a fragment in.
func (f *fragments) included(directives ast.DirectiveList) bool {
	skip, include := directives.ForName("skip"), directives.ForName("include")
	return (skip == nil || f.value(skip, "if") != true) && (include == nil || f.value(include, "if") != false)
}

func (f *fragments) value(d *ast.Directive, name string) any {
	a := d.Arguments.ForName(name)
	if a == nil {
		return nil
	}
	value, err := a.Value.Value(f.op.Variables)
	if err != nil {
		return nil
	}
	return value
}

func without(directives ast.DirectiveList, name string) ast.DirectiveList {
	var left ast.DirectiveList
	for _, d := range directives {
		if d.Name != name {
			left = append(left, d)
		}
	}
	return left
}

// undeferred returns the selection with nothing deferred in it.
func undeferred(set ast.SelectionSet) ast.SelectionSet {
	all := make(ast.SelectionSet, len(set))
	for i, selection := range set {
		switch s := selection.(type) {
		case *ast.Field:
			field := *s
			field.SelectionSet = undeferred(s.SelectionSet)
			all[i] = &field
		case *ast.InlineFragment:
			inline := *s
			inline.Directives, inline.SelectionSet = without(s.Directives, "defer"), undeferred(s.SelectionSet)
			all[i] = &inline
		case *ast.FragmentSpread:
			spread := *s
			spread.Directives = without(s.Directives, "defer")
			all[i] = &spread
		}
	}
	return all
}

// undeferredDocument returns the document with nothing deferred in its fragments.
func undeferredDocument(doc *ast.QueryDocument) *ast.QueryDocument {
	all := *doc
	all.Fragments = make(ast.FragmentDefinitionList, len(doc.Fragments))
	for i, def := range doc.Fragments {
		fragment := *def
		fragment.SelectionSet = undeferred(def.SelectionSet)
		all.Fragments[i] = &fragment
	}
	return &all
}
