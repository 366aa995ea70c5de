package planner

import (
	"context"
	"database/sql"
	"slices"

	atlas "ariga.io/atlas/sql/migrate"
	atschema "ariga.io/atlas/sql/schema"
	"entgo.io/ent/dialect/sql/schema"

	"github.com/entwine-go/entwine/kit/store"
)

// database has the differences between databases in planning, beyond those of
// [store.Dialect]. postgres.go and sqlite.go have the implementations.
type database interface {
	store.Dialect
	// scratch makes an empty database, which drop removes once it is closed.
	scratch(ctx context.Context) (db *sql.DB, drop func() error, err error)
	// open is Atlas' driver, and analyzers Atlas' name of those that judge changes.
	open(db atschema.ExecQuerier) (atlas.Driver, error)
	analyzers() string

	// live reports whether programs go on using the database while a migration is
	// applied: files are then applied statement by statement.
	live() bool
	// rewrites reports whether tables are changed by a copy that takes their place,
	// without the triggers and full-text tables, which are made again.
	rewrites() bool
	reading
	wording
}

// wording has the statements that each database has its own words for.
type wording interface {
	// ignoreChecks is the statement that turns checks off ("on") and on again ("off"). It
	// is empty where the check is dropped instead.
	ignoreChecks(set string) string
	// listOfIDs is the aggregate of ids as text.
	listOfIDs() string
	// dropTrigger removes a trigger of the table.
	dropTrigger(name, table string) string
	// folds fold a text of the table into a column, for programs that write the text alone.
	folds(t *atschema.Table, text, folded string) []Object
}

// reading is how the state of a database is read and compared.
type reading interface {
	// collate has texts of the tables compared by their bytes.
	collate(tables []*schema.Table)
	// settle has the database read the checks as it writes them.
	settle(ctx context.Context, s *scratch) error
	// parts reads what is beside tables: triggers, functions, views, indexes of objects,
	// as kind, name, table and text.
	parts() string
	// hidden are the tables that are parts, or belong to one.
	hidden(ctx context.Context, s *scratch) ([]string, error)
}

var databases = store.PerDialect[database](
	postgresDatabase{store.DialectOf("postgres")},
	sqliteDatabase{store.DialectOf("sqlite3")},
)

// databaseOf is that with Ent's name.
func databaseOf(dialectName string) database { return databases.On(store.DialectOf(dialectName)) }

// only is Ent's name of the first of which it is so.
func only(so func(database) bool) string {
	return databases[slices.IndexFunc(databases[:], so)].Name()
}

// Scratch makes an empty database, which drop removes once it is closed. Where there
// is no server to make it on, the error is a [ServerError].
func Scratch(ctx context.Context, d store.Dialect) (db *sql.DB, drop func() error, err error) {
	return databases.On(d).scratch(ctx)
}

// ServerError says why there is no server to make scratch databases on.
type ServerError struct{ Err error }

func (e *ServerError) Error() string { return e.Err.Error() }
func (e *ServerError) Unwrap() error { return e.Err }
