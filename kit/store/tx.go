package store

import (
	"cmp"
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"slices"

	"github.com/lib/pq"
)

// tx is a transaction in a context. It belongs to one goroutine.
type tx struct {
	*sql.Tx
	db     *DB
	conn   *conn    // which the transaction has to itself; nil when it is over
	points []*point // savepoints that are open
	after  []ending
	over   bool // it was committed, and after runs: its context has no transaction
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
	if t, ok := ctx.Value(txKey{}).(*tx); ok && t.db == db && !t.over {
		return t
	}
	return nil
}

// InTx runs fn in a transaction: everything that fn does with the context it is
// given takes effect when fn returns nil, and nothing otherwise. A statement that
// fails is fn's failure even if fn passes over it. A statement that may fail goes
// into an InTx of its own.
//
// In a context that has a transaction, InTx joins it: fn runs in a savepoint, and
// its error undoes what fn did and nothing else. Only the outermost InTx commits,
// runs what [AfterCommit] was given, and runs fn again, at most three times, after
// a deadlock, a serialization failure, a busy SQLite or a connection lost before
// COMMIT. So fn may run more than once: effects outside the database belong into
// AfterCommit.
//
// When COMMIT's answer is lost its outcome is unknown, and the error is
// [problem.Unavailable].
func (db *DB) InTx(ctx context.Context, fn func(ctx context.Context) error) error {
	if t := db.current(ctx); t != nil {
		return t.join(ctx, fn)
	}
	for attempt := 0; ; attempt++ {
		t, err := db.attempt(ctx, fn)
		if err == nil {
			t.conclude(ctx)
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
	if t, ok := ctx.Value(txKey{}).(*tx); ok && !t.over {
		t.after = append(t.after, ending{kept: f})
		return
	}
	f(context.WithoutCancel(ctx))
}

// attempt runs fn in a transaction of its own, once.
func (db *DB) attempt(ctx context.Context, fn func(context.Context) error) (_ *tx, err error) {
	t, release, err := db.begin(ctx, nil)
	if err != nil {
		return nil, fmt.Errorf("begin: %w", err)
	}
	defer release()
	ended := false
	defer func() { // also when fn panics
		if !ended {
			err = errors.Join(err, rollbackError(t.Rollback()))
			t.drop(0, cmp.Or(err, errGoneBack))
		}
	}()
	if err := fn(context.WithValue(ctx, txKey{}, t)); err != nil {
		return nil, err
	}
	if err := errors.Join(t.broken, ctx.Err(), t.leftOpen(0)); err != nil {
		return nil, err
	}
	ended = true
	if err := commitError(t.Commit()); err != nil {
		t.drop(0, err)
		return nil, err
	}
	return t, nil
}

// begin starts a transaction. The context ends the wait for a connection,
// but not the transaction: a COMMIT that is cut off half way has an unknown
// outcome, and each statement has a context of its own.
func (db *DB) begin(ctx context.Context, opts *sql.TxOptions) (_ *tx, release func(), err error) {
	for stale := 0; ; stale++ {
		t := &tx{db: db}
		c, err := db.write.take(ctx, func(own *conn) error { t.conn = own; return nil })
		if err == nil {
			if t.Tx, err = c.BeginTx(outliving(ctx), opts); err == nil {
				return t, func() { t.conn = nil; _ = c.Close() }, nil
			}
			_ = c.Close()
			if p, ok := errors.AsType[*pq.Error](err); ok && p.Code == notSupported {
				err = fmt.Errorf("%w: %w", errOther, err)
			}
		}
		// The pool may be full of connections that a restart has broken.
		if !errors.Is(err, driver.ErrBadConn) || stale > db.write.Stats().MaxOpenConnections {
			return nil, nil, err
		}
	}
}

// join runs fn in a savepoint.
func (t *tx) join(ctx context.Context, fn func(context.Context) error) (err error) {
	p, err := t.push(ctx)
	if err != nil {
		return err
	}
	kept := false
	defer func() { // also when fn panics
		if !kept && slices.Contains(t.points, p) {
			err = errors.Join(err, t.back(ctx, p))
		}
	}()
	if err := fn(ctx); err != nil {
		return err
	}
	if err := errors.Join(t.broken, t.leftOpen(slices.Index(t.points, p)+1)); err != nil {
		return err
	}
	if err := t.keep(ctx, p); err != nil {
		return err
	}
	kept = true
	return nil
}
