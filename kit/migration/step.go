package migration

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"regexp"
	"strings"

	"ariga.io/atlas/sql/schema"
	"github.com/lib/pq"

	"github.com/entwine-go/entwine/kit/fold"
	"github.com/entwine-go/entwine/kit/store"
)

// Steps adds to a database the statements of migrations that Go carries out,
// in the transaction of the file like all others. No database knows them, so
// that another program which applies the file fails at them:
//
//	CALL entwine_fold('posts', 'title', 'title_fold')
//	CALL entwine_refuse('users: two rows have the same email', 'SELECT …')
//	CALL entwine_ask('posts', 'words', 'CAST(note AS integer)', '"words" IS NULL')
//	CALL entwine_backfill('posts', '"language" = ''en''', '"language" IS NULL')
//	CALL entwine_collect('posts', 'INSERT … SELECT … FROM posts WHERE {span}')
//
// The first folds the texts of one column into another. The second fails,
// naming rows, where the query returns any. The others are [Ask], [Backfill] and
// [Collect].
func Steps(db schema.ExecQuerier, d store.Dialect) schema.ExecQuerier {
	return steps{db, of(d)}
}

// ErrRefused says that the rows of a database don't allow a migration.
var ErrRefused = errors.New("the rows that are there do not allow this migration")

type steps struct {
	schema.ExecQuerier
	database database
}

// Fold is the statement that folds the texts of a column into another.
func Fold(table, column, folded string) string {
	return fmt.Sprintf("CALL entwine_fold(%s, %s, %s)", quote(table), quote(column), quote(folded))
}

// Refuse is the statement that fails with the message and up to five rows
// where the query, of one column of texts, returns any.
func Refuse(says, query string) string {
	return fmt.Sprintf("CALL entwine_refuse(%s, %s)", quote(says), quote(query))
}

func quote(text string) string { return "'" + strings.ReplaceAll(text, "'", "''") + "'" }

var (
	call     = regexp.MustCompile(`(?s)^\s*CALL\s+entwine_(\w+)\s*\((.*)\)\s*;?\s*$`)
	argument = regexp.MustCompile(`'((?:[^']|'')*)'`)
)

// takes is how many arguments a step that goes through a table has.
var takes = map[string]int{"fold": 3, "backfill": 3, "collect": 2}

type watchKey struct{}

// Watch has the function called before each statement of a migration, of the
// steps of Go too: one that writes every row of a table takes long.
func Watch(ctx context.Context, begins func(statement string)) context.Context {
	return context.WithValue(ctx, watchKey{}, begins)
}

// exec runs a statement that is watched.
func (s steps) exec(ctx context.Context, query string, args ...any) (sql.Result, error) {
	if begins, ok := ctx.Value(watchKey{}).(func(string)); ok {
		begins(query)
	}
	return s.ExecQuerier.ExecContext(ctx, query, args...)
}

// ExecContext implements schema.ExecQuerier.
func (s steps) ExecContext(ctx context.Context, query string, args ...any) (sql.Result, error) {
	name, texts := called(query)
	switch {
	case name == "":
		return s.exec(ctx, query, args...)
	case name == "collect" && len(texts) == 2:
		return s.exec(ctx, strings.ReplaceAll(texts[1], Span, "true"))
	case name == "fold" && len(texts) == 3:
		return done{}, s.fold(ctx, texts[0], texts[1], texts[2])
	case name == "refuse" && len(texts) == 2:
		return done{}, s.refuse(ctx, texts[0], texts[1])
	case name == "ask" && len(texts) == 4:
		return done{}, s.ask(ctx, texts[0], texts[1], texts[2], texts[3])
	case name == "backfill" && len(texts) == 3:
		text := fmt.Sprintf("UPDATE %s SET %s", pq.QuoteIdentifier(texts[0]), texts[1])
		if texts[2] != "" {
			text += " WHERE " + texts[2]
		}
		return s.exec(ctx, text)
	}
	return nil, unknown(query)
}

