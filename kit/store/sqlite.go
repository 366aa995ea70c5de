package store

import (
	"cmp"
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"

	"entgo.io/ent/dialect"
	"entgo.io/ent/schema/field"

	"github.com/entwine-go/entwine/kit/expose"
)

// sqliteDialect is the [Dialect] of SQLite.
type sqliteDialect struct{}

func (sqliteDialect) Name() string   { return dialect.SQLite }
func (sqliteDialect) Title() string  { return "SQLite" }
func (sqliteDialect) Embedded() bool { return true }
func (sqliteDialect) number() int    { return 1 }

func (sqliteDialect) AppendBindVar(text []byte, n int) []byte {
	return strconv.AppendInt(append(text, '?'), int64(n), 10)
}

var (
	castMark = regexp.MustCompile(`::\w+`)
	lockMark = regexp.MustCompile(` FOR UPDATE( OF \w+)?( SKIP LOCKED)?`)
)

func (sqliteDialect) Adapt(text string) string {
	text = lockMark.ReplaceAllString(castMark.ReplaceAllString(text, ""), "")
	return strings.ReplaceAll(text, "$", "?")
}

func (sqliteDialect) Now() string { return SQLiteNow }

func (sqliteDialect) Later(seconds string) string {
	return "strftime('%Y-%m-%d %H:%M:%f000+00:00', 'now', (" + seconds + ") || ' seconds')"
}

func (sqliteDialect) Since(time string) string {
	return "((julianday('now') - julianday(" + time + ")) * 86400.0)"
}

func (sqliteDialect) Day(time string) string { return "substr(" + time + ", 1, 10)" }

func (sqliteDialect) JSONRows(argument, alias, columns string) string {
	var all []string
	for column := range strings.SplitSeq(columns, ",") {
		name, _, _ := strings.Cut(strings.TrimSpace(column), " ")
		all = append(all, fmt.Sprintf("value->>'%s' AS %s", name, name))
	}
	return fmt.Sprintf("(SELECT %s FROM json_each(%s)) AS %s", strings.Join(all, ", "), argument, alias)
}

// Cast leaves the expression: a value of SQLite has its type.
func (sqliteDialect) Cast(expression, _ string) string { return expression }

func (sqliteDialect) StrictCasts() bool { return false }

func (sqliteDialect) WritesInWith() bool { return false }

func (sqliteDialect) Expression(c expose.Calc) string { return cmp.Or(c.SQL, c.SQLite) }

func (sqliteDialect) ColumnType(t field.Type) string {
	switch {
	case t.Integer():
		return "bigint"
	case t.Float():
		return "real"
	case t == field.TypeBool:
		return "bool"
	case t == field.TypeTime:
		return "datetime"
	case t == field.TypeJSON:
		return "json"
	case t == field.TypeBytes:
		return "blob"
	case t == field.TypeUUID:
		return "uuid"
	}
	return "text"
}

func (sqliteDialect) Tables() string { return "SELECT name FROM sqlite_master WHERE type = 'table'" }

// References says of no key that rows are counted: there are no locks of rows to take.
func (sqliteDialect) References() string {
	return `SELECT t.name, k."from", k."table", LOWER(k.on_delete), FALSE
		FROM sqlite_master AS t JOIN pragma_foreign_key_list(t.name) AS k
		WHERE t.type = 'table' AND COALESCE(k."to", 'id') = 'id'
			AND NOT EXISTS (SELECT 1 FROM pragma_foreign_key_list(t.name) AS more WHERE more.id = k.id AND more.seq > 0)`
}

func (sqliteDialect) RowAddress() string { return "rowid" }

func (sqliteDialect) RowsAt(argument string) string {
	return "rowid IN (SELECT CAST(value AS INTEGER) FROM json_each(" + argument + "))"
}

// ReadOnly asks nothing: [DB.Watch] sees the files.
func (sqliteDialect) ReadOnly() string { return "" }

func (sqliteDialect) CopyTo() string          { return "VACUUM INTO ?" }
func (sqliteDialect) Activity() string        { return "" }
func (sqliteDialect) Followers() string       { return "" }
func (sqliteDialect) Archive() string         { return "" }
func (sqliteDialect) BulkLoad() bool          { return false }
func (sqliteDialect) ReadsTriggersLate() bool { return true }
func (sqliteDialect) SingleWriter() bool      { return true }

// AdvisoryLock is never asked for: there is one writer.
func (sqliteDialect) AdvisoryLock(bool) string { return "" }

func (sqliteDialect) Unhurried() string { return "" }

func openSQLite(c Config) (*DB, error) {
	path, cleanup, err := sqlitePath(c.URL)
	if err != nil {
		return nil, err
	}
	if err := makeFile(path); err != nil {
		return nil, err
	}
	db := &DB{Dialect: sqliteDialect{}, cleanup: cleanup, guard: newGuard(path)}
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
// that to the umask, and gives its -wal and -shm the file's mode. It does not open
// one that is there: to close that would drop the locks that other connections of
// this process have on it (https://www.sqlite.org/howtocorrupt.html#_posix_advisory_locks_canceled_by_a_separate_thread_doing_close_).
func makeFile(path string) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return err
	}
	f, err := os.OpenFile(path, os.O_CREATE|os.O_EXCL, 0o600)
	if errors.Is(err, os.ErrExist) {
		return nil
	}
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
