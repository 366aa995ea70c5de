package store

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"io"
)

// Each runs a statement that returns rows, as QueryContext would, and calls
// row with the values of each. They are the driver's own, and row's until it
// returns; row must not use the database.
//
// It goes without the work of database/sql for rows that are kept: a goroutine
// that waits for the end of the context, locks around each row, and a conversion
// of each value. That work is a good part of the cost of reading a page.
func (db *DB) Each(ctx context.Context, text string, args []any, row func(values []driver.Value) error) error {
	return db.each(ctx, text, args, rowsTo{row, false})
}

func (db *DB) each(ctx context.Context, text string, args []any, to rowsTo) error {
	if t := db.current(ctx); t != nil {
		return t.each(ctx, text, args, to)
	}
	row := to.row
	from := db.write
	if db.read != db.write && reads(text) {
		from = db.read
	}
	began := false
	for stale := 0; ; stale++ {
		err := on(ctx, from, func(c *conn) error {
			to.row = func(values []driver.Value) error {
				began = true
				return row(values)
			}
			return c.each(ctx, text, args, to)
		})
		// The pool may be full of connections that a restart has broken.
		if began || !errors.Is(err, driver.ErrBadConn) || stale > from.Stats().MaxOpenConnections {
			return err
		}
	}
}

// on calls fn with one of the pool's connections. One that fn finds broken is
// not used again.
func on(ctx context.Context, from *pool, fn func(*conn) error) error {
	c, err := from.take(ctx, fn)
	if err == nil {
		_ = c.Close()
	}
	return err
}

// each is [DB.Each] in the transaction.
func (t *tx) each(ctx context.Context, text string, args []any, to rowsTo) error {
	switch {
	case t.broken != nil:
		return t.refuse()
	case t.conn == nil:
		return sql.ErrTxDone
	}
	t.broken = t.conn.each(ctx, text, args, to)
	return t.broken
}

func (c *conn) each(ctx context.Context, text string, args []any, to rowsTo) (err error) {
	if err := ctx.Err(); err != nil {
		return err
	}
	named := make([]driver.NamedValue, len(args))
	for i, arg := range args {
		named[i] = driver.NamedValue{Ordinal: i + 1, Value: arg}
		if err := c.CheckNamedValue(&named[i]); err != nil {
			return err
		}
	}
	c.sent = 0
	row := func(values []driver.Value) error {
		c.sent++
		if err := to.row(values); err != nil {
			return err
		}
		return ctx.Err()
	}
	if to.sent {
		c.takes = row
	}
	rows, err := c.QueryContext(ctx, text, named)
	taken := to.sent && c.takes == nil
	c.takes = nil
	if err != nil {
		return err
	}
	defer func() {
		if e := rows.Close(); err == nil {
			err = e
		}
	}()
	if taken {
		if r, ok := rows.(*counted); ok {
			r.n = c.sent
		}
		return c.wire.sieve.outcome()
	}
	values := make([]driver.Value, len(rows.Columns()))
	for {
		switch err := rows.Next(values); {
		case errors.Is(err, io.EOF):
			return nil
		case err != nil:
			return errors.Join(ctx.Err(), c.failed(text, err))
		}
		if err := row(values); err != nil {
			return err
		}
	}
}
