package store

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"maps"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"github.com/lib/pq"

	"github.com/entwine-go/entwine/kit/internal/fastpath"
)

// link makes connections to PostgreSQL. Where a pooler such as PgBouncer stands between,
// which lends a connection of the server for one transaction, a connection of this
// process has no session: what it sets may hold for another client and not for its own
// next statement. The link then sets nothing, and [DB.admitPooler] looks whether what
// must hold does. doc/operations/databases.md says what such a pooler needs.
type link struct {
	config   *pq.Config
	limits   map[string]string // in milliseconds, by the names in limitNames
	patience time.Duration
	pooled   atomic.Bool
}

// limitNames are the settings that bound how long a statement, a wait for a lock and an
// idle transaction last, in the order of the alphabet.
var limitNames = [...]string{"idle_in_transaction_session_timeout", "lock_timeout", "statement_timeout"}

// newLink reads a URL. What it says of a limit is the last word.
func newLink(address string, c Config) (*link, error) {
	config, err := pq.NewConfig(HostsURL(address))
	if err != nil {
		return nil, err
	}
	if config.ApplicationName == "" {
		config.ApplicationName = "entwine"
	}
	if config.ConnectTimeout == 0 {
		config.ConnectTimeout = 5 * time.Second
	}
	l := &link{config: &config, limits: map[string]string{
		"statement_timeout": milliseconds(c.StatementTimeout),
		"lock_timeout":      milliseconds(c.LockTimeout),
		// A transaction whose process hangs must not hold its locks for ever.
		"idle_in_transaction_session_timeout": milliseconds(time.Minute),
	}}
	runtime := map[string]string{"timezone": "UTC"}
	maps.Copy(runtime, config.Runtime)
	for _, name := range limitNames {
		if said, ok := runtime[name]; ok {
			l.limits[name] = said
			delete(runtime, name)
		}
	}
	config.Runtime = runtime
	if c.StatementTimeout > 0 {
		l.patience = c.StatementTimeout + grace
	}
	return l, nil
}

// dial connects. A pooler that refuses the limits as parameters is asked again without.
func (l *link) dial(ctx context.Context) (driver.Conn, *wire, error) {
	pooled := l.pooled.Load()
	c, w, err := l.connect(ctx, pooled)
	if err != nil && !pooled && refusesParameters(err) {
		l.pooled.Store(true)
		return l.connect(ctx, true)
	}
	return c, w, err
}

func (l *link) connect(ctx context.Context, pooled bool) (driver.Conn, *wire, error) {
	config := l.config.Clone()
	if pooled {
		// A change of the schema can change the type of a column between the statement's
		// description and its rows, which are then of another connection of the server.
		config.DisablePreparedBinaryResult = true
	} else {
		maps.Copy(config.Runtime, l.limits)
	}
	base, err := pq.NewConnectorConfig(config)
	if err != nil {
		return nil, nil, err
	}
	d := &dialer{patience: l.patience, plain: config.SSLMode == pq.SSLModeDisable && !config.DisablePreparedBinaryResult && !fastpath.Off()}
	base.Dialer(d)
	c, err := base.Connect(ctx)
	d.connected.Store(err == nil)
	return c, d.last.Load(), err
}

// refusesParameters reports whether err is PgBouncer's refusal of a parameter that it
// does not pass on.
func refusesParameters(err error) bool {
	p, ok := errors.AsType[*pq.Error](err)
	return ok && p.Code == "08P01" && strings.Contains(p.Message, "unsupported startup parameter")
}

// admitPooler finds out whether a pooler stands before the server, and refuses one that
// limits nothing or loses prepared statements. A pooler shows by refusing or dropping
// the parameters, or by another process number than the server's; a direct address
// beside this one says that there is one.
func (db *DB) admitPooler(ctx context.Context) error {
	if db.link == nil {
		return nil
	}
	c, err := db.write.Conn(ctx)
	if err != nil {
		return err
	}
	defer c.Close()
	return c.Raw(func(inner any) error {
		own := inner.(*conn)
		has, err := own.terms(ctx)
		if err != nil {
			return err
		}
		if !db.link.pooled.Load() && db.direct == nil && has.same(own.wire, db.link.limits) {
			return nil
		}
		db.link.pooled.Store(true)
		// The identity of the server is asked for with each connection.
		db.write.SetConnMaxLifetime(pooledLifetime)
		own.spent = true
		return errors.Join(has.missing(db.link.limits), own.keepsStatements(ctx))
	})
}

// pooledLifetime bounds for how long a pooler, whose connections outlive the server's,
// can hide that the server is another.
const pooledLifetime = 30 * time.Second

// terms are those of the server on which a connection's statements run.
type terms struct {
	pid            uint64
	user, database string
	limits         [len(limitNames)]string
}

