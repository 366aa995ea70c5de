package store

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"net"
	"strings"
	"time"

	"entgo.io/ent/privacy"

	"github.com/entwine-go/entwine/kit/problem"
	"github.com/lib/pq"
	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"
)

// Problem returns err as what a client may read of it: a problem.Error with err as its
// cause where the database refused a write, has no such row, timed out or was not
// reachable, else err itself. An err that holds a problem.Error already is returned as
// it is.
func Problem(err error) error {
	if err == nil || problem.As(err) != nil {
		return err
	}
	if v, ok := ViolationOf(err); ok {
		return violationProblem(v, err)
	}
	if errors.Is(err, sql.ErrNoRows) || IsNotFound(err) {
		return problem.Wrap(err, problem.NotFound, "not found")
	}
	if errors.Is(err, privacy.Deny) {
		return problem.Wrap(err, problem.Forbidden, "%s", problem.ErrForbidden.Message)
	}
	if v, ok := errors.AsType[invalid](err); ok {
		return validationProblem(v)
	}
	if errors.Is(err, context.DeadlineExceeded) || timedOut(err) {
		e := problem.Wrap(err, problem.Unavailable, "answering took too long: try again")
		e.RetryAfter = time.Second
		return e
	}
	if unavailable(err) {
		e := problem.Wrap(err, problem.Unavailable, "the service is busy: try again")
		e.RetryAfter = time.Second
		return e
	}
	return err
}

// IsNotFound reports whether err is Ent's: the row does not exist, or the
// viewer of the context can't read it.
func IsNotFound(err error) bool {
	var absent interface{ NotFound() bool }
	return errors.As(err, &absent) && absent.NotFound()
}

// invalid is Ent's validation error: each service has a type of its own, whose
// methods a template of ours adds.
type invalid interface {
	error
	InvalidField() string
}

// validationProblem says which field Ent refused and why.
func validationProblem(v invalid) error {
	if strings.Contains(v.Error(), "missing required") {
		return problem.Inputs(problem.Invalidf(v.InvalidField(), nil, "is required"))
	}
	cause := error(v) // the validator's own words are innermost
	for inner := cause; inner != nil; inner = errors.Unwrap(inner) {
		cause = inner
	}
	return problem.Inputs(problem.Rulef(v.InvalidField(), nil, "%s", cause))
}

func violationProblem(v Violation, err error) error {
	switch v.Rule {
	case Unique:
		e := problem.Wrap(err, problem.Duplicate, "another row has the value")
		for _, column := range v.Columns {
			e.Details = append(e.Details, problem.Rulef(column, nil, "is taken"))
		}
		return e
	case ForeignKey:
		if strings.HasPrefix(v.Name, Syncing) {
			return problem.Wrap(err, problem.Conflict, "the service is being updated, and its next version can't take this value")
		}
		return problem.Wrap(err, problem.Conflict, "a row that this refers to is absent, or another row still refers to this one")
	case Check:
		return problem.Wrap(err, problem.Unprocessable, "the values break a rule")
	}
	return err
}

// timedOut reports whether PostgreSQL ended a statement that took too long.
func timedOut(err error) bool {
	var p *pq.Error
	return errors.As(err, &p) && p.Code == "57014"
}

// IsUncomputable reports whether a value could not be computed: a division by zero,
// or a number out of the range of its type.
func IsUncomputable(err error) bool {
	if p, ok := errors.AsType[*pq.Error](err); ok {
		return p.Code.Class() == "22"
	}
	s, ok := errors.AsType[*sqlite.Error](err)
	return ok && s.Code()&0xff == sqlite3.SQLITE_ERROR && strings.Contains(s.Error(), "integer overflow")
}

// IsUnreachable reports whether a server of PostgreSQL does not answer, or does not
// yet: it is starting, or none of several hosts is the one that was asked for.
func IsUnreachable(err error) bool {
	if p, ok := errors.AsType[*pq.Error](err); ok {
		return p.Code.Class() == "08" || p.Code == "57P03" // cannot_connect_now
	}
	var n *net.OpError
	return errors.As(err, &n) || errors.Is(err, driver.ErrBadConn) || errors.Is(err, errOther) || errors.Is(err, errShut)
}

// readOnlyServer is the error of a standby, which a primary has become, for a write,
// and notSupported its error for the beginning of a transaction that is to write.
const (
	readOnlyServer = "25006"
	notSupported   = "0A000"
)

// unavailable reports whether the database could not do its work now.
func unavailable(err error) bool {
	if p, ok := errors.AsType[*pq.Error](err); ok {
		switch p.Code.Class() {
		case "08", "40", "53", "57": // connection, rollback, resources, intervention
			return true
		}
		return p.Code == "55P03" || p.Code == readOnlyServer || errors.Is(err, errOther) // lock_timeout
	}
	if _, ok := errors.AsType[*sqlite.Error](err); ok {
		return IsBusy(err) || writeTrouble(err) != nil
	}
	return errors.Is(err, errLost) || IsUnreachable(err)
}
