package store

import (
	"database/sql/driver"
	"reflect"
)

// wrap returns the rows as database/sql should see them: lib/pq's as they
// are, SQLite's with their statement marked as busy and with times that
// SQLite has lost the type of.
func (c *conn) wrap(rows driver.Rows, s *statement) driver.Rows {
	if !c.owner.sqlite {
		return rows
	}
	r := &sqliteRows{typedRows: rows.(typedRows), s: s}
	if s != nil {
		s.busy = true
	}
	for i := range rows.Columns() {
		if r.ColumnTypeDatabaseTypeName(i) == "" {
			r.untyped = append(r.untyped, i)
		}
	}
	return r
}

type typedRows interface {
	driver.Rows
	driver.RowsColumnTypeDatabaseTypeName
	driver.RowsColumnTypeLength
	driver.RowsColumnTypeNullable
	driver.RowsColumnTypePrecisionScale
	ColumnTypeScanType(int) reflect.Type
}

// sqliteRows are rows of SQLite.
type sqliteRows struct {
	typedRows
	s       *statement
	untyped []int // columns without a declared type: expressions, MAX(created_at)
}

// Next reads a row.
func (r *sqliteRows) Next(dest []driver.Value) error {
	if err := r.typedRows.Next(dest); err != nil {
		return err
	}
	for _, i := range r.untyped {
		if text, ok := dest[i].(string); ok {
			if t, ok := storedTime(text); ok {
				dest[i] = t
			}
		}
	}
	return nil
}

// Close ends the rows, so that their statement can be used again.
func (r *sqliteRows) Close() error {
	err := r.typedRows.Close()
	if r.s != nil {
		r.s.busy, r.s = false, nil
	}
	return err
}
