package listing

import (
	"context"
	"database/sql"
)

// Querier runs a statement: a store.DB, which joins the transaction of the context.
type Querier interface {
	QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error)
}

// Reader reads for the viewer of the context.
type Reader struct {
	DB Querier
	// Dialect is Ent's name of the database: "postgres" or "sqlite3".
	Dialect string
}

// Info tells about a page that was written.
type Info struct {
	Count       int
	Total       int64 // where it was asked for, else -1
	HasNext     bool
	HasPrevious bool
	Start, End  string // the cursors of its ends, empty for an empty page
	// Last holds the values of a keyset for the next page.
	Last *Keyset
	// Errors are fields that could not be shown, with their paths.
	Errors []PathError
}

// PathError is an error at a place of the written JSON.
type PathError struct {
	Path []any
	Err  error
}
