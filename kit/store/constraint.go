package store

import (
	"errors"
	"strings"

	"github.com/lib/pq"
	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"
)

// Violation is a rule of the database that a write broke.
type Violation struct {
	// Rule is the kind of rule.
	Rule Rule
	// Name is the constraint's or index's name. SQLite gives it only for
	// checks and for indexes over expressions.
	Name string
	// Table and Columns say where, for unique rules. SQLite gives no columns
	// for indexes over expressions.
	Table   string
	Columns []string
}

// Rule is a kind of rule that the database keeps.
type Rule int

// The rules.
const (
	Unique Rule = iota + 1
	ForeignKey
	Check
	NotNull
)

// IsUnique reports whether err is a violation of a unique constraint or index: another
// row has the values.
func IsUnique(err error) bool { v, _ := ViolationOf(err); return v.Rule == Unique }

// IsForeignKey reports whether err is a violation of a foreign key: a reference to a
// row that does not exist, or the removal of one that is referred to.
func IsForeignKey(err error) bool { v, _ := ViolationOf(err); return v.Rule == ForeignKey }

// IsCheck reports whether err is a violation of a CHECK.
func IsCheck(err error) bool { v, _ := ViolationOf(err); return v.Rule == Check }

// Syncing begins the names of the triggers that migrations of PostgreSQL leave for
// programs from before them. One that can't compute a column of the new version from
// what such a program writes refuses that by the name, as a restriction.
const Syncing = "entwine_sync_"

// ViolationOf returns the rule that the write which returned err broke.
func ViolationOf(err error) (Violation, bool) {
	if p, ok := errors.AsType[*pq.Error](err); ok {
		return postgresViolation(p)
	}
	if s, ok := errors.AsType[*sqlite.Error](err); ok {
		return sqliteViolation(s)
	}
	return Violation{}, false
}

func postgresViolation(e *pq.Error) (Violation, bool) {
	v := Violation{Name: e.Constraint, Table: e.Table}
	switch e.Code {
	case "23505":
		v.Rule = Unique
		// Key (email, name)=(ada@example.com, Ada) already exists.
		if columns, _, ok := strings.Cut(strings.TrimPrefix(e.Detail, "Key ("), ")=("); ok {
			v.Columns = strings.Split(columns, ", ")
		}
	case "23503", "23001":
		v.Rule = ForeignKey
	case "23514":
		v.Rule = Check
	case "23502":
		v.Rule, v.Columns = NotNull, []string{e.Column}
	}
	return v, v.Rule != 0
}

func sqliteViolation(e *sqlite.Error) (Violation, bool) {
	// constraint failed: UNIQUE constraint failed: users.email, users.name (2067)
	_, what, _ := strings.Cut(e.Error(), " constraint failed: ")
	if i := strings.LastIndex(what, " ("); i >= 0 {
		what = what[:i]
	}
	switch e.Code() {
	case sqlite3.SQLITE_CONSTRAINT_UNIQUE, sqlite3.SQLITE_CONSTRAINT_PRIMARYKEY, sqlite3.SQLITE_CONSTRAINT_ROWID:
		return sqliteColumns(Unique, what), true
	case sqlite3.SQLITE_CONSTRAINT_NOTNULL:
		return sqliteColumns(NotNull, what), true
	case sqlite3.SQLITE_CONSTRAINT_FOREIGNKEY:
		return Violation{Rule: ForeignKey}, true
	case sqlite3.SQLITE_CONSTRAINT_TRIGGER:
		if strings.Contains(e.Error(), "CHECK constraint failed: ") { // a rule that a trigger keeps
			return Violation{Rule: Check, Name: what}, true
		}
		return Violation{Rule: ForeignKey, Name: what}, strings.Contains(e.Error(), "FOREIGN KEY") // ON DELETE RESTRICT, or a rule about tenants
	case sqlite3.SQLITE_CONSTRAINT_CHECK:
		return Violation{Rule: Check, Name: what}, true
	}
	return Violation{}, false
}

// sqliteColumns reads "users.email, users.name" or "index 'users_email'".
func sqliteColumns(rule Rule, what string) Violation {
	if name, ok := strings.CutPrefix(what, "index '"); ok {
		return Violation{Rule: rule, Name: strings.TrimSuffix(name, "'")}
	}
	v := Violation{Rule: rule}
	for part := range strings.SplitSeq(what, ", ") {
		table, column, _ := strings.Cut(part, ".")
		v.Table, v.Columns = table, append(v.Columns, column)
	}
	return v
}
