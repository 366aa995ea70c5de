package store

import (
	"cmp"
	"context"
	"database/sql/driver"
	"maps"
	"strconv"
	"time"

	"entgo.io/ent/dialect"
	"entgo.io/ent/schema/field"
	"github.com/lib/pq"

	"github.com/entwine-go/entwine/kit/expose"
	"github.com/entwine-go/entwine/kit/internal/fastpath"
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
	config, err := pq.NewConfig(HostsURL(c.URL))
	if err != nil {
		return nil, err
	}
	if config.ApplicationName == "" {
		config.ApplicationName = "entwine"
	}
	if config.ConnectTimeout == 0 {
		config.ConnectTimeout = 5 * time.Second
	}
	settings := map[string]string{
		"timezone":          "UTC",
		"statement_timeout": milliseconds(c.StatementTimeout),
		"lock_timeout":      milliseconds(c.LockTimeout),
		// A transaction whose process hangs must not hold its locks for ever.
		"idle_in_transaction_session_timeout": milliseconds(time.Minute),
	}
	maps.Copy(settings, config.Runtime) // the URL's word is the last
	config.Runtime = settings
	patience := time.Duration(0)
	if c.StatementTimeout > 0 {
		patience = c.StatementTimeout + grace
	}
	dial := func(ctx context.Context) (driver.Conn, *wire, error) {
		base, err := pq.NewConnectorConfig(config.Clone())
		if err != nil {
			return nil, nil, err
		}
		d := &dialer{patience: patience, plain: config.SSLMode == pq.SSLModeDisable && !config.DisablePreparedBinaryResult && !fastpath.Off()}
		base.Dialer(d)
		c, err := base.Connect(ctx)
		d.connected.Store(err == nil)
		return c, d.last.Load(), err
	}
	db := &DB{Dialect: postgresDialect{}}
	all := newPool(&connector{driver: pq.Driver{}, dial: dial, statements: c.Statements, observer: c.Observer, figures: c.Figures, wrote: &db.wrote, lineage: &db.lineage}, c, c.Conns)
	all.SetConnMaxIdleTime(5 * time.Minute)
	all.SetConnMaxLifetime(time.Hour)
	db.write, db.read = all, all
	return db, nil
}

// milliseconds writes a timeout as a setting, where 0 is never.
func milliseconds(d time.Duration) string {
	return strconv.FormatInt(max(d, 0).Milliseconds(), 10)
}
