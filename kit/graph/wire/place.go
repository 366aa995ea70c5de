package wire

import (
	"strconv"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/ast"

	"github.com/entwine-go/entwine/kit/files"
)

// place is where a value stands: a field of an input type, or an argument of a mutation,
// whose In is the mutation's name after "Mutation.".
type place struct{ in, name string }

// placesOf are the places of a schema whose values are addresses of files: arguments of
// mutations that answer with the entity, and fields of the inputs of these.
func placesOf(schema *ast.Schema, targets []files.Target) map[place]files.Target {
	all := map[place]files.Target{}
	if schema == nil || schema.Mutation == nil {
		return all
	}
	for _, m := range schema.Mutation.Fields {
		for _, t := range targets {
			if m.Type.Name() != t.Entity.Name {
				continue
			}
			for _, name := range t.Field.GraphQL {
				if m.Arguments.ForName(name) != nil {
					all[place{"Mutation." + m.Name, name}] = t
				}
				for _, a := range m.Arguments {
					if in := schema.Types[a.Type.Name()]; in != nil && in.Kind == ast.InputObject && in.Fields.ForName(name) != nil {
						all[place{in.Name, name}] = t
					}
				}
			}
		}
	}
	return all
}

// target is the field that a variable is the value of, or part of.
func (h *Handler) target(op *graphql.OperationContext, path []string) (files.Target, bool) {
	at, ok := h.placed(op, path)
	if !ok {
		return files.Target{}, false
	}
	h.once.Do(func() { h.places = placesOf(h.Schema, h.Files.Targets) })
	t, ok := h.places[at]
	return t, ok
}

func (h *Handler) placed(op *graphql.OperationContext, path []string) (place, bool) {
	if len(path) == 1 {
		return h.used(op.Operation.SelectionSet, path[0])
	}
	def := op.Operation.VariableDefinitions.ForName(path[0])
	if def == nil {
		return place{}, false
	}
	var at place
	t := def.Type
	for _, name := range path[1:] {
		if t.Elem != nil {
			if _, err := strconv.Atoi(name); err == nil {
				t = t.Elem
				continue
			}
		}
		in := h.Schema.Types[t.Name()]
		if in == nil || in.Kind != ast.InputObject || in.Fields.ForName(name) == nil {
			return place{}, false
		}
		at, t = place{in.Name, name}, in.Fields.ForName(name).Type
	}
	return at, true
}

// used is where the document has the variable by itself.
func (h *Handler) used(selections ast.SelectionSet, variable string) (place, bool) {
	for _, s := range selections {
		var at place
		ok := false
		switch s := s.(type) {
		case *ast.Field:
			for _, a := range s.Arguments {
				if def := s.Definition.Arguments.ForName(a.Name); !ok && def != nil {
					at, ok = h.within(place{"Mutation." + s.Name, a.Name}, def.Type, a.Value, variable)
				}
			}
		case *ast.InlineFragment:
			at, ok = h.used(s.SelectionSet, variable)
		case *ast.FragmentSpread:
			at, ok = h.used(s.Definition.SelectionSet, variable)
		}
		if ok {
			return at, true
		}
	}
	return place{}, false
}

// within is where the variable stands in the value at a place.
func (h *Handler) within(at place, t *ast.Type, v *ast.Value, variable string) (place, bool) {
	if v.Kind == ast.Variable {
		return at, v.Raw == variable
	}
	for _, child := range v.Children {
		inner, of := at, t
		if v.Kind == ast.ObjectValue {
			in := h.Schema.Types[t.Name()]
			if in == nil || in.Fields.ForName(child.Name) == nil {
				continue
			}
			inner, of = place{in.Name, child.Name}, in.Fields.ForName(child.Name).Type
		} else if t.Elem != nil {
			of = t.Elem
		}
		if found, ok := h.within(inner, of, child.Value, variable); ok {
			return found, true
		}
	}
	return place{}, false
}
