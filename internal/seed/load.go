package seed

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"
	"strings"

	"entgo.io/ent/dialect/sql/sqlgraph"

	"github.com/entwine-go/entwine/internal/entity"
	kitentity "github.com/entwine-go/entwine/kit/entity"
	"github.com/entwine-go/entwine/kit/sample"
)

// batch is how many rows a transaction has.
const batch = 5000

// writer writes rows of a table. It writes them as they are until one breaks
// a check or a unique index, and from then on leaves such rows out.
type writer struct {
	table *sample.Table
	conn  *sql.Conn
	bulk  bool // the database takes COPY
	// refused is the first breach.
	refused error
}

// write writes the rows in a transaction and returns how many are there.
func (w *writer) write(ctx context.Context, rows [][]any) (int, error) {
	if w.refused == nil {
		n, err := w.inTx(ctx, rows, false)
		if !breach(err) {
			return n, err
		}
		w.refused = err
	}
	return w.inTx(ctx, rows, true)
}

// breach reports whether a row broke a check or a unique index.
func breach(err error) bool {
	return err != nil && (sqlgraph.IsUniqueConstraintError(err) || sqlgraph.IsCheckConstraintError(err))
}

func (w *writer) inTx(ctx context.Context, rows [][]any, sift bool) (n int, err error) {
	tx, err := w.conn.BeginTx(ctx, nil)
	if err != nil {
		return 0, err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, tx.Rollback())
		}
	}()
	switch {
	case !w.bulk:
		n, err = w.insert(ctx, tx, rows, sift)
	case sift:
		n, err = w.sift(ctx, tx, rows)
	default:
		n, err = len(rows), w.copyIn(ctx, tx, w.table.Name, rows)
	}
	if err != nil {
		return 0, err
	}
	return n, tx.Commit()
}

func (w *writer) columns() string {
	names := make([]string, len(w.table.Columns))
	for i, c := range w.table.Columns {
		names[i] = fmt.Sprintf("%q", c.Name)
	}
	return strings.Join(names, ", ")
}

// copyIn writes the rows with COPY.
func (w *writer) copyIn(ctx context.Context, tx *sql.Tx, table string, rows [][]any) (err error) {
	stmt, err := tx.PrepareContext(ctx, fmt.Sprintf("COPY %q (%s) FROM STDIN", table, w.columns()))
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, stmt.Close()) }()
	for _, row := range rows {
		if _, err := stmt.ExecContext(ctx, row...); err != nil {
			return err
		}
	}
	_, err = stmt.ExecContext(ctx) // the end of the rows
	return err
}

// sift copies the rows into a table without constraints, and on from there
// those that the table takes.
func (w *writer) sift(ctx context.Context, tx *sql.Tx, rows [][]any) (int, error) {
	const sieve = "seed_sieve"
	if _, err := tx.ExecContext(ctx, fmt.Sprintf("CREATE TEMP TABLE %s ON COMMIT DROP AS SELECT %s FROM %q WITH NO DATA", sieve, w.columns(), w.table.Name)); err != nil {
		return 0, err
	}
	if err := w.copyIn(ctx, tx, sieve, rows); err != nil {
		return 0, err
	}
	passes := "TRUE"
	for _, check := range w.table.Checks {
		passes += " AND (" + check + ") IS NOT FALSE"
	}
	result, err := tx.ExecContext(ctx, fmt.Sprintf("INSERT INTO %q (%s) SELECT %[2]s FROM %s WHERE %s ON CONFLICT DO NOTHING", w.table.Name, w.columns(), sieve, passes))
	if err != nil {
		return 0, err
	}
	n, err := result.RowsAffected()
	return int(n), err
}

// rowsAtOnce is how many rows an INSERT has: longer ones are no faster.
const rowsAtOnce = 50

// insert writes the rows with statements of many rows each.
func (w *writer) insert(ctx context.Context, tx *sql.Tx, rows [][]any, sift bool) (written int, err error) {
	long, err := tx.PrepareContext(ctx, w.insertText(rowsAtOnce, sift))
	if err != nil {
		return 0, err
	}
	defer func() { err = errors.Join(err, long.Close()) }()
	for i := 0; i < len(rows); i += rowsAtOnce {
		some := rows[i:min(i+rowsAtOnce, len(rows))]
		var args []any
		for _, row := range some {
			args = append(args, row...)
		}
		var result sql.Result
		if len(some) == rowsAtOnce {
			result, err = long.ExecContext(ctx, args...)
		} else {
			result, err = tx.ExecContext(ctx, w.insertText(len(some), sift), args...)
		}
		if err != nil {
			return 0, err
		}
		n, err := result.RowsAffected()
		if err != nil {
			return 0, err
		}
		written += int(n)
	}
	return written, nil
}

func (w *writer) insertText(rows int, sift bool) string {
	verb := "INSERT"
	if sift {
		verb = "INSERT OR IGNORE"
	}
	one := "(" + strings.TrimSuffix(strings.Repeat("?,", len(w.table.Columns)), ",") + ")"
	return fmt.Sprintf("%s INTO %q (%s) VALUES %s", verb, w.table.Name, w.columns(), strings.TrimSuffix(strings.Repeat(one+",", rows), ","))
}

// lastID returns the highest id of a table, 0 where it is empty.
func (s *Seeder) lastID(ctx context.Context, table string) (int64, error) {
	ids, err := s.ids(ctx, fmt.Sprintf("SELECT coalesce(max(id), 0) FROM %q", table))
	if err != nil {
		return 0, err
	}
	return ids[0], nil
}

// most is how many rows others refer to at most: the latest.
const most = 100_000

// latest returns the ids of the rows that others are to refer to, in their order:
// those whose column null is null, if it is named. Deleted rows are left out.
func (s *Seeder) latest(ctx context.Context, table, null string) ([]int64, error) {
	var conditions []string
	if slices.ContainsFunc(entity.All, func(e *kitentity.Entity) bool { return e.Table == table && e.Rules.SoftDelete }) {
		conditions = append(conditions, "deleted_at IS NULL")
	}
	if null != "" {
		conditions = append(conditions, fmt.Sprintf("%q IS NULL", null))
	}
	where := ""
	if len(conditions) > 0 {
		where = " WHERE " + strings.Join(conditions, " AND ")
	}
	return s.ids(ctx, fmt.Sprintf("SELECT id FROM (SELECT id FROM %q%s ORDER BY id DESC LIMIT %d) AS latest ORDER BY id", table, where, most))
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
