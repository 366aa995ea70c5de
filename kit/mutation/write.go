package mutation

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"entgo.io/ent"
	"entgo.io/ent/dialect"
	"entgo.io/ent/dialect/sql"
	"entgo.io/ent/dialect/sql/sqlgraph"
	"entgo.io/ent/schema/field"

	"github.com/entwine-go/entwine/kit/expose"
	"github.com/entwine-go/entwine/kit/fold"
	"github.com/entwine-go/entwine/kit/gid"
)

// ValidationError says which field of a mutation a schema refuses, and why.
type ValidationError struct {
	field string
	err   error
}

// Error says it for a log.
func (e *ValidationError) Error() string { return fmt.Sprintf("field %s: %v", e.field, e.err) }

// Unwrap returns what the validator said.
func (e *ValidationError) Unwrap() error { return e.err }

// InvalidField returns the field's name in the schema.
func (e *ValidationError) InvalidField() string { return e.field }

var errMissing = errors.New("missing required field")

// run has the hooks of the table judge the mutation, and then carries it out.
func (m *Mutation) run(ctx context.Context, last ent.MutateFunc) error {
	if m.judged != nil {
		ctx = m.judged
	}
	next := ent.Mutator(last)
	if m.table.Hooked(m.db) {
		next = m.hooked(next)
	}
	_, err := m.table.hooks[0](next).Mutate(ctx, m)
	return err
}

// Insert makes the rows in one statement. [Mutation.ID] has their ids then.
func (t *Table) Insert(ctx context.Context, rows ...*Mutation) error {
	specs := make([]*sqlgraph.CreateSpec, len(rows))
	for _, m := range rows {
		m.complete()
	}
	var insert func(ctx context.Context, i int) error
	insert = func(ctx context.Context, i int) error {
		return rows[i].run(ctx, func(ctx context.Context, _ ent.Mutation) (ent.Value, error) {
			m := rows[i]
			if err := m.check(); err != nil {
				return nil, err
			}
			specs[i] = m.createSpec()
			var err error
			if i+1 < len(rows) {
				err = insert(ctx, i+1)
			} else {
				err = create(ctx, m.db, specs)
			}
			if err != nil {
				return nil, err
			}
			if m.table.stored == nil {
				m.id, _ = gid.Of(specs[i].ID.Value)
			}
			return m.id.Any(), nil
		})
	}
	if len(rows) == 0 {
		return nil
	}
	return insert(ctx, 0)
}

// Make makes one row, and returns its id. Null is left out.
func (t *Table) Make(ctx context.Context, db dialect.Driver, values map[string]any) (gid.ID, error) {
	m := t.Create(db)
	if err := m.Set(values); err != nil {
		return gid.ID{}, err
	}
	err := t.Insert(ctx, m)
	return m.id, err
}

func create(ctx context.Context, db dialect.Driver, specs []*sqlgraph.CreateSpec) error {
	if len(specs) == 1 {
		return sqlgraph.CreateNode(ctx, db, specs[0])
	}
	return sqlgraph.BatchCreate(ctx, db, &sqlgraph.BatchCreateSpec{Nodes: specs})
}

// complete sets the defaults of a new row.
func (m *Mutation) complete() {
	if key := m.table.key; m.id.IsZero() && key.Default != nil {
		m.id, _ = gid.Of(key.Default())
	}
	for i, c := range m.table.Columns {
		if at := &m.cells[i]; !at.set && c.Default != nil {
			*at = cell{value: m.stamped(c, c.Default()), set: true}
		}
	}
}

// checkID returns what is wrong with the id of a new row. The database makes numbers.
func (m *Mutation) checkID() error {
	key := m.table.key
	if m.id.IsZero() {
		if key.kind.Integer() {
			return nil
		}
		return &ValidationError{id, errMissing}
	}
	value, of := m.id.Any(), gid.Rows{Type: m.table.Name, Form: key.ids()}
	if of.Form != gid.Numbers {
		if _, err := of.Form.Plain(m.id.String()); err != nil {
			return &ValidationError{id, err}
		}
	}
	switch {
	case of.Form == gid.UUIDs:
		value = m.id.UUID()
	case of.Form == gid.Texts && of.IsGlobal(m.id.String()):
		return &ValidationError{id, errors.New("must not be the global id of another row")}
	}
	if err := key.valid(value); err != nil {
		return &ValidationError{id, err}
	}
	return nil
}