// called is which step a statement is, with its arguments; empty if it is none.
func called(query string) (name string, texts []string) {
	found := call.FindStringSubmatch(query)
	if found == nil {
		return "", nil
	}
	for _, a := range argument.FindAllStringSubmatch(found[2], -1) {
		texts = append(texts, strings.ReplaceAll(a[1], "''", "'"))
	}
	return found[1], texts
}

func unknown(query string) error {
	return fmt.Errorf("%s: this version of the program knows no such step of a migration", query)
}

// done is the result of a step.
type done struct{}

func (done) LastInsertId() (int64, error) { return 0, nil }
func (done) RowsAffected() (int64, error) { return 0, nil }

// refused is how many rows are named.
const refused = 5

func (s steps) refuse(ctx context.Context, says, query string) error {
	rows, err := s.QueryContext(ctx, query)
	if err != nil {
		return err
	}
	defer rows.Close()
	var found []string
	for rows.Next() {
		var row sql.NullString
		if err := rows.Scan(&row); err != nil {
			return err
		}
		if found = append(found, row.String); len(found) > refused {
			found[refused] = "and others"
			break
		}
	}
	if err := rows.Err(); err != nil || len(found) == 0 {
		return err
	}
	return &refusal{says + ": " + strings.Join(found, "; ")}
}

// refusal is the message for a person, without the statement around it.
type refusal struct{ says string }

func (r *refusal) Error() string { return ErrRefused.Error() + ": " + r.says }
func (r *refusal) Unwrap() error { return ErrRefused }

// batch is how many rows are folded at a time.
const batch = 1000

// folded is a row whose text has been folded, with its key.
type folded struct {
	key  []string
	text string
}

func (s steps) fold(ctx context.Context, table, column, into string) error {
	k, err := keysOf(ctx, s, s.database, table)
	if err != nil {
		return err
	}
	condition, args := "true", []any(nil)
	for {
		rows, err := s.texts(ctx, k, column, condition, fmt.Sprint("LIMIT ", batch), args...)
		if err != nil || len(rows) == 0 {
			return err
		}
		if err := s.database.fold(ctx, s.exec, k, pq.QuoteIdentifier(into), rows); err != nil {
			return err
		}
		condition, args = k.bound(">", 1), anys(rows[len(rows)-1].key)
	}
}

func anys(texts []string) (all []any) {
	for _, t := range texts {
		all = append(all, t)
	}
	return all
}

// texts reads the rows of which the condition holds, in the order of their keys, and
// folds the column's text of those that have one.
func (s steps) texts(ctx context.Context, k keys, column, condition, more string, args ...any) (all []folded, err error) {
	rows, err := s.QueryContext(ctx, fmt.Sprintf("SELECT %s, %s FROM %s WHERE %s AND %[2]s IS NOT NULL ORDER BY %[5]s %[6]s",
		k.list("CAST(%s AS text)"), pq.QuoteIdentifier(column), k.table, condition, k.list("%s"), more), args...)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	for rows.Next() {
		f := folded{key: make([]string, len(k.names))}
		dest := []any{}
		for i := range f.key {
			dest = append(dest, &f.key[i])
		}
		if err := rows.Scan(append(dest, &f.text)...); err != nil {
			return nil, err
		}
		f.text = fold.String(f.text)
		all = append(all, f)
	}
	return all, rows.Err()
}

// twice names, of an error that two texts are one once they are folded, the rows
// of those that were written which it can be about. Programs from before a
// migration could write both: the database folds less than the program does.
func twice(err error, table, into string, rows []folded) error {
	if !store.IsUnique(err) {
		return err
	}
	about := rows
	if e, ok := errors.AsType[*pq.Error](err); ok {
		about = nil
		for _, f := range rows {
			if strings.Contains(e.Detail, "("+f.text+")") {
				about = append(about, f)
			}
		}
	}
	var names []string
	for _, f := range about {
		names = append(names, fmt.Sprintf("%s (%s)", strings.Join(f.key, "/"), f.text))
	}
	column := strings.TrimSuffix(strings.Trim(into, `"`), "_fold")
	return &refusal{fmt.Sprintf("%s: no two rows may have the same %s, whatever the case: change or remove these, or the other row with that text: %s",
		strings.Trim(table, `"`), column, strings.Join(names, "; "))}
}
