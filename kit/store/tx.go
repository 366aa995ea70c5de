package store

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"strconv"
)

// tx is a transaction in a context. It belongs to one goroutine.
type tx struct {
	*sql.Tx
	db    *DB
	conn  *conn // which the transaction has to itself; nil when it is over
	depth int   // savepoints that are open
	after []func(context.Context)
	// broken says why the innermost savepoint, or the whole transaction,
	// can't be kept, even if its function returns no error.
	broken error
}

// QueryContext runs a statement that returns rows.
func (t *tx) QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error) {
	if t.broken != nil {
		return nil, t.refuse()
	}
	rows, err := t.Tx.QueryContext(ctx, query, args...)
	t.broken = err
	return rows, err
}

// ExecContext runs a statement that returns no rows.
func (t *tx) ExecContext(ctx context.Context, query string, args ...any) (sql.Result, error) {
	if t.broken != nil {
		return nil, t.refuse()
	}
	result, err := t.Tx.ExecContext(ctx, query, args...)
	t.broken = err
	return result, err
}

// refuse answers statements after one that failed. PostgreSQL would, and
// SQLite must do the same, or half of what a function did might be kept on
// one of them. It does not wrap the failure, which is not this statement's.
func (t *tx) refuse() error {
	return fmt.Errorf("a statement before this one failed in the transaction: %v", t.broken) //nolint:errorlint // see above
}

// control runs a statement that works after a failure too.
func (t *tx) control(ctx context.Context, text string) error {
	_, err := t.Tx.ExecContext(ctx, text)
	return err
}

type txKey struct{}

// current returns the context's transaction on this database, or nil.
func (db *DB) current(ctx context.Context) *tx {
	if t, ok := ctx.Value(txKey{}).(*tx); ok && t.db == db {
		return t
	}
	return nil
}

// InTx runs fn in a transaction: everything that fn does with the context it
// is given takes effect when fn returns nil, and nothing otherwise. A
// statement that fails is fn's failure even if fn passes over it; what may
// fail goes into an InTx of its own.
//
// In a context that has a transaction, InTx joins it: fn runs in a savepoint,
// and its error undoes what fn did and nothing else. Only the outermost InTx
// commits, runs what [AfterCommit] was given, and runs fn again, at most
// three times, after a deadlock, a serialization failure, a busy SQLite or a
// connection lost before COMMIT. So fn may run more than once: what it does
// outside the database belongs into AfterCommit.
//
// When COMMIT's answer is lost its outcome is unknown, and the error is
// [problem.Unavailable].
func (db *DB) InTx(ctx context.Context, fn func(ctx context.Context) error) error {
	if t := db.current(ctx); t != nil {
		return t.join(ctx, fn)
	}
	for attempt := 0; ; attempt++ {
		after, err := db.attempt(ctx, fn)
		if err == nil {
			for _, f := range after {
				f(context.WithoutCancel(ctx))
			}
			return nil
		}
		if attempt == retries || !retryable(err) || pause(ctx, attempt) != nil {
			return err
		}
	}
}

// AfterCommit runs f once the context's transaction has been committed, and
// not at all if it, or the savepoint that f was registered in, is undone.
// Without a transaction f runs now. Its context is not cancelled with the
// request: f bounds its own time.
func AfterCommit(ctx context.Context, f func(context.Context)) {
	if t, ok := ctx.Value(txKey{}).(*tx); ok {
		t.after = append(t.after, f)
		return
	}
	f(context.WithoutCancel(ctx))
}

// attempt runs fn in a transaction of its own, once.
func (db *DB) attempt(ctx context.Context, fn func(context.Context) error) (after []func(context.Context), err error) {
	t, release, err := db.begin(ctx)
	if err != nil {
		return nil, fmt.Errorf("begin: %w", err)
	}
	defer release()
	ended := false
	defer func() { // also when fn panics
		if !ended {
			err = errors.Join(err, rollbackError(t.Rollback()))
		}
	}()
	if err := fn(context.WithValue(ctx, txKey{}, t)); err != nil {
		return nil, err
	}
	if err := errors.Join(t.broken, ctx.Err()); err != nil {
		return nil, err
	}
	ended = true
	return t.after, commitError(t.Commit())
}

// begin starts a transaction. The context ends the wait for a connection,
// but not the transaction: a COMMIT that is cut off half way has an unknown
// outcome, and each statement has a context of its own.
func (db *DB) begin(ctx context.Context) (_ *tx, release func(), err error) {
	for stale := 0; ; stale++ {
		t := &tx{db: db}
		c, err := db.write.take(ctx, func(own *conn) error { t.conn = own; return nil })
		if err == nil {
			if t.Tx, err = c.BeginTx(outliving(ctx), nil); err == nil {
				return t, func() { t.conn = nil; _ = c.Close() }, nil
			}
			_ = c.Close()
		}
		// The pool may be full of connections that a restart has broken.
		if !errors.Is(err, driver.ErrBadConn) || stale > db.write.Stats().MaxOpenConnections {
			return nil, nil, err
		}
	}
}

// join runs fn in a savepoint.
func (t *tx) join(ctx context.Context, fn func(context.Context) error) (err error) {
	t.depth++
	defer func() { t.depth-- }()
	name, registered := "s"+strconv.Itoa(t.depth), len(t.after)
	if t.broken != nil {
		return t.refuse()
	}
	if err := t.control(ctx, "SAVEPOINT "+name); err != nil {
		return fmt.Errorf("savepoint: %w", err)
	}
	kept := false
	defer func() { // also when fn panics
		if !kept {
			t.after, t.broken = t.after[:registered], nil
			err = errors.Join(err, t.undo(ctx, name))
		}
	}()
	if err := fn(ctx); err != nil {
		return err
	}
	if t.broken != nil {
		return t.broken
	}
	if err := t.control(ctx, "RELEASE SAVEPOINT "+name); err != nil {
		return fmt.Errorf("release savepoint: %w", err)
	}
	kept = true
	return nil
}

// undo undoes what was done since the savepoint, also for a caller that is gone.
func (t *tx) undo(ctx context.Context, name string) error {
	ctx = outliving(ctx)
	for _, text := range []string{"ROLLBACK TO SAVEPOINT " + name, "RELEASE SAVEPOINT " + name} {
		if err := t.control(ctx, text); err != nil {
			t.broken = fmt.Errorf("undo savepoint: %w", err)
			return t.broken
		}
	}
	return nil
}
