package planner

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strings"

	atlas "ariga.io/atlas/sql/migrate"
	"ariga.io/atlas/sql/postgres"
	atschema "ariga.io/atlas/sql/schema"
	"entgo.io/ent/dialect"
	"entgo.io/ent/dialect/sql/schema"
	"entgo.io/ent/schema/field"
	"github.com/lib/pq"

	"github.com/entwine-go/entwine/kit/pgserver"
	"github.com/entwine-go/entwine/kit/store"
)

// postgresDatabase is the [database] on servers.
type postgresDatabase struct{ store.Dialect }

// scratch makes it on the server that tests use, or on the one that
// ENTWINE_DEV_DATABASE_URL names.
func (postgresDatabase) scratch(ctx context.Context) (*sql.DB, func() error, error) {
	server, err := pgserver.Dev(ctx)
	if err != nil {
		return nil, nil, &ServerError{err}
	}
	address, drop, err := pgserver.Scratch(ctx, server)
	if err != nil {
		return nil, nil, err
	}
	db, err := sql.Open("postgres", address)
	if err != nil {
		return nil, nil, errors.Join(err, drop())
	}
	return db, drop, nil
}

func (postgresDatabase) open(db atschema.ExecQuerier) (atlas.Driver, error) { return postgres.Open(db) }
func (postgresDatabase) analyzers() string                                  { return postgres.DriverName }
func (postgresDatabase) live() bool                                         { return true }
func (postgresDatabase) rewrites() bool                                     { return false }
func (postgresDatabase) ignoreChecks(string) string                         { return "" }

func (postgresDatabase) listOfIDs() string {
	return `string_agg(CAST("id" AS text), ', ' ORDER BY "id")`
}

func (postgresDatabase) dropTrigger(name, table string) string {
	return "DROP TRIGGER " + pq.QuoteIdentifier(name) + " ON " + pq.QuoteIdentifier(table)
}

// collate has every text compared by its bytes, as SQLite does, so that both sort alike,
// whatever the database's own order is.
func (postgresDatabase) collate(tables []*schema.Table) {
	for _, t := range tables {
		for _, c := range t.Columns {
			if c.Collation == "" && isText(c) {
				c.Collation = "C"
			}
		}
	}
}

func isText(c *schema.Column) bool {
	if t := strings.ToLower(c.SchemaType[dialect.Postgres]); t != "" {
		return t == "text" || strings.HasPrefix(t, "varchar") || strings.HasPrefix(t, "char")
	}
	return c.Type == field.TypeString || c.Type == field.TypeEnum
}

// settle has PostgreSQL read the checks as it writes them: "a IN ('b')"
// becomes an array, and that read again a longer one. Migrations have the one or
// the other.
func (postgresDatabase) settle(ctx context.Context, s *scratch) error {
	const checks = `SELECT conrelid::regclass::text, quote_ident(conname), pg_get_constraintdef(oid) FROM pg_constraint
WHERE contype = 'c' AND conrelid <> 0 AND connamespace = current_schema()::regnamespace`
	for range 2 { // then it is at rest
		rows, err := s.strings(ctx, checks)
		if err != nil {
			return err
		}
		var again strings.Builder
		for _, r := range rows {
			fmt.Fprintf(&again, "ALTER TABLE %s DROP CONSTRAINT %s, ADD CONSTRAINT %[2]s %s;\n", r[0], r[1], r[2])
		}
		if _, err := s.ExecContext(ctx, again.String()); err != nil {
			return fmt.Errorf("read checks again: %w", err)
		}
	}
	return nil
}

func (postgresDatabase) hidden(context.Context, *scratch) ([]string, error) {
	return []string{objectIndex + "*", byHand + "*", objectTable, keyedTable}, nil
}

func (postgresDatabase) parts() string {
	return `
SELECT 'trigger', t.tgname::text, c.relname::text, pg_get_triggerdef(t.oid)
FROM pg_trigger t JOIN pg_class c ON c.oid = t.tgrelid
WHERE c.relnamespace = current_schema()::regnamespace AND NOT t.tgisinternal
UNION ALL
SELECT 'function', p.oid::regprocedure::text, '', pg_get_functiondef(p.oid)
FROM pg_proc p
WHERE p.pronamespace = current_schema()::regnamespace AND p.prokind IN ('f', 'p')
	AND NOT EXISTS (SELECT FROM pg_depend d WHERE d.classid = 'pg_proc'::regclass AND d.objid = p.oid AND d.deptype = 'e')
UNION ALL
SELECT CASE relkind WHEN 'v' THEN 'view' ELSE 'materialized view' END, c.relname::text, '', pg_get_viewdef(c.oid)
FROM pg_class c
WHERE c.relnamespace = current_schema()::regnamespace AND relkind IN ('v', 'm')
	AND NOT EXISTS (SELECT FROM pg_depend d WHERE d.classid = 'pg_class'::regclass AND d.objid = c.oid AND d.deptype = 'e')
UNION ALL
SELECT 'generated column', a.attname::text, c.relname::text, pg_get_expr(d.adbin, d.adrelid)
FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid JOIN pg_attrdef d ON d.adrelid = a.attrelid AND d.adnum = a.attnum
WHERE c.relnamespace = current_schema()::regnamespace AND a.attgenerated <> ''
UNION ALL
SELECT 'index', c.relname::text, i.indrelid::regclass::text, pg_get_indexdef(c.oid)
FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid
WHERE c.relnamespace = current_schema()::regnamespace AND (starts_with(c.relname, '` + objectIndex + `') OR starts_with(c.relname, '` + unitsIndex + `' || (SELECT relname FROM pg_class WHERE oid = i.indrelid) || '_') OR starts_with(c.relname, '` + byHand + `'))
UNION ALL
SELECT 'table', c.relname::text, '', (SELECT string_agg(a.attname || ' ' || format_type(a.atttypid, a.atttypmod), ', ' ORDER BY a.attnum) FROM pg_attribute a WHERE a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped)
FROM pg_class c
WHERE c.relnamespace = current_schema()::regnamespace AND relkind = 'r' AND (starts_with(c.relname, '` + objectIndex + `') OR c.relname IN ('` + objectTable + `', '` + keyedTable + `'))
UNION ALL
SELECT 'sequence', c.relname::text, '', ''
FROM pg_class c
WHERE c.relnamespace = current_schema()::regnamespace AND relkind = 'S' AND (starts_with(c.relname, '` + objectIndex + `') OR c.relname = '` + objectSequence + `')
UNION ALL
SELECT 'extension', extname::text, '', '' FROM pg_extension WHERE extname <> 'plpgsql'`
}

func (postgresDatabase) folds(t *atschema.Table, text, folded string) []Object {
	table := t.Name
	name := pq.QuoteIdentifier(foldName(table, text))
	return []Object{
		{Name: name + " (function)", Create: fmt.Sprintf("CREATE OR REPLACE FUNCTION %s() RETURNS trigger LANGUAGE plpgsql AS $$\nBEGIN\n\t%s\n\tRETURN NEW;\nEND $$", name, foldedAlong(text, folded))},
		{Name: name, Create: fmt.Sprintf("CREATE TRIGGER %s BEFORE INSERT OR UPDATE ON %s FOR EACH ROW EXECUTE FUNCTION %[1]s()", name, pq.QuoteIdentifier(table))},
	}
}
