package write

import (
	"context"
	"fmt"

	"github.com/entwine-go/entwine/kit/gid"
	"github.com/entwine-go/entwine/kit/mutation"
	"github.com/entwine-go/entwine/kit/policy"
	"github.com/entwine-go/entwine/kit/viewer"
)

// Create makes a row.
func (e *Engine) Create(ctx context.Context, c Call) (Row, error) {
	may, err := c.Entity.Rules.Allowed(viewer.From(ctx), policy.Create)
	if err != nil {
		return Row{}, err
	}
	f := e.form(ctx, &c, &c.Input, form{making: true})
	f.judgeNew()
	if row, made, err := e.once(ctx, &c, f, may); made || err != nil {
		return row, f.refused(err)
	}
	if c.Above != nil {
		if err := c.Above(ctx); err != nil {
			return Row{}, err
		}
	}
	if err := e.claim(ctx, f); err != nil {
		return Row{}, err
	}
	row, err := e.around(ctx, f, gid.ID{}, policy.Create, func(ctx context.Context, w wrapper) (row Row, err error) {
		err = e.transact(ctx, w.wraps || c.Read != nil || c.Entity.Making != nil || c.Entity.Upsert != nil || len(f.ends) > 0, func(ctx context.Context) error {
			if row, err = w.write(ctx, func(ctx context.Context) (Row, error) { return e.insert(ctx, f) }); err != nil {
				return err
			}
			return c.read(ctx, row)
		})
		return row, err
	})
	return row, f.refused(err)
}

// insert makes the row that has been judged, or finds it where the entity says so.
func (e *Engine) insert(ctx context.Context, f *form) (Row, error) {
	switch {
	case f.Making != nil && e.Methods == nil:
		return Row{}, fmt.Errorf("create %s: %w", f.Singular, errNoMethods)
	case f.Making != nil:
		f.complete()
		result, err := f.Making(ctx, e.Methods, f.values)
		return result.Row, err
	case f.Upsert != nil && f.Upsert.Run == "":
		f.complete()
		return e.merge(ctx, f)
	}
	return e.plain(ctx, f)
}

// complete adds the defaults of what the input leaves out.
func (f *form) complete() {
	for _, field := range f.Fields {
		if _, given := f.values[field.Name]; !given && field.OnCreate && field.Default != nil {
			f.set(field, field.Default())
		}
	}
}

// plain makes the row.
func (e *Engine) plain(ctx context.Context, f *form) (Row, error) {
	rows, err := e.insertAll(ctx, []*form{f})
	if err != nil {
		return Row{}, err
	}
	return rows[0], e.attachNew(ctx, []*form{f}, rows)
}

// draft is the row that has been judged, not made yet.
func (e *Engine) draft(f *form) (*mutation.Mutation, error) {
	draft := f.Rows.Create(e.DB.Driver()).Linked()
	if err := f.Rules.Own(f.viewer, draft); err != nil {
		return nil, err
	}
	for _, c := range f.changes {
		if c.value == nil {
			continue
		}
		if err := draft.SetField(c.field.Column, c.value); err != nil {
			return nil, fmt.Errorf("set %s of %s: %w", c.field.Name, f.Singular, err)
		}
	}
	for _, x := range f.ends {
		draft.Ends(x.Name, x.wanted(), nil)
	}
	return draft, nil
}

// insertAll makes the rows that have been judged, in one statement.
func (e *Engine) insertAll(ctx context.Context, forms []*form) ([]Row, error) {
	drafts := make([]*mutation.Mutation, len(forms))
	for i, f := range forms {
		var err error
		if drafts[i], err = e.draft(f); err != nil {
			return nil, err
		}
	}
	table := forms[0].Rows
	if err := table.Insert(ctx, drafts...); err != nil {
		return nil, err
	}
	rows := make([]Row, len(drafts))
	for i, d := range drafts {
		rows[i] = Row{ID: d.ID(), Made: true}
		if key := forms[0].Entity.Entity.Key; key != nil {
			value, _ := d.Field(key.Column)
			rows[i].Key, _ = value.(string)
		}
	}
	return rows, nil
}