func (c *conn) terms(ctx context.Context) (t terms, err error) {
	said, err := c.ask(ctx, `SELECT concat_ws('|', pg_backend_pid(), (SELECT string_agg(setting, '|' ORDER BY name) FROM pg_settings
WHERE name IN ('`+strings.Join(limitNames[:], "', '")+`')), quote_ident(current_user), quote_ident(current_database()))`)
	if err != nil {
		return t, err
	}
	parts := strings.SplitN(said, "|", 3+len(limitNames))
	if len(parts) != 3+len(limitNames) {
		return t, fmt.Errorf("the server does not know %s", strings.Join(limitNames[:], ", "))
	}
	t.pid, err = strconv.ParseUint(parts[0], 10, 32)
	copy(t.limits[:], parts[1:])
	t.user, t.database = parts[len(parts)-2], parts[len(parts)-1]
	return t, err
}

// same reports whether the server itself answers, with the limits that were asked for.
// The server's process number is known where nothing is encrypted.
func (t terms) same(w *wire, limits map[string]string) bool {
	if key := w.sieve.messages.key; len(key) >= 4 && uint64(binary.BigEndian.Uint32(key)) != t.pid {
		return false
	}
	for i, name := range limitNames {
		if _, err := strconv.Atoi(limits[name]); err == nil && limits[name] != t.limits[i] {
			return false
		}
	}
	return true
}

// missing is an error where the server limits nothing that should be limited.
func (t terms) missing(limits map[string]string) error {
	var set []string
	for i, name := range limitNames {
		if limits[name] != "0" && t.limits[i] == "0" {
			set = append(set, fmt.Sprintf("ALTER ROLE %s IN DATABASE %s SET %s = '%s';", t.user, t.database, name, limits[name]))
		}
	}
	if len(set) == 0 {
		return nil
	}
	return fmt.Errorf("a pooler stands before the server, so no connection can limit its own waits, and the role does not either. Run on the server\n  %s\nthen RECONNECT in PgBouncer's console", strings.Join(set, "\n  "))
}

// keepsStatements is an error where a statement that the connection prepares is only
// known to the one connection of the server that it was prepared on: a pooler which
// follows them gives them names of its own.
func (c *conn) keepsStatements(ctx context.Context) (err error) {
	tx, err := c.baseConn.BeginTx(ctx, driver.TxOptions{})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, tx.Rollback()) }()
	const own = "SELECT 'entwine asks whether the pooler keeps prepared statements'"
	s, err := c.baseConn.PrepareContext(ctx, own)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(s.Close(), err) }()
	// lib/pq calls its statements 1, 2 and so on.
	found, err := c.ask(ctx, "SELECT count(*) FROM pg_prepared_statements WHERE name ~ '^[0-9]+$' AND statement = "+pq.QuoteLiteral(own))
	if err == nil && found != "0" {
		err = errors.New("the pooler before the server does not follow prepared statements: that takes PgBouncer 1.21 or later with max_prepared_statements above 0, or pool_mode=session")
	}
	return err
}

// ask returns the only value of a statement without arguments.
func (c *conn) ask(ctx context.Context, text string) (string, error) {
	return ask(ctx, c.baseConn, text)
}

func ask(ctx context.Context, c driver.QueryerContext, text string) (string, error) {
	rows, err := c.QueryContext(ctx, text, nil)
	if err != nil {
		return "", err
	}
	defer func() { _ = rows.Close() }()
	value := make([]driver.Value, 1)
	if err := rows.Next(value); err != nil && err != io.EOF { //nolint:errorlint // as database/sql does
		return "", err
	}
	switch v := value[0].(type) {
	case string:
		return v, nil
	case []byte:
		return string(v), nil
	case int64:
		return strconv.FormatInt(v, 10), nil
	}
	return "", nil
}

// sessions is the pool whose connections have a session of their own on the server.
func (db *DB) sessions() (*sql.DB, error) {
	switch {
	case db.direct != nil:
		return db.direct.DB, nil
	case db.link != nil && db.link.pooled.Load():
		return nil, errors.New("this needs a session on the server, which a pooler in transaction mode does not give: ENTWINE_DATABASE_DIRECT_URL is the server's own address")
	}
	return db.write.DB, nil
}

// sameDatabase is an error where a direct connection leads to another database.
func (db *DB) sameDatabase(ctx context.Context, direct *sql.Conn) error {
	const text = "SELECT concat_ws('/', (SELECT system_identifier FROM pg_control_system()), current_database())"
	var here, there string
	if err := direct.QueryRowContext(ctx, text).Scan(&there); err != nil {
		return err
	}
	if err := db.write.QueryRowContext(ctx, text).Scan(&here); err != nil {
		return err
	}
	if here != there {
		return fmt.Errorf("ENTWINE_DATABASE_DIRECT_URL leads to another database (system and name %s) than ENTWINE_DATABASE_URL (%s)", there, here)
	}
	return nil
}
