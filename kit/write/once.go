package write

import (
	"context"
	"slices"

	"github.com/entwine-go/entwine/kit/idempotency"
	"github.com/entwine-go/entwine/kit/mutation"
	"github.com/entwine-go/entwine/kit/policy"
	"github.com/entwine-go/entwine/kit/read"
)

// Show asks for a new row to be read by the statement that makes it. The engine
// does so where that one statement can hold all that it would ask: otherwise
// Shown stays false, and the row is read as if Show were not there.
type Show struct {
	Selection *read.Selection
	// JSON is the buffer that the row is appended to, and Info describes the row.
	JSON  []byte
	Info  read.Info
	Shown bool
}

// once makes the row that has been judged, in one statement that says in its
// WHERE all that remains to be asked: whether the caller may make such a row,
// and can read it and the rows that it refers to. It reports false, and nothing
// was written, where that can't be said or does not hold: the longer way finds
// out why.
func (e *Engine) once(ctx context.Context, c *Call, f *form, may policy.Rule) (Row, bool, error) {
	if !e.oneStatement(ctx, c, f) {
		return Row{}, false, nil
	}
	values, ok := e.columns(f)
	if !ok {
		return Row{}, false, nil
	}
	conditions, ok := f.conditions(values, may)
	if !ok {
		return Row{}, false, nil
	}
	s := c.Show
	made := false
	err := e.DB.Alone(ctx, func(ctx context.Context) (err error) {
		s.JSON, s.Info, err = e.Reader.Inserted(ctx, s.JSON, s.Selection, func(w policy.Writer) bool {
			writeInsert(w, values, conditions)
			return len(conditions) > 0
		})
		made = err == nil && s.Info.Count > 0
		return err
	})
	if err != nil || !made {
		return Row{}, false, err
	}
	s.Shown = true
	row := Row{ID: s.Info.ID, Made: true}
	if key := f.Entity.Entity.Key; key != nil {
		for _, v := range values {
			if v.Column == key.Column {
				row.Key, _ = v.Value.(string)
			}
		}
	}
	return row, true, nil
}

// oneStatement reports whether nothing stands in the way of writing and reading
// the row at once: no hook in Go, no activity, no finding, no key of a request.
func (e *Engine) oneStatement(ctx context.Context, c *Call, f *form) bool {
	return c.Show != nil && c.Show.Selection.Alone() && !f.Rows.Hooked(e.DB.Driver()) && f.Making == nil && f.Upsert == nil && e.Around[f.Name] == nil &&
		len(f.bad) == 0 && len(f.denied) == 0 && len(f.ends) == 0 && !f.namesByKey() && !idempotency.Claims(ctx)
}

// namesByKey reports whether the id of a row that the input names has to be found.
func (f *form) namesByKey() bool {
	return slices.ContainsFunc(f.refs, func(r *reference) bool { return r.ID.IsZero() })
}

// columns are the values of the new row: those that were judged, and what it gets
// by itself.
func (e *Engine) columns(f *form) ([]mutation.Stored, bool) {
	draft, err := e.draft(f)
	if err != nil {
		return nil, false
	}
	return draft.Stored()
}

// conditions are the statement's conditions on other rows, may the rule for the
// rows that the viewer may create. It reports false where it is known already that
// the row can't be made, or not be read.
func (f *form) conditions(values []mutation.Stored, may policy.Rule) (left []policy.Rule, possible bool) {
	get := func(column string) any {
		for _, v := range values {
			if v.Column == column {
				return v.Value
			}
		}
		return nil
	}
	possible = true
	ask := func(rule policy.Rule) {
		switch rule = rule.Of(get); {
		case rule.Never():
			possible = false
		case !rule.Always():
			left = append(left, rule)
		}
	}
	rules := f.Rules
	for _, c := range f.changes {
		if !f.asksFor(c) {
			continue
		}
		to := c.field.Refers
		there := to.Rules.Readable(f.viewer, false)
		if l := c.field.link; l != nil && !l.Free(f.viewer) && !(c.field.Caller && c.value == f.viewer.UserID) {
			there = policy.Both(there, l.Allowed(f.viewer))
		}
		if there.Never() {
			return nil, false
		}
		ask(policy.Having(c.field.Column, to.Table, to.ID().Column, there))
		if c.field.reads != nil { // what follows from it needs no folding
			rules.Read = rules.Read.Given(c.field.Column, to.Table, *c.field.reads)
		}
	}
	ask(may)
	readable := rules.Readable(f.viewer, false)
	for _, c := range f.changes {
		if readable.Always() || !f.asksFor(c) {
			continue
		}
		readable = readable.Given(c.field.Column, c.field.Refers.Table, c.field.Refers.Rules.Readable(f.viewer, false))
	}
	ask(readable)
	return left, possible
}

// asksFor reports whether the statement has to ask for the row that the change
// names: not for the caller's own, unless the path names it.
func (f *form) asksFor(c change) bool {
	if c.field.Refers == nil || c.value == nil {
		return false
	}
	_, fixed := f.fixed.of(c.field.Name)
	return fixed || !c.field.Caller || c.value != f.viewer.UserID
}

// writeInsert writes an INSERT, from behind its table's name, of a row of which the
// conditions hold.
func writeInsert(w policy.Writer, values []mutation.Stored, conditions []policy.Rule) {
	w.WriteString(" (")
	for i, v := range values {
		if i > 0 {
			w.WriteString(", ")
		}
		w.WriteString(`"`)
		w.WriteString(v.Column)
		w.WriteString(`"`)
	}
	w.WriteString(") SELECT ")
	for i, v := range values {
		if i > 0 {
			w.WriteString(", ")
		}
		w.Arg(v.Value)
	}
	for i, rule := range conditions {
		if i == 0 {
			w.WriteString(" WHERE ")
		} else {
			w.WriteString(" AND ")
		}
		rule.Write(w, "")
	}
}
