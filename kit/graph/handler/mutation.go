package handler

import (
	"context"
	"slices"

	"github.com/entwine-go/entwine/kit/entity"
	"github.com/entwine-go/entwine/kit/gid"
	"github.com/entwine-go/entwine/kit/graph/execute"
	"github.com/entwine-go/entwine/kit/policy"
	"github.com/entwine-go/entwine/kit/problem"
	"github.com/entwine-go/entwine/kit/read"
	"github.com/entwine-go/entwine/kit/viewer"
	"github.com/entwine-go/entwine/kit/write"
)

// Mutation is a root mutation that is declared: it becomes a write under its name.
type Mutation func(d *Door, name string) execute.Write

// Writes returns the mutations as the executor runs them.
func (d *Door) Writes(all map[string]Mutation) map[string]execute.Write {
	writes := make(map[string]execute.Write, len(all))
	for name, m := range all {
		writes[name] = m(d, name)
	}
	return writes
}

// Create makes a row of the argument input.
func Create(e *write.Entity) Mutation {
	return func(d *Door, name string) execute.Write {
		return d.answering(name, e, func(ctx context.Context, a arguments, show *write.Show) (write.Row, error) {
			return d.Engine.Create(ctx, write.Call{Entity: e, Input: a.input(), Show: show})
		})
	}
}

// CreateFlat makes a row of the arguments.
func CreateFlat(e *write.Entity) Mutation {
	return func(d *Door, name string) execute.Write {
		return d.answering(name, e, func(ctx context.Context, a arguments, show *write.Show) (write.Row, error) {
			return d.Engine.Create(ctx, write.Call{Entity: e, Input: a.flat(), Show: show})
		})
	}
}

// CreateBelow makes a row of the arguments below the row that one of them names.
// Under is the field that names the row above.
func CreateBelow(e *write.Entity, under, argument string) Mutation {
	return func(d *Door, name string) execute.Write {
		return d.answering(name, e, func(ctx context.Context, a arguments, show *write.Show) (write.Row, error) {
			of := e.Field(under).Refers
			above, err := a.id(ctx, e.Entity, policy.Create, argument, of)
			if err != nil {
				return write.Row{}, err
			}
			return d.Engine.Create(ctx, write.Call{
				Entity: e, Input: a.flat(argument), Fixed: write.Fixed{Field: under, ID: above}, Show: show,
				Above: func(ctx context.Context) error { return d.there(ctx, of, above) },
			})
		})
	}
}

// above is the row that the argument names, which the caller can read.
func (d *Door) above(ctx context.Context, a arguments, e *write.Entity, verb, under, argument string) (gid.ID, error) {
	if err := e.Rules.Check(viewer.From(ctx), verb); err != nil {
		return gid.ID{}, err
	}
	of := e.Field(under).Refers
	id, err := a.id(ctx, e.Entity, verb, argument, of)
	if err != nil {
		return gid.ID{}, err
	}
	return id, d.there(ctx, of, id)
}

// there returns nil if the caller can read the row.
func (d *Door) there(ctx context.Context, e *entity.Entity, id gid.ID) error {
	there, err := d.Reader.Readable(ctx, e, id)
	if err == nil && !there {
		err = read.NotFound(e)
	}
	return err
}

// Update changes the row with the argument id by the argument input.
func Update(e *write.Entity) Mutation {
	return onRow(e, policy.Update, func(ctx context.Context, d *Door, c write.Call) (write.Row, error) {
		return d.Engine.Update(ctx, c, false)
	})
}

// Restore brings the row with the argument id back.
func Restore(e *write.Entity) Mutation {
	return onRow(e, policy.Restore, func(ctx context.Context, d *Door, c write.Call) (write.Row, error) {
		return d.Engine.Restore(ctx, c)
	})
}

// onRow writes the row with the argument id.
func onRow(e *write.Entity, verb string, do func(context.Context, *Door, write.Call) (write.Row, error)) Mutation {
	return func(d *Door, name string) execute.Write {
		return d.answering(name, e, func(ctx context.Context, a arguments, _ *write.Show) (write.Row, error) {
			id, err := a.id(ctx, e.Entity, verb, "id", e.Entity)
			if err != nil {
				return write.Row{}, err
			}
			return do(ctx, d, write.Call{Entity: e, ID: id, Input: a.input(), Expect: a.expect()})
		})
	}
}

