package files

import (
	"context"
	"slices"

	"github.com/entwine-go/entwine/kit/entity"
	"github.com/entwine-go/entwine/kit/gid"
	"github.com/entwine-go/entwine/kit/read"
)

// mostSteps is how many edges lead to a row from one that the viewer reads by itself:
// from a post to its author, and on to the author's profile.
const mostSteps = 2

// reached reports whether the viewer is shown a row over edges that lift its policy
// (expose.Through), from a row that they read: then they read its files, too. A field that
// is not shown of all rows hides its file, because who is shown which is only known of
// rows that are read by themselves. Each edge costs a statement that finds one row by the
// index of its foreign key.
func (k *Keeper) reached(ctx context.Context, e *entity.Entity, id gid.ID, shown bool) (bool, error) {
	if !shown {
		return false, nil
	}
	return k.leads(ctx, e, id, mostSteps)
}

func (k *Keeper) leads(ctx context.Context, e *entity.Entity, id gid.ID, steps int) (bool, error) {
	if steps == 0 {
		return false, nil
	}
	for _, w := range k.Engine.Entities {
		for _, g := range w.Entity.Edges {
			if !g.Through || g.To != e || e.Rules.SoftDelete && !g.Required {
				continue // an edge that is not required leads to no deleted row
			}
			ok, err := k.leadsFrom(ctx, w.Entity, g, id, steps)
			if ok || err != nil {
				return ok, err
			}
		}
	}
	return false, nil
}

// leadsFrom reports whether the edge leads to the row from one that the viewer reads, or
// is shown in turn.
func (k *Keeper) leadsFrom(ctx context.Context, from *entity.Entity, g *entity.Edge, id gid.ID, steps int) (bool, error) {
	if g.Own {
		_, found, err := k.Reader.IDOf(ctx, from, read.Column{Name: g.Column, ID: id}, false)
		return found, err
	}
	i := slices.IndexFunc(g.To.Fields, func(f *entity.Field) bool { return f.Column == g.Column })
	if i < 0 {
		return false, nil
	}
	above, err := k.Reader.Reference(ctx, g.To, id, g.To.Fields[i])
	if err != nil || above.IsZero() {
		return false, err
	}
	ok, err := k.Reader.Readable(ctx, from, above)
	if ok || err != nil {
		return ok, err
	}
	return k.leads(ctx, from, above, steps-1)
}
