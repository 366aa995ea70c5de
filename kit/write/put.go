package write

import (
	"context"

	"github.com/entwine-go/entwine/kit/gid"
	"github.com/entwine-go/entwine/kit/policy"
	"github.com/entwine-go/entwine/kit/store"
	"github.com/entwine-go/entwine/kit/viewer"
)

// Put is [Engine.Update] of the one row that Call.Fixed admits, or creates it:
// Row.Made is set then.
func (e *Engine) Put(ctx context.Context, c Call, replace bool) (Row, error) {
	row, err := e.put(ctx, c, replace)
	if store.IsUnique(err) { // another request has made it meanwhile
		row, err = e.put(ctx, c, replace)
	}
	return row, err
}

func (e *Engine) put(ctx context.Context, c Call, replace bool) (row Row, err error) {
	if err := c.Entity.Rules.Check(viewer.From(ctx), policy.Update); err != nil {
		return Row{}, err
	}
	get, err := e.get(ctx, c.Entity, c.where()...)
	switch {
	case err == nil:
		c.ID, _ = gid.Of(get("id"))
		f := e.form(ctx, &c, &c.Input, form{replace: replace})
		f.row = get
		return e.change(ctx, &c, f, Row{ID: c.ID})
	case !store.IsNotFound(err):
		return Row{}, store.Problem(err)
	}
	f := e.form(ctx, &c, &c.Input, form{making: true, begins: true})
	f.judgeNew()
	if err := e.claim(ctx, f); err != nil {
		return Row{}, err
	}
	if len(c.Expect.Versions) > 0 || c.Expect.Check != nil {
		return Row{}, c.changed()
	}
	row, err = e.around(ctx, f, gid.ID{}, policy.Create, func(ctx context.Context, w wrapper) (row Row, err error) {
		err = e.DB.InTx(ctx, func(ctx context.Context) error {
			if row, err = w.write(ctx, func(ctx context.Context) (Row, error) { return e.insert(ctx, f) }); err != nil {
				return err
			}
			return c.read(ctx, row)
		})
		return row, err
	})
	return row, f.refused(err)
}
