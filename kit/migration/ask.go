package migration

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/lib/pq"
	"modernc.org/sqlite"

	"github.com/entwine-go/entwine/kit/store"
)

// Ask is the statement that fails where the expression, which is to give the column
// its values, can't be computed of rows of which the condition holds, all where it
// is empty: CAST(note AS integer) of a note that is no number. It names the column,
// up to five rows, and what the database says of their values.
func Ask(table, column, expression, where string) string {
	return fmt.Sprintf("CALL entwine_ask(%s, %s, %s, %s)", quote(table), quote(column), quote(expression), quote(where))
}

// asking is such a question.
type asking struct {
	steps
	keys
	expression, where string
}

func (s steps) ask(ctx context.Context, table, column, expression, where string) error {
	k, err := keysOf(ctx, s, s.database, table)
	if err != nil {
		return err
	}
	a := asking{s, k, expression, "true"}
	if where != "" {
		a.where = where
	}
	empty, err := s.text(ctx, "SELECT CAST(NOT EXISTS (SELECT 1 FROM "+a.table+") AS integer)")
	if err != nil || empty == "1" {
		return err
	}
	cause, err := a.attempt(ctx, fmt.Sprintf(`SELECT CAST(count("value") AS text) FROM (SELECT (%s) AS "value" FROM %s WHERE %s) AS "asked"`, expression, a.table, a.where))
	if err != nil || cause == "" {
		return err
	}
	var found []string
	for passed := 0; len(found) <= refused; {
		var row string
		if row, passed, err = a.next(ctx, passed); err != nil {
			return err
		}
		if row == "" {
			break
		}
		found = append(found, row)
	}
	if len(found) > refused {
		found[refused] = "and others"
	}
	if len(found) == 0 { // it changed meanwhile
		found = []string{cause}
	}
	return &refusal{fmt.Sprintf("%s: expose.Backfill gives these rows no value of %s: change them first: %s", table, column, strings.Join(found, "; "))}
}

// next is the first row after so many of which there is no value, with what the
// database says of it, and how many there are up to it. It reads twice as many
// rows as long as they have one, and then halves.
func (a asking) next(ctx context.Context, passed int) (row string, until int, err error) {
	size := 1
	for {
		rows, failed, err := a.some(ctx, passed, size)
		if err != nil {
			return "", passed, err
		}
		if failed != "" {
			break
		}
		if rows < size {
			return "", passed, nil
		}
		passed, size = passed+size, 2*size
	}
	for size > 1 {
		half := size / 2
		_, first, err := a.some(ctx, passed, half)
		if err != nil {
			return "", passed, err
		}
		if first != "" {
			size = half
		} else {
			passed, size = passed+half, size-half
		}
	}
	_, cause, err := a.some(ctx, passed, 1)
	if err != nil {
		return "", passed, err
	}
	id, err := a.text(ctx, fmt.Sprintf(`SELECT %s FROM %s WHERE %s ORDER BY %s LIMIT 1 OFFSET %d`, a.keys.texts(), a.table, a.where, a.list("%s"), passed))
	return id + " (" + cause + ")", passed + 1, err
}

// some computes the values of so many rows after others.
func (a asking) some(ctx context.Context, after, size int) (rows int, cause string, err error) {
	count := ""
	cause, err = a.attempt(ctx, fmt.Sprintf(`SELECT count(*) || ' ' || count("value") FROM (SELECT (%s) AS "value" FROM (SELECT * FROM %s WHERE %s ORDER BY %s LIMIT %d OFFSET %d) AS %[2]s) AS "asked"`,
		a.expression, a.table, a.where, a.list("%s"), size, after), &count)
	if err != nil || cause != "" {
		return 0, cause, err
	}
	_, err = fmt.Sscan(count, &rows)
	return rows, "", err
}

// attempt runs a query of one text; cause is what the database says where it can't
// compute a value. The transaction goes on after it.
func (a asking) attempt(ctx context.Context, query string, into ...*string) (cause string, err error) {
	const point = "entwine_ask"
	if !a.database.survives() {
		if _, err := a.exec(ctx, "SAVEPOINT "+point); err != nil {
			return "", err
		}
	}
	value, err := a.text(ctx, query)
	if cause = uncomputable(err); err != nil && cause == "" {
		return "", err
	}
	for _, to := range into {
		*to = value
	}
	if !a.database.survives() {
		if _, err := a.exec(ctx, "ROLLBACK TO SAVEPOINT "+point); err != nil {
			return "", err
		}
		if _, err := a.exec(ctx, "RELEASE SAVEPOINT "+point); err != nil {
			return "", err
		}
	}
	return cause, nil
}

// text is the one text that the query returns.
func (s steps) text(ctx context.Context, query string) (value string, err error) {
	rows, err := s.QueryContext(ctx, query)
	if err != nil {
		return "", err
	}
	defer rows.Close()
	for rows.Next() {
		if err := rows.Scan(&value); err != nil {
			return "", err
		}
	}
	return value, rows.Err()
}

// uncomputable is the database's message about a value that it can't compute,
// empty for another error.
func uncomputable(err error) string {
	if e, ok := errors.AsType[*pq.Error](err); ok && store.IsUncomputable(err) {
		return e.Message
	}
	if e, ok := errors.AsType[*sqlite.Error](err); ok {
		says := strings.TrimPrefix(e.Error(), "SQL logic error: ")
		if i := strings.LastIndex(says, " ("); i >= 0 {
			says = says[:i]
		}
		if cast, failed := strings.CutPrefix(says, castFailed); failed || store.IsUncomputable(err) {
			return cast
		}
	}
	return ""
}
