package store

import (
	"context"
	"errors"
	"fmt"
	"hash/fnv"
)

// Lock waits until no other transaction holds the name, and holds it until
// the context's transaction ends: for rules about rows that are not there
// yet, which no row's lock can guard. On SQLite, where transactions follow
// each other, it is there already.
func (db *DB) Lock(ctx context.Context, name string) error {
	t := db.current(ctx)
	if t == nil {
		return errors.New("lock a name: there is no transaction to hold it")
	}
	if !db.Postgres() {
		return nil
	}
	h := fnv.New64a()
	h.Write([]byte(name))
	if _, err := t.ExecContext(ctx, "SELECT pg_advisory_xact_lock($1)", int64(h.Sum64())); err != nil {
		return fmt.Errorf("lock a name: %w", err)
	}
	return nil
}
