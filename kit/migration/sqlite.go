package migration

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"

	atlas "ariga.io/atlas/sql/migrate"
	"ariga.io/atlas/sql/schema"

	"github.com/entwine-go/entwine/kit/store"
)

// sqliteDatabase is the [database] of one process.
type sqliteDatabase struct{ store.Dialect }

func (sqliteDatabase) folder() string    { return "sqlite" }
func (sqliteDatabase) live() bool        { return false }
func (sqliteDatabase) text() string      { return "text" }
func (sqliteDatabase) moment() string    { return "datetime" }
func (sqliteDatabase) namespace() string { return "main" }

func (sqliteDatabase) atlas() string {
	return `(version text NOT NULL PRIMARY KEY, description text NOT NULL, type integer NOT NULL DEFAULT 2, applied integer NOT NULL DEFAULT 0, total integer NOT NULL DEFAULT 0,
	executed_at datetime NOT NULL, execution_time integer NOT NULL, error text NULL, error_stmt text NULL, hash text NOT NULL, partial_hashes json NULL, operator_version text NOT NULL)`
}

func (sqliteDatabase) cut() atlas.ScannerOptions { return atlas.ScannerOptions{MatchBegin: true} }

func (sqliteDatabase) exists() string { return "SELECT name FROM sqlite_master WHERE name = $1" }

func (sqliteDatabase) columnsOf() string { return "SELECT name FROM pragma_table_xinfo($1)" }

// reserve leaves it to the transactions that write.
func (sqliteDatabase) reserve(context.Context, *target) error { return nil }

func (sqliteDatabase) begin(ctx context.Context, t *target) (*fileTx, error) {
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

// notice knows that one connection writes at a time.
func (sqliteDatabase) notice(e *Effect, _, own, _ bool) {
	if e.Lock = ""; e.Hold == Batches {
		e.Hold = Rewrite
	}
	if own && e.Hold == Scan {
		e.Hold = None
	}
	e.Writes = e.Hold > Instant
}

func (sqliteDatabase) primaryKey() string {
	return `SELECT '"' || replace(name, '"', '""') || '"', '' FROM pragma_table_info($1) WHERE pk > 0 ORDER BY pk`
}

func (sqliteDatabase) fold(ctx context.Context, exec func(ctx context.Context, query string, args ...any) (sql.Result, error), k keys, into string, rows []folded) error {
	for i, f := range rows {
		if _, err := exec(ctx, fmt.Sprintf("UPDATE %s SET %s = $%d WHERE %s", k.table, into, len(k.names)+1, k.bound("=", 1)), append(anys(f.key), f.text)...); err != nil {
			return twice(err, k.table, into, rows[i:i+1])
		}
	}
	return nil
}

func (sqliteDatabase) survives() bool { return true }
