package adopt

import (
	"context"
	"database/sql"
	"slices"
)

// creations are the statements themselves, which SQLite keeps: of all tables, adopted or
// not, with their indexes, views and triggers. A table that is made anew later loses its
// triggers, and has to get them again; and it can't be while a view names a table that
// is not there.
func (sqliteKind) creations(ctx context.Context, db *sql.DB, _ []string) (texts []string, err error) {
	all, err := lines(ctx, db, `SELECT tbl_name, sql FROM sqlite_master WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite\_%' ESCAPE '\'
	AND tbl_name NOT IN (SELECT name FROM pragma_table_list WHERE type IN ('virtual', 'shadow'))
ORDER BY CASE type WHEN 'table' THEN 1 WHEN 'index' THEN 2 WHEN 'view' THEN 3 ELSE 4 END, rowid`)
	for _, row := range all {
		if !slices.Contains(own, row[0]) {
			texts = append(texts, row[1])
		}
	}
	return texts, err
}
