package store

import (
	"context"
	"crypto/rand"
	"database/sql"
	"fmt"
	"strconv"
	"strings"
)

// Plan asks the database how it would run a statement whose arguments are not known, as
// lines of text. It does not run it.
func (db *DB) Plan(ctx context.Context, text string) ([]string, error) {
	if verb(text) == "EXPLAIN" || strings.Contains(text, ";") || !reads(text) && !changes(text) {
		return nil, fmt.Errorf("a %s has no plan", verb(text))
	}
	return db.Dialect.plan(ctx, db, text)
}

func (sqliteDialect) plan(ctx context.Context, db *DB, text string) ([]string, error) {
	return planOf(ctx, db, "EXPLAIN QUERY PLAN "+text, marks(text))
}

func (postgresDialect) plan(ctx context.Context, db *DB, text string) (lines []string, err error) {
	err = db.InTx(ctx, func(ctx context.Context) (err error) {
		name := "plan_" + strings.ToLower(rand.Text()) // the statement lasts as long as its connection where EXPLAIN fails
		for _, first := range []string{"SET LOCAL plan_cache_mode = force_generic_plan", "PREPARE " + name + " AS " + text} {
			if _, err := db.ExecContext(ctx, first); err != nil {
				return err
			}
		}
		unknown := strings.TrimSuffix(strings.Repeat("NULL, ", marks(text)), ", ")
		if unknown != "" {
			unknown = "(" + unknown + ")"
		}
		if lines, err = planOf(ctx, db, "EXPLAIN EXECUTE "+name+unknown, 0); err != nil {
			return err
		}
		_, err = db.ExecContext(ctx, "DEALLOCATE "+name)
		return err
	})
	return lines, err
}

// planOf reads the last column of each row, which is the text of the plan.
func planOf(ctx context.Context, db *DB, text string, unknown int) (lines []string, err error) {
	rows, err := db.QueryContext(ctx, text, make([]any, unknown)...)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	columns, err := rows.Columns()
	if err != nil {
		return nil, err
	}
	for rows.Next() {
		var line string
		to := make([]any, len(columns))
		for i := range to {
			to[i] = new(sql.RawBytes)
		}
		to[len(to)-1] = &line
		if err := rows.Scan(to...); err != nil {
			return nil, err
		}
		lines = append(lines, line)
	}
	return lines, rows.Err()
}

// marks counts the arguments that a text has marks for: $2 and ?2 are the second.
func marks(text string) (most int) {
	quoted := false
	for i := 0; i < len(text); i++ {
		switch text[i] {
		case '\'':
			quoted = !quoted
		case '$', '?':
			if quoted {
				continue
			}
			end := i + 1
			for end < len(text) && '0' <= text[end] && text[end] <= '9' {
				end++
			}
			switch n, err := strconv.Atoi(text[i+1 : end]); {
			case err == nil:
				most = max(most, n)
			case text[i] == '?':
				most++
			}
			i = end - 1
		}
	}
	return most
}