// ids is the form of the column's ids.
func (c *Column) ids() gid.Form {
	switch {
	case c.kind == field.TypeUUID:
		return gid.UUIDs
	case c.kind.Integer():
		return gid.Numbers
	}
	return gid.Texts
}

// check returns what is wrong with the first column that is.
func (m *Mutation) check() error {
	if m.op.Is(ent.OpCreate) && m.table.stored == nil {
		if err := m.checkID(); err != nil {
			return err
		}
	}
	for i, c := range m.table.Columns {
		at := &m.cells[i]
		if !at.set {
			if m.op.Is(ent.OpCreate) && !c.Optional {
				return &ValidationError{c.Field, errMissing}
			}
			continue
		}
		if err := c.valid(at.value); err != nil {
			return &ValidationError{c.Field, err}
		}
		var err error
		if at.stored, err = c.stored(at.value); err != nil {
			return fmt.Errorf("store %s of %s: %w", c.Field, m.table.Name, err)
		}
	}
	if m.op.Is(ent.OpCreate) && m.table.stored != nil {
		return m.identify()
	}
	return nil
}

// follow has columns follow from others that are set.
func (m *Mutation) follow() {
	for _, f := range m.table.follows {
		of, to := &m.cells[f.of], &m.cells[f.column]
		if !of.set {
			continue
		}
		if f.as != expose.FollowSince {
			*to = cell{value: IsPositive(of.value), set: true}
			continue
		}
		switch on, _ := of.value.(bool); {
		case to.set, to.cleared:
		case on:
			*to = cell{value: m.Now(), set: true}
		case !m.op.Is(ent.OpCreate):
			*to = cell{cleared: true}
		}
	}
}

// IsPositive reports whether a number is above zero, as flags that follow from it say.
func IsPositive(value any) bool {
	switch n := value.(type) {
	case int64:
		return n > 0
	case float64:
		return n > 0
	}
	return false
}

// folded sets the columns that hold texts with their case folded.
func (m *Mutation) folded() {
	for i, c := range m.table.Columns {
		if text, ok := m.cells[i].value.(string); ok && m.cells[i].set && c.fold != "" {
			m.cells[m.table.at[c.fold]] = cell{value: fold.String(text), set: true}
		}
	}
}

// Stored is a value of a column, as a statement takes it.
type Stored struct {
	Column string
	Value  any
}

// Stored returns all columns of the new row, for a statement that is not Ent's:
// false where one is of a type that only Ent's statements write, or there is none. No hook
// is asked.
func (m *Mutation) Stored() ([]Stored, bool) {
	m.complete()
	m.follow()
	m.folded()
	all := make([]Stored, 0, len(m.cells)+1)
	switch {
	case m.table.key.kind == field.TypeUUID, m.checkID() != nil: // UUIDs have no literal here, in other columns neither; nor has a key of several columns
		return nil, false
	case !m.id.IsZero():
		all = append(all, Stored{m.table.id, m.id.Any()})
	}
	for i, c := range m.table.Columns {
		at := &m.cells[i]
		if !at.set {
			continue
		}
		if c.own != nil {
			return nil, false
		}
		value := at.value
		switch v := value.(type) {
		case int64, float64, bool, time.Time:
		case string:
			if c.kind == field.TypeJSON {
				return nil, false
			}
		case []string:
			text, err := json.Marshal(v)
			if err != nil {
				return nil, false
			}
			value = string(text)
		default:
			return nil, false
		}
		all = append(all, Stored{c.Name, value})
	}
	return all, len(all) > 0
}

// kept is the column's new value.
func (at *cell) kept(c *Column) any {
	if c.own != nil {
		return at.stored
	}
	return at.value
}

