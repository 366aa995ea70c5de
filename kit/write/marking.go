package write

import (
	"context"
	"database/sql/driver"
	"fmt"
	"slices"

	"entgo.io/ent/dialect/sql"

	"github.com/entwine-go/entwine/kit/entity"
	"github.com/entwine-go/entwine/kit/gid"
	"github.com/entwine-go/entwine/kit/mutation"
	"github.com/entwine-go/entwine/kit/policy"
	"github.com/entwine-go/entwine/kit/store"
	"github.com/entwine-go/entwine/kit/viewer"
)

// marking is the wish of a viewer to mark a row, or to take their mark back.
type marking struct {
	viewer *viewer.Viewer
	form   *form // the mark that is made, nil where it is taken back
	done   bool  // whether the mark was made, or one was taken back
}

// together carries the wish out. The row that counts its marks is locked until the commit
// is on the disk, so that all who mark it wait for each other: the wishes of those
// who wait are carried out by two statements, one for those who mark and one for those who
// take a mark back.
func (e *Engine) together(ctx context.Context, c *Call, m *Mark, one *marking) error {
	all := func(ctx context.Context, all []*marking) error { return e.markings(ctx, c, m, all) }
	row := c.Entity.Table + " " + c.ID.String() + " in " + m.Of.Table
	alone := func(ctx context.Context) error { return all(ctx, []*marking{one}) }
	switch {
	case m.Of.Rows.Hooked(e.DB.Driver()): // which may write more
		return e.DB.InTx(ctx, alone)
	case m.Of.Making != nil || m.Of.Upsert != nil:
		return e.DB.Together(ctx, row, one.viewer.UserID, alone)
	}
	return store.Joined(ctx, e.DB, row, one.viewer.UserID, one, all)
}

// markings carries wishes about one row out, each as its viewer.
func (e *Engine) markings(ctx context.Context, c *Call, m *Mark, all []*marking) error {
	if len(all) > 1 {
		return e.markAll(ctx, c, m, all)
	}
	one := all[0]
	if one.form == nil {
		n, err := m.Of.Rows.Remove(ctx, e.removal(ctx, c, m, one))
		one.done = n > 0
		return err
	}
	_, err := e.insert(ctx, one.form)
	one.done = err == nil
	return err
}

// markAll takes marks back, and then makes marks. Those that there are do not change
// meanwhile: their writers wait for the row that counts them.
func (e *Engine) markAll(ctx context.Context, c *Call, m *Mark, all []*marking) error {
	drafts := make([]*mutation.Mutation, len(all))
	by := make([]gid.ID, len(all))
	for i, one := range all {
		if by[i] = gid.Int(one.viewer.UserID); one.form == nil {
			continue
		}
		draft, err := e.draft(one.form)
		if err != nil {
			return err
		}
		draft.JudgedIn(viewer.With(ctx, one.viewer))
		value, _ := draft.Field(m.By.Column)
		var known bool
		if by[i], known = gid.Of(value); !known { // each is made by itself then
			return fmt.Errorf("the %s of a mark of %s is a %T", m.By.Name, m.Of.Table, value)
		}
		drafts[i] = draft
	}
	if err := e.holdMarked(ctx, c, m, by); err != nil {
		return err
	}
	there, err := e.marked(ctx, c, m, by)
	if err != nil {
		return err
	}
	var removals, made []*mutation.Mutation
	for i, one := range all {
		if one.form != nil {
			continue
		}
		if one.done = there[by[i]]; one.done {
			removals = append(removals, e.removal(ctx, c, m, one))
		}
		delete(there, by[i])
	}
	for i, one := range all {
		if one.form == nil {
			continue
		}
		if one.done = m.Again || !there[by[i]]; one.done {
			made = append(made, drafts[i])
		}
		there[by[i]] = true
	}
	if _, err := m.Of.Rows.Remove(ctx, removals...); err != nil {
		return err
	}
	return m.Of.Rows.Insert(ctx, made...)
}

// removal is that of the viewer's mark.
func (e *Engine) removal(ctx context.Context, c *Call, m *Mark, one *marking) *mutation.Mutation {
	r := m.Of.Rows.Removal(e.DB.Driver(), equals(m.To.Column, c.ID), equals(m.By.Column, gid.Int(one.viewer.UserID)))
	r.JudgedIn(policy.As(viewer.With(ctx, one.viewer), policy.Delete))
	return r
}

// holdMarked locks the rows that the triggers of the marks lock, in one order: those of
// the users as the foreign keys do, and then those that count marks. Two
// transactions of several marks then wait for each other before either holds a mark.
func (e *Engine) holdMarked(ctx context.Context, c *Call, m *Mark, by []gid.ID) error {
	counting := []gid.ID{c.ID}
	if m.By.Refers == c.Entity.Entity { // a follow counts for both
		by = append(slices.Clone(by), c.ID)
		counting = by
	}
	if m.By.Refers != nil {
		if err := e.hold(ctx, m.By.Refers, sql.LockKeyShare, by); err != nil {
			return err
		}
	}
	return e.hold(ctx, c.Entity.Entity, sql.LockNoKeyUpdate, counting)
}

// hold locks rows of the entity in the order of their ids.
func (e *Engine) hold(ctx context.Context, of *entity.Entity, strength sql.LockStrength, rows []gid.ID) error {
	b, id := sql.Dialect(e.DB.Driver().Dialect()), of.ID().Column
	text, args := b.Select(id).From(b.Table(of.Table)).Where(sql.In(id, anys(rows)...)).OrderBy(id).For(strength).Query()
	_, err := e.DB.ExecContext(ctx, text, args...)
	return err
}

// marked are those of the users whose marks the row has.
func (e *Engine) marked(ctx context.Context, c *Call, m *Mark, by []gid.ID) (map[gid.ID]bool, error) {
	b := sql.Dialect(e.DB.Driver().Dialect())
	text, args := b.Select(m.By.Column).From(b.Table(m.Of.Table)).
		Where(sql.And(sql.EQ(m.To.Column, c.ID.Any()), sql.In(m.By.Column, anys(by)...))).Query()
	there := map[gid.ID]bool{}
	err := e.DB.Each(ctx, text, args, func(values []driver.Value) error {
		id, _ := gid.Of(values[0])
		there[id] = true
		return nil
	})
	return there, err
}

func anys(ids []gid.ID) []any {
	all := make([]any, len(ids))
	for i, id := range ids {
		all[i] = id.Any()
	}
	return all
}
