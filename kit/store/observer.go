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
	// and failure is empty where there was none, or one word. The function that is
	// returned, unless it is nil, is called with the rows that the statement has returned,
	// once they have been read, or changed.
	Statement(ctx context.Context, kind, text string, began time.Time, failure string) (rows func(int64))
}

// tell calls the observer, if there is one, and returns what the rows are counted by.
func (c *conn) tell(ctx context.Context, text string, began time.Time, err error) (rows func(int64)) {
	if o := c.owner.observer; o != nil {
		return o.Statement(ctx, kindOf(text), text, began, failureOf(err))
	}
	return nil
}

// counted are rows that are counted as they are read.
type counted struct {
	driver.Rows
	n    int64
	told func(int64)
}

// Next reads a row.
func (r *counted) Next(dest []driver.Value) error {
	err := r.Rows.Next(dest)
	if err == nil {
		r.n++
	}
	return err
}

// Close ends the rows, and reports how many there were.
func (r *counted) Close() error {
	if r.told != nil {
		r.told(r.n)
		r.told = nil
	}
	return r.Rows.Close()
}

// countedTypes are those of SQLite, whose columns have types.
type countedTypes struct {
	counted
	typedRows
}

// Next, Close and Columns implement driver.Rows, which both have.
func (r *countedTypes) Next(dest []driver.Value) error { return r.counted.Next(dest) }
func (r *countedTypes) Close() error                   { return r.counted.Close() }
func (r *countedTypes) Columns() []string              { return r.counted.Columns() }

func count(rows driver.Rows, told func(int64)) driver.Rows {
	if typed, ok := rows.(typedRows); ok {
		return &countedTypes{counted{Rows: rows, told: told}, typed}
	}
	return &counted{Rows: rows, told: told}
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
