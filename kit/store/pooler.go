package store

import (
	"context"
	"database/sql/driver"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"

	"github.com/lib/pq"
)

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
		if !db.link.pooled.Load() && has.same(own.wire, db.link.limits) && (db.direct == nil || has.own(own.wire)) {
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

// own reports whether the server's process is the one that the connection began with,
// which is known where nothing is encrypted.
func (t terms) own(w *wire) bool {
	key := w.sieve.messages.key
	return len(key) >= 4 && uint64(binary.BigEndian.Uint32(key)) == t.pid
}

// same reports whether the server itself seems to answer, with the limits that were
// asked for.
func (t terms) same(w *wire, limits map[string]string) bool {
	if len(w.sieve.messages.key) >= 4 && !t.own(w) {
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
	if errors.Is(err, driver.ErrBadConn) {
		return fmt.Errorf("the pooler before the server ends a connection that begins a transaction, as PgBouncer does with pool_mode=statement: that takes pool_mode=transaction (%w)", err)
	}
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
		err = errors.New("the pooler before the server does not follow prepared statements: that takes PgBouncer 1.21 or later with pool_mode=transaction and max_prepared_statements above 0")
	}
	return err
}

// lendsOut is an error where a pooler in transaction mode stands before the server of the
// direct address: a session's lock of migrations would stay with a connection of the
// pooler's, and the next process would wait for it without end. While another connection
// holds a server's process in a transaction, one with a session goes on with its own.
func (db *DB) lendsOut(ctx context.Context, session *conn) error {
	has, err := session.terms(ctx)
	if err != nil || !db.past.pooled.Load() && has.same(session.wire, db.past.limits) {
		return err
	}
	other, err := db.direct.Conn(ctx)
	if err != nil {
		return err
	}
	defer other.Close()
	return other.Raw(func(inner any) error {
		const pid = "SELECT pg_backend_pid()::text"
		second := inner.(*conn)
		for range 5 { // another client can be lent the process meanwhile
			before, err1 := session.ask(ctx, pid)
			_, err2 := second.ask(ctx, "BEGIN")
			its, err3 := second.ask(ctx, pid)
			after, err4 := session.ask(ctx, pid)
			_, err5 := second.ask(ctx, "ROLLBACK")
			if err := errors.Join(err1, err2, err3, err4, err5); err != nil {
				return err
			}
			if its == before || before != after {
				return errors.New("it leads to a pooler in transaction mode: it must be the server's own address")
			}
		}
		return nil
	})
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
