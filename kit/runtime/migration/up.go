package migration

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"

	atlas "ariga.io/atlas/sql/migrate"

	"github.com/entwine-go/entwine/kit/runtime/store"
)

// Up applies the migrations in files that the database has not had.
func Up(ctx context.Context, db *store.DB, files fs.FS) error {
	dir, err := Dir(files, db.Dialect)
	if err != nil {
		return err
	}
	return Apply(ctx, db, dir)
}

// Apply applies the folder's migrations that the database has not had, one
// transaction each. Another process that is at it is waited for. A database
// that [Report.Check] refuses is left as it is.
func Apply(ctx context.Context, db *store.DB, dir atlas.Dir) error {
	conn, err := db.Session(ctx)
	if err != nil {
		return fmt.Errorf("migrate: %w", err)
	}
	defer conn.Close()
	t := target{conn: conn, db: db, dir: dir}
	if db.Postgres() {
		err = t.lockPostgres(ctx)
	}
	for more := true; err == nil && more; {
		more, err = t.next(ctx)
	}
	if err != nil {
		return fmt.Errorf("migrate: %w", err)
	}
	return nil
}

// target is a database that is being migrated.
type target struct {
	conn *sql.Conn
	db   *store.DB
	dir  atlas.Dir
}

// next applies the next pending file, in a transaction that also asks which
// one that is; it reports whether there was one.
func (t target) next(ctx context.Context) (more bool, err error) {
	tx, err := t.begin(ctx)
	if err != nil {
		return false, err
	}
	more, err = t.apply(ctx, tx)
	if err != nil || !more {
		return false, errors.Join(err, tx.rollback())
	}
	return true, tx.commit()
}

func (t target) apply(ctx context.Context, tx *fileTx) (bool, error) {
	watched := Steps(tx, t.db.Postgres())
	cut := sqliteCut
	if t.db.Postgres() {
		cut = postgresCut
	}
	r := revisions{watched, t.db.Postgres()}
	if err := r.init(ctx); err != nil {
		return false, err
	}
	report, err := r.compare(ctx, t.dir)
	if err == nil {
		err = report.Check()
	}
	if err != nil {
		return false, err
	}
	// A database with tables of someone else's is not refused: if they
	// are in the way, the file fails and is undone.
	executor, err := atlas.NewExecutor(driver{db: watched, cut: cut}, t.dir, r, atlas.WithAllowDirty(true))
	if err != nil {
		return false, err
	}
	pending, err := executor.Pending(ctx)
	if errors.Is(err, atlas.ErrNoPendingFiles) || err == nil && len(pending) == 0 {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	if err := executor.Execute(ctx, pending[0]); err != nil {
		if refused, ok := errors.AsType[*refusal](err); ok {
			err = refused
		}
		return false, fmt.Errorf("apply %s: %w", pending[0].Name(), err)
	}
	return true, nil
}
