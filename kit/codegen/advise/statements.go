package advise

import (
	"context"
	"fmt"
	"path/filepath"
	"time"

	"github.com/entwine-go/entwine/kit/internal/figures"
	"github.com/entwine-go/entwine/kit/store"
)

// Folder is where a service keeps figures in its data directory.
func Folder(data string) string { return filepath.Join(data, figures.Folder) }

// Statements returns the statements that ran on the database, and where their
// figures are from: pg_stat_statements where the database has that extension
// and own is not set, else the files in dir ([figures.Kept]).
func Statements(ctx context.Context, db *store.DB, dir string, own bool) (all []store.Figure, from string, err error) {
	if !own {
		all, there, err := collected(ctx, db)
		if err != nil || there {
			return all, "pg_stat_statements", err
		}
	}
	all, err = figures.Kept(dir)
	return all, "figures", err
}

// collected returns what pg_stat_statements says of this database. It is false
// where that is not installed.
func collected(ctx context.Context, db *store.DB) (all []store.Figure, there bool, err error) {
	asks := questionOf(db)
	if asks.collected == "" {
		return nil, false, nil
	}
	if n, err := number(ctx, db, asks.extension); err != nil || n == 0 {
		return nil, false, err
	}
	rows, err := db.QueryContext(ctx, asks.collected)
	if err != nil {
		return nil, true, fmt.Errorf("read pg_stat_statements: %w", err)
	}
	defer rows.Close()
	for rows.Next() {
		var f store.Figure
		var took int64
		if err := rows.Scan(&f.Text, &f.Calls, &took); err != nil {
			return nil, true, err
		}
		f.Took = time.Duration(took)
		all = append(all, f)
	}
	return all, true, rows.Err()
}
