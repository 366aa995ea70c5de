package migration

import (
	"context"
	"fmt"

	"github.com/entwine-go/entwine/kit/store"
)

// Syncing begins the names of triggers, and of their functions, that migrations of
// PostgreSQL leave for programs from before them: they give rows the values which
// those programs don't write. They are in the database until a migration that
// weave migrate contract has written takes them away.
const Syncing = store.Syncing

// Owed is something that a migration has left for programs from before it.
type Owed struct {
	// Trigger is the trigger, Table its table.
	Table, Trigger string
}

// OwedOf lists what is owed: nothing where no two versions share a database.
func OwedOf(ctx context.Context, db *store.DB) (all []Owed, err error) {
	if !of(db.Dialect).live() {
		return nil, nil
	}
	rows, err := db.QueryContext(ctx, `SELECT c.relname::text, t.tgname::text
FROM pg_trigger t JOIN pg_class c ON c.oid = t.tgrelid
WHERE c.relnamespace = current_schema()::regnamespace AND starts_with(t.tgname, '`+Syncing+`') ORDER BY 1, 2`)
	if err != nil {
		return nil, fmt.Errorf("read what migrations have left: %w", err)
	}
	defer rows.Close()
	for rows.Next() {
		var o Owed
		if err := rows.Scan(&o.Table, &o.Trigger); err != nil {
			return nil, err
		}
		all = append(all, o)
	}
	return all, rows.Err()
}