// SetOf changes the one row below the row that the argument names, by the argument
// input, or creates it. Under is the field that names the row above.
func SetOf(e *write.Entity, under, argument string) Mutation {
	return func(d *Door, name string) execute.Write {
		return d.answering(name, e, func(ctx context.Context, a arguments, _ *write.Show) (write.Row, error) {
			id, err := d.above(ctx, a, e, policy.Update, under, argument)
			if err != nil {
				return write.Row{}, err
			}
			return d.Engine.Put(ctx, write.Call{Entity: e, Input: a.input(), Expect: a.expect(), Fixed: write.Fixed{Field: under, ID: id}}, false)
		})
	}
}

// Delete deletes the row with the argument id, for good where the argument hard
// says so. It answers with true.
func Delete(e *write.Entity) Mutation {
	return func(d *Door, name string) execute.Write {
		return func(ctx context.Context, given map[string]any) (any, error) {
			return true, d.delete(ctx, name, e, given)
		}
	}
}

func (d *Door) delete(ctx context.Context, name string, e *write.Entity, a arguments) error {
	hard, _ := a["hard"].(bool)
	verb := policy.Delete
	if hard {
		verb = policy.Remove
	}
	id, err := a.id(ctx, e.Entity, verb, "id", e.Entity)
	if err != nil {
		return err
	}
	_, err = d.keep(ctx, a.call(name, e.Entity, verb), func(ctx context.Context) (o outcome, err error) {
		o.Row.Entity, o.Row.ID = e.Name, id
		return o, d.Engine.Delete(ctx, write.Call{Entity: e, ID: id, Input: a.input(), Expect: a.expect()}, hard)
	})
	return err
}

// answering is a write of a row that is answered with, which may be shown as it
// is made.
func (d *Door) answering(name string, e *write.Entity, do func(context.Context, arguments, *write.Show) (write.Row, error)) execute.Write {
	return func(ctx context.Context, given map[string]any) (any, error) {
		a := arguments(given)
		var show *write.Show
		if s := execute.Selection(ctx, e.Entity); s != nil {
			show = &write.Show{Selection: s}
		}
		id, err := d.once(ctx, a.call(name, e.Entity, ""), func(ctx context.Context) (gid.ID, error) {
			row, err := do(ctx, a, show)
			return row.ID, err
		})
		if err != nil {
			return nil, err
		}
		if show != nil && show.Shown {
			return execute.Shown{JSON: show.JSON, Info: show.Info}, nil
		}
		return execute.Row{Entity: e.Entity, ID: id}, nil
	}
}

// arguments are those of a mutation.
type arguments map[string]any

// input is the argument input, or nothing.
func (a arguments) input() write.Input {
	members, _ := a["input"].(map[string]any)
	return write.Input{API: Names, Members: members}
}

// flat are the arguments themselves, but for some.
func (a arguments) flat(without ...string) write.Input {
	members := make(map[string]any, len(a))
	for name, value := range a {
		if !slices.Contains(without, name) && !slices.Contains([]string{execute.KeyArgument, versionArgument}, name) {
			members[name] = value
		}
	}
	return write.Input{API: Flat, Members: members}
}

// versionArgument is the version that a row is expected to have.
const versionArgument = "expectedVersion"

// expect is the version in the argument expectedVersion, if there is one.
func (a arguments) expect() (e write.Expect) {
	if version, ok := a[versionArgument].(int64); ok {
		e.Versions = []int64{version}
	}
	return e
}

// id is the id in an argument of a row of the entity to. A caller that may
// use the verb on no row at all gets that refusal first.
func (a arguments) id(ctx context.Context, e *entity.Entity, verb, argument string, to *entity.Entity) (gid.ID, error) {
	id, err := to.IDs().Unmarshal(a[argument])
	if err == nil {
		return id, nil
	}
	if denied := e.Rules.Check(viewer.From(ctx), verb); denied != nil {
		return gid.ID{}, denied
	}
	return gid.ID{}, problem.Inputs(problem.Invalidf(argument, a[argument], "%v", err))
}

// call is the recorded form of arguments with a key. The engine checks who may,
// unless there is a verb.
func (a arguments) call(name string, e *entity.Entity, verb string) Call {
	c := Call{Entity: e, Verb: verb, Mutation: name}
	key, ok := a[execute.KeyArgument].(string)
	if !ok {
		return c // nothing is kept of it
	}
	c.Key = &key
	sent := make(map[string]any, len(a))
	for name, value := range a {
		if name != execute.KeyArgument {
			sent[name] = value
		}
	}
	c.Arguments = []any{sent}
	return c
}
