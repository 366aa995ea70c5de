package write

import (
	"context"
	"fmt"
	"slices"

	"entgo.io/ent"
	"entgo.io/ent/schema/field"

	"github.com/entwine-go/entwine/kit/entity"
	"github.com/entwine-go/entwine/kit/expose"
	"github.com/entwine-go/entwine/kit/gid"
	"github.com/entwine-go/entwine/kit/mutation"
)

// Bound is the generated part of an action that a schema declares.
type Bound struct {
	// Input are the fields of its input by name and kind, in the order of the schema.
	Input []*Field
	Run   func(ctx context.Context, methods any, id gid.ID, in Values) (Result, error)
	// Show takes the place of Run for an action with Answer.Once.
	Show func(ctx context.Context, methods any, id gid.ID, in Values) (Result, Once, error)
}

// run carries the action out, nil where it only sets columns.
func (b Bound) run() func(ctx context.Context, methods any, id gid.ID, in Values) (Result, error) {
	if b.Show == nil {
		return b.Run
	}
	return func(ctx context.Context, methods any, id gid.ID, in Values) (Result, error) {
		result, once, err := b.Show(ctx, methods, id, in)
		result.once = once
		return result, err
	}
}

// Declared returns the actions that the schema declares, each with its generated
// part, in the schema's order.
func Declared(s ent.Interface, bound ...Bound) []*Action {
	r, _ := expose.ResourceOf(s)
	state, moves := "", []expose.Move(nil)
	if d, says := moving(s); d != nil {
		state, moves = d.Name, says.Moves
	}
	actions := make([]*Action, len(r.Actions))
	for i, declared := range r.Actions {
		a := &Action{
			Action: declared, Condition: declared.Condition(state, moves), Offered: declared.Offered(state, moves),
			Input: Inputs(declared.Input, bound[i].Input), Run: bound[i].run(),
		}
		if to := expose.After(moves, a.Verb); a.Scope == expose.Row && a.Action.Run == "" && len(to) == 1 {
			a.To = to[0]
		}
		actions[i] = a
	}
	return actions
}

// Stateful returns the field of the entity whose moves the schema declares, nil
// where there is none.
func Stateful(s ent.Interface, e *entity.Entity) *State {
	d, says := moving(s)
	if d == nil {
		return nil
	}
	i := slices.IndexFunc(e.Fields, func(f *entity.Field) bool { return f.Name == d.Name })
	return &State{Field: e.Fields[i], Moves: says.Moves, Busy: says.BusyIn}
}

func moving(s ent.Interface) (*field.Descriptor, expose.Field) {
	for _, f := range s.Fields() {
		if says := expose.FieldOf(f.Descriptor()); len(says.Moves) > 0 {
			return f.Descriptor(), says
		}
	}
	return nil, expose.Field{}
}

// Inputs completes the fields of an input by the parts of the schema that are Go
// values: bounds, defaults, and which are secret.
func Inputs(declared []ent.Field, fields []*Field) []*Field {
	for i, f := range fields {
		d := declared[i].Descriptor()
		says := expose.FieldOf(d)
		f.OnCreate, f.OnUpdate, f.Secret = true, true, says.Secret
		f.Check = checks(d, says)
		if d.Default != nil {
			f.Default = func() any { return mutation.Plain(d.Default) }
		}
		if says.Currency != "" && f.Currency == nil {
			f.Currency = fields[slices.IndexFunc(fields, func(o *Field) bool { return o.Name == says.Currency })].Field
		}
		if list, ok := declared[i].(*expose.ObjectField); ok {
			f.Least, f.Most = says.Object.Minimum, says.Object.Maximum
			f.Members = Inputs(list.Members(), f.Members)
		}
	}
	return fields
}

// checks are all validators of a field in one.
func checks(d *field.Descriptor, says expose.Field) func(any) error {
	valid := mutation.Checks(d)
	if says.Enum == nil || d.Info.Type != field.TypeJSON {
		return valid
	}
	choices := among(says.Enum.Choices, !d.Optional)
	if valid == nil {
		return choices
	}
	return func(value any) error {
		if err := valid(value); err != nil {
			return err
		}
		return choices(value)
	}
}

// among refuses items that are none of the choices, and a list without any where
// some are required.
func among(choices []expose.Choice, required bool) func(any) error {
	return func(value any) error {
		items := value.([]string)
		if required && len(items) == 0 {
			return fmt.Errorf("must be at least 1 item, not 0")
		}
		for _, item := range items {
			if slices.ContainsFunc(choices, func(c expose.Choice) bool { return c.Value == item }) {
				continue
			}
			var values string
			for i, c := range choices {
				if i > 0 {
					values += ", "
				}
				values += c.Value
			}
			return fmt.Errorf("each item must be one of %s", values)
		}
		return nil
	}
}

// Of returns the value of an input, the zero value where there is none.
func Of[T any](in Values, name string) T {
	value, _ := in[name].(T)
	return value
}

// Maybe returns the value of an input, nil where there is none.
func Maybe[T any](in Values, name string) *T {
	if value, ok := in[name].(T); ok {
		return &value
	}
	return nil
}

// Each reads each of the objects of an input, nil where it was left out.
func Each[T any](in Values, name string, read func(Values) T) []T {
	objects, ok := in[name].([]Values)
	if !ok {
		return nil
	}
	all := make([]T, len(objects))
	for i, o := range objects {
		all[i] = read(o)
	}
	return all
}

// Object takes an object of any form, with numbers as they are written: a [Field.Decode].
func Object(raw any) (any, error) {
	if object, ok := raw.(map[string]any); ok {
		return object, nil
	}
	return nil, fmt.Errorf("must be an object, not %s", typeOf(raw))
}
