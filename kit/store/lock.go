package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"hash/fnv"
)

// Lock waits until no other transaction holds the name, and holds it until the
// context's transaction ends: for rules about rows that do not exist yet, which no row
// lock can guard. It is an error without a transaction. On SQLite, where one
// transaction writes at a time, there is nothing to wait for.
func (db *DB) Lock(ctx context.Context, name string) error {
	t := db.current(ctx)
	if t == nil {
		return errors.New("lock a name: there is no transaction to hold it")
	}
	if db.Dialect.SingleWriter() {
		return nil
	}
	if _, err := t.ExecContext(ctx, db.Dialect.AdvisoryLock(true), number(name)); err != nil {
		return fmt.Errorf("lock a name: %w", err)
	}
	return nil
}

// TryLock is [DB.Lock] without the wait: it reports whether the context's transaction
// holds the name now.
func (db *DB) TryLock(ctx context.Context, name string) (held bool, err error) {
	t := db.current(ctx)
	if t == nil {
		return false, errors.New("lock a name: there is no transaction to hold it")
	}
	if db.Dialect.SingleWriter() {
		return true, nil
	}
	rows, err := t.QueryContext(ctx, db.Dialect.AdvisoryLock(false), number(name))
	if err != nil {
		return false, fmt.Errorf("lock a name: %w", err)
	}
	defer rows.Close()
	if !rows.Next() {
		return false, errors.Join(rows.Err(), sql.ErrNoRows)
	}
	return held, errors.Join(rows.Scan(&held), rows.Err())
}

// number is the number of the advisory lock with the name.
func number(name string) int64 {
	h := fnv.New64a()
	h.Write([]byte(name))
	return int64(h.Sum64())
}
