package migration

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"time"

	atlas "ariga.io/atlas/sql/migrate"

	"github.com/entwine-go/entwine/kit/store"
)

// Runner applies migrations. Its zero value is ready.
type Runner struct {
	// LockTimeout is how long a statement waits at a time for a lock that stops
	// other statements, since those queue behind it: 0 is 500 ms.
	LockTimeout time.Duration
	// LockWait is how long that is tried again before the migration fails: 0 is
	// ten minutes.
	LockWait time.Duration
	// Notice hears what is waited for, and how far a backfill has come. It may
	// be nil, and must not wait.
	Notice func(Notice)
}

// Up is [Runner.Up] of a Runner without settings.
func Up(ctx context.Context, db *store.DB, files fs.FS) error { return Runner{}.Up(ctx, db, files) }

// Apply is [Runner.Apply] of a Runner without settings.
func Apply(ctx context.Context, db *store.DB, dir atlas.Dir) error {
	return Runner{}.Apply(ctx, db, dir)
}

// Up applies the migrations in files that the database has not had. One that
// weave dev has brought to where they lead has had them all; one that it has
// brought elsewhere is refused with [ErrDevelopment].
func (r Runner) Up(ctx context.Context, db *store.DB, files fs.FS) error {
	dir, err := Dir(files, db.Dialect.Name())
	if err != nil {
		return err
	}
	if done, err := settled(ctx, db, files); done || err != nil {
		return err
	}
	return r.Apply(ctx, db, dir)
}

// Apply applies the folder's migrations that the database has not had: one
// transaction each, but for those of PostgreSQL that say
// "-- atlas:txmode none", whose statements are applied one by one and which go
// on after the last of them when they were interrupted. Another process that
// is at it is waited for. A database that [Report.Check] refuses is left as it
// is.
func (r Runner) Apply(ctx context.Context, db *store.DB, dir atlas.Dir) error {
	conn, err := db.Session(ctx)
	if err != nil {
		return fmt.Errorf("migrate: %w", err)
	}
	defer conn.Close()
	t := &target{Runner: r, conn: conn, db: db, dir: dir}
	err = of(db.Dialect).reserve(ctx, t)
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
	Runner
	conn *sql.Conn
	db   *store.DB
	dir  atlas.Dir
	// pid is the connection's process on PostgreSQL, file what it is at.
	pid  int
	file string
}

// next applies the next pending file, in a transaction that also asks which
// one that is; it reports whether there was one. One that is to be applied
// statement by statement follows that transaction.
func (t *target) next(ctx context.Context) (more bool, err error) {
	var live atlas.File
	err = t.patiently(ctx, "the statements of a file", longestPause, func(ctx context.Context) error {
		tx, err := of(t.db.Dialect).begin(ctx, t)
		if err != nil {
			return err
		}
		more, live, err = t.apply(ctx, tx)
		if err != nil || !more {
			return errors.Join(err, tx.rollback())
		}
		return tx.commit()
	})
	if err == nil && live != nil {
		err = t.applyLive(ctx, live)
	}
	return more, refusalOf(err, t.file)
}

// refusalOf leaves of an error what a person has to read.
func refusalOf(err error, file string) error {
	if err == nil {
		return nil
	}
	if refused, ok := errors.AsType[*refusal](err); ok {
		err = refused
	}
	if file == "" {
		return err
	}
	return fmt.Errorf("apply %s: %w", file, err)
}

// apply applies the next pending file in the transaction. It returns the file
// instead where that is not applied in one.
func (t *target) apply(ctx context.Context, tx *fileTx) (more bool, live atlas.File, err error) {
	d := of(t.db.Dialect)
	watched := Steps(tx, d)
	r := revisions{watched, d}
	if err := r.init(ctx); err != nil {
		return false, nil, err
	}
	report, err := r.compare(ctx, t.dir)
	if err == nil {
		err = report.Check()
	}
	if err != nil {
		return false, nil, err
	}
	if report.Begun != "" {
		live, err := t.fileNamed(report.Pending[0])
		t.file = report.Pending[0]
		return err == nil, live, err
	}
	// A database with tables of someone else's is not refused: if they
	// are in the way, the file fails and is undone.
	executor, err := atlas.NewExecutor(driver{db: watched, cut: d.cut()}, t.dir, r, atlas.WithAllowDirty(true))
	if err != nil {
		return false, nil, err
	}
	pending, err := executor.Pending(ctx)
	if errors.Is(err, atlas.ErrNoPendingFiles) || err == nil && len(pending) == 0 {
		return false, nil, nil
	}
	if err != nil {
		return false, nil, err
	}
	t.file = pending[0].Name()
	if had, err := r.adopted(ctx, t.dir, pending[0]); had || err != nil {
		return had, nil, err
	}
	if d.live() && Live(pending[0]) {
		return true, pending[0], nil
	}
	if err := executor.Execute(ctx, pending[0]); err != nil {
		return false, nil, err
	}
	return true, nil, nil
}

// fileNamed is the file with the name.
func (t *target) fileNamed(name string) (atlas.File, error) {
	files, err := t.dir.Files()
	if err != nil {
		return nil, err
	}
	i := slices.IndexFunc(files, func(f atlas.File) bool { return f.Name() == name })
	if i < 0 {
		return nil, fmt.Errorf("there is no file %s", name)
	}
	return files[i], nil
}
