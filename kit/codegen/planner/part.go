package planner

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"entgo.io/ent/dialect"
	"github.com/lib/pq"
)

// part is something in a database that Ent doesn't know, as the database
// describes it. An [Object] is one part or several.
type part struct {
	kind, name, table, text string
}

// key tells parts apart.
func (p part) key() string { return p.kind + " " + p.name + " on " + p.table }

// early reports whether the part is dropped before the tables change rather
// than after: tables can't need it, but it may stand in their way.
func (p part) early() bool { return p.kind != "function" && p.kind != "extension" }

// rank orders drops: triggers read columns that are generated, whose indexes
// go with them.
func (p part) rank() int {
	ranks := []string{"trigger", "view", "materialized view", "index", "generated column"}
	if i := slices.Index(ranks, p.kind); i >= 0 {
		return i
	}
	return len(ranks)
}

// drop is the statement that removes the part.
func (p part) drop(dialectName string) string {
	quote := pq.QuoteIdentifier
	switch {
	case p.kind == "trigger" && dialectName == dialect.Postgres:
		return "DROP TRIGGER " + quote(p.name) + " ON " + quote(p.table)
	case p.kind == "function":
		return "DROP FUNCTION " + p.name // has its arguments
	case p.kind == "generated column":
		return "ALTER TABLE " + quote(p.table) + " DROP COLUMN " + quote(p.name)
	case p.kind == "index":
		return "DROP INDEX IF EXISTS " + quote(p.name) // it goes with its column
	case p.kind == "virtual table" || p.kind == "table":
		return "DROP TABLE " + quote(p.name)
	case p.kind == "trigger":
		return "DROP TRIGGER " + quote(p.name)
	case p.kind == "view":
		return "DROP VIEW " + quote(p.name)
	}
	return "DROP EXTENSION " + quote(p.name)
}

// mentions reports whether the part's text has the table's name in it.
func (p part) mentions(table string) bool {
	return p.table == table || mentions(p.text, table)
}

// These begin the names of indexes and tables that are objects: all others are
// Ent's.
const (
	objectIndex = "search_"
	unitsIndex  = "units_"
)

const (
	sqliteParts = `SELECT CASE WHEN type = 'table' THEN 'virtual table' ELSE type END, name, tbl_name, sql
FROM sqlite_master WHERE type IN ('trigger', 'view') OR type = 'table' AND sql LIKE 'CREATE VIRTUAL TABLE%'
	OR type = 'index' AND substr(name, 1, 6) = '` + unitsIndex + `'
UNION ALL
SELECT 'generated column', c.name, t.name, substr(t.sql, instr(t.sql, '"' || c.name || '"'), instr(substr(t.sql, instr(t.sql, '"' || c.name || '"')), 'VIRTUAL'))
FROM sqlite_master t, pragma_table_xinfo(t.name) c WHERE t.type = 'table' AND c.hidden = 2`

	postgresParts = `
SELECT 'trigger', t.tgname::text, c.relname::text, pg_get_triggerdef(t.oid)
FROM pg_trigger t JOIN pg_class c ON c.oid = t.tgrelid
WHERE c.relnamespace = current_schema()::regnamespace AND NOT t.tgisinternal
UNION ALL
SELECT 'function', p.oid::regprocedure::text, '', pg_get_functiondef(p.oid)
FROM pg_proc p
WHERE p.pronamespace = current_schema()::regnamespace AND p.prokind IN ('f', 'p')
	AND NOT EXISTS (SELECT FROM pg_depend d WHERE d.objid = p.oid AND d.deptype = 'e')
UNION ALL
SELECT CASE relkind WHEN 'v' THEN 'view' ELSE 'materialized view' END, c.relname::text, '', pg_get_viewdef(c.oid)
FROM pg_class c
WHERE c.relnamespace = current_schema()::regnamespace AND relkind IN ('v', 'm')
	AND NOT EXISTS (SELECT FROM pg_depend d WHERE d.objid = c.oid AND d.deptype = 'e')
UNION ALL
SELECT 'generated column', a.attname::text, c.relname::text, pg_get_expr(d.adbin, d.adrelid)
FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid JOIN pg_attrdef d ON d.adrelid = a.attrelid AND d.adnum = a.attnum
WHERE c.relnamespace = current_schema()::regnamespace AND a.attgenerated <> ''
UNION ALL
SELECT 'index', c.relname::text, i.indrelid::regclass::text, pg_get_indexdef(c.oid)
FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid
WHERE c.relnamespace = current_schema()::regnamespace AND (starts_with(c.relname, '` + objectIndex + `') OR starts_with(c.relname, '` + unitsIndex + `'))
UNION ALL
SELECT 'table', c.relname::text, '', (SELECT string_agg(a.attname || ' ' || format_type(a.atttypid, a.atttypmod), ', ' ORDER BY a.attnum) FROM pg_attribute a WHERE a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped)
FROM pg_class c
WHERE c.relnamespace = current_schema()::regnamespace AND relkind = 'r' AND starts_with(c.relname, '` + objectIndex + `')
UNION ALL
SELECT 'extension', extname::text, '', '' FROM pg_extension WHERE extname <> 'plpgsql'`
)

// parts reads what the database has, by key.
func (s *scratch) parts(ctx context.Context) (map[string]part, error) {
	query := postgresParts
	if s.dialect == dialect.SQLite {
		query = sqliteParts
	}
	rows, err := s.strings(ctx, query)
	if err != nil {
		return nil, fmt.Errorf("read triggers and functions: %w", err)
	}
	all := make(map[string]part, len(rows))
	for _, r := range rows {
		p := part{kind: r[0], name: r[1], table: r[2], text: r[3]}
		if !strings.HasPrefix(p.name, syncing) {
			all[p.key()] = p
		}
	}
	return all, nil
}

// readSyncs reads the triggers that migrations have left for programs from
// before them, and their functions.
func (s *state) readSyncs(ctx context.Context) error {
	if s.dialect != dialect.Postgres {
		return nil
	}
	rows, err := s.strings(ctx, `SELECT t.tgname::text, c.relname::text, pg_get_functiondef(t.tgfoid)
FROM pg_trigger t JOIN pg_class c ON c.oid = t.tgrelid
WHERE c.relnamespace = current_schema()::regnamespace AND starts_with(t.tgname, '`+syncing+`') ORDER BY 1`)
	if err != nil {
		return fmt.Errorf("read triggers: %w", err)
	}
	s.functions = map[string]string{}
	for _, r := range rows {
		s.syncs = append(s.syncs, part{kind: "trigger", name: r[0], table: r[1]})
		s.functions[r[0]] = r[2]
	}
	return nil
}

// make makes the objects and returns the keys of what each has made.
func (s *scratch) make(ctx context.Context, objects []Object) ([][]string, error) {
	made := make([][]string, len(objects))
	if len(objects) == 0 {
		return made, nil
	}
	before, err := s.parts(ctx)
	if err != nil {
		return nil, err
	}
	for i, o := range objects {
		if err := s.run(ctx, o.Create); err != nil {
			return nil, fmt.Errorf("make %s: %w", o.Name, err)
		}
		after, err := s.parts(ctx)
		if err != nil {
			return nil, err
		}
		for key := range maps.Keys(after) {
			if _, had := before[key]; !had {
				made[i] = append(made[i], key)
			}
		}
		before = after
	}
	return made, nil
}
