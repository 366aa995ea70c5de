package migration

import (
	"context"
	"fmt"
	"time"

	"github.com/entwine-go/entwine/kit/store"
)

// Had is a migration that a database has had, or a part of.
type Had struct {
	Version, Description string
	// At is when it was applied, in UTC, and Took how long that took.
	At   time.Time
	Took time.Duration
	// Applied is how many of its Total statements were.
	Applied, Total int
}

// History lists what the database has had, in order. It reads a row for each migration.
func History(ctx context.Context, db *store.DB) ([]Had, error) {
	r := revisions{db, of(db.Dialect)}
	if found, err := r.strings(ctx, r.database.exists(), Table); err != nil || len(found) == 0 {
		return nil, err
	}
	rows, err := r.ReadRevisions(ctx)
	if err != nil {
		return nil, fmt.Errorf("read what was migrated: %w", err)
	}
	all := make([]Had, len(rows))
	for i, v := range rows {
		all[i] = Had{v.Version, v.Description, v.ExecutedAt.UTC(), v.ExecutionTime, v.Applied, v.Total}
	}
	return all, nil
}
