package handler

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"net/http"

	"github.com/entwine-go/entwine/kit/gid"
	"github.com/entwine-go/entwine/kit/graph/execute"
	"github.com/entwine-go/entwine/kit/internal/graph/failure"
	"github.com/entwine-go/entwine/kit/policy"
	"github.com/entwine-go/entwine/kit/problem"
	"github.com/entwine-go/entwine/kit/requestid"
	"github.com/entwine-go/entwine/kit/store"
	"github.com/entwine-go/entwine/kit/viewer"
	"github.com/entwine-go/entwine/kit/write"
)

// CreateAll makes a row of each element of the argument input, or none.
func CreateAll(e *write.Entity, maximum int) Mutation {
	return func(d *Door, name string) execute.Write {
		return func(ctx context.Context, given map[string]any) (any, error) {
			a := arguments(given)
			items, err := a.items(ctx, e, maximum)
			if err != nil {
				return nil, err
			}
			ids, err := d.onceAll(ctx, a.call(name, e.Entity, policy.Create), func(ctx context.Context) ([]gid.ID, error) {
				made, err := d.Engine.CreateMany(ctx, write.Call{Entity: e}, items, false)
				if err != nil {
					return nil, err
				}
				ids := make([]gid.ID, len(made))
				for i, o := range made {
					ids[i] = o.Row.ID
				}
				return ids, nil
			})
			if err != nil {
				return nil, err
			}
			rows := make([]execute.Row, len(ids))
			for i, id := range ids {
				rows[i] = execute.Row{Entity: e.Entity, ID: id}
			}
			return rows, nil
		}
	}
}

// CreateEach makes a row of each element of the argument input, each for itself.
// It answers with the result for each.
func CreateEach(e *write.Entity, maximum int) Mutation {
	return func(d *Door, name string) execute.Write {
		return func(ctx context.Context, given map[string]any) (any, error) {
			a := arguments(given)
			items, err := a.items(ctx, e, maximum)
			if err != nil {
				return nil, err
			}
			return d.each(ctx, a.call(name, e.Entity, policy.Create), e, func(ctx context.Context) ([]result, error) {
				made, err := d.Engine.CreateMany(ctx, write.Call{Entity: e}, items, true)
				return d.results(ctx, "input", http.StatusCreated, made), err
			})
		}
	}
}

// UpdateEach changes the row of each element of the argument input, each for itself.
func UpdateEach(e *write.Entity, maximum int) Mutation {
	return func(d *Door, name string) execute.Write {
		return func(ctx context.Context, given map[string]any) (any, error) {
			a := arguments(given)
			list, _ := a["input"].([]any)
			if err := may(ctx, e, policy.Update, "input", len(list), maximum); err != nil {
				return nil, err
			}
			items := make([]write.Item, len(list))
			for i, element := range list {
				members, _ := element.(map[string]any)
				one, at := arguments(members), fmt.Sprintf("input[%d].", i)
				items[i] = write.Item{ID: one["id"], At: at + "id", Input: one.input(), Expect: one.expect()}
				items[i].Input.At = at + "input."
			}
			return d.each(ctx, a.call(name, e.Entity, policy.Update), e, func(ctx context.Context) ([]result, error) {
				changed, err := d.Engine.UpdateMany(ctx, write.Call{Entity: e}, items)
				return d.results(ctx, "input", http.StatusOK, changed), err
			})
		}
	}
}

// ActEach carries out the action with the verb for the rows with the argument ids, each for itself.
func ActEach(e *write.Entity, verb string, maximum int) Mutation {
	action := actionOf(e, verb)
	return func(d *Door, name string) execute.Write {
		return func(ctx context.Context, given map[string]any) (any, error) {
			a := arguments(given)
			items, err := a.named(ctx, e, verb, maximum)
			if err != nil {
				return nil, err
			}
			return d.each(ctx, a.call(name, e.Entity, verb), e, func(ctx context.Context) ([]result, error) {
				done, err := d.Engine.ActMany(ctx, write.Call{Entity: e}, action, items)
				return d.results(ctx, "ids", http.StatusOK, done), err
			})
		}
	}
}

