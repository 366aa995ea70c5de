package planner

import (
	"context"
	"database/sql"
	"errors"
	"fmt"

	atlas "ariga.io/atlas/sql/migrate"
	"ariga.io/atlas/sql/postgres"
	"ariga.io/atlas/sql/sqlite"
	"entgo.io/ent/dialect"
	_ "github.com/lib/pq"  // scratch databases
	_ "modernc.org/sqlite" // scratch databases

	"github.com/entwine-go/entwine/kit/migration"
	"github.com/entwine-go/entwine/kit/pgserver"
)

// scratch is an empty database that goes away when it is closed.
type scratch struct {
	*sql.DB
	dialect string
	driver  atlas.Driver
	// migrator is the driver that migrations are replayed with.
	migrator atlas.Driver
	drop     func() error
}

// newScratch makes one: SQLite's in memory, PostgreSQL's on the server that
// tests use, or on the one that ENTWINE_DEV_DATABASE_URL names.
func newScratch(ctx context.Context, dialectName string) (_ *scratch, err error) {
	defer func() {
		if err != nil {
			err = fmt.Errorf("scratch database: %w", err)
		}
	}()
	s := &scratch{dialect: dialectName, drop: func() error { return nil }}
	if dialectName == dialect.SQLite {
		s.DB, err = sql.Open("sqlite", "file::memory:?_pragma=foreign_keys(1)")
		if err != nil {
			return nil, err
		}
		s.SetMaxOpenConns(1) // each connection has a memory of its own
		if s.driver, err = sqlite.Open(s.DB); err == nil {
			s.migrator, err = sqlite.Open(migration.Steps(s.DB, false))
		}
		return s, err
	}
	server, err := pgserver.Dev(ctx)
	if errors.Is(err, pgserver.ErrMissing) {
		err = fmt.Errorf("%w: apt-get install postgresql brings them; or ENTWINE_DEV_DATABASE_URL names a server on which databases may be made", err)
	}
	if err != nil {
		return nil, err
	}
	address, drop, err := pgserver.Scratch(ctx, server)
	if err != nil {
		return nil, err
	}
	s.drop = drop
	if s.DB, err = sql.Open("postgres", address); err != nil {
		return nil, errors.Join(err, drop())
	}
	if s.driver, err = postgres.Open(s.DB); err == nil {
		s.migrator, err = postgres.Open(migration.Steps(s.DB, true))
	}
	if err != nil {
		return nil, errors.Join(err, s.close())
	}
	return s, nil
}

func (s *scratch) close() error { return errors.Join(s.DB.Close(), s.drop()) }

// run runs statements.
func (s *scratch) run(ctx context.Context, statements ...string) error {
	db := migration.Steps(s.DB, s.dialect == dialect.Postgres)
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
