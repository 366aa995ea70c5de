package store

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"net/url"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"entgo.io/ent/dialect"
)

func openSQLite(c Config) (*DB, error) {
	path, cleanup, err := sqlitePath(c.URL)
	if err != nil {
		return nil, err
	}
	if err := makeFile(path); err != nil {
		return nil, err
	}
	db := &DB{Dialect: dialect.SQLite, cleanup: cleanup, guard: newGuard(path)}
	db.group = newGroup(db)
	if cleanup == nil {
		db.file = path
	}
	db.write = db.sqlitePool(path, c, 1, true, "_txlock", "immediate")
	// A write that is sent to a reader must fail: it would wait for the
	// writer that its own caller may hold.
	db.read = db.sqlitePool(path, c, c.Conns, false, "_pragma", "query_only(1)")
	return db, nil
}

// sqlitePath returns the file that the URL names.
func sqlitePath(from string) (path string, cleanup func() error, err error) {
	rest := strings.TrimPrefix(from, "sqlite:")
	rest = strings.TrimPrefix(rest, "//")
	if rest == ":memory:" {
		// Connections can't share a database in memory and still have one
		// writer beside several readers, so it is a file that goes away.
		dir, err := os.MkdirTemp("", "entwine-sqlite-")
		if err != nil {
			return "", nil, err
		}
		return filepath.Join(dir, "memory.db"), func() error { return os.RemoveAll(dir) }, nil
	}
	if rest == "" || strings.ContainsAny(rest, "?#") {
		return "", nil, errors.New("the URL must be sqlite:///path/to/file.db, without parameters")
	}
	path, err = url.PathUnescape(rest)
	return path, nil, err
}

// makeFile makes the file, readable by its owner only: SQLite would leave
// that to the umask, and gives its -wal and -shm the file's mode.
func makeFile(path string) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return err
	}
	f, err := os.OpenFile(path, os.O_CREATE, 0o600)
	if err != nil {
		return err
	}
	return f.Close()
}

func (db *DB) sqlitePool(path string, c Config, conns int, writes bool, extra ...string) *pool {
	q := url.Values{"_timezone": {"UTC"}, "mode": {"rw"}} // a file that is gone is not made again
	for _, pragma := range []string{
		"busy_timeout(" + strconv.FormatInt(max(c.LockTimeout, 0).Milliseconds(), 10) + ")",
		"journal_mode(WAL)",
		"synchronous(FULL)",
		"foreign_keys(1)",
	} {
		q.Add("_pragma", pragma)
	}
	for i := 0; i < len(extra); i += 2 {
		q.Add(extra[i], extra[i+1])
	}
	file := url.URL{Scheme: "file", Opaque: (&url.URL{Path: path}).EscapedPath(), RawQuery: q.Encode()}
	base := registered()
	dial := func(context.Context) (driver.Conn, *wire, error) {
		c, err := db.guard.dial(func() (driver.Conn, error) { return base.Open(file.String()) })
		return c, nil, err
	}
	return newPool(&connector{
		driver: base, dial: dial, statements: c.Statements, observer: c.Observer, figures: c.Figures, wrote: &db.wrote,
		sqlite: true, guard: db.guard, writes: writes, lineage: &db.lineage,
	}, c, conns)
}

// registered is the driver that package sqlite registers, which has the
// functions that are registered with it. Nothing is opened.
func registered() driver.Driver {
	db, err := sql.Open("sqlite", "")
	if err != nil {
		panic(err) // package sqlite is linked
	}
	defer db.Close()
	return db.Driver()
}
