package mutation

import (
	"context"
	"fmt"
	"slices"
	"time"

	"entgo.io/ent"
	"entgo.io/ent/dialect"
	"entgo.io/ent/dialect/sql"

	"github.com/entwine-go/entwine/kit/gid"
)

// Mutation is a row that is to be made, a change of rows, or their removal. It
// implements ent.Mutation, by the names of columns.
type Mutation struct {
	table     *Table
	op        ent.Op
	db        dialect.Driver
	cells     []cell // as Table.Columns
	where     []func(*sql.Selector)
	modifiers []func(*sql.UpdateBuilder)
	linked    bool
	id        gid.ID
	one       gid.ID // the row that is changed or removed, zero where it is not known by its id
	old       *Row   // that row as it was
	ends      map[string]ends
	instant   time.Time       // see [Mutation.Now]
	judged    context.Context // see [Mutation.JudgedIn]
}

// ends are rows at the other end of an edge of many.
type ends struct{ added, removed []gid.ID }

// cell is the new value of a column.
type cell struct {
	value, added any
	// stored is the column's form of the value, which was judged.
	stored       any
	set, cleared bool
}

var _ ent.Mutation = (*Mutation)(nil)

// Create begins a row, which [Table.Insert] makes.
func (t *Table) Create(db dialect.Driver) *Mutation { return t.begin(db, ent.OpCreate) }

// Update begins a change of the rows that its conditions admit, which
// [Mutation.Save] carries out.
func (t *Table) Update(db dialect.Driver) *Mutation { return t.begin(db, ent.OpUpdate) }

// UpdateOne begins a change of the row with the id.
func (t *Table) UpdateOne(db dialect.Driver, row gid.ID) *Mutation {
	m := t.begin(db, ent.OpUpdateOne)
	m.id, m.one = row, row
	m.WhereP(sql.FieldEQ(m.table.id, row.Any()))
	return m
}

// Ends says, to hooks, which rows at the other end of an edge of many the writer
// attaches and detaches.
func (m *Mutation) Ends(edge string, added, removed []gid.ID) {
	if m.ends == nil {
		m.ends = map[string]ends{}
	}
	m.ends[edge] = ends{added, removed}
}

// Removal begins a removal of the rows that the conditions admit, which [Table.Remove]
// carries out.
func (t *Table) Removal(db dialect.Driver, where ...func(*sql.Selector)) *Mutation {
	m := t.begin(db, ent.OpDelete)
	m.WhereP(where...)
	return m
}

func (t *Table) begin(db dialect.Driver, op ent.Op) *Mutation {
	return &Mutation{table: t, op: op, db: db, cells: make([]cell, len(t.Columns))}
}

// ID is that of the row that was made.
func (m *Mutation) ID() gid.ID { return m.id }

// Driver is the database driver of the mutation: see package policy.
func (m *Mutation) Driver() dialect.Driver { return m.db }

// DefersByHand says that rules by hand are asked by a hook: see package policy.
func (*Mutation) DefersByHand() {}

// Linked says that the writer has judged whether the viewer may link the rows that
// the columns name: see [policy.Attach].
func (m *Mutation) Linked() *Mutation {
	m.linked = true
	return m
}

// LinksJudged reports whether [Mutation.Linked] was called: see package policy.
func (m *Mutation) LinksJudged() bool { return m.linked }

// JudgedIn has the hooks judge the mutation in that context, whose viewer asks for it,
// where one statement carries out what several viewers ask for.
func (m *Mutation) JudgedIn(ctx context.Context) { m.judged = ctx }

// WhereP adds conditions on the rows.
func (m *Mutation) WhereP(where ...func(*sql.Selector)) { m.where = append(m.where, where...) }

