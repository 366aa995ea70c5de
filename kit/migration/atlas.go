package migration

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	atlas "ariga.io/atlas/sql/migrate"

	"github.com/entwine-go/entwine/kit/store"
)

// AtlasTable is where Atlas' command line looks for what a database has had.
const AtlasTable = "atlas_schema_revisions"

// operator begins what Atlas' table says of who has applied a migration, in the rows that
// this package writes.
const operator = "entwine"

// KeepAtlas makes Atlas' table and writes into it what the database has had. From then on
// [Runner.Apply] writes there what it applies, in the transaction of its own table, so that
// "atlas migrate status" says the same as [Compare]. It refuses a table with migrations that
// another program has applied.
func KeepAtlas(ctx context.Context, db *store.DB) error {
	conn, err := db.Session(ctx)
	if err != nil {
		return fmt.Errorf("keep Atlas' table: %w", err)
	}
	defer conn.Close()
	t, d := &target{conn: conn, db: db}, of(db.Dialect)
	if err := d.reserve(ctx, t); err != nil {
		return fmt.Errorf("keep Atlas' table: %w", err)
	}
	tx, err := d.begin(ctx, t)
	if err != nil {
		return fmt.Errorf("keep Atlas' table: %w", err)
	}
	if err := (revisions{Steps(tx, d), d}).keepAtlas(ctx); err != nil {
		return errors.Join(fmt.Errorf("keep Atlas' table: %w", err), tx.rollback())
	}
	return tx.commit()
}

func (r revisions) keepAtlas(ctx context.Context) error {
	if err := r.init(ctx); err != nil {
		return err
	}
	if _, err := r.ExecContext(ctx, "CREATE TABLE IF NOT EXISTS "+AtlasTable+" "+r.database.atlas()); err != nil {
		return err
	}
	others, err := r.strings(ctx, "SELECT version FROM "+AtlasTable+byOthers+" ORDER BY version LIMIT 3")
	if err != nil {
		return err
	}
	if len(others) > 0 {
		return fmt.Errorf("%s has migrations that another program has applied (%s): rename the table first", AtlasTable, strings.Join(others, ", "))
	}
	if _, err := r.ExecContext(ctx, "DELETE FROM "+AtlasTable); err != nil { // an operator may have changed ours by hand
		return err
	}
	all, err := r.ReadRevisions(ctx)
	if err != nil {
		return err
	}
	for _, v := range all {
		if err := r.writeAtlas(ctx, v); err != nil {
			return err
		}
	}
	return nil
}

const byOthers = " WHERE operator_version NOT LIKE '" + operator + "%'"

// keepsAtlas reports whether the database has Atlas' table, with what this package has
// written alone.
func (r revisions) keepsAtlas(ctx context.Context) (bool, error) {
	found, err := r.strings(ctx, r.database.exists(), AtlasTable)
	if err != nil || len(found) == 0 {
		return false, err
	}
	others, err := r.strings(ctx, "SELECT version FROM "+AtlasTable+byOthers+" LIMIT 1")
	return len(others) == 0, err
}

// writeAtlas writes one row of Atlas' table, new or not.
func (r revisions) writeAtlas(ctx context.Context, v *atlas.Revision) error {
	partial, err := json.Marshal(v.PartialHashes)
	if err != nil {
		return err
	}
	_, err = r.ExecContext(ctx, "INSERT INTO "+AtlasTable+` (version, description, type, applied, total, executed_at, execution_time, error, error_stmt, hash, partial_hashes, operator_version)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)
ON CONFLICT (version) DO UPDATE SET description = excluded.description, type = excluded.type, applied = excluded.applied, total = excluded.total,
	executed_at = excluded.executed_at, execution_time = excluded.execution_time, error = excluded.error, error_stmt = excluded.error_stmt,
	hash = excluded.hash, partial_hashes = excluded.partial_hashes, operator_version = excluded.operator_version`,
		v.Version, v.Description, int64(v.Type), v.Applied, v.Total, store.Time(v.ExecutedAt), int64(v.ExecutionTime), v.Error, v.ErrorStmt, v.Hash, string(partial),
		strings.TrimSpace(operator+" "+v.OperatorVersion))
	return err
}
