package migration

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"ariga.io/atlas/sql/schema"

	"github.com/entwine-go/entwine/kit/store"
)

// lockKey is the advisory lock of those who migrate: "entwine" in ASCII.
const lockKey = 0x656e7477696e65

// lockPostgres waits until no other process migrates. The lock goes with the
// connection. It is asked for again and again: a statement that waits for it
// would be one that CREATE INDEX CONCURRENTLY of the other process waits for.
func (t *target) lockPostgres(ctx context.Context) error {
	if err := t.conn.QueryRowContext(ctx, "SELECT pg_backend_pid()").Scan(&t.pid); err != nil {
		return fmt.Errorf("wait for another migration: %w", err)
	}
	for pause := 5 * time.Millisecond; ; pause = min(2*pause, 250*time.Millisecond) {
		var locked bool
		if err := t.conn.QueryRowContext(ctx, fmt.Sprintf("SELECT pg_try_advisory_lock(%d)", lockKey)).Scan(&locked); err != nil {
			return fmt.Errorf("wait for another migration: %w", err)
		}
		if locked {
			return nil
		}
		if err := sleep(ctx, pause); err != nil {
			return fmt.Errorf("wait for another migration: %w", err)
		}
	}
}

// fileTx is the transaction of a file.
type fileTx struct {
	schema.ExecQuerier
	commit, rollback func() error
}

func (t *target) begin(ctx context.Context) (*fileTx, error) {
	if t.db.Postgres() {
		tx, err := t.beginPostgres(ctx, t.lockTimeout())
		if err != nil {
			return nil, err
		}
		return &fileTx{tx, tx.Commit, tx.Rollback}, nil
	}
	// A table is rewritten as a copy that takes its place, which would delete
	// what refers to it. The check of foreign keys can be put off only outside
	// a transaction; it is made up before COMMIT.
	// A migration that renames values says that their check is not asked, and
	// that it is again; one that failed between the two has not.
	for _, set := range []string{"PRAGMA foreign_keys = off", "PRAGMA ignore_check_constraints = off"} {
		if _, err := t.conn.ExecContext(ctx, set); err != nil {
			return nil, err
		}
	}
	tx, err := t.beginSQLite(ctx)
	if err != nil {
		return nil, err
	}
	before, err := dangling(ctx, tx)
	if err != nil {
		return nil, errors.Join(err, t.end(ctx, tx.Rollback))
	}
	commit := func() error {
		if err := unchanged(ctx, tx, before); err != nil {
			return errors.Join(err, tx.Rollback())
		}
		return tx.Commit()
	}
	return &fileTx{
		tx,
		func() error { return t.end(ctx, commit) },
		func() error { return t.end(ctx, tx.Rollback) },
	}, nil
}

// end ends a transaction of SQLite, and has foreign keys checked again.
func (t *target) end(ctx context.Context, end func() error) error {
	err := end()
	_, on := t.conn.ExecContext(ctx, "PRAGMA foreign_keys = on")
	return errors.Join(err, on)
}

// reference is a row of SQLite that refers to one that is not there.
type reference struct {
	table, parent string
	row           sql.NullInt64 // null where the table has no rowid
	key           int
}

// dangling lists the references to nothing.
func dangling(ctx context.Context, tx schema.ExecQuerier) (all []reference, err error) {
	rows, err := tx.QueryContext(ctx, "PRAGMA foreign_key_check")
	if err != nil {
		return nil, fmt.Errorf("check foreign keys: %w", err)
	}
	defer rows.Close()
	for rows.Next() {
		var r reference
		if err := rows.Scan(&r.table, &r.row, &r.parent, &r.key); err != nil {
			return nil, fmt.Errorf("check foreign keys: %w", err)
		}
		all = append(all, r)
	}
	return all, rows.Err()
}

// unchanged fails where there are references to nothing that were not there before.
func unchanged(ctx context.Context, tx schema.ExecQuerier, before []reference) error {
	after, err := dangling(ctx, tx)
	if err != nil {
		return err
	}
	known := make(map[reference]bool, len(before))
	for _, r := range before {
		known[r] = true
	}
	for _, r := range after {
		if !known[r] {
			return fmt.Errorf("row %d of %s refers to a row of %s that is not there", r.row.Int64, r.table, r.parent)
		}
	}
	return nil
}

// beginSQLite begins a transaction that writes, however long another process
// holds the database.
func (t *target) beginSQLite(ctx context.Context) (*sql.Tx, error) {
	for {
		tx, err := t.conn.BeginTx(ctx, nil)
		if !store.IsBusy(err) {
			return tx, err
		}
		if err := sleep(ctx, 50*time.Millisecond); err != nil {
			return nil, err
		}
	}
}
