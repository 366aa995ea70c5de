package writing

import (
	"context"
	"encoding/json"
	"slices"
	"time"

	"github.com/entwine-go/entwine/kit/policy"
	"github.com/entwine-go/entwine/kit/runtime/fold"
	"github.com/entwine-go/entwine/kit/runtime/idempotency"
	"github.com/entwine-go/entwine/kit/runtime/reading"
)

// Show asks for a new row to be read by the statement that makes it. The engine
// does so where that one statement can hold all that it would ask: otherwise
// Shown stays false, and the row is read as if Show were not there.
type Show struct {
	Selection *reading.Selection
	// JSON is what the row is appended to, and Info what is known of it.
	JSON  []byte
	Info  reading.Info
	Shown bool
}

// Column is a column that a new row gets by itself.
type Column struct {
	Name    string
	Default func() any
}

// once makes the row that has been judged, in one statement that says in its
// WHERE all that remains to be asked: whether the caller may make such a row,
// and can read it and the rows that it refers to. It reports false, and nothing
// was written, where that can't be said or does not hold: the longer way finds
// out why.
func (e *Engine) once(ctx context.Context, c *Call, f *form) (Row, bool, error) {
	if !e.oneStatement(ctx, c, f) {
		return Row{}, false, nil
	}
	values, ok := f.columns()
	if !ok {
		return Row{}, false, nil
	}
	conditions, ok := f.conditions(values)
	if !ok {
		return Row{}, false, nil
	}
	s := c.Show
	made := false
	err := e.DB.Alone(ctx, func(ctx context.Context) (err error) {
		s.JSON, s.Info, err = e.Reader.Inserted(ctx, s.JSON, s.Selection, func(w policy.Writer) {
			writeInsert(w, f.Table, values, conditions)
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
			if v.column == key.Column {
				row.Key, _ = v.value.(string)
			}
		}
	}
	return row, true, nil
}

// oneStatement reports whether nothing stands in the way of writing and reading
// the row at once: no hook in Go, no activity, no finding, no key of a request.
func (e *Engine) oneStatement(ctx context.Context, c *Call, f *form) bool {
	return c.Show != nil && c.Show.Selection.Alone() && f.Unhooked && f.Making == nil && f.Upsert == nil && e.Around[f.Name] == nil &&
		len(f.bad) == 0 && len(f.denied) == 0 && len(f.ends) == 0 && !f.namesByKey() && !idempotency.Claims(ctx)
}

// namesByKey reports whether the id of a row that the input names has to be found.
func (f *form) namesByKey() bool {
	return slices.ContainsFunc(f.refs, func(r *reference) bool { return r.ID == 0 })
}

// stored is a value of a column of the new row.
type stored struct {
	column string
	value  any
}

// columns are the values of the new row: those that were judged, and defaults.
func (f *form) columns() ([]stored, bool) {
	values := make([]stored, 0, len(f.changes)+len(f.Defaults)+1)
	given := make(map[string]bool, len(f.changes))
	for _, c := range f.changes {
		if c.value == nil {
			continue
		}
		value, ok := inColumn(c.field, c.value)
		if !ok {
			return nil, false
		}
		values, given[c.field.Column] = append(values, stored{c.field.Column, value}), true
		if text, isText := c.value.(string); isText && c.field.Fold != "" {
			values = append(values, stored{c.field.Fold, fold.String(text)})
		}
	}
	for _, column := range f.Defaults {
		if !given[column.Name] {
			value, ok := plainColumn(column.Default())
			if !ok {
				return nil, false
			}
			values = append(values, stored{column.Name, value})
		}
	}
	return f.follow(values, given), true
}

// inColumn is a judged value as the database has it.
func inColumn(f *Field, value any) (any, bool) {
	switch f.Kind {
	case reading.Strings:
		text, err := json.Marshal(value)
		return string(text), err == nil
	case reading.JSON, reading.Objects, reading.UUID, reading.Bytes:
		return nil, false
	}
	return value, true
}

// plainColumn is a default as the database has it.
func plainColumn(value any) (any, bool) {
	switch v := value.(type) {
	case int64, float64, string, bool, time.Time:
		return v, true
	case []string:
		text, err := json.Marshal(v)
		return string(text), err == nil
	}
	return nil, false
}

// conditions are what the statement has to ask of other rows. It reports false
// where it is known already that the row can't be made, or not be read.
func (f *form) conditions(values []stored) ([]policy.Rule, bool) {
	get := func(column string) any {
		for _, v := range values {
			if v.column == column {
				return v.value
			}
		}
		return nil
	}
	var all []policy.Rule
	readable := f.Rules.Readable(f.viewer, false)
	for _, c := range f.changes {
		to := c.field.Refers
		if to == nil || c.value == nil || c.field.Caller && c.value == f.viewer.UserID {
			continue
		}
		there := to.Rules.Readable(f.viewer, false)
		all = append(all, policy.Related(c.field.Column, to.Table, there).Of(get))
		readable = readable.Given(c.field.Column, to.Table, there)
	}
	all = append(all, f.Rules.May(f.viewer, policy.Create).Of(get), readable.Of(get))
	left := all[:0]
	for _, rule := range all {
		switch {
		case rule.Never():
			return nil, false
		case !rule.Always():
			left = append(left, rule)
		}
	}
	return left, true
}

// writeInsert writes the INSERT of a row of which the conditions hold.
func writeInsert(w policy.Writer, table string, values []stored, conditions []policy.Rule) {
	w.WriteString(`INSERT INTO "` + table + `" (`)
	for i, v := range values {
		if i > 0 {
			w.WriteString(", ")
		}
		w.WriteString(`"` + v.column + `"`)
	}
	w.WriteString(") SELECT ")
	for i, v := range values {
		if i > 0 {
			w.WriteString(", ")
		}
		w.Arg(v.value)
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
