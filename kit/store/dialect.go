package store

import (
	"context"

	"entgo.io/ent/schema/field"

	"github.com/entwine-go/entwine/kit/expose"
)

// Dialect has the differences between databases: pieces of SQL, and features.
// Callers ask it for a piece of SQL or for a feature, and not which database it is.
// So another database needs a further implementation beside postgres.go and
// sqlite.go, and callers stay unchanged. A package with further differences, such
// as questions to a planner, keeps them for each dialect as [Variants].
type Dialect interface {
	// Name is Ent's name of the database: "postgres" or "sqlite3".
	Name() string
	// Embedded reports whether the database is a file of the process's own, and needs no
	// server.
	Embedded() bool
	// Title is the product's name, as messages and logs have it: "PostgreSQL".
	Title() string

	syntax
	declarations
	catalog
	addressing
	locking

	// number is the dialect's place in [Dialects].
	number() int
}

// syntax is how pieces of statements are written.
type syntax interface {
	// AppendBindVar appends the mark of the n-th argument, $1 or ?1.
	AppendBindVar(text []byte, n int) []byte
	// Adapt rewrites a statement in PostgreSQL's SQL whose functions are the dialect's
	// own already: its casts (::), its locks of rows and its marks of arguments.
	Adapt(text string) string
	// Now is the clock of the database. Later is a time so many seconds from now,
	// Since how many seconds ago the time was, and Day the day of the time in UTC as
	// text.
	Now() string
	Later(seconds string) string
	Since(time string) string
	Day(time string) string
	// JSONRows are the objects of the JSON array in the argument as a table with
	// the alias and the columns, "id bigint, name text".
	JSONRows(argument, alias, columns string) string
	// Cast is the expression as a value of the type, which has PostgreSQL's name.
	Cast(expression, as string) string
	// StrictCasts reports whether CAST refuses what is no value of the type.
	StrictCasts() bool
	// WritesInWith reports whether the queries of a WITH may write.
	WritesInWith() bool
}

// declarations is how a schema's columns and computed values are written.
type declarations interface {
	// Expression is how the value is computed, empty if it isn't on this database.
	Expression(c expose.Calc) string
	// ColumnType is the type of columns of a field of Ent.
	ColumnType(t field.Type) string
}

// catalog has the questions to the database itself.
type catalog interface {
	// Tables are the names of all tables.
	Tables() string
	// References are the foreign keys of one column to the column id of a table: the
	// table that has the key, its column, the table that it refers to, what becomes of
	// the first row (cascade, set null or another word), and whether a trigger
	// of expose.CountOf changes the row that is referred to when the first goes.
	References() string
	// ReadOnly asks in one row whether the database takes no writes. It is empty
	// where a process sees the files itself: see [DB.Watch].
	ReadOnly() string
	// CopyTo writes the database to the file in the argument, empty where
	// the database is no file.
	CopyTo() string
	// Activity, Followers and Archive ask a server how it is, for [DB.Activity],
	// [DB.Followers] and [DB.Archive]. They are empty where there is none.
	Activity() string
	Followers() string
	Archive() string
	// BulkLoad reports whether COPY … FROM STDIN, prepared, takes rows as arguments.
	BulkLoad() bool
	// plan reads how the database would run a statement whose arguments are not known.
	plan(ctx context.Context, db *DB, text string) ([]string, error)
	// ReadsTriggersLate reports whether the SQL in a trigger is read when a
	// statement is prepared that has it run, and not when it is made.
	ReadsTriggersLate() bool
}

// addressing is how rows are named that have no id.
type addressing interface {
	// RowAddress is where a row is, as text or a number, and RowsAt the condition that a row is
	// at one of the addresses in the argument, a JSON array of texts. Another row may be
	// there later.
	RowAddress() string
	RowsAt(argument string) string
}

// locking is how transactions keep out of each other's way.
type locking interface {
	// SingleWriter reports whether one transaction writes at a time, so that it
	// needs no locks of rows or names, and a COMMIT is worth sharing: [DB.InGroup].
	SingleWriter() bool
	// AdvisoryLock locks the number in the argument for a transaction. If it does not
	// wait, it returns in one row whether it has.
	AdvisoryLock(wait bool) string
	// Unhurried ends the limits of time that a connection has, empty where it has none.
	Unhurried() string
}

// Dialects are all dialects.
var Dialects = [...]Dialect{postgresDialect{}, sqliteDialect{}}

// DialectOf returns the dialect with Ent's name.
func DialectOf(name string) Dialect {
	for _, d := range Dialects {
		if d.Name() == name {
			return d
		}
	}
	panic("store: there is no dialect " + name)
}

// Variants are values of which each dialect has one, in the order of [Dialects].
type Variants[T any] [len(Dialects)]T

// Vary returns the variants that of makes.
func Vary[T any](of func(Dialect) T) (all Variants[T]) {
	for _, d := range Dialects {
		all[d.number()] = of(d)
	}
	return all
}

// PerDialect returns variants that a caller has. With a further dialect it has a
// further parameter, and does not compile where there is no value for it.
func PerDialect[T any](postgres, sqlite T) Variants[T] { return Variants[T]{postgres, sqlite} }

// On returns the dialect's.
func (v *Variants[T]) On(d Dialect) T { return v[d.number()] }
