package model

import (
	"fmt"

	"entgo.io/ent"
	"entgo.io/ent/entc/gen"
	"entgo.io/ent/entc/load"

	"github.com/entwine-go/entwine/kit/codegen/naming"
	"github.com/entwine-go/entwine/kit/expose"
	"github.com/entwine-go/entwine/kit/policy"
)

// Action is an action of an entity beside reading and writing its rows.
type Action struct {
	expose.Action
	Entity *Entity
	// Input are the fields that a caller names.
	Input []*Field
	// Condition says for which rows it is possible, by state and by When: folded,
	// over columns only.
	Condition policy.Rule
	// To is the state that it sets by itself, empty for none.
	To string
}

// Create reports whether the action makes a row: POST on the collection.
func (a *Action) Create() bool { return a.Scope == expose.Collection && a.Verb == policy.Create }

// OfRow reports whether the action is done to a row.
func (a *Action) OfRow() bool { return a.Scope == expose.Row }

// Method is the Go method that does it, empty where none is needed.
func (a *Action) Method() string {
	if a.Run == "" {
		return ""
	}
	return naming.Pascal(a.Verb)
}

// Type is the Go type of its input, and that of its body in the REST document:
// "OrderRefund" if it has no name of its own.
func (a *Action) Type() string {
	if a.Names.Body != "" {
		return a.Names.Body
	}
	return a.Entity.Name + naming.Pascal(a.Verb)
}

// InputRequired reports whether something of the input has to be named.
func (a *Action) InputRequired() bool {
	for _, f := range a.Input {
		if f.RequiredOnCreate() {
			return true
		}
	}
	return false
}

// Mark is a flag that users set on rows of an entity and take back.
type Mark struct {
	expose.Mark
	// Entity is the one that is marked, Of the one whose rows are the marks.
	Entity, Of *Entity
	// To is the foreign key to the row, By that to the user, Count the field of
	// the row that counts.
	To, By, Count *Field
}

// Moving returns the field whose states are declared, nil where there is none.
func (e *Entity) Moving() *Field {
	for _, f := range e.Fields {
		if len(f.Moves) > 0 {
			return f
		}
	}
	return nil
}

// addActions gives the entity what its schema says can be done to its rows.
func (e *Entity) addActions() (errs []error) {
	state, moves := "", []expose.Move(nil)
	if f := e.Moving(); f != nil {
		state, moves = f.Type.StorageKey(), f.Moves
	}
	for _, declared := range e.Resource.Actions {
		a := &Action{Action: declared, Entity: e, Condition: declared.Condition(state, moves)}
		if to := expose.After(moves, a.Verb); a.OfRow() && a.Run == "" && len(to) == 1 {
			a.To = to[0]
		}
		input, err := e.inputs(a.Entity.Name+naming.Pascal(a.Verb), declared.Input)
		if err != nil {
			errs = append(errs, ProblemAt(e.Type, "", fmt.Errorf("action %q: %w", a.Verb, err)))
		}
		a.Input = input
		e.Actions = append(e.Actions, a)
	}
	for i, b := range e.Resource.Beside {
		input, err := e.inputs(fmt.Sprintf("%sBeside%d", e.Name, i), b.Input)
		if err != nil {
			errs = append(errs, ProblemAt(e.Type, "", fmt.Errorf("beside: %w", err)))
		}
		for _, o := range b.On {
			e.Extra[o] = append(e.Extra[o], input...)
		}
	}
	return errs
}

// inputs are the fields of an input, of which Ent knows no entity.
func (e *Entity) inputs(name string, all []ent.Field) (fields []*Field, err error) {
	spec := &load.Schema{Name: name}
	for _, f := range all {
		loaded, err := load.NewField(f.Descriptor())
		if err != nil {
			return nil, err
		}
		spec.Fields = append(spec.Fields, loaded)
	}
	if len(all) == 0 {
		return nil, nil
	}
	t, err := gen.NewType(e.Type.Config, spec)
	if err != nil {
		return nil, err
	}
	for _, f := range t.Fields {
		a, err := FieldAnnotation(f.Annotations)
		if err != nil {
			return nil, err
		}
		shown, err := newField(&Entity{Type: t}, f, a)
		if err != nil {
			return nil, err
		}
		shown.Entity = e
		if a.Refers != "" {
			shown.Kind, shown.Ref = "Ref", a.Refers
		}
		if a.Object != nil {
			shown.Kind = "Objects"
			members := make([]ent.Field, len(a.Object.Fields))
			for i, m := range a.Object.Fields {
				members[i] = m
			}
			if shown.Members, err = e.inputs(name+naming.Pascal(f.Name), members); err != nil {
				return nil, err
			}
		}
		fields = append(fields, shown)
	}
	inputOlds(fields)
	return fields, nil
}

// addMarks finds what marks are made of, and adds the fields by which callers see
// their own. The check reports what is missing.
func (e *Entity) addMarks(byType map[string]*Entity) {
	var seen []expose.Derived
	for _, declared := range e.Resource.Marks {
		m := &Mark{Mark: declared, Entity: e, Of: byType[declared.Entity], Count: e.Field(declared.Count)}
		if m.Of != nil {
			m.To, m.By = m.Of.Field(m.Mark.To), m.Of.Field(m.Mark.By)
			if m.Viewer != "" {
				seen = append(seen, expose.ViewerHas(m.Viewer, m.ViewerComment, m.Of.Type.Table(), m.Mark.To, m.Mark.By))
			}
		}
		e.Marks = append(e.Marks, m)
	}
	e.Derived = append(seen, e.Derived...)
}

// Jobs is the entity of the jobs that actions are answered with, nil where
// there is none.
func (m *Model) Jobs() *Entity {
	for _, e := range m.Entities {
		if e.Type.Table() == "jobs" {
			return e
		}
	}
	return nil
}
