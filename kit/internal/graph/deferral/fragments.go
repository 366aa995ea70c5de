package deferral

import (
	"slices"
	"sync"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/ast"
)

// Max is how many fragments an operation may defer: each has statements of its
// own.
const Max = 20

// Fragment is a part of a selection that is deferred.
type Fragment struct {
	Label string
	Set   ast.SelectionSet
}

// Fragments divide the selections of an operation into what is answered at once
// and the fragments that are deferred. A field that is selected both at once and
// in a fragment is answered in both: a client reads each as a whole.
type Fragments struct {
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
	later    []Fragment
}

// extensionName is where an operation's fragments are kept.
const extensionName = "fragments"

// Prepare prepares an operation whose document may defer something.
func Prepare(op *graphql.OperationContext) {
	op.Stats.SetExtension(extensionName, &Fragments{op: op, divided: map[selectionKey]*division{}})
}

// Of returns the fragments of an operation, nil where nothing is deferred.
func Of(op *graphql.OperationContext) *Fragments {
	f, _ := op.Stats.GetExtension(extensionName).(*Fragments)
	return f
}

// Divide returns what is selected at once, of the types, and what is deferred.
// A fragment that holds but deferred ones stands for these. It divides nothing
// where there are no fragments.
func (f *Fragments) Divide(set ast.SelectionSet, types []string) (now ast.SelectionSet, later []Fragment) {
	if f == nil || len(set) == 0 {
		return set, nil
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	whole := f.division(set)
	rounds := 0
	for queue := whole.later; len(queue) > 0; queue = queue[1:] {
		if rounds++; rounds > 10*Max { // fragments can double
			return whole.now, append(later, queue...)
		}
		inner := f.division(queue[0].Set)
		if len(graphql.CollectFields(f.op, inner.now, types)) > 0 {
			later = append(later, queue[0])
		} else if len(inner.later) > 0 {
			queue = append(queue[:1:1], append(slices.Clip(inner.later), queue[1:]...)...)
		}
	}
	return whole.now, later
}

func (f *Fragments) division(set ast.SelectionSet) *division {
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
func (f *Fragments) split(set ast.SelectionSet, seen map[string]bool) (now ast.SelectionSet, later []Fragment) {
	for _, selection := range set {
		inline, name := f.inline(selection)
		if inline == nil || !f.included(inline.Directives) {
			now = append(now, selection)
			continue
		}
		label, deferred := f.deferred(inline.Directives)
		if deferred {
			inline.Directives = withoutDirective(inline.Directives, "defer")
			if key := label + "\n" + name; name == "" || !seen[key] {
				seen[key] = true
				later = append(later, Fragment{label, ast.SelectionSet{inline}})
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
			around.SelectionSet = b.Set
			later = append(later, Fragment{b.Label, ast.SelectionSet{&around}})
		}
		inline.SelectionSet = own
		now = append(now, inline)
	}
	return now, later
}

// inline returns a copy of a fragment as if it stood in the selection, and its
// name if it has one: nil of a field.
func (f *Fragments) inline(selection ast.Selection) (*ast.InlineFragment, string) {
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
func (f *Fragments) deferred(directives ast.DirectiveList) (label string, deferred bool) {
	d := directives.ForName("defer")
	if d == nil || f.value(d, "if") == false {
		return "", false
	}
	label, _ = f.value(d, "label").(string)
	return label, true
}

// included reports whether @skip and @include leave a fragment in.
func (f *Fragments) included(directives ast.DirectiveList) bool {
	skip, include := directives.ForName("skip"), directives.ForName("include")
	return (skip == nil || f.value(skip, "if") != true) && (include == nil || f.value(include, "if") != false)
}

func (f *Fragments) value(d *ast.Directive, name string) any {
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
