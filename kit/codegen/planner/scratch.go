package planner

import (
	"context"
	"database/sql"
	"errors"
	"fmt"

	atlas "ariga.io/atlas/sql/migrate"
	_ "github.com/lib/pq"  // scratch databases
	_ "modernc.org/sqlite" // scratch databases

	"github.com/entwine-go/entwine/kit/migration"
	"github.com/entwine-go/entwine/kit/pgserver"
)

// scratch is an empty database that goes away when it is closed.
type scratch struct {
	*sql.DB
	dialect  string // Ent's name of the database
	database database
	driver   atlas.Driver
	// migrator is the driver that migrations are replayed with.
	migrator atlas.Driver
	drop     func() error
}

// newScratch makes one.
func newScratch(ctx context.Context, dialectName string) (_ *scratch, err error) {
	defer func() {
		if err != nil {
			err = fmt.Errorf("scratch database: %w", err)
		}
	}()
	d := databaseOf(dialectName)
	s := &scratch{dialect: dialectName, database: d}
	if s.DB, s.drop, err = d.scratch(ctx); err != nil {
		if errors.Is(err, pgserver.ErrMissing) {
			err = fmt.Errorf("%w: apt-get install postgresql brings them; or ENTWINE_DEV_DATABASE_URL names a server on which databases may be made", err)
		}
		return nil, err
	}
	if s.driver, err = d.open(s.DB); err == nil {
		s.migrator, err = d.open(migration.Steps(s.DB, d))
	}
	if err != nil {
		return nil, errors.Join(err, s.close())
	}
	return s, nil
}

func (s *scratch) close() error { return errors.Join(s.DB.Close(), s.drop()) }

// run runs statements.
func (s *scratch) run(ctx context.Context, statements ...string) error {
	db := migration.Steps(s.DB, s.database)
	for _, text := range statements {
		if _, err := db.ExecContext(ctx, text); err != nil {
			return fmt.Errorf("%s: %w", text, err)
		}
	}
	return nil
}

// strings reads rows of one to four texts.
func (s *scratch) strings(ctx context.Context, query string) (all [][4]string, err error) {
	rows, err := s.QueryContext(ctx, query)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	columns, err := rows.Columns()
	if err != nil {
		return nil, err
	}
	for rows.Next() {
		var row [4]string
		dest := []any{&row[0], &row[1], &row[2], &row[3]}
		if err := rows.Scan(dest[:len(columns)]...); err != nil {
			return nil, err
		}
		all = append(all, row)
	}
	return all, rows.Err()
}
