package handler

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"

	"github.com/entwine-go/entwine/kit/entity"
	"github.com/entwine-go/entwine/kit/expose"
	"github.com/entwine-go/entwine/kit/gid"
	"github.com/entwine-go/entwine/kit/graph/execute"
	"github.com/entwine-go/entwine/kit/idempotency"
	"github.com/entwine-go/entwine/kit/read"
	"github.com/entwine-go/entwine/kit/write"
)

// Act carries out the action with the verb: on the row with the argument id, the
// others being its input, or else with the argument input.
func Act(e *write.Entity, verb string) Mutation {
	action := actionOf(e, verb)
	return func(d *Door, name string) execute.Write {
		return func(ctx context.Context, given map[string]any) (any, error) {
			a := arguments(given)
			c := write.Call{Entity: e, Input: a.input()}
			if action.Scope == expose.Row {
				id, err := a.id(ctx, e.Entity, verb, "id", e.Entity)
				if err != nil {
					return nil, err
				}
				c.ID, c.Input, c.Expect = id, a.flat("id"), a.expect()
			}
			return d.act(ctx, a.call(name, e.Entity, ""), c, action)
		}
	}
}

// Read carries out the read action with the verb. The arguments are its input; one
// of them names the row, where the action has one.
func Read(e *write.Entity, verb, argument string) Mutation {
	action := actionOf(e, verb)
	return func(d *Door, _ string) execute.Write {
		return func(ctx context.Context, given map[string]any) (any, error) {
			a := arguments(given)
			c := write.Call{Entity: e, Input: a.flat(argument)}
			if argument != "" {
				id, err := a.id(ctx, e.Entity, verb, argument, e.Entity)
				if err != nil {
					return nil, err
				}
				c.ID = id
			}
			result, err := d.Engine.Act(ctx, c, action)
			return result.Members, err
		}
	}
}

func actionOf(e *write.Entity, verb string) *write.Action {
	return e.Actions[slices.IndexFunc(e.Actions, func(a *write.Action) bool { return a.Verb == verb })]
}

func (d *Door) act(ctx context.Context, call Call, c write.Call, a *write.Action) (any, error) {
	var fresh write.Result
	o, err := d.keepAs(ctx, call, a.Action.Run == expose.OutsideTx, func(ctx context.Context) (o outcome, err error) {
		if fresh, err = d.Engine.Act(ctx, c, a); err != nil {
			return o, err
		}
		if fresh.Pending {
			o.Status = http.StatusAccepted
		}
		switch {
		case fresh.Job != 0:
			o.Row = idempotency.Row{Entity: d.jobs().Name, ID: gid.Int(fresh.Job)}
		case fresh.Members == nil && !fresh.Row.ID.IsZero():
			o.Row = idempotency.Row{Entity: c.Entity.Name, ID: fresh.Row.ID}
		default:
			o.Body, err = json.Marshal(fresh.Members)
		}
		return o, err
	})
	if err != nil {
		return nil, err
	}
	if !o.Replayed {
		return d.answer(c.Entity, fresh), nil
	}
	again, err := d.again(ctx, c.Entity, o)
	if row, ok := again.(execute.Row); ok && err == nil && len(a.Answer.Once) > 0 {
		return beside(c.Entity, row, nil), nil // what is shown once is kept nowhere
	}
	return again, err
}

// answer is the answer of an action.
func (d *Door) answer(e *write.Entity, r write.Result) any {
	switch {
	case r.Job != 0:
		return execute.Row{Entity: d.jobs(), ID: gid.Int(r.Job)}
	case r.Members != nil:
		return r.Members
	case r.Row.ID.IsZero():
		return true
	}
	row := execute.Row{Entity: e.Entity, ID: r.Row.ID}
	if len(r.Once()) == 0 {
		return row
	}
	return beside(e, row, r.Once())
}

// beside is a payload with the row, and what is shown once.
func beside(e *write.Entity, row execute.Row, once map[string]string) map[string]any {
	members := map[string]any{camel(e.Singular): row}
	for name, text := range once {
		members[camel(name)] = text
	}
	return members
}

// again is the answer to a repetition: from the row, if the caller can read it.
func (d *Door) again(ctx context.Context, e *write.Entity, o outcome) (any, error) {
	if o.Row.ID.IsZero() {
		var members map[string]any
		if err := json.Unmarshal(o.Body, &members); err != nil {
			return nil, fmt.Errorf("read what became of a mutation: %w", err)
		}
		if members == nil {
			return true, nil
		}
		return members, nil
	}
	of := e.Entity
	if o.Row.Entity != of.Name {
		of = d.jobs()
	}
	readable, err := d.Reader.Readable(ctx, of, o.Row.ID)
	if err == nil && !readable {
		err = read.NotFound(of)
	}
	return execute.Row{Entity: of, ID: o.Row.ID}, err
}

// jobs are the jobs that actions are answered with.
func (d *Door) jobs() *entity.Entity {
	i := slices.IndexFunc(d.Engine.Entities, func(e *write.Entity) bool { return e.Table == "jobs" })
	return d.Engine.Entities[i].Entity
}
