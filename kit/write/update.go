package write

import (
	"context"
	"fmt"

	"github.com/entwine-go/entwine/kit/idempotency"
	"github.com/entwine-go/entwine/kit/mutation"
	"github.com/entwine-go/entwine/kit/policy"
	"github.com/entwine-go/entwine/kit/store"
	"github.com/entwine-go/entwine/kit/viewer"
)

// Update changes the fields of a row that the input names, or replaces the row:
// fields that are not named return to their defaults then.
//
// A change that can be judged by itself is one statement, which says in its
// WHERE that something is another value by now. A row that nothing would change
// keeps its version.
func (e *Engine) Update(ctx context.Context, c Call, replace bool) (Row, error) {
	if err := c.Entity.Rules.Check(viewer.From(ctx), policy.Update); err != nil {
		return Row{}, err
	}
	f := e.form(ctx, &c, &c.Input, form{replace: replace})
	return e.change(ctx, &c, f, Row{ID: c.ID})
}

// change carries out a change of a row.
func (e *Engine) change(ctx context.Context, c *Call, f *form, row Row) (Row, error) {
	var absent error
	if f.row == nil && f.needsRow() {
		if err := idempotency.Claim(ctx); err != nil { // a repetition is not judged by what the row is by then
			return Row{}, err
		}
		get, err := e.get(ctx, f.Entity, c.where()...)
		switch {
		case store.IsNotFound(err):
			absent = err
		case err != nil:
			return Row{}, f.refused(err)
		}
		f.row = get
	}
	f.judgeChange()
	if err := e.compare(ctx, c, f); err != nil {
		return Row{}, err
	}
	if err := e.claim(ctx, f); err != nil {
		return Row{}, e.unlessMissing(ctx, c, err)
	}
	if absent != nil {
		return Row{}, e.untouched(ctx, c, policy.Update, false)
	}
	made, err := e.around(ctx, f, c.ID, policy.Update, func(ctx context.Context, w wrapper) (Row, error) {
		err := e.transact(ctx, w.wraps || c.Read != nil || c.Expect.asks() || len(f.ends) > 0, func(ctx context.Context) error {
			if err := e.expected(ctx, c, policy.Update); err != nil {
				return err
			}
			_, err := w.write(ctx, func(ctx context.Context) (Row, error) { _, err := e.rewrite(ctx, c, f); return row, err })
			if err != nil {
				return err
			}
			return c.read(ctx, row)
		})
		return row, err
	})
	return made, f.refused(err)
}

// rewrite writes the changes, if there are any: of edges first, since these
// change the row, too, if they change anything, which it reports.
func (e *Engine) rewrite(ctx context.Context, c *Call, f *form) (moved bool, err error) {
	if moved, err = e.moveEnds(ctx, c, f); err != nil {
		return false, err
	}
	switch {
	case len(f.changes) > 0, moved && (f.dated() || f.Rows.Hooked(e.DB.Driver())):
		return moved, e.update(ctx, c, f, moved)
	case len(f.ends) > 0: // which has found the row
		return moved, nil
	}
	return false, e.untouched(ctx, c, policy.Update, true)
}

// update writes the columns that change: that they do is known where something
// else of the row has changed.
func (e *Engine) update(ctx context.Context, c *Call, f *form, changed bool) error {
	u := e.updates(c).Linked()
	for _, x := range f.ends {
		u.Ends(x.Name, x.wanted(), x.remove)
	}
	for _, change := range f.changes {
		var err error
		if change.value == nil {
			err = u.ClearField(change.field.Column)
		} else {
			err = u.SetField(change.field.Column, change.value)
		}
		if err != nil {
			return fmt.Errorf("set %s of %s: %w", change.field.Name, f.Singular, err)
		}
	}
	if f.Versioned && len(f.changes) == 0 { // the database raises the version of a row that is written
		if err := u.AddField("version", int64(0)); err != nil {
			return fmt.Errorf("count a change of %s: %w", f.Singular, err)
		}
	}
	u.WhereP(c.versions()...)
	if err := leaves(f.viewer, u, f.changes); err != nil {
		return err
	}
	switch {
	case f.row != nil:
		u.WhereP(f.stillIn()...)
	case !changed:
		u.WhereP(differs(f.changes))
	}
	n, err := u.Save(ctx)
	if err != nil || n > 0 {
		return err
	}
	return e.untouched(ctx, c, policy.Update, f.row == nil && !changed)
}

// updates begins a change of the row of the call.
func (e *Engine) updates(c *Call) *mutation.Mutation {
	u := c.Entity.Rows.Update(e.DB.Driver())
	if !c.ID.IsZero() {
		u = c.Entity.Rows.UpdateOne(e.DB.Driver(), c.ID)
	}
	u.WhereP(c.below()...)
	return u
}
