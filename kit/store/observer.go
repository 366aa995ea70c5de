package store

import (
	"context"
	"database/sql/driver"
	"errors"
	"time"

	"github.com/lib/pq"
)

// Observer is called around each statement that a process runs, those that control
// transactions included. Several goroutines call it at once.
type Observer interface {
	// Statement is called after a statement has been run: select, insert,
	// update, delete, begin, commit, rollback, savepoint, release or other. A
	// read has returned its first row by then. The text is without values,
	// and failure is empty where there was none, or one word.
	Statement(ctx context.Context, kind, text string, began time.Time, failure string)
}

// tell calls the observer, if there is one.
func (c *conn) tell(ctx context.Context, text string, began time.Time, err error) {
	if o := c.owner.observer; o != nil {
		o.Statement(ctx, kindOf(text), text, began, failureOf(err))
	}
}

// kindOf returns which kind of statement the text is.
func kindOf(text string) string {
	switch verb(text) {
	case "SELECT", "VALUES":
		return "select"
	case "INSERT", "REPLACE":
		return "insert"
	case "UPDATE":
		return "update"
	case "DELETE":
		return "delete"
	case "WITH":
		return kindOf(firstWrite(text))
	case "BEGIN":
		return "begin"
	case "COMMIT":
		return "commit"
	case "ROLLBACK":
		return "rollback"
	case "SAVEPOINT":
		return "savepoint"
	case "RELEASE":
		return "release"
	}
	return "other"
}

// failureOf says in one word what is wrong, empty where nothing is.
func failureOf(err error) string {
	var p *pq.Error
	_, violation := ViolationOf(err)
	switch {
	case err == nil:
		return ""
	case violation:
		return "constraint"
	case errors.Is(err, context.Canceled):
		return "cancelled"
	case errors.Is(err, context.DeadlineExceeded), errors.As(err, &p) && p.Code == "57014":
		return "timeout"
	case errors.Is(err, errLost), errors.Is(err, driver.ErrBadConn):
		return "lost"
	case retryable(err), unavailable(err):
		return "busy"
	}
	return "error"
}
