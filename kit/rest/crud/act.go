package crud

import (
	"context"
	"fmt"
	"net/http"
	"slices"

	"github.com/entwine-go/entwine/kit/expose"
	"github.com/entwine-go/entwine/kit/gid"
	"github.com/entwine-go/entwine/kit/read"
	"github.com/entwine-go/entwine/kit/rest/handler"
	"github.com/entwine-go/entwine/kit/write"
)

// restore brings a deleted row back.
func (a *API) restore(o *Operation) handler.Handler {
	e := a.written(o)
	return func(ctx context.Context, w http.ResponseWriter) error {
		shape, err := a.Door.Shape(ctx, o.Resource)
		if err != nil {
			return err
		}
		call, err := a.call(ctx, o, e)
		if err != nil {
			return err
		}
		return a.Door.Write(ctx, w, o.Resource, shape, nil, func(read handler.Reading, _ *write.Show) (handler.Written, error) {
			call.Read = read
			row, err := a.Engine.Restore(ctx, call)
			return handler.Written{Row: row}, err
		})
	}
}

// call is that of an operation on the row that the path names, if it names one,
// with what the body says: it may say nothing.
func (a *API) call(ctx context.Context, o *Operation, e *write.Entity) (call write.Call, err error) {
	x := handler.From(ctx)
	call = write.Call{Entity: e, Input: write.Input{API: x.Version.Inputs}}
	if len(x.Body) > 0 {
		if call.Input.Members, err = members(x.Body); err != nil {
			return call, err
		}
	}
	if o.Row == "" {
		return call, nil
	}
	if call.ID, err = a.row(ctx, o); err != nil {
		return call, err
	}
	call.Expect = a.Door.Expected(x, e, read.ByID(e.Entity, call.ID), o.Op == Restore)
	return call, nil
}

// action is the one that the operation carries out.
func (o *Operation) action(e *write.Entity) *write.Action {
	i := slices.IndexFunc(e.Actions, func(a *write.Action) bool { return a.Verb == o.Verb })
	if i < 0 {
		panic(fmt.Sprintf("%s has no action %q", e.Name, o.Verb))
	}
	return e.Actions[i]
}

// act carries out an action.
func (a *API) act(o *Operation) handler.Handler {
	e := a.written(o)
	action := o.action(e)
	if action.Reads() {
		return a.readBeside(o, e, action)
	}
	if !showsRow(action.Answer) {
		return a.actBeside(o, e, action)
	}
	return func(ctx context.Context, w http.ResponseWriter) error {
		shape, err := a.Door.Shape(ctx, o.Resource)
		if err != nil {
			return err
		}
		call, err := a.call(ctx, o, e)
		if err != nil {
			return err
		}
		return a.Door.Write(ctx, w, o.Resource, shape, nil, func(read handler.Reading, _ *write.Show) (handler.Written, error) {
			call.Read = read
			result, err := a.Engine.Act(ctx, call, action)
			return handler.Written{Row: result.Row, Pending: result.Pending, Once: once(action, result)}, err
		})
	}
}

// showsRow reports whether an action answers with a row.
func showsRow(a expose.Answer) bool {
	return !a.Nothing && a.Job == "" && len(a.Members) == 0 && len(a.File) == 0
}

// once are the members that are shown this once, in the order of the declaration.
func once(a *write.Action, result write.Result) (all []handler.Once) {
	for _, m := range a.Answer.Once {
		if value, ok := result.Once()[m.Name]; ok {
			all = append(all, handler.Once{Name: m.Name, Value: value})
		}
	}
	return all
}

// actBeside carries out an action that answers with something else than a row.
func (a *API) actBeside(o *Operation, e *write.Entity, action *write.Action) handler.Handler {
	return func(ctx context.Context, w http.ResponseWriter) error {
		call, err := a.call(ctx, o, e)
		if err != nil {
			return err
		}
		result, err := a.Engine.Act(ctx, call, action)
		if err != nil {
			return err
		}
		x := handler.From(ctx)
		switch {
		case action.Answer.Nothing:
			w.WriteHeader(http.StatusNoContent)
			return nil
		case action.Answer.Job != "":
			return a.accepted(ctx, w, action.Answer.Job, gid.Int(result.Job))
		case result.File != nil:
			return x.Content(ctx, w, result.File.Media, result.File.Name, result.File.Content)
		}
		body, err := handler.Beside(result.Members)
		if err != nil {
			return fmt.Errorf("write what %s answers with: %w", x.Operation, err)
		}
		return x.Answer(w, handler.Answer{Body: body, ByHand: true})
	}
}
