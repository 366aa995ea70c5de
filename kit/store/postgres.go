package store

import (
	"cmp"
	"fmt"
	"strconv"
	"time"

	"entgo.io/ent/dialect"
	"entgo.io/ent/schema/field"
	"github.com/lib/pq"

	"github.com/entwine-go/entwine/kit/expose"
)

// postgresDialect is the [Dialect] of PostgreSQL.
type postgresDialect struct{}

// Postgres reports whether the database is PostgreSQL, for tests: other code asks
// [DB.Dialect] for what it needs.
func (db *DB) Postgres() bool { return db.Dialect == postgresDialect{} }

func (postgresDialect) Name() string   { return dialect.Postgres }
func (postgresDialect) Title() string  { return "PostgreSQL" }
func (postgresDialect) Embedded() bool { return false }
func (postgresDialect) number() int    { return 0 }

func (postgresDialect) AppendBindVar(text []byte, n int) []byte {
	return strconv.AppendInt(append(text, '$'), int64(n), 10)
}

func (postgresDialect) Adapt(text string) string { return text }
func (postgresDialect) Now() string              { return "clock_timestamp()" }

func (postgresDialect) Later(seconds string) string {
	return "(clock_timestamp() + (" + seconds + ")::float8 * interval '1 second')"
}

func (postgresDialect) Since(time string) string {
	return "EXTRACT(EPOCH FROM clock_timestamp() - " + time + ")::float8"
}

func (postgresDialect) Day(time string) string {
	return "to_char(" + time + " AT TIME ZONE 'UTC', 'YYYY-MM-DD')"
}

func (postgresDialect) JSONRows(argument, alias, columns string) string {
	return "jsonb_to_recordset(" + argument + "::jsonb) AS " + alias + "(" + columns + ")"
}

func (postgresDialect) Cast(expression, as string) string {
	return "CAST(" + expression + " AS " + as + ")"
}

func (postgresDialect) StrictCasts() bool { return true }

func (postgresDialect) WritesInWith() bool { return true }

func (postgresDialect) Expression(c expose.Calc) string { return cmp.Or(c.SQL, c.Postgres) }

func (postgresDialect) ColumnType(t field.Type) string {
	switch {
	case t.Integer():
		return "bigint"
	case t.Float():
		return "double precision"
	case t == field.TypeBool:
		return "bool"
	case t == field.TypeTime:
		return "timestamptz"
	case t == field.TypeJSON:
		return "jsonb"
	case t == field.TypeBytes:
		return "bytea"
	case t == field.TypeUUID:
		return "uuid"
	}
	return "varchar"
}

func (postgresDialect) Tables() string {
	return "SELECT tablename FROM pg_tables WHERE schemaname = current_schema()"
}

// References asks the triggers of expose.CountOf in whose functions the row that counts is
// found by the column.
func (postgresDialect) References() string {
	return `SELECT child.relname, own.attname, parent.relname,
			CASE k.confdeltype WHEN 'c' THEN 'cascade' WHEN 'n' THEN 'set null' ELSE 'keeps' END,
			EXISTS (SELECT 1 FROM pg_trigger AS t JOIN pg_proc AS p ON p.oid = t.tgfoid WHERE t.tgrelid = child.oid
				AND t.tgname = 'tally_' || child.relname || '_on_delete' AND strpos(p.prosrc, 'OLD."' || own.attname || '"') > 0
				AND strpos(p.prosrc, 'UPDATE "' || parent.relname || '"') > 0)
		FROM pg_constraint AS k
		JOIN pg_class AS child ON child.oid = k.conrelid JOIN pg_class AS parent ON parent.oid = k.confrelid
		JOIN pg_attribute AS own ON own.attrelid = child.oid AND own.attnum = k.conkey[1]
		JOIN pg_attribute AS theirs ON theirs.attrelid = parent.oid AND theirs.attnum = k.confkey[1]
		WHERE k.contype = 'f' AND cardinality(k.conkey) = 1 AND theirs.attname = 'id' AND k.connamespace = current_schema()::regnamespace`
}

func (postgresDialect) RowAddress() string { return "ctid::text" }

func (postgresDialect) RowsAt(argument string) string {
	return "ctid = ANY(ARRAY(SELECT value::tid FROM jsonb_array_elements_text(" + argument + "::jsonb)))"
}

func (postgresDialect) ReadOnly() string {
	return "SELECT current_setting('transaction_read_only') = 'on'"
}

func (postgresDialect) CopyTo() string          { return "" }
func (postgresDialect) BulkLoad() bool          { return true }
func (postgresDialect) ReadsTriggersLate() bool { return false }
func (postgresDialect) SingleWriter() bool      { return false }

func (postgresDialect) AdvisoryLock(wait bool) string {
	if wait {
		return "SELECT pg_advisory_xact_lock($1)"
	}
	return "SELECT pg_try_advisory_xact_lock($1)"
}

func (postgresDialect) Unhurried() string {
	return "SET statement_timeout = 0; SET idle_in_transaction_session_timeout = 0"
}

func openPostgres(c Config) (*DB, error) {
	l, err := newLink(c.URL, c)
	if err != nil {
		return nil, err
	}
	db := &DB{Dialect: postgresDialect{}, link: l}
	if c.DirectURL != "" {
		direct, err := newLink(c.DirectURL, c)
		if err != nil {
			return nil, fmt.Errorf("ENTWINE_DATABASE_DIRECT_URL: %w", err)
		}
		db.past = direct
		db.direct = newPool(&connector{driver: pq.Driver{}, dial: direct.dial, statements: c.Statements, observer: c.Observer, figures: c.Figures, wrote: &db.wrote, lineage: new(lineage)}, c, directConns)
		db.direct.SetMaxIdleConns(0)
	}
	all := newPool(&connector{driver: pq.Driver{}, dial: l.dial, link: l, statements: c.Statements, observer: c.Observer, figures: c.Figures, wrote: &db.wrote, lineage: &db.lineage, followed: len(c.Replicas) > 0}, c, c.Conns)
	all.SetConnMaxIdleTime(5 * time.Minute)
	all.SetConnMaxLifetime(time.Hour)
	db.write, db.read = all, all
	return db, openReplicas(db, c)
}

// directConns bounds the connections past a pooler, each of which ends with its use.
const directConns = 4

// milliseconds writes a timeout as a setting, where 0 is never.
func milliseconds(d time.Duration) string {
	return strconv.FormatInt(max(d, 0).Milliseconds(), 10)
}
