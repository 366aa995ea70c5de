package advise

import (
	"context"
	"database/sql"

	"github.com/entwine-go/entwine/kit/store"
)

// catalogue returns the tables of the database: the columns of each, and which
// of them an index of every row that is not deleted begins with.
func catalogue(ctx context.Context, db *store.DB) (map[string]*table, error) {
	asks := questionOf(db)
	tables := map[string]*table{}
	err := pairs(ctx, db, asks.columns, func(of, column string, rows int64) {
		if tables[of] == nil {
			tables[of] = &table{name: of, rows: rows, columns: map[string]bool{}, led: map[string]bool{}}
		}
		tables[of].columns[column] = true
	})
	if err == nil {
		err = pairs(ctx, db, asks.leading, func(of, column string, _ int64) {
			if tables[of] != nil {
				tables[of].led[column] = true
			}
		})
	}
	if err != nil || !asks.count {
		return tables, err
	}
	for _, t := range tables {
		if t.rows, err = number(ctx, db, `SELECT count(*) FROM "`+t.name+`"`); err != nil {
			return nil, err
		}
	}
	return tables, nil
}

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

// asked answers queries.
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
