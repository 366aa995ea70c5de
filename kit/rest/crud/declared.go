// Package crud answers the operations that follow from the schema. A generated
// table has the kind, the resource and the parent of each; [API.Handlers] makes
// handlers of it.
//
// It leans on package handler, which reads and answers, and on package write,
// and decides nothing about a field or a caller itself.
package crud

import (
	"context"
	"log/slog"
	"net/http"

	"github.com/entwine-go/entwine/kit/entity"
	"github.com/entwine-go/entwine/kit/expose"
	"github.com/entwine-go/entwine/kit/gid"
	"github.com/entwine-go/entwine/kit/policy"
	"github.com/entwine-go/entwine/kit/read"
	"github.com/entwine-go/entwine/kit/rest/handler"
	"github.com/entwine-go/entwine/kit/rest/params"
	"github.com/entwine-go/entwine/kit/write"
)

// The kinds of operations, beside those of package expose.
const (
	Act        expose.Operation = "action"
	Restore    expose.Operation = "restore"
	Mark       expose.Operation = "mark"
	Unmark     expose.Operation = "unmark"
	CreateMany expose.Operation = "create_many"
	UpdateMany expose.Operation = "update_many"
	DeleteMany expose.Operation = "delete_many"
	ActMany    expose.Operation = "act_many"
)

// Operation is an operation that follows from the schema.
type Operation struct {
	Op       expose.Operation
	Resource *handler.Resource
	// Verb is that of an action, of many rows too, or of a mark.
	Verb string
	// Row is the parameter of the path that names the row, empty where none does.
	Row string
	// Parent is the resource at the beginning of the path, nil where that is the
	// operation's own.
	Parent *Parent
	// Edge is that by which a row is attached or detached, which the parameter End
	// of the path names.
	Edge, End string
	// Bulk is set for an operation on many rows.
	Bulk *Bulk
}

// Parent is the row at the start of a nested path: the operation is about the
// rows that belong to it.
type Parent struct {
	Entity *entity.Entity
	// Row is the parameter of the path that names the parent.
	Row string
	// Column of the rows below holds the parent's id. Where a table stands
	// between them it is empty, and Edge leads from the rows to the parent.
	Column, Edge string
	// Tree is the parent's edge to its ancestors or descendants, where the rows
	// are these: the two above are empty then.
	Tree string
	// Through is set where the parent is reached through what is read below
	// it: a caller who reads such a row reads its parent, too (expose.Through).
	Through bool
}

// below is the filter of the rows that belong to the parent.
func (p *Parent) below(e *entity.Entity, id gid.ID) read.Filter {
	if p.Tree != "" {
		return read.Reached{Edge: p.Entity.Edge(p.Tree), ID: id}
	}
	if p.Column != "" {
		return read.Column{Name: p.Column, ID: id}
	}
	return read.Has{Edge: e.Edge(p.Edge), Filter: read.ByID(p.Entity, id)}
}

// verbs are the verbs that operations need, beside reading.
var verbs = map[expose.Operation]string{
	expose.Create: policy.Create, expose.Replace: policy.Update, expose.Patch: policy.Update, expose.Delete: policy.Delete,
	Restore: policy.Restore, CreateMany: policy.Create, UpdateMany: policy.Update, DeleteMany: policy.Delete,
	expose.Attach: policy.Update, expose.Detach: policy.Update,
}

// guard says what the operation asks of the caller before anything else.
func (a *API) guard(o *Operation) handler.Guard {
	switch o.Op {
	case Act, ActMany:
		return handler.Guard{Entity: o.Resource.Entity, Verb: o.Verb}
	case Mark:
		return handler.Guard{Entity: o.of(a.written(o)).Of.Entity, Verb: policy.Create}
	case Unmark:
		return handler.Guard{Entity: o.of(a.written(o)).Of.Entity, Verb: policy.Delete}
	}
	if verb := verbs[o.Op]; verb != "" {
		return handler.Guard{Entity: o.Resource.Entity, Verb: verb}
	}
	if o.Parent != nil && !o.Parent.Through {
		return handler.Guard{Entity: o.Parent.Entity}
	}
	return handler.Guard{Entity: o.Resource.Entity}
}

