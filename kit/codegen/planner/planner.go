// Package planner writes migrations and checks them.
//
// It is one package because a migration is one plan: renames, fills, triggers and
// locks are ordered against each other, and each check reads the plan as a whole.
//
// [Diff] compares the schema that the files of both databases lead to with the
// wanted one, and writes the difference as new files. [Verify] reports whether
// there is one. [Lint] reports files that may lose data or fail on a table with
// rows. All three build the two states in scratch databases and read them back, so
// that they compare what the databases say and not what we wrote. Package
// migration applies the files.
//
// Beside Ent's tables a schema has objects that Ent doesn't know: triggers,
// functions, full-text tables, views. They are compared by the database's
// own text of them, and made again where a table they belong to is rewritten:
// SQLite drops a table's triggers with it.
package planner

import (
	"fmt"

	atlas "ariga.io/atlas/sql/migrate"
	"entgo.io/ent/dialect/sql/schema"
	"github.com/entwine-go/entwine/kit/store"
)

// Schema is the wanted schema of the databases.
type Schema struct {
	// Tables are Ent's. They are not safe for concurrent use, so neither is
	// a Schema.
	Tables []*schema.Table
	// Objects are the objects that Ent doesn't know, by the database's name, in the
	// order of their creation.
	Objects map[string][]Object
	// Renames are the former names of tables and columns. Without a declaration the
	// column would be dropped and added.
	Renames []Rename
	// Fills make columns right for the rows that are there.
	Fills []Fill
}

// Object is something that a database makes from SQL: a trigger, a function
// (as CREATE OR REPLACE, since triggers depend on it), a full-text table with
// the statement that fills it, a view, an extension, an index over an
// expression.
type Object struct {
	// Name is for messages.
	Name string
	// Create makes it, in one statement or several.
	Create string
	// First is set for what tables need: extensions, and functions that
	// columns, checks or indexes use.
	First bool
	// Refuses is a condition that no row may meet when the object is made, empty for
	// none: of the table and the column in Of, "categories.parent_id", after which may
	// follow others that have to be there for it to be asked. Says is the message
	// about rows that do.
	Refuses, Of, Says string
}

// Dialects are the databases that have migrations.
var Dialects = func() (names []string) {
	for _, d := range store.Dialects {
		names = append(names, d.Name())
	}
	return names
}()

// folder opens the migrations of a database below root, if they are what their
// atlas.sum says.
func folder(root, dialectName string) (*atlas.LocalDir, error) {
	dir, err := unchecked(root, dialectName)
	if err != nil {
		return nil, err
	}
	if err := atlas.Validate(dir); err != nil {
		return nil, fmt.Errorf("%s does not match its atlas.sum (weave migrate hash writes it anew, once you know why): %w", dir.Path(), err)
	}
	return dir, nil
}
