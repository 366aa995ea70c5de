package advise

import (
	"context"
	"database/sql"

	"github.com/entwine-go/entwine/kit/store"
)

// catalogue returns the tables of the database: the columns of each, and which
// of them an index of every row that is not deleted begins with.
func catalogue(ctx context.Context, db *store.DB) (map[string]*table, error) {
	columns, leading := sqliteColumns, sqliteLeading
	if db.Postgres() {
		columns, leading = postgresColumns, postgresLeading
	}
	tables := map[string]*table{}
	err := pairs(ctx, db, columns, func(of, column string, rows int64) {
		if tables[of] == nil {
			tables[of] = &table{name: of, rows: rows, columns: map[string]bool{}, led: map[string]bool{}}
		}
		tables[of].columns[column] = true
	})
	if err == nil {
		err = pairs(ctx, db, leading, func(of, column string, _ int64) {
			if tables[of] != nil {
				tables[of].led[column] = true
			}
		})
	}
	if err != nil || db.Postgres() {
		return tables, err
	}
	for _, t := range tables {
		if t.rows, err = number(ctx, db, `SELECT count(*) FROM "`+t.name+`"`); err != nil {
			return nil, err
		}
	}
	return tables, nil
}

// The columns, and how many rows PostgreSQL thinks that there are.
const (
	postgresColumns = `SELECT c.relname, a.attname, greatest(c.reltuples, s.n_live_tup, 0)::bigint
		FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid LEFT JOIN pg_stat_user_tables s ON s.relid = c.oid
		WHERE c.relkind IN ('r', 'p') AND pg_table_is_visible(c.oid) AND c.relnamespace = current_schema()::regnamespace AND a.attnum > 0 AND NOT a.attisdropped`
	sqliteColumns = `SELECT t.name, c.name, 0 FROM pragma_table_list() AS t JOIN pragma_table_xinfo(t.name) AS c
		WHERE t.schema = 'main' AND t.type = 'table' AND t.name NOT LIKE 'sqlite\_%' ESCAPE '\'`
)

// The columns that indexes begin with. One of a part of the rows counts where
// the rest is deleted.
const (
	postgresLeading = `SELECT c.relname, a.attname, 0 FROM pg_index i JOIN pg_class c ON c.oid = i.indrelid
		JOIN pg_attribute a ON a.attrelid = i.indrelid AND a.attnum = i.indkey[0]
		WHERE pg_table_is_visible(c.oid) AND (i.indpred IS NULL OR pg_get_expr(i.indpred, i.indrelid) = '(deleted_at IS NULL)')`
	sqliteLeading = `SELECT t.name, c.name, 0 FROM pragma_table_list() AS t JOIN pragma_index_list(t.name) AS i JOIN pragma_index_info(i.name) AS c
		LEFT JOIN sqlite_schema AS s ON s.type = 'index' AND s.name = i.name
		WHERE t.schema = 'main' AND t.type = 'table' AND c.seqno = 0 AND c.name IS NOT NULL
		AND (i.partial = 0 OR replace(replace(s.sql, '` + "`" + `', ''), '"', '') LIKE '% WHERE deleted\_at IS NULL' ESCAPE '\')
		UNION ALL SELECT t.name, c.name, 0 FROM pragma_table_list() AS t JOIN pragma_table_info(t.name) AS c WHERE t.schema = 'main' AND t.type = 'table' AND c.pk = 1`
)

func pairs(ctx context.Context, db *store.DB, text string, each func(table, column string, n int64)) error {
	rows, err := db.QueryContext(ctx, text)
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		var table, column string
		var n int64
		if err := rows.Scan(&table, &column, &n); err != nil {
			return err
		}
		each(table, column, n)
	}
	return rows.Err()
}

// asked is what answers a query.
type asked interface {
	QueryContext(ctx context.Context, text string, args ...any) (*sql.Rows, error)
}

// number is the first column of the only row.
func number(ctx context.Context, db asked, text string, args ...any) (n int64, err error) {
	rows, err := db.QueryContext(ctx, text, args...)
	if err != nil {
		return 0, err
	}
	defer rows.Close()
	if rows.Next() {
		err = rows.Scan(&n)
	}
	if err == nil {
		err = rows.Err()
	}
	return n, err
}
