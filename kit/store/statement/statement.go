// Package statement writes one SQL text for both databases.
//
// Where Ent's builder says less clearly what a statement does (the clock of
// the database, lists of rows as an argument, locks), a package writes it
// once, as a constant, in PostgreSQL's SQL and a few words that this package
// knows the other form of.
package statement

import (
	"context"
	"database/sql"
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"github.com/entwine-go/entwine/kit/policy"
	"github.com/entwine-go/entwine/kit/store"
)

// Statement is one SQL text in the forms of both databases.
type Statement struct{ postgres, sqlite string }

var (
	laterCall = regexp.MustCompile(`later\(([^()]+)\)`)
	sinceCall = regexp.MustCompile(`since\((\w+)\)`)
	dayCall   = regexp.MustCompile(`\bday\(([\w.]+)\)`)
	listCall  = regexp.MustCompile(`list\((\$\d+)\) AS (\w+)\(([^()]+)\)`)
	castMark  = regexp.MustCompile(`::\w+`)
	lockMark  = regexp.MustCompile(` FOR UPDATE( OF \w+)?( SKIP LOCKED)?`)
)

// Of makes a statement of a text in PostgreSQL's SQL in which
//
//	now()        is the database's clock,
//	later(x)     is x seconds from now,
//	since(x)     is how many seconds ago the column x was,
//	day(x)       is the column's day in UTC as text, 2006-01-02, and
//	list($1) AS l(id bigint, …) are the objects of a JSON array.
//
// SQLite gets it without casts (::) and without FOR UPDATE, which its one writer
// does not need. A $ stands for nothing else than an argument.
func Of(text string) Statement {
	text = strings.Join(strings.Fields(text), " ")

	p := laterCall.ReplaceAllString(text, `(now() + ($1)::float8 * interval '1 second')`)
	p = sinceCall.ReplaceAllString(p, `EXTRACT(EPOCH FROM now() - $1)::float8`)
	p = dayCall.ReplaceAllString(p, `to_char($1 AT TIME ZONE 'UTC', 'YYYY-MM-DD')`)
	p = listCall.ReplaceAllString(p, `jsonb_to_recordset($1::jsonb) AS $2($3)`)
	p = strings.ReplaceAll(p, "now()", "clock_timestamp()")

	s := laterCall.ReplaceAllString(text, `strftime('%Y-%m-%d %H:%M:%f000+00:00', 'now', ($1) || ' seconds')`)
	s = sinceCall.ReplaceAllString(s, `((julianday('now') - julianday($1)) * 86400.0)`)
	s = dayCall.ReplaceAllString(s, `substr($1, 1, 10)`)
	s = listCall.ReplaceAllStringFunc(s, sqliteList)
	s = lockMark.ReplaceAllString(castMark.ReplaceAllString(s, ""), "")
	s = strings.ReplaceAll(s, "now()", store.SQLiteNow)
	return Statement{postgres: p, sqlite: strings.ReplaceAll(s, "$", "?")}
}

func sqliteList(call string) string {
	part := listCall.FindStringSubmatch(call)
	var columns []string
	for column := range strings.SplitSeq(part[3], ",") {
		name, _, _ := strings.Cut(strings.TrimSpace(column), " ")
		columns = append(columns, fmt.Sprintf("value->>'%s' AS %s", name, name))
	}
	return fmt.Sprintf("(SELECT %s FROM json_each(%s)) AS %s", strings.Join(columns, ", "), part[1], part[2])
}

func (s Statement) on(db *store.DB) string {
	if db.Postgres() {
		return s.postgres
	}
	return s.sqlite
}

// Where returns the statement, which ends in a WHERE of n arguments, with the
// folded rule about the rows of the table as one more condition, and the
// rule's own arguments, which follow the n.
func (s Statement) Where(rule policy.Rule, table string, n int) (Statement, []any) {
	if rule.Always() {
		return s, nil
	}
	w := &condition{next: n + 1}
	rule.Write(w, table)
	return Statement{
		postgres: s.postgres + " AND " + w.postgres.String(),
		sqlite:   s.sqlite + " AND " + w.sqlite.String(),
	}, w.args
}

// More returns the statement with the values in the place of $more, as in
// "x IN ($more)", and the values as its arguments, which follow n others.
func (s Statement) More(n int, values ...[]byte) (Statement, []any) {
	args := make([]any, len(values))
	var postgres, sqlite strings.Builder
	for i, value := range values {
		args[i] = value
		if i > 0 {
			postgres.WriteString(", ")
			sqlite.WriteString(", ")
		}
		number := strconv.Itoa(n + 1 + i)
		postgres.WriteString("$" + number)
		sqlite.WriteString("?" + number)
	}
	return Statement{
		postgres: strings.ReplaceAll(s.postgres, "$more", postgres.String()),
		sqlite:   strings.ReplaceAll(s.sqlite, "?more", sqlite.String()),
	}, args
}

// condition is a rule in the forms of both databases.
type condition struct {
	postgres, sqlite strings.Builder
	args             []any
	next             int
}

// WriteString implements [policy.Writer].
func (w *condition) WriteString(text string) {
	w.postgres.WriteString(text)
	w.sqlite.WriteString(text)
}

// Arg implements [policy.Writer].
func (w *condition) Arg(value any) {
	number := strconv.Itoa(w.next)
	w.postgres.WriteString("$" + number)
	w.sqlite.WriteString("?" + number)
	w.args = append(w.args, value)
	w.next++
}

// Exec runs the statement and returns how many rows it touched.
func (s Statement) Exec(ctx context.Context, db *store.DB, args ...any) (int64, error) {
	result, err := db.ExecContext(ctx, s.on(db), args...)
	if err != nil {
		return 0, err
	}
	return result.RowsAffected()
}

// Query runs the statement and gives each row to scan.
func (s Statement) Query(ctx context.Context, db *store.DB, scan func(*sql.Rows) error, args ...any) error {
	rows, err := db.QueryContext(ctx, s.on(db), args...)
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		if err := scan(rows); err != nil {
			return fmt.Errorf("scan: %w", err)
		}
	}
	return rows.Err()
}

// Row runs the statement and scans its row into dest, if there is one.
func (s Statement) Row(ctx context.Context, db *store.DB, dest []any, args ...any) (found bool, err error) {
	err = s.Query(ctx, db, func(rows *sql.Rows) error {
		found = true
		return rows.Scan(dest...)
	}, args...)
	return found, err
}
