package crud

import (
	"context"
	"fmt"
	"net/http"
	"slices"

	"github.com/entwine-go/entwine/kit/entity"
	"github.com/entwine-go/entwine/kit/expose"
	"github.com/entwine-go/entwine/kit/gid"
	"github.com/entwine-go/entwine/kit/problem"
	"github.com/entwine-go/entwine/kit/read"
	"github.com/entwine-go/entwine/kit/rest/handler"
	"github.com/entwine-go/entwine/kit/write"
)

// nowhere is the id of no row of the entity: the engine finds that out, and says so when
// all that comes before that has been judged.
func nowhere(e *entity.Entity) gid.ID { return e.IDs().Form.Nowhere() }

// written is the entity of the resource as the engine writes it.
func (a *API) written(o *Operation) *write.Entity {
	i := slices.IndexFunc(a.Engine.Entities, func(e *write.Entity) bool { return e.Entity == o.Resource.Entity })
	if i < 0 {
		panic(fmt.Sprintf("%s is written nowhere", o.Resource.Name))
	}
	return a.Engine.Entities[i]
}

// input is the body of the request. A request without one names nothing, which
// is enough where nothing is required of an action.
func (a *API) input(x *handler.Exchange, e *write.Entity, o expose.Operation) (write.Input, error) {
	in := write.Input{API: x.Version.Inputs}
	if len(x.Body) == 0 {
		if o == expose.Patch || !slices.ContainsFunc(e.Fields, func(f *write.Field) bool { return f.Required }) {
			return in, problem.New(problem.Invalid, "a body is required")
		}
		return in, nil
	}
	var err error
	in.Members, err = members(x.Body)
	return in, err
}

// create makes a row.
func (a *API) create(o *Operation) handler.Handler {
	e := a.written(o)
	return func(ctx context.Context, w http.ResponseWriter) error {
		x := handler.From(ctx)
		shape, err := a.Door.Shape(ctx, o.Resource)
		if err != nil {
			return err
		}
		call := write.Call{Entity: e}
		if call.Input, err = a.input(x, e, o.Op); err != nil {
			return a.absent(ctx, o, err)
		}
		scope, err := a.over(ctx, o, &call)
		if err != nil {
			return err
		}
		err = a.Door.Write(ctx, w, o.Resource, shape, scope, func(read handler.Reading, show *write.Show) (handler.Written, error) {
			call.Read, call.Show = read, show
			row, err := a.Engine.Create(ctx, call)
			return handler.Written{Row: row}, err
		})
		return a.absent(ctx, o, err)
	}
}

// over is the filter that a new row has to pass, nil where there is none: its
// parent, whom the path names, has to be one that the caller can read.
//
// Whether they can is found out as the new row is read, by its edge to the
// parent: a round trip less than to ask before. Where anything fails it is
// asked after all (see absent), since an absent parent is the first thing to tell.
func (a *API) over(ctx context.Context, o *Operation, call *write.Call) (read.Filter, error) {
	p := o.Parent
	if p == nil {
		return nil, nil
	}
	edge := p.edge(o.Resource.Entity)
	if edge == nil || p.Entity.Key != nil {
		id, err := a.parent(ctx, o)
		call.Fixed = write.Fixed{Field: p.field(o.Resource.Entity).Name, ID: id}
		return nil, err
	}
	x := handler.From(ctx)
	id := x.RowID(p.Entity, p.Row)
	call.Fixed = write.Fixed{Field: p.field(o.Resource.Entity).Name, ID: id}
	call.Above = func(ctx context.Context) error { return x.Admit(ctx, p.Entity) }
	return read.Has{Edge: edge, Filter: read.ByID(p.Entity, id)}, nil
}

// absent returns what is wrong with the parent where the request has failed,
// and err where nothing is.
func (a *API) absent(ctx context.Context, o *Operation, err error) error {
	if err == nil || o.Parent == nil {
		return err
	}
	if _, above := a.parent(ctx, o); above != nil {
		return above
	}
	return err
}

// field is the field of the rows below that holds the parent's id.
func (p *Parent) field(e *entity.Entity) *entity.Field {
	for _, f := range e.Fields {
		if f.Column == p.Column {
			return f
		}
	}
	panic(fmt.Sprintf("%s shows no %s", e.Name, p.Column))
}

