package planner

import (
	"context"
	"database/sql"
	"strings"

	atlas "ariga.io/atlas/sql/migrate"
	atschema "ariga.io/atlas/sql/schema"
	"ariga.io/atlas/sql/sqlite"
	"entgo.io/ent/dialect/sql/schema"
	"github.com/lib/pq"

	"github.com/entwine-go/entwine/kit/store"
)

// sqliteDatabase is the [database] of one process.
type sqliteDatabase struct{ store.Dialect }

// scratch makes it in memory.
func (sqliteDatabase) scratch(context.Context) (*sql.DB, func() error, error) {
	db, err := sql.Open("sqlite", "file::memory:?_pragma=foreign_keys(1)")
	if err != nil {
		return nil, nil, err
	}
	db.SetMaxOpenConns(1) // each connection has a memory of its own
	return db, func() error { return nil }, nil
}

func (sqliteDatabase) open(db atschema.ExecQuerier) (atlas.Driver, error) { return FileDriver(db) }
func (sqliteDatabase) analyzers() string                                  { return sqlite.DriverName }
func (sqliteDatabase) live() bool                                         { return false }
func (sqliteDatabase) rewrites() bool                                     { return true }

func (sqliteDatabase) ignoreChecks(set string) string {
	return "PRAGMA ignore_check_constraints = " + set
}

func (sqliteDatabase) listOfIDs() string { return `group_concat("id", ', ')` }

func (sqliteDatabase) dropTrigger(name, _ string) string {
	return "DROP TRIGGER " + pq.QuoteIdentifier(name)
}

// collate has nothing to do: texts are compared so.
func (sqliteDatabase) collate([]*schema.Table) {}

// settle has nothing to do: checks are kept as they are written.
func (sqliteDatabase) settle(context.Context, *scratch) error { return nil }

func (sqliteDatabase) hidden(ctx context.Context, s *scratch) (names []string, err error) {
	rows, err := s.strings(ctx, "SELECT name FROM pragma_table_list WHERE type IN ('virtual', 'shadow') OR name IN ('"+objectTable+"', '"+keyedTable+"') OR type = 'table' AND (name LIKE '"+searchRows+"' ESCAPE '!' OR substr(name, 1, 7) = '"+byHand+"')")
	for _, r := range rows {
		names = append(names, r[0])
	}
	return names, err
}

func (sqliteDatabase) parts() string {
	return `SELECT CASE WHEN sql LIKE 'CREATE VIRTUAL TABLE%' THEN 'virtual table' ELSE type END, name, tbl_name, sql
FROM sqlite_master WHERE type IN ('trigger', 'view') OR type = 'table' AND (sql LIKE 'CREATE VIRTUAL TABLE%' OR name IN ('` + objectTable + `', '` + keyedTable + `') OR name LIKE '` + searchRows + `' ESCAPE '!')
	OR type = 'index' AND (substr(name, 1, length(tbl_name) + 7) = '` + unitsIndex + `' || tbl_name || '_' OR substr(name, 1, 7) = '` + byHand + `')
UNION ALL
SELECT 'generated column', c.name, t.name, substr(t.sql, instr(t.sql, '"' || c.name || '"'), instr(substr(t.sql, instr(t.sql, '"' || c.name || '"')), 'VIRTUAL'))
FROM sqlite_master t, pragma_table_xinfo(t.name) c WHERE t.type = 'table' AND c.hidden = 2`
}

// FileDriver is Atlas' driver of SQLite, which reads what a foreign key refers to by the names that the
// tables have, also where its declaration has them in another case or has no column.
func FileDriver(db atschema.ExecQuerier) (atlas.Driver, error) { return sqlite.Open(referring{db}) }

type referring struct{ atschema.ExecQuerier }

const (
	keysAtlas = "SELECT `id`, `from`, `to`, `table`, `on_update`, `on_delete` FROM pragma_foreign_key_list("
	keysNamed = `SELECT id, "from", COALESCE((SELECT c.name FROM pragma_table_info("table") AS c WHERE c.name = "to" COLLATE NOCASE), "to", (SELECT c.name FROM pragma_table_info("table") AS c WHERE c.pk = seq + 1), 'rowid'),
	COALESCE((SELECT m.name FROM sqlite_master AS m WHERE m.type = 'table' AND m.name = "table" COLLATE NOCASE), "table"), on_update, on_delete FROM pragma_foreign_key_list(`
)

func (n referring) QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error) {
	if of, keys := strings.CutPrefix(query, keysAtlas); keys {
		query = keysNamed + of
	}
	return n.ExecQuerier.QueryContext(ctx, query, args...)
}

func (sqliteDatabase) folds(t *atschema.Table, text, folded string) []Object {
	var key []string
	if t.PrimaryKey != nil {
		for _, p := range t.PrimaryKey.Parts {
			key = append(key, p.C.Name)
		}
	}
	return fileFolds(t.Name, text, folded, key)
}
