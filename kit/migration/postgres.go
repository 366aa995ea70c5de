package migration

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	atlas "ariga.io/atlas/sql/migrate"
	"github.com/lib/pq"

	"github.com/entwine-go/entwine/kit/store"
)

// postgresDatabase is the [database] that other processes go on using.
type postgresDatabase struct{ store.Dialect }

func (postgresDatabase) folder() string    { return "postgres" }
func (postgresDatabase) live() bool        { return true }
func (postgresDatabase) text() string      { return `text COLLATE "C"` }
func (postgresDatabase) moment() string    { return "timestamptz" }
func (postgresDatabase) namespace() string { return "public" }

func (postgresDatabase) atlas() string {
	return `(version character varying NOT NULL PRIMARY KEY, description character varying NOT NULL, type bigint NOT NULL DEFAULT 2, applied bigint NOT NULL DEFAULT 0, total bigint NOT NULL DEFAULT 0,
	executed_at timestamptz NOT NULL, execution_time bigint NOT NULL, error text NULL, error_stmt text NULL, hash character varying NOT NULL, partial_hashes jsonb NULL, operator_version character varying NOT NULL)`
}

func (postgresDatabase) cut() atlas.ScannerOptions {
	return atlas.ScannerOptions{MatchBegin: true, MatchBeginAtomic: true, MatchDollarQuote: true, EscapedStringExt: true}
}

func (postgresDatabase) exists() string {
	return "SELECT relname FROM pg_class WHERE oid = to_regclass($1)"
}

func (postgresDatabase) columnsOf() string {
	return "SELECT attname::text FROM pg_attribute WHERE attrelid = to_regclass(quote_ident($1)) AND attnum > 0 AND NOT attisdropped"
}

// lockKey is the advisory lock of those who migrate: "entwine" in ASCII.
const lockKey = 0x656e7477696e65

// migrating are the processes that hold the lock.
var migrating = fmt.Sprintf(`pid IN (SELECT pid FROM pg_locks WHERE locktype = 'advisory' AND granted
	AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
	AND classid::bigint = %d AND objid::bigint = %d)`, lockKey>>32, lockKey&0xffffffff)

// reserveNoticed is after how long a wait for another migration is said, so that who
// starts a process sees within two seconds what it waits for.
const reserveNoticed = 1500 * time.Millisecond

// reserve takes an advisory lock. The lock goes with the
// connection. It is asked for again and again: a statement that waits for it
// would be one that CREATE INDEX CONCURRENTLY of the other process waits for.
func (postgresDatabase) reserve(ctx context.Context, t *target) error {
	if err := t.conn.QueryRowContext(ctx, "SELECT pg_backend_pid()").Scan(&t.pid); err != nil {
		return fmt.Errorf("wait for another migration: %w", err)
	}
	began, said := time.Now(), time.Now()
	for pause := 5 * time.Millisecond; ; pause = min(2*pause, 250*time.Millisecond) {
		var locked bool
		if err := t.conn.QueryRowContext(ctx, fmt.Sprintf("SELECT pg_try_advisory_lock(%d)", lockKey)).Scan(&locked); err != nil {
			return fmt.Errorf("wait for another migration: %w", err)
		}
		if locked {
			return nil
		}
		if now := time.Now(); now.Sub(said) > reserveNoticed {
			said = now
			holders, _ := t.activity(ctx, migrating) // what it waits for is said without them, too
			t.say(Notice{File: "all", Statement: "begin, after another process that migrates", Waits: now.Sub(began), Holders: holders})
		}
		if err := sleep(ctx, pause); err != nil {
			return fmt.Errorf("wait for another migration: %w", err)
		}
	}
}

func (postgresDatabase) begin(ctx context.Context, t *target) (*fileTx, error) {
	tx, err := t.beginPatient(ctx, t.lockTimeout())
	if err != nil {
		return nil, err
	}
	return &fileTx{tx, tx.Commit, tx.Rollback}, nil
}

// beginPatient begins a transaction whose statements wait so long for locks,
// 0 for as long as it takes.
func (t *target) beginPatient(ctx context.Context, wait time.Duration) (*sql.Tx, error) {
	tx, err := t.conn.BeginTx(ctx, nil)
	if err != nil {
		return nil, err
	}
	if _, err := tx.ExecContext(ctx, fmt.Sprintf("SET LOCAL lock_timeout = %d", wait.Milliseconds())); err != nil {
		return nil, errors.Join(err, tx.Rollback())
	}
	return tx, nil
}

func (postgresDatabase) notice(e *Effect, live, own, proved bool) {
	switch {
	case own:
		e.Lock, e.Hold = "", None
	case proved && strings.HasSuffix(e.Words, " is required"):
		e.Hold = Instant
	case !live && e.Hold == Batches:
		e.Hold = Rewrite
	}
	e.Reads = e.Lock == accessExclusive
	e.Writes = e.Reads || e.Lock == shareRowExclusive || e.Lock == share || e.Lock == rows && e.Hold == Rewrite
}

func (postgresDatabase) primaryKey() string {
	return `SELECT quote_ident(a.attname), format_type(a.atttypid, a.atttypmod)
FROM pg_index i CROSS JOIN LATERAL unnest(i.indkey::int[]) WITH ORDINALITY AS k (n, place)
	JOIN pg_attribute a ON a.attrelid = i.indrelid AND a.attnum = k.n
WHERE i.indrelid = to_regclass(quote_ident($1)) AND i.indisprimary ORDER BY k.place`
}

func (postgresDatabase) fold(ctx context.Context, exec func(ctx context.Context, query string, args ...any) (sql.Result, error), k keys, into string, rows []folded) error {
	columns, args := make([][]string, len(k.names)+1), []any{}
	for _, f := range rows {
		for i, text := range append(slices.Clip(f.key), f.text) {
			columns[i] = append(columns[i], text)
		}
	}
	var arrays, names, same []string
	for i, name := range k.names {
		arrays, names = append(arrays, fmt.Sprintf("$%d::%s[]", i+1, k.types[i])), append(names, fmt.Sprintf("k%d", i))
		same = append(same, fmt.Sprintf(`"row".%s = "new".k%d`, name, i))
	}
	for _, c := range columns {
		args = append(args, pq.Array(c))
	}
	_, err := exec(ctx, fmt.Sprintf(`UPDATE %s AS "row" SET %s = "new"."text" FROM unnest(%s, $%d::text[]) AS "new" (%s, "text") WHERE %s`,
		k.table, into, strings.Join(arrays, ", "), len(columns), strings.Join(names, ", "), strings.Join(same, " AND ")), args...)
	return twice(err, k.table, into, rows)
}

func (postgresDatabase) survives() bool { return false }
