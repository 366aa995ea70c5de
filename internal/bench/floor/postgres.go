package main

import (
	"context"
	"database/sql"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/jackc/pgx/v5/stdlib"
)

// connections is how many connections to PostgreSQL there are at most.
const connections = 16

// postgres is a pool that prepares each statement once for each connection.
type postgres struct{ pool *pgxpool.Pool }

func openPostgres(ctx context.Context, url string) (database, *sql.DB, error) {
	c, err := pgxpool.ParseConfig(url)
	if err != nil {
		return nil, nil, err
	}
	c.MaxConns = connections
	c.ConnConfig.DefaultQueryExecMode = pgx.QueryExecModeCacheStatement
	pool, err := pgxpool.NewWithConfig(ctx, c)
	if err != nil {
		return nil, nil, err
	}
	return postgres{pool}, stdlib.OpenDBFromPool(pool), nil
}

type pgRows struct{ pgx.Rows }

func (r pgRows) done() { r.Close() }

func (p postgres) query(ctx context.Context, s *statement, args ...any) (rows, error) {
	found, err := p.pool.Query(ctx, s.postgres, args...)
	if err != nil {
		return nil, err
	}
	return pgRows{found}, nil
}

// comment is one autocommitted statement.
func (p postgres) comment(ctx context.Context, c *comment, event bool) (id int64, err error) {
	text := commentText
	if event {
		text = commentAndEvent
	}
	err = p.pool.QueryRow(ctx, text, c.text, c.post, c.author, c.at).Scan(&id)
	return id, err
}
