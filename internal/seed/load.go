package seed

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strings"
)

// batch is how many rows a transaction has.
const batch = 5000

// load writes n rows, each made by fill, which is given a row to fill in.
func (s *Seeder) load(ctx context.Context, table string, columns []string, n int, fill func(i int, row []any)) error {
	for start := 0; start < n; start += batch {
		end := min(n, start+batch)
		if err := s.loadBatch(ctx, table, columns, start, end, fill); err != nil {
			return fmt.Errorf("rows %d to %d of %s: %w", start, end, table, err)
		}
		s.done += end - start
		if s.Progress != nil {
			s.Progress(s.done, s.total)
		}
	}
	return nil
}

func (s *Seeder) loadBatch(ctx context.Context, table string, columns []string, start, end int, fill func(i int, row []any)) (err error) {
	tx, err := s.conn.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, tx.Rollback())
		}
	}()
	write := insert
	if s.DB.Postgres() {
		write = copyIn
	}
	if err := write(ctx, tx, table, columns, start, end, fill); err != nil {
		return err
	}
	return tx.Commit()
}

// copyIn writes the rows with PostgreSQL's COPY.
func copyIn(ctx context.Context, tx *sql.Tx, table string, columns []string, start, end int, fill func(i int, row []any)) (err error) {
	stmt, err := tx.PrepareContext(ctx, "COPY "+table+" ("+strings.Join(columns, ", ")+") FROM STDIN")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, stmt.Close()) }()
	row := make([]any, len(columns))
	for i := start; i < end; i++ {
		fill(i, row)
		if _, err := stmt.ExecContext(ctx, row...); err != nil {
			return err
		}
	}
	_, err = stmt.ExecContext(ctx) // the end of the rows
	return err
}

// rowsAtOnce is how many rows an INSERT has: longer ones are no faster.
const rowsAtOnce = 50

// insert writes the rows with statements of many rows each.
func insert(ctx context.Context, tx *sql.Tx, table string, columns []string, start, end int, fill func(i int, row []any)) (err error) {
	long, err := tx.PrepareContext(ctx, insertText(table, columns, rowsAtOnce))
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, long.Close()) }()
	args := make([]any, rowsAtOnce*len(columns))
	for i := start; i < end; {
		rows := min(rowsAtOnce, end-i)
		for at := range rows {
			fill(i+at, args[at*len(columns):(at+1)*len(columns)])
		}
		if rows == rowsAtOnce {
			_, err = long.ExecContext(ctx, args...)
		} else {
			_, err = tx.ExecContext(ctx, insertText(table, columns, rows), args[:rows*len(columns)]...)
		}
		if err != nil {
			return err
		}
		i += rows
	}
	return nil
}

func insertText(table string, columns []string, rows int) string {
	one := "(" + strings.TrimSuffix(strings.Repeat("?,", len(columns)), ",") + ")"
	return "INSERT INTO " + table + " (" + strings.Join(columns, ",") + ") VALUES " + strings.TrimSuffix(strings.Repeat(one+",", rows), ",")
}

// lastID returns the highest id of a table, 0 where it is empty.
func (s *Seeder) lastID(ctx context.Context, table string) (int64, error) {
	ids, err := s.ids(ctx, "SELECT coalesce(max(id), 0) FROM "+table)
	if err != nil {
		return 0, err
	}
	return ids[0], nil
}

// idsAfter returns the ids of a table beyond one.
func (s *Seeder) idsAfter(ctx context.Context, table string, after int64) ([]int64, error) {
	return s.ids(ctx, fmt.Sprintf("SELECT id FROM %s WHERE id > %d ORDER BY id", table, after))
}

func (s *Seeder) ids(ctx context.Context, query string) (all []int64, err error) {
	rows, err := s.DB.QueryContext(ctx, query)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	for rows.Next() {
		var id int64
		if err := rows.Scan(&id); err != nil {
			return nil, err
		}
		all = append(all, id)
	}
	return all, rows.Err()
}
