// Package handler has the parts that REST's handlers share, those of declared
// operations and those by hand: the selection of a request, its version, and the
// answer with a page, an item or a written row.
//
// A [Door] reads by package read and writes by package write. It owns the shape of
// answers: envelopes, pagination, links, validators of caches. It knows no entity:
// its callers hand it a [Resource].
package handler

import (
	"context"
	"slices"

	"github.com/entwine-go/entwine/kit/entity"
	"github.com/entwine-go/entwine/kit/gid"
	"github.com/entwine-go/entwine/kit/live"
	"github.com/entwine-go/entwine/kit/policy"
	"github.com/entwine-go/entwine/kit/presence"
	"github.com/entwine-go/entwine/kit/problem"
	"github.com/entwine-go/entwine/kit/read"
	"github.com/entwine-go/entwine/kit/viewer"
)

// Door reads entities for REST. The reader is required.
type Door struct {
	Reader *read.Reader
	// Callers proves callers again. Nil: they are.
	Callers Callers
	// Lists are the live lists, and Streams serves them. Nil: there are none.
	Lists   *live.Lists
	Streams Streams
	// Rooms have the viewers of rows (presence). Nil: that is not shown.
	Rooms *presence.Rooms
}

// Callers proves a caller again and returns them with their rights of now, or an
// error, for answers that last longer than a request.
type Callers interface {
	Still(ctx context.Context, was *viewer.Viewer) (*viewer.Viewer, error)
}

// hidden is the door to rows of writes that may have been deleted softly.
func (d *Door) hidden() *Door { return &Door{Reader: d.Reader.Hidden(), Callers: d.Callers} }

// still returns nil if the caller of the context has the rights that they began with.
// These chose the shown fields: it ends where they change.
func (d *Door) still(ctx context.Context) error {
	was := viewer.From(ctx)
	if d.Callers == nil {
		return nil
	}
	is, err := d.Callers.Still(ctx, was)
	if err != nil {
		return err
	}
	if is.Role != was.Role || is.Tenant != was.Tenant || is.Across != was.Across || !slices.Equal(is.Permissions, was.Permissions) {
		return problem.New(problem.TokenInvalid, "the caller's rights are others than when the list began")
	}
	return nil
}

// Resource is an entity as REST serves it.
type Resource struct {
	*entity.Entity
	// Cache is the Cache-Control of reads by callers without credentials.
	Cache string
	// Located: a row has a path of its own, below the collection's.
	Located bool
}

// Guard says which verb of an entity's policy an operation needs. Without a
// verb it reads. A rule is asked of the caller alone. The zero Guard asks nothing.
type Guard struct {
	*entity.Entity
	Verb string
	Rule *policy.Rule
}

// Check returns why the viewer of the context may do this to no row at all,
// or nil. It is asked before the input is looked at, so that a caller
// without the right gets that refusal, and no findings about the input.
func (g Guard) Check(ctx context.Context) error {
	v := viewer.From(ctx)
	switch {
	case g.Rule != nil && g.Rule.For(v).Never():
		return policy.Denied(v)
	case g.Entity == nil:
		return nil
	case g.Verb != "":
		return g.Rules.Check(v, g.Verb)
	}
	return g.Rules.CheckRead(v)
}

// Parent returns nil if the viewer can read the row at the start of a nested path.
func (d *Door) Parent(ctx context.Context, e *entity.Entity, id gid.ID) error {
	if err := From(ctx).Admit(ctx, e); err != nil {
		return err
	}
	readable, err := d.Reader.Readable(ctx, e, id)
	if err != nil {
		return err
	}
	if !readable {
		return read.NotFound(e)
	}
	return nil
}

// Above is [Door.Parent] for reading the rows below, which the filter admits.
// Through each of them its parent is reached: a viewer who reads no parents
// otherwise reaches those above the rows that they can read, and no others, so
// that they don't learn which there are.
func (d *Door) Above(ctx context.Context, e *entity.Entity, id gid.ID, child *entity.Entity, below read.Filter) error {
	if e.Rules.CheckRead(viewer.From(ctx)) == nil {
		return d.Parent(ctx, e, id)
	}
	if err := From(ctx).Admit(ctx, child); err != nil {
		return err
	}
	found, err := d.Reader.Exists(ctx, child, below)
	if err != nil {
		return err
	}
	if !found {
		return read.NotFound(e)
	}
	return nil
}
