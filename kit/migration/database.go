package migration

import (
	"context"
	"database/sql"
	"slices"

	atlas "ariga.io/atlas/sql/migrate"
	"ariga.io/atlas/sql/schema"

	"github.com/entwine-go/entwine/kit/store"
)

// database has the differences between databases in applying migrations, beyond
// those of [store.Dialect]. postgres.go and sqlite.go have the implementations.
type database interface {
	store.Dialect
	// folder is where its files are.
	folder() string
	// cut is how statements end: those of triggers and functions have semicolons
	// inside. These are the options of Atlas' own drivers.
	cut() atlas.ScannerOptions
	// live reports whether files may be applied statement by statement while
	// programs use the database, and locks are waited for in short attempts.
	live() bool
	// survives reports whether a transaction goes on after a statement that has failed.
	survives() bool
	// reserve waits until no other process migrates.
	reserve(ctx context.Context, t *target) error
	// begin begins the transaction of a file.
	begin(ctx context.Context, t *target) (*fileTx, error)
	tabled
	// notice says what others notice of a statement. The table is the file's own where that
	// has made it; that all rows have a value may be proved.
	notice(e *Effect, live, own, proved bool)
	folding
}

// tabled is how the table of revisions is made and found.
type tabled interface {
	// text and moment are the types of columns of the table of revisions, exists asks
	// whether the table in the argument is there, and namespace is where.
	text() string
	moment() string
	exists() string
	// columnsOf asks for the columns of the table in the argument.
	columnsOf() string
	namespace() string
	// atlas are the columns of Atlas' table of revisions, as Atlas makes them.
	atlas() string
}

var databases = store.PerDialect[database](
	postgresDatabase{store.DialectOf("postgres")},
	sqliteDatabase{store.DialectOf("sqlite3")},
)

// of returns the dialect's.
func of(d store.Dialect) database { return databases.On(d) }

// named is that with Ent's name.
func named(dialectName string) database { return of(store.DialectOf(dialectName)) }

// only is the first of which it is so.
func only(so func(database) bool) database {
	return databases[slices.IndexFunc(databases[:], so)]
}

// fileTx is the transaction of a file.
type fileTx struct {
	schema.ExecQuerier
	commit, rollback func() error
}

// folding is how a table's folded texts are written, row by row.
type folding interface {
	// primaryKey asks for the columns of the key of the table in the argument, quoted, with
	// the types that parameters are cast to.
	primaryKey() string
	// fold writes folded texts into the table of the key, and the column, which is quoted.
	fold(ctx context.Context, exec func(ctx context.Context, query string, args ...any) (sql.Result, error), k keys, into string, rows []folded) error
}
