package write

import (
	"context"
	"strings"

	"github.com/entwine-go/entwine/kit/idempotency"
	"github.com/entwine-go/entwine/kit/policy"
	"github.com/entwine-go/entwine/kit/problem"
	"github.com/entwine-go/entwine/kit/read"
	"github.com/entwine-go/entwine/kit/store"
	"github.com/entwine-go/entwine/kit/viewer"
)

// Marked is the result of setting or removing a mark.
type Marked struct {
	// Row is the one that is marked: Made where the mark was not there before.
	Row Row
	// Count is how many marks the row has by now.
	Count int64
}

// Mark has the viewer mark the row of the call, or the user whom the input names:
// once, or again each time where the mark says so.
func (e *Engine) Mark(ctx context.Context, c Call, m *Mark) (Marked, error) {
	if err := m.Of.Rules.Check(viewer.From(ctx), policy.Create); err != nil {
		return Marked{}, err
	}
	f := e.form(ctx, &Call{Entity: &Entity{Entity: m.Of.Entity, Fields: []*Field{m.By}}}, &c.Input, form{making: true, acting: true})
	f.judgeNew()
	f.fix(m.To, c.ID)
	if is(f.values[m.By.Name], c.ID) && m.By.Refers == m.To.Refers && m.By.Refers != nil {
		who := words(strings.TrimSuffix(m.By.Name, "_id"))
		f.bad = append(f.bad, problem.Rulef("id", f.in.Shown(c.Entity.Name, c.ID), "is the %s: users cannot %s themselves", who, m.Verb))
	}
	if err := e.claim(ctx, f); err != nil {
		return Marked{}, err
	}
	f.Entity = m.Of
	marked := Marked{Row: Row{ID: c.ID}}
	readable, err := e.Reader.Exists(ctx, c.Entity.Entity, c.filter())
	if err == nil && !readable {
		err = read.NotFound(c.Entity.Entity)
	}
	if err != nil {
		return marked, f.refused(err)
	}
	if marked.Row.Made, err = e.mark(ctx, &c, m, f); err != nil {
		return marked, f.refused(err)
	}
	if marked.Count, err = e.Reader.Number(ctx, c.Entity.Entity, c.ID, m.Count); err == nil {
		err = c.read(ctx, marked.Row)
	}
	return marked, f.refused(err)
}

// mark makes the mark, and reports whether it was not there before. The row that
// it refers to may have been removed since the viewer saw it.
func (e *Engine) mark(ctx context.Context, c *Call, m *Mark, f *form) (first bool, err error) {
	made := &marking{viewer: f.viewer, form: f}
	switch err := e.together(ctx, c, m, made); {
	case store.IsUnique(err):
		return false, nil
	case store.IsForeignKey(err):
		return false, read.NotFound(c.Entity.Entity)
	default:
		return made.done, err
	}
}

// Unmark takes the viewer's mark of the row back. Where there was none, the row
// has to be one that they can read.
func (e *Engine) Unmark(ctx context.Context, c Call, m *Mark) error {
	v := viewer.From(ctx)
	if err := m.Of.Rules.Check(v, policy.Delete); err != nil {
		return err
	}
	f := e.form(ctx, &Call{Entity: &Entity{Entity: m.Of.Entity}}, &c.Input, form{making: true, acting: true})
	if err := f.err(); err != nil {
		return err
	}
	if err := idempotency.Claim(ctx); err != nil {
		return err
	}
	taken := &marking{viewer: v}
	if err := e.together(ctx, &c, m, taken); err != nil {
		return refused(m.Of, &c.Input, err)
	}
	if taken.done {
		return nil
	}
	readable, err := e.Reader.Exists(ctx, c.Entity.Entity, c.filter())
	if err == nil && !readable {
		err = read.NotFound(c.Entity.Entity)
	}
	return err
}