// IDs are those of the rows that the conditions admit: of a change or a removal that
// has not been carried out. The viewer's rules are among the conditions.
func (m *Mutation) IDs(ctx context.Context) ([]gid.ID, error) {
	s := sql.Dialect(m.db.Dialect()).Select(m.table.id).From(sql.Table(m.table.Table))
	s.WithContext(ctx)
	m.admits(s)
	text, args := s.Query()
	var rows sql.Rows
	if err := m.db.Query(ctx, text, args, &rows); err != nil {
		return nil, err
	}
	defer rows.Close()
	var ids []gid.ID
	for rows.Next() {
		var one gid.ID
		if err := rows.Scan(&one); err != nil {
			return nil, err
		}
		ids = append(ids, one)
	}
	return ids, rows.Err()
}

// Modify adds what the UPDATE statement says beside the mutation.
func (m *Mutation) Modify(modifiers ...func(*sql.UpdateBuilder)) {
	m.modifiers = append(m.modifiers, modifiers...)
}

// Set sets columns. Null clears one.
func (m *Mutation) Set(values map[string]any) error {
	for column, value := range values {
		err := error(nil)
		if value = Plain(value); value != nil {
			err = m.SetField(column, value)
		} else if m.op.Is(ent.OpUpdate | ent.OpUpdateOne) {
			err = m.ClearField(column)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// cell returns what becomes of the column.
func (m *Mutation) cell(column string) (*cell, *Column, error) {
	i, ok := m.table.at[column]
	if !ok {
		return nil, nil, fmt.Errorf("%s has no column %s", m.table.Name, column)
	}
	return &m.cells[i], m.table.Columns[i], nil
}

// changing is cell, of a column that the mutation may set.
func (m *Mutation) changing(column string) (*cell, *Column, error) {
	at, c, err := m.cell(column)
	if err == nil && c.immutable && !m.op.Is(ent.OpCreate) {
		err = fmt.Errorf("column %s of %s never changes", column, m.table.Name)
	}
	return at, c, err
}

// SetField sets a column: of a new row, its id, too.
func (m *Mutation) SetField(column string, value ent.Value) error {
	if column == m.table.id && m.op.Is(ent.OpCreate) {
		return m.id.Scan(Plain(value))
	}
	at, _, err := m.changing(column)
	if err == nil {
		*at = cell{value: Plain(value), set: true}
	}
	return err
}

// AddField adds to a number.
func (m *Mutation) AddField(column string, value ent.Value) error {
	at, _, err := m.changing(column)
	if err != nil {
		return err
	}
	switch n := Plain(value).(type) {
	case int64:
		before, _ := at.added.(int64)
		at.added = before + n
	case float64:
		before, _ := at.added.(float64)
		at.added = before + n
	default:
		return fmt.Errorf("column %s of %s: %T is no number", column, m.table.Name, value)
	}
	return nil
}

// ClearField sets a column to null.
func (m *Mutation) ClearField(column string) error {
	at, c, err := m.changing(column)
	switch {
	case err != nil:
		return err
	case !c.Optional:
		return fmt.Errorf("column %s of %s is never null", column, m.table.Name)
	}
	*at = cell{cleared: true}
	return nil
}

// ResetField takes back what was said of a column.
func (m *Mutation) ResetField(column string) error {
	at, _, err := m.cell(column)
	if err == nil {
		*at = cell{}
	}
	return err
}

// Op is the kind of write.
func (m *Mutation) Op() ent.Op { return m.op }

// Type is the entity's name.
func (m *Mutation) Type() string { return m.table.Name }

// Field returns the value that is set.
func (m *Mutation) Field(column string) (ent.Value, bool) {
	if at, _, err := m.cell(column); err == nil && at.set {
		return at.value, true
	}
	return nil, false
}

// AddedField returns what is added to a number.
func (m *Mutation) AddedField(column string) (ent.Value, bool) {
	if at, _, err := m.cell(column); err == nil && at.added != nil {
		return at.added, true
	}
	return nil, false
}

// FieldCleared reports whether the column is set to null.
func (m *Mutation) FieldCleared(column string) bool {
	at, _, err := m.cell(column)
	return err == nil && at.cleared
}

// Fields lists the columns that are set or added to.
func (m *Mutation) Fields() []string {
	return m.which(func(at *cell) bool { return at.set || at.added != nil })
}

// AddedFields lists the columns that are added to.
func (m *Mutation) AddedFields() []string {
	return m.which(func(at *cell) bool { return at.added != nil })
}

// ClearedFields lists the columns that are set to null.
func (m *Mutation) ClearedFields() []string {
	return m.which(func(at *cell) bool { return at.cleared })
}

func (m *Mutation) which(is func(*cell) bool) (names []string) {
	for i := range m.cells {
		if is(&m.cells[i]) {
			names = append(names, m.table.Columns[i].Name)
		}
	}
	return names
}

// OldField returns the value of a column before the change, of a row that is known by
// its id. The viewer has to be one who can read the row.
func (m *Mutation) OldField(ctx context.Context, column string) (ent.Value, error) {
	if m.one.IsZero() {
		return nil, fmt.Errorf("%s: a change of many rows knows no old value", m.table.Name)
	}
	if _, _, err := m.cell(column); err != nil {
		return nil, err
	}
	if m.old == nil {
		row, err := m.table.Query(m.db, sql.FieldEQ(m.table.id, m.one.Any())).Only(ctx)
		if err != nil {
			return nil, err
		}
		m.old = &row
	}
	return m.old.values[m.table.at[column]+1], nil
}

// Edges are written by their columns, and by the writer of the row: a mutation says
// which.

// AddedEdges lists the edges to rows that the mutation links.
func (m *Mutation) AddedEdges() []string {
	return m.edges(func(at *cell) bool { return at.set && at.value != nil }, func(e ends) bool { return len(e.added) > 0 })
}

// AddedIDs are those of the rows that the mutation links by the edge.
func (m *Mutation) AddedIDs(edge string) []ent.Value {
	if at, _, err := m.cell(m.table.edges[edge]); err == nil && at.set && at.value != nil {
		return []ent.Value{at.value}
	}
	return values(m.ends[edge].added)
}

// RemovedEdges lists the edges of many to rows that the mutation unlinks.
func (m *Mutation) RemovedEdges() []string {
	return m.edges(func(*cell) bool { return false }, func(e ends) bool { return len(e.removed) > 0 })
}

// RemovedIDs are those of the rows that the mutation unlinks.
func (m *Mutation) RemovedIDs(edge string) []ent.Value { return values(m.ends[edge].removed) }

// ClearedEdges lists the edges whose column is set to null.
func (m *Mutation) ClearedEdges() []string {
	return m.edges(func(at *cell) bool { return at.cleared }, func(ends) bool { return false })
}

// EdgeCleared reports whether the edge's column is set to null.
func (m *Mutation) EdgeCleared(edge string) bool { return m.FieldCleared(m.table.edges[edge]) }

// ClearEdge sets the edge's column to null.
func (m *Mutation) ClearEdge(name string) error {
	if column := m.table.edges[name]; column != "" {
		return m.ClearField(column)
	}
	return m.noEdge(name)
}

// ResetEdge takes back what was said of the edge's column.
func (m *Mutation) ResetEdge(name string) error {
	if column := m.table.edges[name]; column != "" {
		return m.ResetField(column)
	}
	return m.noEdge(name)
}

func (m *Mutation) noEdge(name string) error {
	return fmt.Errorf("edge %s of %s is no column of its own: other rows are changed by the client of the mutation", name, m.table.Name)
}

// edges lists those of which one of the two is so.
func (m *Mutation) edges(column func(*cell) bool, many func(ends) bool) (names []string) {
	for name, by := range m.table.edges {
		if column(&m.cells[m.table.at[by]]) {
			names = append(names, name)
		}
	}
	for name, e := range m.ends {
		if many(e) {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}

func values(ids []gid.ID) (all []ent.Value) {
	for _, id := range ids {
		all = append(all, id.Any())
	}
	return all
}
