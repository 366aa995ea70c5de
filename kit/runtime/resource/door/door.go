// Package door is what the REST handlers of entities share, generated ones
// and those by hand: reading a page or an item, making, changing and deleting
// a row, and answering with it.
//
// A [Door] leans on package reading for reading, package store for
// transactions and Ent's policies for who may; it owns the shape of answers:
// envelopes, pagination, links, validators of caches. What entities there are
// is known to its callers alone, who hand it a [Resource].
package door

import (
	"context"
	"strconv"
	"time"

	"github.com/entwine-go/entwine/kit/policy"
	"github.com/entwine-go/entwine/kit/problem"
	"github.com/entwine-go/entwine/kit/runtime/reading"
	"github.com/entwine-go/entwine/kit/runtime/store"
	"github.com/entwine-go/entwine/kit/viewer"
)

// Door reads and writes entities for REST. All fields are required.
type Door struct {
	DB     *store.DB
	Reader *reading.Reader
}

// Resource is an entity as REST serves it.
type Resource struct {
	*reading.Entity
	// Cache is the Cache-Control of reads by callers without credentials.
	Cache string
	// Located: a row has a path of its own, below the collection's.
	Located bool
}

// Guard says which verb of an entity's policy an operation needs. Without a
// verb it reads. A rule is asked of the caller alone. The zero Guard asks nothing.
type Guard struct {
	*reading.Entity
	Verb string
	Rule *policy.Rule
}

// Check returns why the viewer of the context may do this to no row at all,
// or nil. It is asked before the input is looked at, so that who may not is
// told so, and not what is wrong with the input.
func (g Guard) Check(ctx context.Context) error {
	v := viewer.From(ctx)
	switch {
	case g.Rule != nil && g.Rule.For(v).Never():
		return policy.Denied(v)
	case g.Entity == nil:
		return nil
	case g.Verb != "":
		return g.Rules.Check(v, g.Verb)
	case g.Rules.Readable(v, false).Never():
		return policy.Denied(v)
	}
	return nil
}

// Parent returns nil if the viewer can read the row at the start of a nested path.
func (d *Door) Parent(ctx context.Context, e *reading.Entity, id int64) error {
	if err := From(ctx).Admit(ctx, e); err != nil {
		return err
	}
	readable, err := d.Reader.Readable(ctx, e, id)
	if err != nil {
		return err
	}
	if !readable {
		return reading.NotFound(e)
	}
	return nil
}

// Above is [Door.Parent] for reading the rows below, which the filter admits.
// Through each of them its parent is reached: a viewer who reads no parents
// otherwise reaches those above the rows that they can read, and no others, so
// that they don't learn which there are.
func (d *Door) Above(ctx context.Context, e *reading.Entity, id int64, child *reading.Entity, below reading.Filter) error {
	if !e.Rules.Readable(viewer.From(ctx), false).Never() {
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
		return reading.NotFound(e)
	}
	return nil
}

// Now is the time as both databases keep it.
func Now() time.Time { return store.Time(time.Now()) }

// Failed translates what a write of the entity returned: what Ent's validators
// and the database refuse becomes what a client may read, in the names of REST.
func Failed(e *reading.Entity, err error) error {
	if err == nil {
		return nil
	}
	told := problem.As(err) != nil
	err = store.Problem(err)
	p := problem.As(err)
	switch {
	case p == nil:
		return err
	case p.Kind == problem.Duplicate:
		duplicate := problem.Wrap(err, p.Kind, "another %s has this value", e.Singular)
		duplicate.Details = p.Details
		return renamed(e, duplicate)
	case told:
		return err
	}
	return renamed(e, err)
}

// renamed gives the details of err, which name columns, the names of REST.
func renamed(e *reading.Entity, err error) error {
	return problem.Retold(err, func(d problem.Detail) problem.Detail {
		d.Field = restName(e, d.Field)
		return d
	})
}

// restName is the REST name of a column, a folded one included.
func restName(e *reading.Entity, column string) string {
	for _, f := range e.Fields {
		if f.Column == column || f.Name == column || f.Fold == column && column != "" {
			return f.REST
		}
	}
	return column
}

func itoa(id int64) string { return strconv.FormatInt(id, 10) }
