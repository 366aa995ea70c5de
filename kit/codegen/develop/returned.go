package develop

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/lib/pq"

	"github.com/entwine-go/entwine/kit/codegen/planner"
	"github.com/entwine-go/entwine/kit/migration"
	"github.com/entwine-go/entwine/kit/store"
)

// returned puts values back from the copies: of a column or a table that is
// there again, as after a git switch and back, and of a column that is said to
// be another one's rename only now. Rows are found by their keys. Values
// that can't be put back stay in their copy, and are reported.
func (k keeper) returned(ctx context.Context, db *store.DB, renames []planner.Rename, tell func(text string)) error {
	all, err := k.all()
	if err != nil {
		return err
	}
	conn, err := db.Session(ctx)
	if err != nil {
		return err
	}
	defer conn.Close()
	back := map[string]bool{} // what a newer copy had
	for _, c := range all {
		if len(c.Lost) == 0 {
			continue
		}
		a := &attached{Conn: conn, copy: c}
		if err := a.attach(ctx); err != nil {
			return err
		}
		before := len(c.Lost)
		c.Lost = slices.DeleteFunc(c.Lost, func(name string) bool {
			if back[name] {
				return true
			}
			text, done, err := a.putBack(ctx, name, renames)
			if err != nil {
				text = fmt.Sprintf("%s is there again, and its values can't be put back: %v. They are in %s", name, err, c.file)
			}
			if text != "" {
				tell(text)
			}
			back[name] = done
			return done
		})
		if _, err := conn.ExecContext(ctx, "DETACH DATABASE kept"); err != nil {
			return err
		}
		if len(c.Lost) < before {
			if err := c.write(); err != nil {
				return err
			}
		}
	}
	return nil
}

// attached is a copy beside the database.
type attached struct {
	*sql.Conn
	copy *kept
}

func (a *attached) attach(ctx context.Context) error {
	_, err := a.ExecContext(ctx, "ATTACH DATABASE ? AS kept", a.copy.file)
	return err
}

// putBack puts back the values of the table or column, if there is one to take
// them.
func (a *attached) putBack(ctx context.Context, name string, renames []planner.Rename) (text string, done bool, err error) {
	table, column, isColumn := strings.Cut(name, ".")
	now, err := a.columns(ctx, "main", table)
	if err != nil || len(now) == 0 {
		return "", false, err
	}
	was, err := a.columns(ctx, "kept", table)
	if err != nil {
		return "", false, err
	}
	if !isColumn {
		return a.rows(ctx, table, now, was)
	}
	to, only := column, ""
	i := slices.IndexFunc(renames, func(r planner.Rename) bool { return r.Table == table && r.From == column })
	if _, has := now[column]; !has && i >= 0 {
		to, only = renames[i].To, " AND (%[1]s IS NULL OR %[1]s IN ('', 0) OR %[1]s IS "+byDefault(now[renames[i].To])+")"
	}
	if now[to].name == "" || now[to].kind != was[column].kind {
		return "", false, nil
	}
	return a.values(ctx, table, column, to, only, now)
}

// column is one of a table, as SQLite describes it.
type column struct {
	name, kind string
	key        bool
	initial    sql.NullString
}

func byDefault(c column) string {
	if c.initial.Valid {
		return "(" + c.initial.String + ")"
	}
	return "NULL"
}

// tables are those of the database that hold rows of entities.
func (a *attached) tables(ctx context.Context) (all []string, err error) {
	rows, err := a.QueryContext(ctx, "SELECT name FROM pragma_table_list WHERE schema = 'main' AND type = 'table' AND name NOT LIKE 'sqlite%' AND name NOT IN (?, ?, ?) AND name NOT LIKE 'search!_%!_rows' ESCAPE '!'",
		migration.Table, migration.DevelopmentTable, migration.AtlasTable)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	for rows.Next() {
		var name string
		if err := rows.Scan(&name); err != nil {
			return nil, err
		}
		all = append(all, name)
	}
	return all, rows.Err()
}

// columns are those of the table that are written, by name.
func (a *attached) columns(ctx context.Context, schema, table string) (map[string]column, error) {
	rows, err := a.QueryContext(ctx, "SELECT name, type, pk, dflt_value FROM pragma_table_xinfo(?, ?) WHERE hidden = 0", table, schema)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	all := map[string]column{}
	for rows.Next() {
		var c column
		var key int
		if err := rows.Scan(&c.name, &c.kind, &key, &c.initial); err != nil {
			return nil, err
		}
		c.key = key > 0
		all[c.name] = c
	}
	return all, rows.Err()
}

// values puts back those of a column.
func (a *attached) values(ctx context.Context, table, from, to, only string, now map[string]column) (string, bool, error) {
	quote := pq.QuoteIdentifier
	var same []string
	for _, c := range now {
		if c.key {
			same = append(same, fmt.Sprintf("k.%[1]s = t.%[1]s", quote(c.name)))
		}
	}
	if len(same) == 0 {
		return "", false, errors.New("the table has no key")
	}
	if only != "" {
		only = fmt.Sprintf(only, "t."+quote(to))
	}
	match := fmt.Sprintf("FROM kept.%s k WHERE %s AND k.%s IS NOT NULL", quote(table), strings.Join(same, " AND "), quote(from))
	n, err := a.write(ctx, fmt.Sprintf("UPDATE main.%s AS t SET %s = (SELECT k.%s %s) WHERE EXISTS (SELECT 1 %[4]s)%s", quote(table), quote(to), quote(from), match, only))
	if err != nil {
		return "", false, err
	}
	what := table + "." + to + " is there again"
	if from != to {
		what = table + "." + to + " was " + from
	}
	return fmt.Sprintf("%s: the values of %d rows are put back from %s", what, n, a.copy.file), true, nil
}

// rows puts back those of a table.
func (a *attached) rows(ctx context.Context, table string, now, was map[string]column) (string, bool, error) {
	var names []string
	for name := range was {
		if now[name].kind == was[name].kind && now[name].name != "" {
			names = append(names, pq.QuoteIdentifier(name))
		}
	}
	slices.Sort(names)
	list, quoted := strings.Join(names, ", "), pq.QuoteIdentifier(table)
	n, err := a.write(ctx, fmt.Sprintf("INSERT INTO main.%s (%s) SELECT %[2]s FROM kept.%[1]s WHERE true ON CONFLICT DO NOTHING", quoted, list))
	if err != nil {
		return "", false, err
	}
	return fmt.Sprintf("%s is there again: %d rows are put back from %s", table, n, a.copy.file), true, nil
}

// write runs one statement, and returns how many rows it has written.
func (a *attached) write(ctx context.Context, text string) (int64, error) {
	result, err := a.ExecContext(ctx, text)
	if err != nil {
		return 0, err
	}
	return result.RowsAffected()
}
