package advise

import (
	"context"

	"github.com/entwine-go/entwine/kit/store"
)

// question is how a database is asked for what advice needs.
type question struct {
	// columns are the tables, their columns, and about how many rows there are; where
	// count is set, the rows are to be counted.
	columns string
	count   bool
	// leading are the columns that indexes begin with. An index of a part of the rows
	// counts where the rest is deleted.
	leading string
	// collected are the statements that the database has counted itself, in an
	// extension that extension looks for; both are empty where there is none.
	extension, collected string
	// judge has its planner judge.
	judge func(ctx context.Context, db *store.DB, o Options, ask func(judge) error) error
}

// questionOf is how the database is asked.
func questionOf(db *store.DB) question {
	of := store.PerDialect(postgresQuestion, sqliteQuestion)
	return of.On(db.Dialect)()
}
