package seed

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/entwine-go/entwine/kit/fold"
	"github.com/entwine-go/entwine/kit/sample"
)

// row is a row in the making.
type row struct {
	s *Seeder
	// i is its place among all rows of the table, those of before included.
	i int64
	// at is when it was made.
	at     time.Time
	table  *sample.Table
	values []any
	// flat draws rows of other tables as often as each other.
	flat bool
}

// get returns a value that was set already, nil where there is none.
func (r *row) get(column string) any {
	i := slices.IndexFunc(r.table.Columns, func(c sample.Column) bool { return c.Name == column })
	if i < 0 {
		return nil
	}
	return r.values[i]
}

// make fills in the row.
func (r *row) make() error {
	for i := range r.table.Columns {
		c := &r.table.Columns[i]
		if hint := hints[r.table.Name+"."+c.Name]; hint != nil {
			r.values[i] = hint(r, c)
			continue
		}
		r.values[i] = r.value(c)
	}
	for i := range r.table.Columns {
		c := &r.table.Columns[i]
		if c.Store == nil || r.values[i] == nil {
			continue
		}
		var err error
		if r.values[i], err = c.Store(r.values[i]); err != nil {
			return fmt.Errorf("store %s: %w", c.Name, err)
		}
	}
	return nil
}

// value invents a value of the column.
func (r *row) value(c *sample.Column) any {
	switch {
	case c.Kind == sample.Fold:
		text, ok := r.get(c.Of).(string)
		if !ok {
			return nil
		}
		return fold.String(text)
	case c.Kind == sample.Time && !c.Null:
		return r.at
	case c.Kept && c.Default != nil:
		return c.Default
	case c.Null && r.s.chance(seldom):
		return nil
	case c.Kind == sample.Ref:
		return r.refers(c)
	case c.Default != nil && c.Kind != sample.Text && c.Kind != sample.Strings && !r.s.chance(seldom):
		return c.Default
	}
	return r.invent(c)
}

// seldom is how often a value is null that can be, or another one than the default.
const seldom = 0.3

// refers draws a row of another table, nil where there is none.
func (r *row) refers(c *sample.Column) any {
	crowd := r.s.crowds[r.table.Name+"."+c.Name]
	if len(crowd.ids) == 0 {
		return nil
	}
	if r.flat {
		return crowd.ids[r.s.random.IntN(len(crowd.ids))]
	}
	return crowd.draw()
}

// fill makes rows of the table and returns how many there are: less where
// unique indexes and checks leave no more, if that is allowed.
func (s *Seeder) fill(ctx context.Context, t planned) (made int, err error) {
	n := t.n
	before, err := s.lastID(ctx, t.Name)
	if err != nil {
		return 0, err
	}
	for _, c := range t.Columns {
		if c.Kind != sample.Ref {
			continue
		}
		roots := ""
		if c.Roots {
			roots = c.Name
		}
		ids, err := s.latest(ctx, c.Of, roots)
		if err != nil {
			return 0, err
		}
		s.crowds[t.Name+"."+c.Name] = s.crowd(ids)
	}
	w := &writer{table: &t.Table, conn: s.conn, bulk: s.DB.Dialect.BulkLoad()}
	r := row{s: s, table: &t.Table}
	for tried, futile := 0, 0; made < n; {
		rows := make([][]any, min(batch, n-made))
		for i := range rows {
			r.i, r.values = before+int64(tried)+1, make([]any, len(t.Columns))
			r.at = s.at(min(made+i, n-1), n)
			if err := r.make(); err != nil {
				return made, err
			}
			rows[i], tried = r.values, tried+1
		}
		written, err := w.write(ctx, rows)
		if err != nil {
			return made, fmt.Errorf("rows %d to %d: %w", made, made+len(rows), err)
		}
		made += written
		s.done += written
		if s.Progress != nil && written > 0 {
			s.Progress(s.done, s.total)
		}
		r.flat = r.flat || written < len(rows)/4 // the few have all they can
		if futile++; written > 0 {
			futile = 0
		}
		switch {
		case futile < patience:
		case t.asFar:
			s.total -= n - made
			return made, nil
		default:
			return made, fmt.Errorf("there can be no more than about %d, not %d, among the rows that they refer to: %w", made, n, w.refused)
		}
	}
	return made, nil
}

// patience is how many batches in a row may leave nothing.
const patience = 20