// edge is the edge of the rows that leads to the parent, if there is exactly one
// of the kind, and it makes no parent readable that is not readable otherwise.
func (p *Parent) edge(e *entity.Entity) *entity.Edge {
	leads := func(g *entity.Edge) bool { return g.To == p.Entity && g.Own }
	i := slices.IndexFunc(e.Edges, leads)
	if i < 0 || e.Edges[i].Through || slices.ContainsFunc(e.Edges[i+1:], leads) {
		return nil
	}
	return e.Edges[i]
}

// update changes the row that the path names, or replaces it.
func (a *API) update(o *Operation) handler.Handler {
	if o.Row == "" {
		return a.put(o)
	}
	e := a.written(o)
	return func(ctx context.Context, w http.ResponseWriter) error {
		x := handler.From(ctx)
		shape, err := a.Door.Shape(ctx, o.Resource)
		if err != nil {
			return err
		}
		call := write.Call{Entity: e}
		if call.Input, err = a.input(x, e, o.Op); err != nil {
			return err
		}
		if call.ID, err = a.row(ctx, o); err != nil {
			return err
		}
		call.Expect = a.Door.Expected(x, e, read.ByID(e.Entity, call.ID), false)
		return a.Door.Write(ctx, w, o.Resource, shape, nil, func(read handler.Reading, _ *write.Show) (handler.Written, error) {
			call.Read = read
			row, err := a.Engine.Update(ctx, call, o.Op == expose.Replace)
			return handler.Written{Row: row}, err
		})
	}
}

// put changes the only row below the parent, or makes it.
func (a *API) put(o *Operation) handler.Handler {
	e := a.written(o)
	return func(ctx context.Context, w http.ResponseWriter) error {
		x := handler.From(ctx)
		parent, err := a.parent(ctx, o)
		if err != nil {
			return err
		}
		shape, err := a.Door.Shape(ctx, o.Resource)
		if err != nil {
			return err
		}
		below := o.Parent.below(e.Entity, parent)
		call := write.Call{Entity: e, Fixed: write.Fixed{Field: o.Parent.field(e.Entity).Name, ID: parent}}
		if call.Input, err = a.input(x, e, o.Op); err != nil {
			return err
		}
		call.Expect = a.Door.Expected(x, e, below, false)
		return a.Door.Write(ctx, w, o.Resource, shape, nil, func(read handler.Reading, _ *write.Show) (handler.Written, error) {
			call.Read = read
			row, err := a.Engine.Put(ctx, call, o.Op == expose.Replace)
			return handler.Written{Row: row}, err
		})
	}
}

// remove deletes the row that the path names.
func (a *API) remove(o *Operation) handler.Handler {
	e := a.written(o)
	return func(ctx context.Context, w http.ResponseWriter) error {
		hard, err := hard(handler.From(ctx), e.SoftDelete)
		if err != nil {
			return err
		}
		call := write.Call{Entity: e}
		if call.ID, err = a.row(ctx, o); err != nil {
			return err
		}
		call.Expect = a.Door.Expected(handler.From(ctx), e, read.ByID(e.Entity, call.ID), false)
		return a.Door.Remove(ctx, w, o.Resource, func(read handler.Reading) error {
			call.Read = read
			return a.Engine.Delete(ctx, call, hard)
		})
	}
}

// hard reads the parameter of a DELETE. There may be others.
func hard(x *handler.Exchange, soft bool, others ...string) (bool, error) {
	if soft {
		others = append(others, "hard")
	}
	if err := x.OnlyQuery(others...); err != nil {
		return false, err
	}
	switch value, given := x.Request.URL.Query()["hard"]; {
	case !given, value[0] == "false":
		return false, nil
	case value[0] == "true":
		return true, nil
	default:
		return false, problem.Inputs(problem.Invalidf("hard", value[0], "must be true or false"))
	}
}

// row is the id of the row that the path names.
func (a *API) row(ctx context.Context, o *Operation) (gid.ID, error) {
	x, e := handler.From(ctx), o.Resource.Entity
	if e.Key == nil {
		return x.RowID(e, o.Row), nil
	}
	id, found, err := a.Door.Reader.Hidden().IDOf(ctx, e, named(x, e, o.Row), o.Op == Restore)
	if err == nil && !found {
		return nowhere(e), nil
	}
	return id, err
}
