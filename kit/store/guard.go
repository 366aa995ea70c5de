package store

import (
	"database/sql/driver"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"sync"
	"sync/atomic"
	"time"

	"github.com/entwine-go/entwine/kit/problem"
	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"
)

// guard makes sure that what is committed goes into the files that have the names of
// SQLite's database. A file that was deleted or replaced stays open: SQLite writes to
// it, and what it commits is lost with the last connection
// (https://www.sqlite.org/howtocorrupt.html, section 4).
//
// A COMMIT is preceded by one os.Stat, and followed by three before it is
// acknowledged: about 5 µs, and one commit may be that of 64 writers ([DB.InGroup]).
// [DB.Watch] looks twice a second whether anything is committed or not, and also at the
// room that is left.
type guard struct {
	names [3]string // of the database, -wal and -shm

	trouble atomic.Pointer[RefusalError] // nil: writes are taken
	changed chan struct{}                // receives when trouble was set

	dialling sync.Mutex // held while a connection is opened
	mu       sync.Mutex
	files    [3]fs.FileInfo // those that connections have open; nil where none was seen
	logs     [3]fs.FileInfo // files, also once no connection has them open
	open     int            // connections
	shut     bool           // connections are closed and none is opened
}

// RefusalError is why a database takes no writes.
type RefusalError struct {
	// Reason is one of the words below, for metrics.
	Reason string
	// Text says more, for the log.
	Text string
}

// The reasons of [RefusalError].
const (
	FileGone     = "file_gone"     // the file has another name, or none
	FileReplaced = "file_replaced" // another file has the name
	LogReplaced  = "log_replaced"  // the same of -wal or -shm
	NoRoom       = "no_room"       // the file system is full
	ReadOnly     = "read_only"     // the file system, or the server of PostgreSQL, is read-only
	WriteFailed  = "write_failed"  // SQLite could not write
)

// Reasons are all of them.
var Reasons = []string{FileGone, FileReplaced, LogReplaced, NoRoom, ReadOnly, WriteFailed}

// Error implements error.
func (t *RefusalError) Error() string { return t.Text }

// refusal is the message for clients.
func (t *RefusalError) refusal() error {
	e := problem.Wrap(t, problem.Unavailable, "the service can't store anything now: try again later")
	e.RetryAfter = time.Second
	return e
}

// moved reports whether the files are not those that connections have open.
func (t *RefusalError) moved() bool {
	return t != nil && (t.Reason == FileGone || t.Reason == FileReplaced || t.Reason == LogReplaced)
}

func newGuard(path string) *guard {
	return &guard{names: [3]string{path, path + "-wal", path + "-shm"}, changed: make(chan struct{}, 1)}
}

// set has writes refused from now on.
func (g *guard) set(t *RefusalError) {
	if was := g.trouble.Swap(t); was == nil || *was != *t {
		select {
		case g.changed <- struct{}{}:
		default:
		}
	}
}

// admit refuses a write while there is trouble.
func (g *guard) admit() error {
	if g == nil {
		return nil
	}
	if t := g.trouble.Load(); t != nil {
		return t.refusal()
	}
	return nil
}

// ready refuses a COMMIT where the database has another file by now: nothing is kept.
func (g *guard) ready() error {
	if g == nil {
		return nil
	}
	if t := g.look(1); t != nil {
		g.set(t)
		return t.refusal()
	}
	return nil
}

// kept returns the error of a write that SQLite has committed or refused: one that is
// in a file without a name is not acknowledged.
func (g *guard) kept(err error) error {
	if g == nil {
		return err
	}
	t := writeTrouble(err)
	if err == nil {
		if t = g.look(len(g.names)); t != nil {
			err = t
		}
	}
	if t != nil {
		g.set(t)
	}
	return err
}

// writeTrouble is the trouble that an error of a write shows, if it does.
func writeTrouble(err error) *RefusalError {
	s, ok := errors.AsType[*sqlite.Error](err)
	if !ok {
		return nil
	}
	switch s.Code() & 0xff {
	case sqlite3.SQLITE_FULL:
		return &RefusalError{NoRoom, "the disk is full: " + err.Error()}
	case sqlite3.SQLITE_READONLY:
		return &RefusalError{ReadOnly, "the database is read-only: " + err.Error()}
	case sqlite3.SQLITE_IOERR, sqlite3.SQLITE_CANTOPEN:
		return &RefusalError{WriteFailed, "a write failed: " + err.Error()}
	}
	return nil
}

// look compares the first n files with those that connections have open.
func (g *guard) look(n int) *RefusalError {
	g.mu.Lock()
	files := g.files
	g.mu.Unlock()
	for i, was := range files[:n] {
		if was == nil {
			continue
		}
		now, err := os.Stat(g.names[i])
		switch {
		case i == 0 && err != nil:
			return &RefusalError{FileGone, fmt.Sprintf("the file of the database is gone: %v", err)}
		case i == 0 && !os.SameFile(was, now):
			return &RefusalError{FileReplaced, fmt.Sprintf("the file of the database, %s, is another one now", g.names[0])}
		case err != nil:
			return &RefusalError{LogReplaced, fmt.Sprintf("a file that belongs to the database is gone: %v", err)}
		case !os.SameFile(was, now):
			return &RefusalError{LogReplaced, fmt.Sprintf("a file that belongs to the database, %s, is another one now", g.names[i])}
		}
	}
	return nil
}

// dial opens a connection, unless that would be to other files than the connections
// have that are open: SQLite would read one database with the log of another.
func (g *guard) dial(open func() (driver.Conn, error)) (driver.Conn, error) {
	g.dialling.Lock()
	defer g.dialling.Unlock()
	if err := g.same(); err != nil {
		return nil, err
	}
	c, err := open()
	if err != nil {
		return nil, err
	}
	if err = g.same(); err != nil {
		return nil, errors.Join(err, c.Close())
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	for i, name := range g.names {
		if g.files[i] == nil {
			g.files[i], _ = os.Stat(name)
		}
	}
	g.logs = g.files
	g.open++
	return c, nil
}

// same refuses connections while the files are others.
func (g *guard) same() error {
	g.mu.Lock()
	shut := g.shut
	g.mu.Unlock()
	if t := g.trouble.Load(); shut && t != nil {
		return t.refusal()
	}
	if t := g.look(len(g.names)); t != nil {
		g.set(t)
		return t.refusal()
	}
	return nil
}

// close closes a connection. SQLite removes -wal and -shm with the last one.
func (g *guard) close(end func() error) error {
	if g == nil {
		return end()
	}
	g.dialling.Lock()
	defer g.dialling.Unlock()
	g.mu.Lock()
	if g.open--; g.open == 0 {
		g.files[1], g.files[2] = nil, nil
	}
	g.mu.Unlock()
	return end()
}

// stale reports whether connections are to be closed.
func (g *guard) stale() bool {
	if g == nil {
		return false
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.shut
}