// API answers operations, which are by operationId.
type API struct {
	Log        *slog.Logger
	Door       *handler.Door
	Engine     *write.Engine
	Operations map[string]*Operation
	// Jobs are those that actions are answered with, nil where there are none.
	Jobs *handler.Resource
}

// Guards are those of the operations.
func (a *API) Guards() map[string]handler.Guard {
	guards := make(map[string]handler.Guard, len(a.Operations))
	for id, o := range a.Operations {
		guards[id] = a.guard(o)
	}
	return guards
}

// Handlers are those of the operations.
func (a *API) Handlers() map[string]handler.Handler {
	handlers := make(map[string]handler.Handler, len(a.Operations))
	for id, o := range a.Operations {
		handlers[id] = a.handler(o)
	}
	return handlers
}

func (a *API) handler(o *Operation) handler.Handler {
	makers := map[expose.Operation]func(*Operation) handler.Handler{
		expose.List: a.list, expose.Read: a.read, expose.Create: a.create, expose.Replace: a.update, expose.Patch: a.update, expose.Delete: a.remove,
		Act: a.act, Restore: a.restore, Mark: a.mark, Unmark: a.unmark, CreateMany: a.createMany, UpdateMany: a.updateMany, DeleteMany: a.deleteMany, ActMany: a.actMany,
		expose.Attach: a.attach, expose.Detach: a.detach,
	}
	return makers[o.Op](o)
}

func (a *API) list(o *Operation) handler.Handler {
	return func(ctx context.Context, w http.ResponseWriter) error {
		scope, err := a.scope(ctx, o)
		if err != nil {
			return err
		}
		opt := params.Options{Scope: scope}
		if o.Parent != nil && o.Parent.Tree != "" {
			opt.Sort = read.TreeOrder(o.Parent.Entity.Edge(o.Parent.Tree))
		}
		return a.Door.ListWith(ctx, w, o.Resource, opt)
	}
}

func (a *API) read(o *Operation) handler.Handler {
	return func(ctx context.Context, w http.ResponseWriter) error {
		where, err := a.scope(ctx, o)
		if err != nil {
			return err
		}
		switch row := o.named(ctx); {
		case where == nil:
			where = row
		case row != nil:
			where = read.And{row, where}
		}
		return a.Door.Read(ctx, w, o.Resource, where)
	}
}

// named is the filter of the row that the path names, nil where it names none.
func (o *Operation) named(ctx context.Context) read.Filter {
	if o.Row == "" {
		return nil
	}
	return named(handler.From(ctx), o.Resource.Entity, o.Row)
}

// named is the filter of the row that the parameter names, by what stands for
// the entity's id in paths.
func named(x *handler.Exchange, e *entity.Entity, parameter string) read.Filter {
	if e.Key != nil {
		return read.Cond{Field: e.Key, Op: read.EQ, Value: x.PathValue(parameter)}
	}
	return read.ByID(e, x.RowID(e, parameter))
}

// scope is the filter of the rows below the path's parent, which the caller
// has to be able to read. It is nil where the path has none.
func (a *API) scope(ctx context.Context, o *Operation) (read.Filter, error) {
	if o.Parent == nil {
		return nil, nil
	}
	id, err := a.parent(ctx, o)
	return o.Parent.below(o.Resource.Entity, id), err
}

// parent is the id of the path's parent, which the caller has to be able to read.
func (a *API) parent(ctx context.Context, o *Operation) (gid.ID, error) {
	x, p := handler.From(ctx), o.Parent
	if p.Entity.Key != nil {
		id, found, err := a.Door.Reader.IDOf(ctx, p.Entity, named(x, p.Entity, p.Row), false)
		if err == nil && !found {
			err = read.NotFound(p.Entity)
		}
		return id, err
	}
	id := x.RowID(p.Entity, p.Row)
	if e := o.Resource.Entity; p.Through {
		return id, a.Door.Above(ctx, p.Entity, id, e, p.below(e, id))
	}
	return id, a.Door.Parent(ctx, p.Entity, id)
}
