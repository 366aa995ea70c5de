package read

import (
	"context"
	"database/sql/driver"
	"errors"
	"slices"
	"strings"

	"github.com/entwine-go/entwine/kit/store"
)

// A soft deletion with many dependents leaves work to a job (doc/schema/deletion.md).
// While there is any, rules hide what the job has not come to, and counts are
// corrected by it. There almost never is, and to ask in each place costs as much as
// reading the row: PostgreSQL opens the tables and indexes of subqueries that it does
// not run, and SQLite compiles them for each statement. So a statement is brief at
// first: it has none of that, and says in one place whether there is work, the mark. A
// single row has it in a column more, and rows of PostgreSQL begin with one of NULLs:
//
//	SELECT …, EXISTS (SELECT 1 FROM "recounts") FROM …
//	SELECT NULL, NULL WHERE EXISTS (SELECT 1 FROM "recounts") UNION ALL SELECT * FROM (SELECT …) AS "brief"
//
// The database reads both in one snapshot, so that without work the rows are exact.
// Otherwise they are dropped, and the statement is run once more, complete. PostgreSQL
// takes 3 µs more for the second, which is for lists: without a row the first has no mark.

// atWork is the condition that a deletion is at work, of rows with ids that are texts or UUIDs,
// too, where keyed is set. The tables are as good as always empty: see kit/codegen/triggers.
func atWork(keyed bool) string {
	if keyed {
		return `(EXISTS (SELECT 1 FROM "recounts") OR EXISTS (SELECT 1 FROM "recounts_keyed"))`
	}
	return `EXISTS (SELECT 1 FROM "recounts")`
}

// errAtWork and errNoMark say that a brief statement does not do: a deletion is at work,
// or there was no row to say that none is.
var (
	errAtWork = errors.New("a deletion is at work")
	errNoMark = errors.New("a deletion may be at work")
)

// statement writes a statement and runs it: briefly, and again where a deletion is at
// work. Later reads are written complete at once. It is also run again where a replica
// has failed in the middle of its rows.
func (r *reading) statement(write, run func(b *builder) error) error {
	brief := !r.atWork
	for {
		b := r.builder(r.viewer, r.deleted)
		b.brief = brief
		err := write(b)
		if err == nil {
			err = run(b)
		}
		b.release()
		switch {
		case errors.Is(err, errAtWork):
			brief, r.atWork = false, true
		case errors.Is(err, errNoMark):
			brief = false
		case !errors.Is(err, store.ErrMoved):
			return err
		}
	}
}

// LeaveOut implements [policy.Brief].
func (b *builder) LeaveOut(keyed bool) bool {
	b.leftOut = b.leftOut || b.brief
	b.leftKeyed = b.leftKeyed || keyed && b.brief
	return b.brief
}

// listed notes that the columns of the statement's rows end here, where the mark is to
// be a column: of a single row, and of SQLite. A part of a UNION takes no LIMIT there, and
// what stands around it for that costs as much as a fifth of a page. Without rows there is
// no such column, and the statement is run again.
func (b *builder) listed(single bool) {
	if single || !b.postgres {
		b.end = len(b.text)
	}
}

// marked is the text of the statement, once, whose rows have so many columns, the first of
// them never NULL. Where it is brief it says whether that does.
func (b *builder) marked(columns int) string {
	switch {
	case !b.leftOut:
		return string(b.text)
	case b.end > 0:
		b.text = slices.Insert(b.text, b.end, []byte(", "+atWork(b.leftKeyed))...)
		return string(b.text)
	}
	return "SELECT NULL" + strings.Repeat(", NULL", columns-1) + " WHERE " + atWork(b.leftKeyed) + " UNION ALL SELECT * FROM (" + string(b.text) + `) AS "brief"`
}

// each runs the statement of the builder, whose rows have so many columns.
func (b *builder) each(ctx context.Context, run eacher, columns int, row func(values []driver.Value) error) error {
	if b.refused != nil {
		return b.refused
	}
	if !b.leftOut {
		return b.blamed(run(ctx, string(b.text), b.args, row))
	}
	beside, some, marked := b.end > 0, false, false
	err := run(ctx, b.marked(columns), b.args, func(values []driver.Value) error {
		some = true
		if beside {
			marked, values = truthful(values[columns]), values[:columns]
		} else {
			marked = marked || values[0] == nil
		}
		if marked {
			return nil
		}
		return row(values)
	})
	switch {
	case err != nil:
		return b.blamed(err)
	case marked:
		return errAtWork
	case beside && !some:
		return errNoMark
	}
	return nil
}

// truthful converts the result of a condition, from a driver of either database or from
// PostgreSQL itself.
func truthful(value driver.Value) bool {
	switch v := value.(type) {
	case bool:
		return v
	case *store.Sent:
		return v.True()
	}
	return value != int64(0)
}

// eacher is [Querier.Each] or [Querier.EachSent].
type eacher = func(ctx context.Context, text string, args []any, row func(values []driver.Value) error) error
