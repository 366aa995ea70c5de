package account

import (
	"context"
	"fmt"

	"entgo.io/ent/dialect/sql"

	"github.com/entwine-go/entwine/kit/mutation"
	"github.com/entwine-go/entwine/kit/store"
	"github.com/entwine-go/entwine/kit/write"
)

// Table is an entity of the service whose rows are more than this package knows
// of: they are written by its schema, whose defaults, validators, hooks and
// policies hold.
type Table struct {
	*write.Entity
	DB *store.DB // where the rows are
}

// made is a row that was made: its id, and what was written.
type made struct {
	*mutation.Mutation
	id int64
}

// text is the value that was written to a column of text, by the input, the
// service's default or its hook.
func (m made) text(column string) string {
	value, _ := m.Field(column)
	return fmt.Sprint(value)
}

// insert makes a row with the values, by the names of their columns.
func (t *Table) insert(ctx context.Context, values map[string]any) (made, error) {
	row := t.Rows.Create(t.DB.Driver())
	if err := row.Set(values); err != nil {
		return made{}, fmt.Errorf("make %s: %w", t.Singular, err)
	}
	if err := t.Rows.Insert(ctx, row); err != nil {
		return made{}, err
	}
	return made{row, row.ID().Int()}, nil
}

// set gives a column of the row with the id another value. It reports whether
// there is such a row.
func (t *Table) set(ctx context.Context, id int64, column string, value any) (bool, error) {
	u := t.Rows.Update(t.DB.Driver())
	if err := u.SetField(column, value); err != nil {
		return false, fmt.Errorf("set %s of %s: %w", column, t.Singular, err)
	}
	u.WhereP(func(s *sql.Selector) { s.Where(sql.EQ(s.C(t.ID().Column), id)) })
	n, err := u.Save(ctx)
	return n > 0, err
}

// valid reports whether a new row may have the value.
func (t *Table) valid(column string, value any) error {
	if f := t.Field(column); f != nil && f.Check != nil {
		return f.Check(value)
	}
	return nil
}
