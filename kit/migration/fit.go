package migration

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"

	"github.com/entwine-go/entwine/kit/store"
)

// ErrUnfit says that a migration of another version has taken away what this program
// reads: its statements fail, and another process has to answer in its place.
var ErrUnfit = errors.New("a migration of another version has taken away what this program reads")

// Fit is whether the database has the tables and columns that a program reads.
type Fit struct {
	DB *store.DB
	// Tables are the columns that are read, by table.
	Tables map[string][]string

	mu sync.Mutex
	at string // how much the database had been migrated when it had them all
}

// Check returns [ErrUnfit] with the missing features. It reads the catalog after a
// migration, and how much was migrated at any other time.
func (f *Fit) Check(ctx context.Context) error {
	r := revisions{f.DB, of(f.DB.Dialect)}
	at, err := r.had(ctx)
	if err != nil || at == "" {
		return err
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	if at == f.at {
		return nil
	}
	missing, err := r.lacks(ctx, f.Tables)
	if err != nil {
		return err
	}
	if len(missing) > 0 {
		return fmt.Errorf("%w: %s", ErrUnfit, strings.Join(missing, ", "))
	}
	f.at = at
	return nil
}

// had says how much the database has been migrated, empty where it never was.
func (r revisions) had(ctx context.Context) (string, error) {
	if found, err := r.strings(ctx, r.database.exists(), Table); err != nil || len(found) == 0 {
		return "", err
	}
	rows, err := r.strings(ctx, "SELECT count(*) || ' ' || coalesce(sum(applied), 0) FROM "+Table)
	return strings.Join(rows, ""), err
}

// lacks lists the tables and columns that the database does not have.
func (r revisions) lacks(ctx context.Context, tables map[string][]string) (missing []string, err error) {
	for _, table := range slices.Sorted(maps.Keys(tables)) {
		has, err := r.strings(ctx, r.database.columnsOf(), table)
		if err != nil {
			return nil, err
		}
		if len(has) == 0 {
			missing = append(missing, "the table "+table)
			continue
		}
		for _, column := range tables[table] {
			if !slices.Contains(has, column) {
				missing = append(missing, table+"."+column)
			}
		}
	}
	return missing, nil
}
