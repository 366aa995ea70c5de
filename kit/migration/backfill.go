package migration

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"ariga.io/atlas/sql/schema"
	"github.com/lib/pq"
)

// Backfill is the statement that sets columns of the rows of a table of which
// the condition holds, all where it is empty. On PostgreSQL, in a file whose
// statements are applied one by one, it does so in batches that hold their
// locks for less than 50 ms, and goes on where it was interrupted. Triggers
// that ask for the setting entwine.filling know its writes from others'.
func Backfill(table, set, where string) string {
	return fmt.Sprintf("CALL entwine_backfill(%s, %s, %s)", quote(table), quote(set), quote(where))
}

var assignment = regexp.MustCompile(`^"(\w+)" = `)

// assigned are the columns that the assignments set.
func assigned(set string) (columns []string) {
	for _, part := range parts(set) {
		if found := assignment.FindStringSubmatch(part); found != nil {
			columns = append(columns, found[1])
		}
	}
	return columns
}

// Span stands, in the statement of [Collect], for the condition that a row of
// the table is one of the batch.
const Span = "{span}"

// Collect is the statement that writes something for the rows of a table into
// another one, in batches as [Backfill] does. The batch's rows are locked
// meanwhile: none of them changes, or goes, before that is there.
func Collect(table, statement string) string {
	return fmt.Sprintf("CALL entwine_collect(%s, %s)", quote(table), quote(statement))
}

const (
	firstBatch   = 100
	largestBatch = 20_000
	// batchTime is the wanted duration of a batch, of which 50 ms is the most.
	batchTime = 25 * time.Millisecond
	// batchLock is how long a batch waits for a row that another transaction
	// has written: it holds rows itself.
	batchLock = 40 * time.Millisecond
)

// nextBatch is how many rows the next batch has after one of so many that took
// so long.
func nextBatch(size int, took time.Duration) int {
	fits := int(int64(size) * int64(batchTime) / int64(max(took, time.Microsecond)))
	return max(1, min(fits, 2*size, largestBatch))
}

// keys are the columns of a primary key and their types, empty where the database
// compares texts as the column's values.
type keys struct {
	table        string
	names, types []string
}

// bound is the condition that the key is, by the operator, so compared with the
// parameters from first on.
func (k keys) bound(operator string, first int) string {
	var columns, values []string
	for i, name := range k.names {
		columns = append(columns, k.table+"."+name)
		value := fmt.Sprintf("$%d", first+i)
		if k.types[i] != "" {
			value += "::" + k.types[i]
		}
		values = append(values, value)
	}
	return "(" + strings.Join(columns, ", ") + ") " + operator + " (" + strings.Join(values, ", ") + ")"
}

// list are the columns, each with the form around it.
func (k keys) list(form string) string {
	var all []string
	for _, name := range k.names {
		all = append(all, fmt.Sprintf(form, k.table+"."+name))
	}
	return strings.Join(all, ", ")
}

// texts is the key as one text.
func (k keys) texts() string {
	return strings.ReplaceAll(k.list("CAST(%s AS text)"), ", ", " || '/' || ")
}

// keysOf reads the primary key of the table.
func keysOf(ctx context.Context, db schema.ExecQuerier, of database, table string) (keys, error) {
	k := keys{table: pq.QuoteIdentifier(table)}
	rows, err := db.QueryContext(ctx, of.primaryKey(), table)
	if err != nil {
		return k, err
	}
	defer rows.Close()
	for rows.Next() {
		var name, of string
		if err := rows.Scan(&name, &of); err != nil {
			return k, err
		}
		k.names, k.types = append(k.names, name), append(k.types, of)
	}
	if err := rows.Err(); err != nil {
		return k, err
	}
	if len(k.names) == 0 {
		return k, fmt.Errorf("the table %s has no primary key to go through it by", table)
	}
	return k, nil
}

// span is a part of the table, in the order of its key.
type span struct {
	keys
	after, last []string
	rows        int
}

// within is the condition that a row is in it, with its arguments.
func (s span) within() (condition string, args []any) {
	if s.after != nil {
		condition = s.bound(">", 1) + " AND "
	}
	for _, v := range slices.Concat(s.after, s.last) {
		args = append(args, v)
	}
	return condition + s.bound("<=", 1+len(s.after)), args
}

// backfill goes through a table in batches, each a transaction that also says
// how far it is.
func (l *live) backfill(ctx context.Context, text, name string, args []string) error {
	if takes[name] != len(args) {
		return unknown(text)
	}
	k, err := keysOf(ctx, l.conn, only(database.live), args[0])
	if err != nil {
		return err
	}
	if l.progress.Until == nil {
		if err := l.measure(ctx, k); err != nil {
			return err
		}
	}
	fill := func(ctx context.Context, tx *sql.Tx, s span) error {
		switch name {
		case "fold":
			return foldSpan(ctx, tx, s, args[1], args[2])
		case "collect":
			return collectSpan(ctx, tx, s, args[1])
		}
		return fillSpan(ctx, tx, s, args[1], args[2])
	}
	said := time.Now()
	for size := firstBatch; l.progress.Until != nil; {
		var s span
		var began time.Time
		err := l.patiently(ctx, text, batchPause, func(ctx context.Context) (err error) {
			began = time.Now()
			if s, err = l.batch(ctx, k, size, fill); impeded(err) {
				size = max(1, size/2) // where rows are busy
			}
			return err
		})
		if cause := uncomputable(err); cause != "" { // of a row that came after the rows were asked
			return &refusal{args[0] + ": expose.Backfill gives a row no value: " + args[1] + ": " + cause}
		}
		if err != nil {
			return err
		}
		if s.rows == 0 {
			return nil
		}
		l.progress.Cursor, l.progress.Rows = s.last, l.progress.Rows+int64(s.rows)
		size = nextBatch(size, time.Since(began))
		if time.Since(said) > noticed {
			said = time.Now()
			l.say(Notice{File: l.file, Statement: text, Rows: l.progress.Rows, Of: max(l.progress.Of, l.progress.Rows)})
		}
	}
	return nil
}

