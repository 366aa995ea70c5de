package mutation

import (
	"context"
	stdsql "database/sql"
	"encoding/json"
	"fmt"
	"slices"

	"entgo.io/ent"
	"entgo.io/ent/dialect"
	"entgo.io/ent/dialect/sql"
	"entgo.io/ent/schema/field"
	"github.com/google/uuid"

	"github.com/entwine-go/entwine/kit/date"
	"github.com/entwine-go/entwine/kit/gid"
)

// Query selects rows. A schema's policy and interceptors restrict it by WhereP.
type Query struct {
	table *Table
	db    dialect.Driver
	where []func(*sql.Selector)
	order []string
	limit int
}

// Query reads the rows that the conditions admit and the viewer can read.
func (t *Table) Query(db dialect.Driver, where ...func(*sql.Selector)) *Query {
	return &Query{table: t, db: db, where: where}
}

// WhereP adds conditions on the rows.
func (q *Query) WhereP(where ...func(*sql.Selector)) { q.where = append(q.where, where...) }

// Order sorts the rows by terms of SQL, made by sql.Asc and sql.Desc.
func (q *Query) Order(terms ...string) *Query {
	q.order = terms
	return q
}

// Limit reads so many rows at most.
func (q *Query) Limit(n int) *Query {
	q.limit = n
	return q
}

// NotFoundError says that no row is there, or none that the viewer can read.
type NotFoundError struct{ table string }

// Error says it for a log.
func (e *NotFoundError) Error() string { return e.table + " not found" }

// NotFound marks the error for package store.
func (*NotFoundError) NotFound() bool { return true }

// Only returns the one row there is: [NotFoundError] if there is none.
func (q *Query) Only(ctx context.Context) (Row, error) {
	rows, err := q.Limit(2).All(ctx)
	switch {
	case err != nil:
		return Row{}, err
	case len(rows) == 0:
		return Row{}, &NotFoundError{q.table.Name}
	case len(rows) > 1:
		return Row{}, fmt.Errorf("%s: more than one row", q.table.Name)
	}
	return rows[0], nil
}

// All returns the rows.
func (q *Query) All(ctx context.Context) ([]Row, error) {
	for _, i := range q.table.interceptors {
		if t, ok := i.(ent.Traverser); ok {
			if err := t.Traverse(ctx, q); err != nil {
				return nil, err
			}
		}
	}
	if err := q.table.policy.EvalQuery(ctx, q); err != nil {
		return nil, err
	}
	var next ent.Querier = ent.QuerierFunc(func(ctx context.Context, _ ent.Query) (ent.Value, error) { return q.read(ctx) })
	for _, i := range slices.Backward(q.table.interceptors) {
		next = i.Intercept(next)
	}
	value, err := next.Query(ctx, q)
	if err != nil {
		return nil, err
	}
	rows, _ := value.([]Row)
	return rows, nil
}

func (q *Query) read(ctx context.Context) (all []Row, err error) {
	b := sql.Dialect(q.db.Dialect())
	table := b.Table(q.table.Table)
	s := b.Select(table.Columns(q.table.names()...)...).From(table)
	for _, where := range q.where {
		where(s)
	}
	s.OrderBy(q.order...)
	if q.limit > 0 {
		s.Limit(q.limit)
	}
	text, args := s.Query()
	var rows sql.Rows
	if err := q.db.Query(ctx, text, args, &rows); err != nil {
		return nil, err
	}
	defer rows.Close()
	for rows.Next() {
		values := make([]any, len(q.table.Columns)+1)
		values[0] = q.table.key.target()
		for i, c := range q.table.Columns {
			values[i+1] = c.target()
		}
		if err := rows.Scan(values...); err != nil {
			return nil, fmt.Errorf("read %s: %w", q.table.Name, err)
		}
		for i, v := range values {
			values[i] = held(v)
			if i > 0 && q.table.Columns[i-1].own != nil {
				if values[i], err = q.table.Columns[i-1].plain(values[i]); err != nil {
					return nil, fmt.Errorf("read %s: %w", q.table.Name, err)
				}
				continue
			}
			if text, ok := values[i].([]byte); ok {
				if values[i], err = q.table.Columns[i-1].bytes(text); err != nil {
					return nil, fmt.Errorf("read %s: %w", q.table.Name, err)
				}
			}
		}
		all = append(all, Row{q.table, values})
	}
	return all, rows.Err()
}

// target returns the destination for scanning a value of the column.
func (c *Column) target() any {
	if c.own != nil {
		return new(any)
	}
	if c.day {
		return new(stdsql.Null[date.Date])
	}
	switch c.kind {
	case field.TypeBool:
		return new(stdsql.NullBool)
	case field.TypeTime:
		return new(stdsql.NullTime)
	case field.TypeUUID:
		return new(uuid.NullUUID)
	case field.TypeFloat32, field.TypeFloat64:
		return new(stdsql.NullFloat64)
	case field.TypeString, field.TypeEnum:
		return new(stdsql.NullString)
	case field.TypeBytes, field.TypeJSON:
		return new([]byte)
	case field.TypeOther:
		return new(any)
	}
	return new(stdsql.NullInt64)
}

// bytes is the plain value of a column that was read as bytes.
func (c *Column) bytes(text []byte) (any, error) {
	switch {
	case c.kind != field.TypeJSON:
		return text, nil
	case !c.list:
		return json.RawMessage(text), nil
	}
	var list []string
	if err := json.Unmarshal(text, &list); err != nil {
		return nil, fmt.Errorf("column %s: %w", c.Name, err)
	}
	return list, nil
}

// held is the plain value that was scanned.
func held(target any) any {
	switch v := target.(type) {
	case *stdsql.NullBool:
		return valid(v.Bool, v.Valid)
	case *stdsql.NullTime:
		return valid(v.Time, v.Valid)
	case *stdsql.Null[date.Date]:
		return valid(v.V, v.Valid)
	case *uuid.NullUUID:
		return valid(v.UUID, v.Valid)
	case *stdsql.NullFloat64:
		return valid(v.Float64, v.Valid)
	case *stdsql.NullString:
		return valid(v.String, v.Valid)
	case *stdsql.NullInt64:
		return valid(v.Int64, v.Valid)
	case *[]byte:
		return valid(*v, *v != nil)
	}
	return *target.(*any)
}

func valid[T any](value T, is bool) any {
	if !is {
		return nil
	}
	return value
}

// Row is a row that was read.
type Row struct {
	table  *Table
	values []any // of the id, and of Table.Columns
}

// ID is the row's.
func (r Row) ID() gid.ID {
	id, _ := gid.Of(r.values[0])
	return id
}

// Field returns the value of a field by its name in the schema, nil for null.
func (r Row) Field(name string) any {
	if name == id {
		return r.values[0]
	}
	for i, c := range r.table.Columns {
		if c.Field == name {
			return r.values[i+1]
		}
	}
	return nil
}

// Get returns the value of a field, the zero value for null.
func Get[T any](r Row, name string) T {
	value, _ := r.Field(name).(T)
	return value
}

// Maybe returns the value of a field, nil for null.
func Maybe[T any](r Row, name string) *T {
	if value, ok := r.Field(name).(T); ok {
		return &value
	}
	return nil
}

// Decode reads a field of JSON into v: null leaves it unchanged.
func (r Row) Decode(name string, v any) error {
	raw, ok := r.Field(name).(json.RawMessage)
	if !ok {
		return nil
	}
	if err := json.Unmarshal(raw, v); err != nil {
		return fmt.Errorf("read %s of %s: %w", name, r.table.Name, err)
	}
	return nil
}
