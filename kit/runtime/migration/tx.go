package migration

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"

	atlas "ariga.io/atlas/sql/migrate"
	"ariga.io/atlas/sql/postgres"
	"ariga.io/atlas/sql/schema"
	"ariga.io/atlas/sql/sqlite"

	"github.com/entwine-go/entwine/kit/runtime/store"
)

// lockKey is the advisory lock of those who migrate: "entwine" in ASCII.
const lockKey = 0x656e7477696e65

// lockPostgres waits until no other process migrates. The lock goes with the
// connection.
func (t target) lockPostgres(ctx context.Context) error {
	// Only this wait is without bound: one for a table would hold up everybody
	// who uses the table.
	for _, query := range []string{
		"SET lock_timeout = 0",
		fmt.Sprintf("SELECT pg_advisory_lock(%d)", lockKey),
		"RESET lock_timeout",
	} {
		if _, err := t.conn.ExecContext(ctx, query); err != nil {
			return fmt.Errorf("wait for another migration: %w", err)
		}
	}
	return nil
}

// fileTx is the transaction of a file.
type fileTx struct {
	schema.ExecQuerier
	open             func(schema.ExecQuerier) (atlas.Driver, error)
	commit, rollback func() error
}

func (t target) begin(ctx context.Context) (*fileTx, error) {
	if t.db.Postgres() {
		tx, err := t.conn.BeginTx(ctx, nil)
		if err != nil {
			return nil, err
		}
		return &fileTx{tx, postgres.Open, tx.Commit, tx.Rollback}, nil
	}
	// A table is rewritten as a copy that takes its place, which would delete
	// what refers to it. The check of foreign keys can be put off only outside
	// a transaction; Atlas makes it up before COMMIT.
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
	commit, err := sqlite.CommitFunc(ctx, t.conn, tx, true)
	if err != nil {
		return nil, errors.Join(err, tx.Rollback())
	}
	return &fileTx{tx, sqlite.Open, commit, sqlite.RollbackFunc(ctx, t.conn, tx, true)}, nil
}

// beginSQLite begins a transaction that writes, however long another process
// holds the database.
func (t target) beginSQLite(ctx context.Context) (*sql.Tx, error) {
	for {
		tx, err := t.conn.BeginTx(ctx, nil)
		if !store.IsBusy(err) {
			return tx, err
		}
		select {
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-time.After(50 * time.Millisecond):
		}
	}
}