func (m *Mutation) createSpec() *sqlgraph.CreateSpec {
	m.follow()
	m.folded()
	spec := sqlgraph.NewCreateSpec(m.table.into())
	if spec.ID != nil && !m.id.IsZero() {
		spec.ID.Value = m.id.Any()
	}
	for i, c := range m.table.Columns {
		if at := &m.cells[i]; at.set {
			spec.SetField(c.Name, c.kind, at.kept(c))
		}
	}
	return spec
}

// keySpec is the column of the id as Ent's statements have it.
func (t *Table) keySpec() *sqlgraph.FieldSpec { return sqlgraph.NewFieldSpec(t.id, t.key.kind) }

// Save carries out a change, and returns how many rows it touched.
func (m *Mutation) Save(ctx context.Context) (n int, err error) {
	for i, c := range m.table.Columns {
		if at := &m.cells[i]; !at.set && c.changed != nil {
			*at = cell{value: m.stamped(c, c.changed()), set: true}
		}
	}
	err = m.run(ctx, func(ctx context.Context, _ ent.Mutation) (ent.Value, error) {
		if err := m.check(); err != nil {
			return nil, err
		}
		n, err = sqlgraph.UpdateNodes(ctx, m.db, m.updateSpec())
		return n, err
	})
	return n, err
}

func (m *Mutation) updateSpec() *sqlgraph.UpdateSpec {
	m.follow()
	m.folded()
	table, where := m.changes()
	spec := sqlgraph.NewUpdateSpec(table, m.table.names(), m.table.keySpec())
	spec.Predicate = where
	for i, c := range m.table.Columns {
		at := &m.cells[i]
		if at.set {
			spec.SetField(c.Name, c.kind, at.kept(c))
		}
		if at.added != nil {
			spec.AddField(c.Name, c.kind, at.added)
		}
		if at.cleared {
			spec.ClearField(c.Name, c.kind)
		}
	}
	spec.AddModifiers(m.modifiers...)
	return spec
}

// admits restricts a statement to the rows of the mutation.
func (m *Mutation) admits(s *sql.Selector) {
	for _, where := range m.where {
		where(s)
	}
}

// Delete removes the rows that the conditions admit, and returns how many.
func (t *Table) Delete(ctx context.Context, db dialect.Driver, where ...func(*sql.Selector)) (int, error) {
	return t.Remove(ctx, t.Removal(db, where...))
}

// DeleteOne removes the row with the id where the conditions admit it, and returns how
// many that were.
func (t *Table) DeleteOne(ctx context.Context, db dialect.Driver, row gid.ID, where ...func(*sql.Selector)) (int, error) {
	m := t.begin(db, ent.OpDeleteOne)
	m.id, m.one = row, row
	m.WhereP(sql.FieldEQ(t.id, row.Any()))
	m.WhereP(where...)
	return t.Remove(ctx, m)
}

// Remove carries out the removals in one statement, and returns how many rows that were.
func (t *Table) Remove(ctx context.Context, removals ...*Mutation) (n int, err error) {
	var remove func(ctx context.Context, i int) error
	remove = func(ctx context.Context, i int) error {
		m := removals[i]
		return m.run(ctx, func(ctx context.Context, _ ent.Mutation) (ent.Value, error) {
			if i+1 < len(removals) {
				return nil, remove(ctx, i+1)
			}
			table, where := m.changes()
			if len(removals) > 1 {
				where = anyAdmits(removals)
			}
			spec := sqlgraph.NewDeleteSpec(table, t.keySpec())
			spec.Predicate = where
			var err error
			n, err = sqlgraph.DeleteNodes(ctx, m.db, spec)
			return n, err
		})
	}
	if len(removals) == 0 {
		return 0, nil
	}
	err = remove(ctx, 0)
	return n, err
}

// anyAdmits restricts a statement to the rows of any of the mutations.
func anyAdmits(all []*Mutation) func(*sql.Selector) {
	return func(s *sql.Selector) {
		each := make([]*sql.Predicate, len(all))
		for i, m := range all {
			of := sql.Dialect(s.Dialect()).Select().From(s.Table()).WithContext(s.Context())
			_, where := m.changes()
			where(of)
			each[i] = of.P()
		}
		s.Where(sql.Or(each...))
	}
}
