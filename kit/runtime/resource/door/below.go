package door

import (
	"context"
	"net/http"
	"slices"

	"github.com/entwine-go/entwine/kit/runtime/reading"
)

// Parent is the row at the start of a nested path.
type Parent struct {
	*reading.Entity
	ID int64
}

// CreateBelow is [Door.Create] for a row that belongs to the parent, which the
// viewer has to be able to read.
//
// Whether they can is found out as the new row is read, by its edge to the
// parent: a round trip less than to ask before. Where anything fails it is
// asked after all, since an absent parent is the first thing to tell.
func (d *Door) CreateBelow(ctx context.Context, w http.ResponseWriter, r *Resource, parent Parent, insert func(context.Context) (Row, error)) error {
	if err := From(ctx).admit(ctx, parent.Entity); err != nil {
		return err
	}
	edge := parent.of(r.Entity)
	if edge == nil {
		if err := d.Parent(ctx, parent.Entity, parent.ID); err != nil {
			return err
		}
		return d.Create(ctx, w, r, insert)
	}
	err := d.create(ctx, w, r, reading.Has{Edge: edge, Filter: reading.ByID(parent.Entity, parent.ID)}, insert)
	if err != nil {
		if absent := d.Parent(ctx, parent.Entity, parent.ID); absent != nil {
			return absent
		}
	}
	return err
}

// of returns the edge of the entity that leads to such a parent, if there is
// exactly one, and it makes no parent readable that is not readable otherwise.
func (p Parent) of(e *reading.Entity) *reading.Edge {
	leads := func(g *reading.Edge) bool { return g.To == p.Entity && g.Own }
	i := slices.IndexFunc(e.Edges, leads)
	if i < 0 || e.Edges[i].Through || slices.ContainsFunc(e.Edges[i+1:], leads) {
		return nil
	}
	return e.Edges[i]
}
