package store

import (
	"context"
	"database/sql"
	"errors"
)

// joinedTx is Ent's transaction around one mutation of several statements, inside
// of one of ours. It ends with ours, so Commit does nothing. A savepoint would cost
// two round trips for each update of a row; instead, a Rollback after a statement
// that wrote something makes the enclosing InTx fail, because what it wrote would
// stay.
type joinedTx struct {
	entConn
	tx    *tx
	wrote bool
}

var errUndone = errors.New("a write of several statements failed half way, and its error was not returned")

// Commit leaves the end to the enclosing transaction.
func (j *joinedTx) Commit() error { return nil }

// Rollback makes sure that the enclosing transaction, or savepoint, is undone.
func (j *joinedTx) Rollback() error {
	if j.wrote && j.tx.broken == nil {
		j.tx.broken = errUndone
	}
	return nil
}

// Exec runs a statement.
func (j *joinedTx) Exec(ctx context.Context, query string, args, v any) error {
	var result sql.Result
	if err := j.entConn.Exec(ctx, query, args, &result); err != nil {
		return err
	}
	if n, err := result.RowsAffected(); n > 0 || err != nil {
		j.wrote = true
	}
	if to, ok := v.(*sql.Result); ok {
		*to = result
	}
	return nil
}

// Query runs a statement.
func (j *joinedTx) Query(ctx context.Context, query string, args, v any) error {
	if err := j.entConn.Query(ctx, query, args, v); err != nil {
		return err
	}
	j.wrote = j.wrote || !reads(query)
	return nil
}
