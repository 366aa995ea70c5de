package advise

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strings"

	"github.com/entwine-go/entwine/kit/store"
)

func sqliteQuestion() question {
	return question{
		columns: `SELECT t.name, c.name, 0 FROM pragma_table_list() AS t JOIN pragma_table_xinfo(t.name) AS c
		WHERE t.schema = 'main' AND t.type = 'table' AND t.name NOT LIKE 'sqlite\_%' ESCAPE '\'`,
		count: true,
		leading: `SELECT t.name, c.name, 0 FROM pragma_table_list() AS t JOIN pragma_index_list(t.name) AS i JOIN pragma_index_info(i.name) AS c
		LEFT JOIN sqlite_schema AS s ON s.type = 'index' AND s.name = i.name
		WHERE t.schema = 'main' AND t.type = 'table' AND c.seqno = 0 AND c.name IS NOT NULL
		AND (i.partial = 0 OR replace(replace(s.sql, '` + "`" + `', ''), '"', '') LIKE '% WHERE deleted\_at IS NULL' ESCAPE '\')
		UNION ALL SELECT t.name, c.name, 0 FROM pragma_table_list() AS t JOIN pragma_table_info(t.name) AS c WHERE t.schema = 'main' AND t.type = 'table' AND c.pk = 1`,
		judge: sqliteJudge,
	}
}

// sqlite asks SQLite's planner, which knows the schema and the statistics and
// never looks at rows: so it is asked over an empty copy of the database, and
// the service goes on writing to the database itself.
type sqlite struct {
	from *store.DB
	copy *sql.Conn
}

func sqliteJudge(ctx context.Context, db *store.DB, _ Options, ask func(judge) error) (err error) {
	empty, err := store.Open(ctx, store.Config{URL: "sqlite::memory:"})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, empty.Close()) }()
	conn, err := empty.Session(ctx)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, conn.Close()) }()
	s := &sqlite{from: db, copy: conn}
	if err := s.fill(ctx); err != nil {
		return fmt.Errorf("copy the schema: %w", err)
	}
	return ask(s)
}

// fill makes the tables and indexes, and takes over the statistics that
// ANALYZE has left. Where there are none, it counts the rows.
func (s *sqlite) fill(ctx context.Context) error {
	made, err := lines(ctx, s.from, "SELECT sql FROM sqlite_schema WHERE type IN ('table', 'index', 'view') AND sql IS NOT NULL AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' ORDER BY rowid")
	if err != nil {
		return err
	}
	for _, text := range append(made, "ANALYZE") {
		if _, err := s.copy.ExecContext(ctx, text); err != nil && !strings.Contains(err.Error(), "already exists") { // the tables of a full-text index
			return err
		}
	}
	if there, err := number(ctx, s.from, "SELECT count(*) FROM sqlite_schema WHERE name = 'sqlite_stat1'"); err != nil || there == 0 {
		return errors.Join(err, s.count(ctx))
	}
	rows, err := s.from.QueryContext(ctx, "SELECT tbl, coalesce(idx, ''), stat FROM sqlite_stat1 WHERE stat IS NOT NULL")
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		var table, index, stat string
		if err := errors.Join(rows.Scan(&table, &index, &stat), s.know(ctx, table, index, stat)); err != nil {
			return err
		}
	}
	return errors.Join(rows.Err(), s.load(ctx))
}

// count writes the numbers of rows into the copy's statistics.
func (s *sqlite) count(ctx context.Context) error {
	tables, err := catalogue(ctx, s.from)
	if err != nil {
		return err
	}
	for _, t := range tables {
		if err := s.know(ctx, t.name, "", fmt.Sprint(t.rows)); err != nil {
			return err
		}
	}
	return s.load(ctx)
}

// know writes the statistics of an index into the copy, or of a table where it is empty.
func (s *sqlite) know(ctx context.Context, table, index, stat string) error {
	_, err := s.copy.ExecContext(ctx, "INSERT INTO sqlite_stat1 (tbl, idx, stat) VALUES (?1, nullif(?2, ''), ?3)", table, index, stat)
	return err
}

// load has the planner read what the copy knows.
func (s *sqlite) load(ctx context.Context) error {
	_, err := s.copy.ExecContext(ctx, "ANALYZE sqlite_schema")
	return err
}

func (s *sqlite) how() string { return "copy" }

// detail is a line of EXPLAIN QUERY PLAN.
func (s *sqlite) plan(ctx context.Context, text string) (plan Plan, err error) {
	rows, err := s.copy.QueryContext(ctx, "EXPLAIN QUERY PLAN "+text, make([]any, max(parameters(text), strings.Count(text, "?")))...)
	if err != nil {
		return plan, err
	}
	defer rows.Close()
	depth := map[int]int{}
	for rows.Next() {
		var id, parent, unused int
		var detail string
		if err := rows.Scan(&id, &parent, &unused, &detail); err != nil {
			return plan, err
		}
		depth[id] = depth[parent] + 1
		plan.Lines = append(plan.Lines, strings.Repeat("  ", depth[id]-1)+detail)
	}
	return plan, rows.Err()
}

// fewestValues is how many values a column has at least: of two, one is most of
// the rows, and the planner does not know which a statement asks for.
const fewestValues = 3

// with writes into the statistics how many rows have a value of the column on average.
func (s *sqlite) with(ctx context.Context, i index, try func(string) error) (err error) {
	where := ""
	if i.where != "" {
		where = " WHERE " + i.where
	}
	rows, err := number(ctx, s.from, fmt.Sprintf(`SELECT count(*) FROM "%s"%s`, i.table.name, where))
	if err != nil {
		return err
	}
	values, err := number(ctx, s.from, fmt.Sprintf(`SELECT count(*) FROM (SELECT DISTINCT "%s" FROM "%s"%s)`, i.column, i.table.name, where))
	if err != nil {
		return err
	}
	if values < fewestValues {
		return nil
	}
	stat := fmt.Sprintf("%d %d", rows, max(1, rows/max(1, values)))
	for range i.columns[1:] {
		stat += " 1"
	}
	if _, err := s.copy.ExecContext(ctx, i.create(indexName)); err != nil {
		return err
	}
	if err := errors.Join(s.know(ctx, i.table.name, indexName, stat), s.load(ctx)); err != nil {
		return err
	}
	err = try(indexName)
	_, dropped := s.copy.ExecContext(ctx, "DROP INDEX "+indexName) // and what is known of it
	return errors.Join(err, dropped)
}
