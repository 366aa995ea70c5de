package crud

import (
	"context"
	"net/http"

	"github.com/entwine-go/entwine/kit/gid"
	"github.com/entwine-go/entwine/kit/read"
	"github.com/entwine-go/entwine/kit/rest/handler"
	"github.com/entwine-go/entwine/kit/write"
)

// attach attaches the row that the end of the path names to that at its start.
func (a *API) attach(o *Operation) handler.Handler {
	e := a.written(o)
	edge := e.Edge(o.Edge)
	return func(ctx context.Context, w http.ResponseWriter) error {
		shape, err := a.Door.Shape(ctx, o.Resource)
		if err != nil {
			return err
		}
		call, end, err := a.between(ctx, o, e, edge)
		if err != nil {
			return err
		}
		return a.Door.Attach(ctx, w, o.Resource, shape, func(read handler.Reading) (write.Row, error) {
			call.Read = read
			return a.Engine.Attach(ctx, call, edge, end)
		})
	}
}

// detach detaches it.
func (a *API) detach(o *Operation) handler.Handler {
	e := a.written(o)
	edge := e.Edge(o.Edge)
	return func(ctx context.Context, w http.ResponseWriter) error {
		if err := handler.From(ctx).OnlyQuery(); err != nil {
			return err
		}
		call, end, err := a.between(ctx, o, e, edge)
		if err != nil {
			return err
		}
		if err := a.Engine.Detach(ctx, call, edge, end); err != nil {
			return err
		}
		w.WriteHeader(http.StatusNoContent)
		return nil
	}
}

// between are the two rows that the path names: the one that changes, in the
// state that the request expects it in, and the one at the other end.
func (a *API) between(ctx context.Context, o *Operation, e *write.Entity, edge *write.Edge) (call write.Call, end gid.ID, err error) {
	x := handler.From(ctx)
	call = write.Call{Entity: e, Input: write.Input{API: x.Version.Inputs}}
	if call.ID, err = a.row(ctx, o); err != nil {
		return call, gid.ID{}, err
	}
	call.Expect = a.Door.Expected(x, e, read.ByID(e.Entity, call.ID), false)
	if edge.To.Key == nil {
		return call, x.RowID(edge.To, o.End), nil
	}
	row, found, err := a.Door.Reader.IDOf(ctx, edge.To, named(x, edge.To, o.End), false)
	if err == nil && !found {
		return call, nowhere(edge.To), nil
	}
	return call, row, err
}