// measure notes where the table ends: rows that come later are as they should
// be, so that a table which grows faster than it is gone through ends.
func (l *live) measure(ctx context.Context, k keys) error {
	until, err := row(ctx, l.conn, len(k.names), fmt.Sprintf("SELECT %s FROM %s ORDER BY %s LIMIT 1", k.list("%s::text"), k.table, k.list("%s DESC")))
	if err != nil {
		return err
	}
	l.progress = progress{Until: until}
	if err := l.conn.QueryRowContext(ctx, "SELECT greatest(reltuples, 0)::bigint FROM pg_class WHERE oid = to_regclass($1)", k.table).Scan(&l.progress.Of); err != nil {
		return err
	}
	if l.progress.Of == 0 && len(until) == 1 { // it has not been counted yet
		l.progress.Of, _ = strconv.ParseInt(until[0], 10, 64)
	}
	return nil
}

type querier interface {
	QueryRowContext(ctx context.Context, query string, args ...any) *sql.Row
}

// row reads a row of so many texts, nil if there is none.
func row(ctx context.Context, db querier, columns int, query string, args ...any) ([]string, error) {
	values, dest := make([]string, columns), make([]any, columns)
	for i := range values {
		dest[i] = &values[i]
	}
	err := db.QueryRowContext(ctx, query, args...).Scan(dest...)
	if errors.Is(err, sql.ErrNoRows) {
		return nil, nil
	}
	return values, err
}

// batch fills the next rows, none at the end of the table.
func (l *live) batch(ctx context.Context, k keys, size int, fill func(context.Context, *sql.Tx, span) error) (s span, err error) {
	tx, err := l.beginPatient(ctx, batchLock)
	if err != nil {
		return s, err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, tx.Rollback())
		}
	}()
	if _, err := tx.ExecContext(ctx, "SET LOCAL entwine.filling = 'on'"); err != nil {
		return s, err
	}
	if s, err = l.span(ctx, tx, k, size); err != nil {
		return s, err
	}
	if s.rows > 0 {
		if err := fill(ctx, tx, s); err != nil {
			return s, err
		}
		now := l.progress
		now.Cursor, now.Rows = s.last, now.Rows+int64(s.rows)
		revision := l.revision
		revision.ExecutedAt = time.Now()
		if err := l.target.revisions(tx).write(ctx, &revision, &now); err != nil {
			return s, err
		}
	}
	return s, tx.Commit()
}

// span is the next part of the table.
func (l *live) span(ctx context.Context, tx *sql.Tx, k keys, size int) (s span, err error) {
	all := span{keys: k, after: l.progress.Cursor, last: l.progress.Until}
	condition, args := all.within()
	found, err := row(ctx, tx, len(k.names)+1, fmt.Sprintf(
		"SELECT %[1]s, count(*) OVER () FROM (SELECT %[2]s FROM %[3]s WHERE %[4]s ORDER BY %[2]s LIMIT %[5]d) AS %[3]s ORDER BY %[6]s LIMIT 1",
		k.list("%s::text"), k.list("%s"), k.table, condition, size, k.list("%s DESC")), args...)
	if err != nil || found == nil {
		return s, err
	}
	s = span{keys: k, after: l.progress.Cursor, last: found[:len(k.names)]}
	_, err = fmt.Sscan(found[len(k.names)], &s.rows)
	return s, err
}

var reading = regexp.MustCompile(`(?i)\bSELECT\b`)

// lock locks the part's rows.
func (s span) lock(ctx context.Context, tx *sql.Tx) error {
	condition, args := s.within()
	_, err := tx.ExecContext(ctx, fmt.Sprintf("SELECT count(*) FROM (SELECT 1 FROM %s WHERE %s ORDER BY %s FOR NO KEY UPDATE) AS locked",
		s.table, condition, s.list("%s")), args...)
	return err
}

// batched are the steps of a part.
func batched(tx *sql.Tx) steps { return steps{tx, only(database.live)} }

// fillSpan sets the columns of the part's rows. Where that reads other rows, its
// own are locked by a statement before: only the next one sees what those have
// written who held them.
func fillSpan(ctx context.Context, tx *sql.Tx, s span, set, where string) error {
	condition, args := s.within()
	if where != "" {
		condition += " AND (" + where + ")"
	}
	if reading.MatchString(set) {
		if err := s.lock(ctx, tx); err != nil {
			return err
		}
	}
	_, err := batched(tx).ExecContext(ctx, fmt.Sprintf("UPDATE %s SET %s WHERE %s", s.table, set, condition), args...)
	return err
}

// collectSpan runs the statement for the part's rows, which are locked meanwhile.
func collectSpan(ctx context.Context, tx *sql.Tx, s span, statement string) error {
	if err := s.lock(ctx, tx); err != nil {
		return err
	}
	condition, args := s.within()
	_, err := batched(tx).ExecContext(ctx, strings.ReplaceAll(statement, Span, condition), args...)
	return err
}

// foldSpan folds the texts of the part's rows, which are locked meanwhile.
func foldSpan(ctx context.Context, tx *sql.Tx, s span, column, into string) error {
	condition, args := s.within()
	all := batched(tx)
	rows, err := all.texts(ctx, s.keys, column, condition, "FOR NO KEY UPDATE", args...)
	if err != nil || len(rows) == 0 {
		return err
	}
	return all.database.fold(ctx, all.exec, s.keys, pq.QuoteIdentifier(into), rows)
}
