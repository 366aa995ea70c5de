package mutation

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"entgo.io/ent"
	"entgo.io/ent/dialect/sql"
	"entgo.io/ent/dialect/sql/sqlgraph"
	"entgo.io/ent/schema/field"

	"github.com/entwine-go/entwine/kit/gid"
	"github.com/entwine-go/entwine/kit/store"
)

// changesViews says of a database whether it changes the rows below a view.
var changesViews = store.PerDialect(true, false)

// stored is the table below the view from which rows are read whose key is of several
// columns (field.ID). The view has their ids.
type stored struct {
	table string
	key   []*Column
}

// storedBelow is the table below the view, nil where the schema's key is one column.
func (t *Table) storedBelow(s ent.Interface) *stored {
	below, viewed := strings.CutSuffix(t.Table, gid.ViewSuffix)
	if !viewed {
		return nil
	}
	said := s.Annotations()
	for _, m := range s.Mixin() {
		said = append(said, m.Annotations()...)
	}
	for _, a := range said {
		key, ok := a.(*field.Annotation)
		if !ok || len(key.ID) == 0 {
			continue
		}
		of := &stored{table: below}
		for _, name := range key.ID {
			c := t.Field(name)
			if c == nil {
				return nil // a table of the name, whose key is not of fields
			}
			of.key = append(of.key, c)
		}
		t.key.kind = field.TypeString
		return of
	}
	return nil
}

// into is the table that rows are inserted into, and what its id is: no column where the
// key is of several.
func (t *Table) into() (table string, id *sqlgraph.FieldSpec) {
	if t.stored != nil {
		return t.stored.table, nil
	}
	return t.Table, t.keySpec()
}

// changes is the table that rows are changed in, and removed from, and the condition which
// has the statement touch those of the mutation alone. PostgreSQL changes the rows below a
// view, and asks the conditions again of a row that another transaction has changed
// meanwhile. SQLite changes no view, and has one writer: rows are those of the view by their
// key.
func (m *Mutation) changes() (table string, where func(*sql.Selector)) {
	below := m.table.stored
	if below == nil || changesViews.On(store.DialectOf(m.db.Dialect())) {
		return m.table.Table, m.admits
	}
	return below.table, func(s *sql.Selector) {
		b := sql.Dialect(m.db.Dialect())
		columns, from := make([]string, len(below.key)), b.Table(m.table.Table)
		for i, c := range below.key {
			columns[i] = c.Name
		}
		rows := b.Select(from.Columns(columns...)...).From(from).WithContext(s.Context())
		m.admits(rows)
		s.Where(sql.P(func(b *sql.Builder) {
			b.Wrap(func(b *sql.Builder) { b.IdentComma(columns...) }).WriteString(" IN ").Wrap(func(b *sql.Builder) { b.Join(rows) })
		}))
	}
}

// identify gives a new row the id that the values of its key make.
func (m *Mutation) identify() error {
	key := m.table.stored.key
	values := make([]any, len(key))
	for i, c := range key {
		values[i] = m.cells[m.table.at[c.Name]].value
	}
	m.id = gid.Joined(values...)
	named := key[0]
	if i := slices.IndexFunc(key, func(c *Column) bool { return c.kind == field.TypeString }); i >= 0 {
		named = key[i]
	}
	if _, err := gid.Texts.Plain(m.id.String()); err != nil {
		return &ValidationError{named.Field, fmt.Errorf("must have no control characters, and the values of the key at most %d bytes together", gid.LongestText)}
	}
	if (gid.Rows{Type: m.table.Name, Form: gid.Texts}).IsGlobal(m.id.String()) {
		return &ValidationError{named.Field, errors.New("must not be the global id of another row")}
	}
	return nil
}
