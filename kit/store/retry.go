package store

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"math/rand/v2"
	"time"

	"github.com/entwine-go/entwine/kit/problem"
	"github.com/lib/pq"
	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"
)

// retries is how often a transaction runs again.
const retries = 3

// errUnknown says that a COMMIT may or may not have taken effect.
var errUnknown = errors.New("the outcome of the transaction is unknown")

// retryable reports whether the transaction had no effect and might succeed
// if it ran again.
func retryable(err error) bool {
	if errors.Is(err, errUnknown) {
		return false
	}
	if p, ok := errors.AsType[*pq.Error](err); ok {
		return p.Code == "40001" || p.Code == "40P01" || isOutdated(err)
	}
	return IsBusy(err) || errors.Is(err, driver.ErrBadConn)
}

// IsBusy reports whether err is that of a SQLite database or table that another
// connection has locked (SQLITE_BUSY, SQLITE_LOCKED).
func IsBusy(err error) bool {
	var e *sqlite.Error
	if !errors.As(err, &e) {
		return false
	}
	code := e.Code() & 0xff
	return code == sqlite3.SQLITE_BUSY || code == sqlite3.SQLITE_LOCKED
}

// pause waits a little longer after each attempt, and not as long as others
// who met the same conflict.
func pause(ctx context.Context, attempt int) error {
	most := 10 * time.Millisecond << attempt
	timer := time.NewTimer(rand.N(most) + time.Millisecond)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-timer.C:
		return nil
	}
}

// commitError distinguishes a COMMIT that failed from one whose outcome is unknown.
func commitError(err error) error {
	if err == nil {
		return nil
	}
	if failed(err) {
		return fmt.Errorf("commit: %w", err)
	}
	e := problem.Wrap(fmt.Errorf("%w: %w", errUnknown, err), problem.Unavailable,
		"the request may or may not have taken effect: repeat it with the same Idempotency-Key")
	e.RetryAfter = time.Second
	return e
}

// failed reports whether a COMMIT that returned err certainly had no effect.
func failed(err error) bool {
	if problem.As(err) != nil { // the guard's: nothing was committed
		return true
	}
	if p, ok := errors.AsType[*pq.Error](err); ok {
		return !p.Fatal() && p.Code != "40003" && p.Code.Class() != "08" && p.Code.Class() != "57"
	}
	if s, ok := errors.AsType[*sqlite.Error](err); ok {
		return s.Code()&0xff != sqlite3.SQLITE_IOERR
	}
	return errors.Is(err, sql.ErrTxDone) || errors.Is(err, pq.ErrInFailedTransaction)
}

// rollbackError drops what a rollback says about a transaction that is over
// or whose connection is: the server undoes it either way.
func rollbackError(err error) error {
	if err == nil || errors.Is(err, sql.ErrTxDone) || errors.Is(err, driver.ErrBadConn) {
		return nil
	}
	return fmt.Errorf("roll back: %w", err)
}