// DeleteEach deletes the rows with the argument ids, each for itself.
func DeleteEach(e *write.Entity, maximum int) Mutation {
	return func(d *Door, name string) execute.Write {
		return func(ctx context.Context, given map[string]any) (any, error) {
			a := arguments(given)
			hard, _ := a["hard"].(bool)
			verb := policy.Delete
			if hard {
				verb = policy.Remove
			}
			items, err := a.named(ctx, e, verb, maximum)
			if err != nil {
				return nil, err
			}
			return d.each(ctx, a.call(name, e.Entity, verb), e, func(ctx context.Context) ([]result, error) {
				gone, err := d.Engine.DeleteMany(ctx, write.Call{Entity: e}, items, hard)
				for i := range gone {
					gone[i].Row.ID = gid.ID{}
				}
				return d.results(ctx, "ids", http.StatusNoContent, gone), err
			})
		}
	}
}

// named are the rows with the argument ids.
func (a arguments) named(ctx context.Context, e *write.Entity, verb string, maximum int) ([]write.Item, error) {
	ids, _ := a["ids"].([]any)
	if err := may(ctx, e, verb, "ids", len(ids), maximum); err != nil {
		return nil, err
	}
	items := make([]write.Item, len(ids))
	for i, id := range ids {
		items[i] = write.Item{ID: id, At: fmt.Sprintf("ids[%d]", i), Input: write.Input{API: Names}}
	}
	return items, nil
}

// may refuses callers who may do this to no row at all, and too many at once.
func may(ctx context.Context, e *write.Entity, verb, argument string, n, maximum int) error {
	if err := e.Rules.Check(viewer.From(ctx), verb); err != nil {
		return err
	}
	if bad := write.Most(argument, n, maximum); bad != nil {
		return problem.Inputs(*bad)
	}
	return nil
}

// items are the elements of the argument input.
func (a arguments) items(ctx context.Context, e *write.Entity, maximum int) ([]write.Input, error) {
	list, _ := a["input"].([]any)
	if err := may(ctx, e, policy.Create, "input", len(list), maximum); err != nil {
		return nil, err
	}
	items := make([]write.Input, len(list))
	for i, element := range list {
		members, _ := element.(map[string]any)
		items[i] = write.Input{API: Names, At: fmt.Sprintf("input[%d].", i), Members: members}
	}
	return items, nil
}

// result is the outcome of one of many, in the form that is kept.
type result struct {
	Status int
	// ID is the row's, zero for none.
	ID    gid.ID  `json:",omitzero"`
	Error *failed `json:",omitempty"`
}

// failed is the type ItemError, whose fields are FailingInput.
type failed struct {
	Code    string          `json:"code"`
	Message string          `json:"message"`
	Fields  []failure.Input `json:"fields"`
}

// results are the outcomes: done, unless there is an error. An error that a client
// may not read is logged.
func (d *Door) results(ctx context.Context, argument string, done int, outcomes []write.Outcome) []result {
	all := make([]result, len(outcomes))
	for i, o := range outcomes {
		all[i] = result{Status: done, ID: o.Row.ID}
		if o.Err == nil {
			continue
		}
		at := fmt.Sprintf("%s[%d]", argument, i)
		p := problem.As(store.Problem(o.Err))
		if p == nil || p.Kind == problem.Internal {
			d.Log.ErrorContext(ctx, "item failed", slog.String("item", at), slog.Any("err", o.Err), slog.String("request_id", requestid.From(ctx)))
			p = problem.New(problem.Internal, "internal error")
		}
		answer := p.Kind.Answer()
		all[i] = result{Status: answer.Status, Error: &failed{answer.GraphQL, failure.Message(p), failure.Inputs(p.Details)}}
	}
	return all
}

// each does many things once, and answers with what became of each.
func (d *Door) each(ctx context.Context, c Call, e *write.Entity, do func(context.Context) ([]result, error)) (any, error) {
	o, err := d.keep(ctx, c, func(ctx context.Context) (o outcome, err error) {
		all, err := do(ctx)
		if err != nil {
			return o, err
		}
		o.Body, err = json.Marshal(all)
		return o, err
	})
	if err != nil {
		return nil, err
	}
	var all []result
	if err := json.Unmarshal(o.Body, &all); err != nil {
		return nil, fmt.Errorf("read what %s did: %w", c.Mutation, err)
	}
	shown := make([]map[string]any, len(all))
	for i, r := range all {
		shown[i] = map[string]any{"status": r.Status}
		if r.Error != nil {
			shown[i]["error"] = r.Error
		}
		if !r.ID.IsZero() {
			shown[i][camel(e.Singular)] = execute.Row{Entity: e.Entity, ID: r.ID}
		}
	}
	return shown, nil
}
