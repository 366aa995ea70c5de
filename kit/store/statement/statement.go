// Package statement writes one SQL text for all databases.
//
// A package uses it where Ent's builder is less clear (the clock of the database,
// lists of rows as an argument, locks): it writes the statement once, as a
// constant, in PostgreSQL's SQL with a few words that this package translates.
package statement

import (
	"context"
	"database/sql"
	"fmt"
	"regexp"
	"strings"

	"github.com/entwine-go/entwine/kit/policy"
	"github.com/entwine-go/entwine/kit/store"
)

// Statement is one SQL text in the forms of all databases.
type Statement struct{ texts store.Variants[string] }

var (
	laterCall = regexp.MustCompile(`later\(([^()]+)\)`)
	sinceCall = regexp.MustCompile(`since\((\w+)\)`)
	dayCall   = regexp.MustCompile(`\bday\(([\w.]+)\)`)
	listCall  = regexp.MustCompile(`list\((\$\d+)\) AS (\w+)\(([^()]+)\)`)
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
	return Each(func(d store.Dialect) string {
		form := replace(laterCall, text, func(p []string) string { return d.Later(p[1]) })
		form = replace(sinceCall, form, func(p []string) string { return d.Since(p[1]) })
		form = replace(dayCall, form, func(p []string) string { return d.Day(p[1]) })
		form = replace(listCall, form, func(p []string) string { return d.JSONRows(p[1], p[2], p[3]) })
		return strings.ReplaceAll(d.Adapt(form), "now()", d.Now())
	})
}

// Each makes a statement of a text in the SQL of each database.
func Each(text func(store.Dialect) string) Statement { return Statement{store.Vary(text)} }

// replace puts what by returns in the place of each match, whose parts it is given.
func replace(form *regexp.Regexp, text string, by func(parts []string) string) string {
	return form.ReplaceAllStringFunc(text, func(match string) string { return by(form.FindStringSubmatch(match)) })
}

func (s *Statement) on(db *store.DB) string { return s.texts.On(db.Dialect) }

// Where returns the statement, which ends in a WHERE of n arguments, with the
// folded rule about the rows of the table as one more condition, and the
// rule's own arguments, which follow the n.
func (s Statement) Where(rule policy.Rule, table string, n int) (Statement, []any) {
	if rule.Always() {
		return s, nil
	}
	w := &condition{next: n + 1}
	for i, text := range s.texts {
		w.texts[i] = []byte(text + " AND ")
	}
	rule.Write(w, table)
	for i, text := range w.texts {
		s.texts[i] = string(text)
	}
	return s, w.args
}

// More returns the statement with the values in the place of $more, as in
// "x IN ($more)", and the values as its arguments, which follow n others.
func (s Statement) More(n int, values ...[]byte) (Statement, []any) {
	args := make([]any, len(values))
	for i, value := range values {
		args[i] = value
	}
	for i, d := range store.Dialects {
		var list []byte
		for j := range values {
			if j > 0 {
				list = append(list, ", "...)
			}
			list = d.AppendBindVar(list, n+1+j)
		}
		mark := string(d.AppendBindVar(nil, 0)[:1])
		s.texts[i] = strings.ReplaceAll(s.texts[i], mark+"more", string(list))
	}
	return s, args
}

// condition is a rule in the forms of all databases.
type condition struct {
	texts store.Variants[[]byte]
	args  []any
	next  int
}

// WriteString implements [policy.Writer].
func (w *condition) WriteString(text string) {
	for i := range w.texts {
		w.texts[i] = append(w.texts[i], text...)
	}
}

// Arg implements [policy.Writer].
func (w *condition) Arg(value any) {
	for i, d := range store.Dialects {
		w.texts[i] = d.AppendBindVar(w.texts[i], w.next)
	}
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
