package migration

import (
	"errors"
	"fmt"
	"io/fs"
	"strings"
)

// DigestFile is where, beside the folders, the planner says which schema the
// migrations lead to.
const DigestFile = "schema.sum"

// ErrBehind says that the migrations of a program don't lead to the schema
// that it was generated from.
var ErrBehind = errors.New("the schema is ahead of the migrations that this program was built with: " +
	"go tool weave migrate diff NAME writes what is missing; build the program again, and it applies them when it starts")

// HalfMark is the last line of [DigestFile] where there was no PostgreSQL when
// migrations were written: SQLite's lead to the schema, and PostgreSQL's do not.
const HalfMark = "PostgreSQL's migrations are behind: weave migrate diff NAME writes them where PostgreSQL is"

// ErrHalf says that the migrations of a program were written for SQLite alone.
var ErrHalf = errors.New("the migrations of PostgreSQL that this program was built with are behind the schema: " +
	"on a machine with PostgreSQL, go tool weave migrate diff NAME writes what is missing; build the program again")

// digested reports whether migrations have been written.
func digested(files fs.FS) bool {
	_, err := fs.Stat(files, DigestFile)
	return err == nil
}

// Matches returns [ErrBehind] where the migrations in files lead to another
// schema than the one with the digest, and [ErrHalf] where those of the database
// don't lead to it.
func Matches(files fs.FS, digest, dialectName string) error {
	text, err := fs.ReadFile(files, DigestFile)
	if err != nil {
		return fmt.Errorf("%w (%w)", ErrBehind, err)
	}
	said, half := strings.CutSuffix(strings.TrimSpace(string(text)), "\n"+HalfMark)
	if said != digest {
		return ErrBehind
	}
	if half && named(dialectName).live() {
		return ErrHalf
	}
	return nil
}
