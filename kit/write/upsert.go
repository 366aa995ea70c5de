package write

import (
	"context"
	"fmt"
	"slices"

	"entgo.io/ent/dialect/sql"

	"github.com/entwine-go/entwine/kit/gid"
	"github.com/entwine-go/entwine/kit/mutation"
	"github.com/entwine-go/entwine/kit/policy"
	"github.com/entwine-go/entwine/kit/store"
)

// merge makes the row that has been judged, or changes the one that is there by
// the unique index.
func (e *Engine) merge(ctx context.Context, f *form) (row Row, err error) {
	err = e.DB.InTx(ctx, func(ctx context.Context) error {
		row, err = e.plain(ctx, f)
		return err
	})
	if !store.IsUnique(err) {
		return row, err
	}
	u := f.Rows.Update(e.DB.Driver())
	var index []func(*sql.Selector)
	for _, name := range f.Upsert.Index {
		field := f.Entity.Field(name)
		value, ok := f.values[name]
		if !ok {
			return Row{}, err
		}
		index = append(index, func(s *sql.Selector) { s.Where(sql.EQ(s.C(field.Column), value)) })
	}
	for _, c := range f.changes {
		if err := f.merging(u, c); err != nil {
			return Row{}, fmt.Errorf("set %s of %s: %w", c.field.Name, f.Singular, err)
		}
	}
	u.WhereP(index...)
	if n, failed := u.Save(policy.As(ctx, policy.Create)); failed != nil || n == 0 {
		if failed != nil {
			err = failed
		}
		return Row{}, err
	}
	get, err := e.get(ctx, f.Entity, index...)
	if err != nil {
		return Row{}, err
	}
	id, _ := gid.Of(get("id"))
	return Row{ID: id, Found: true}, nil
}

// merging writes what a create names into an update of the row that is there.
func (f *form) merging(u *mutation.Mutation, c change) error {
	switch value := f.values[c.field.Name]; {
	case slices.Contains(f.Upsert.Index, c.field.Name):
		return nil
	case slices.Contains(f.Upsert.Add, c.field.Name):
		return u.AddField(c.field.Column, value)
	case value == nil:
		return u.ClearField(c.field.Column)
	default:
		return u.SetField(c.field.Column, value)
	}
}
