package write

import (
	"context"

	"entgo.io/ent/dialect/sql"

	"github.com/entwine-go/entwine/kit/gid"
	"github.com/entwine-go/entwine/kit/idempotency"
	"github.com/entwine-go/entwine/kit/policy"
	"github.com/entwine-go/entwine/kit/problem"
	"github.com/entwine-go/entwine/kit/viewer"
)

// Delete deletes a row. Where deleted rows stay, hard removes it all the same.
// Call.Read is called with the row as it was: before it is removed, after it is
// hidden.
func (e *Engine) Delete(ctx context.Context, c Call, hard bool) error {
	verb := deleting(c.Entity, hard)
	if err := c.Entity.Rules.Check(viewer.From(ctx), verb); err != nil {
		return err
	}
	if err := idempotency.Claim(ctx); err != nil {
		return err
	}
	return refused(c.Entity, &c.Input, e.delete(ctx, &c, verb))
}

// deleting is the policy's verb of a deletion.
func deleting(e *Entity, hard bool) string {
	if hard && e.SoftDelete {
		return policy.Remove
	}
	return policy.Delete
}

// delete deletes the row among what its activity does.
func (e *Engine) delete(ctx context.Context, c *Call, verb string) error {
	a := e.Around[c.Entity.Name]
	if a == nil || a.Delete == nil {
		return e.take(ctx, c, verb)
	}
	return e.transact(ctx, true, func(ctx context.Context) error {
		id, err := e.named(ctx, c)
		if err != nil {
			return err
		}
		if id.IsZero() {
			return e.take(ctx, c, verb) // which says why
		}
		return a.Delete(ctx, &Change{Verb: verb, ID: id}, func(ctx context.Context) error { return e.take(ctx, c, verb) })
	})
}

// named is the id of the row of the call, which the path may name by its parent. It is
// zero where there is none.
func (e *Engine) named(ctx context.Context, c *Call) (gid.ID, error) {
	if !c.ID.IsZero() {
		return c.ID, nil
	}
	rows := c.Entity.Rows.Update(e.DB.Driver())
	rows.WhereP(c.where()...)
	ids, err := rows.IDs(ctx)
	if err != nil || len(ids) != 1 {
		return gid.ID{}, err
	}
	return ids[0], nil
}

// take hides the row, or removes it.
func (e *Engine) take(ctx context.Context, c *Call, verb string) error {
	hides := c.Entity.SoftDelete && verb == policy.Delete
	needed := c.Read != nil || c.Expect.asks()
	return e.transact(ctx, needed, func(ctx context.Context) error {
		if err := e.expected(ctx, c, verb); err != nil {
			return err
		}
		if !hides {
			if err := c.read(ctx, Row{ID: c.ID}); err != nil {
				if problem.KindOf(err) == problem.NotFound {
					return e.untouched(ctx, c, verb, false)
				}
				return err
			}
		}
		run := e.remove
		if hides {
			run = e.hide
		}
		n, err := run(policy.As(ctx, verb), c)
		switch {
		case err != nil:
			return err
		case n == 0:
			return e.untouched(ctx, c, verb, false)
		case hides:
			return c.read(ctx, Row{ID: c.ID})
		}
		return nil
	})
}

// conditions are those on the row, its version among them.
func (c *Call) conditions() []func(*sql.Selector) { return append(c.where(), c.versions()...) }

// Restore brings a deleted row back.
func (e *Engine) Restore(ctx context.Context, c Call) (Row, error) {
	if err := c.Entity.Rules.Check(viewer.From(ctx), policy.Restore); err != nil {
		return Row{}, err
	}
	f := e.form(ctx, &Call{Entity: &Entity{Entity: c.Entity.Entity}}, &c.Input, form{making: true, acting: true}) // it takes no input
	if err := e.claim(ctx, f); err != nil {
		return Row{}, err
	}
	row := Row{ID: c.ID}
	err := e.transact(ctx, c.Read != nil || c.Expect.asks(), func(ctx context.Context) error {
		if err := e.expected(ctx, &c, policy.Restore); err != nil {
			return err
		}
		n, err := e.restore(ctx, &c)
		switch {
		case err != nil:
			return err
		case n == 0:
			return e.unrestored(ctx, &c)
		}
		return c.read(ctx, row)
	})
	return row, refused(c.Entity, &c.Input, err)
}

// unrestored says why a restoration touched no row.
func (e *Engine) unrestored(ctx context.Context, c *Call) error {
	version, may, err := e.Reader.State(ctx, c.Entity.Entity, c.filter(), policy.Restore, true)
	switch {
	case err != nil:
		return err
	case may && c.stale(version):
		return c.changed()
	}
	_, there, err := e.Reader.State(ctx, c.Entity.Entity, c.filter(), policy.Restore, false)
	switch {
	case err != nil:
		return err
	case there:
		return problem.New(problem.Conflict, "the %s is not deleted", c.Entity.Noun())
	}
	return e.refusal(ctx, c)
}
