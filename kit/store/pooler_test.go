package store_test

import (
	"context"
	"fmt"
	"net/url"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/entwine-go/entwine/kit/kittest/storetest"
	"github.com/entwine-go/entwine/kit/pgserver"
	"github.com/entwine-go/entwine/kit/store"
)

// behind returns the address of a database of the items, and that behind a pooler.
func behind(t *testing.T, settings ...string) (direct, pooled string, b *pgserver.Pooler) {
	t.Helper()
	direct = items.PostgresURL(t)
	b = storetest.Pooler(t, direct, settings...)
	return direct, b.URL(nameOf(t, direct)), b
}

func nameOf(t *testing.T, address string) string {
	t.Helper()
	u, err := url.Parse(address)
	if err != nil {
		t.Fatal(err)
	}
	return strings.TrimPrefix(u.Path, "/")
}

// limit gives the role what a connection behind a pooler can't set.
func limit(t *testing.T, direct, statement, lock string) {
	t.Helper()
	db := open(t, store.Config{URL: direct, Conns: 1})
	for name, value := range map[string]string{"statement_timeout": statement, "lock_timeout": lock, "idle_in_transaction_session_timeout": "1min"} {
		exec(t, t.Context(), db, fmt.Sprintf("ALTER ROLE postgres IN DATABASE %s SET %s = '%s'", nameOf(t, direct), name, value))
	}
}

// refused opens a database that must not open.
func refused(t *testing.T, c store.Config, want ...string) {
	t.Helper()
	db, err := store.Open(t.Context(), c)
	if err == nil {
		_ = db.Close()
		t.Errorf("opened, without %q", want)
		return
	}
	for _, part := range want {
		if !strings.Contains(err.Error(), part) {
			t.Errorf("%v, without %q", err, part)
		}
	}
}

// A pooler in transaction mode passes no limits on, and may lose prepared statements:
// a service without them does not start.
func TestAPoolerThatLimitsNothing(t *testing.T) {
	t.Parallel()
	for name, ignored := range map[string]string{
		"refuses the parameters": "",
		"drops the parameters":   "ignore_startup_parameters=" + strings.Join([]string{"statement_timeout", "lock_timeout", "idle_in_transaction_session_timeout"}, ","),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			direct, pooled, b := behind(t, ignored)
			refused(t, store.Config{URL: pooled}, "ALTER ROLE postgres IN DATABASE "+nameOf(t, direct)+" SET lock_timeout = '3000';", "statement_timeout = '8000'")
			limit(t, direct, "8s", "3s")
			if err := b.Reconnect(t.Context()); err != nil {
				t.Fatal(err)
			}
			db := open(t, store.Config{URL: pooled, Conns: 8})
			if _, err := db.Session(t.Context()); err == nil || !strings.Contains(err.Error(), "ENTWINE_DATABASE_DIRECT_URL") {
				t.Errorf("a session behind a pooler: %v", err)
			}
		})
	}
	for setting, want := range map[string]string{
		"max_prepared_statements=0": "max_prepared_statements above 0",
		"pool_mode=session":         "with pool_mode=transaction and max_prepared_statements",
		"pool_mode=statement":       "that begins a transaction, as PgBouncer does with pool_mode=statement",
	} {
		t.Run(setting, func(t *testing.T) {
			t.Parallel()
			direct, pooled, _ := behind(t, setting)
			limit(t, direct, "8s", "3s")
			refused(t, store.Config{URL: pooled}, want)
		})
	}
}

// Behind a pooler a statement, and a wait for a lock, end in time.
func TestLimitsHoldBehindAPooler(t *testing.T) {
	t.Parallel()
	direct, pooled, _ := behind(t)
	limit(t, direct, "1s", "300ms")
	db := open(t, store.Config{URL: pooled, Conns: 4})
	if _, err := db.ExecContext(t.Context(), "SELECT pg_sleep(60)"); err == nil || !strings.Contains(err.Error(), "statement timeout") {
		t.Errorf("pg_sleep: %v", err)
	}
	exec(t, t.Context(), db, insert, "a")
	err := db.InTx(t.Context(), func(ctx context.Context) error {
		exec(t, ctx, db, "UPDATE items SET size = 1")
		if _, err := db.ExecContext(t.Context(), "UPDATE items SET size = 2"); err == nil || !strings.Contains(err.Error(), "lock timeout") {
			t.Errorf("a held lock: %v", err)
		}
		return nil
	})
	if err != nil {
		t.Error(err)
	}
}

// More connections than the pooler has share its own, each statement on any of them,
// and a statement that was cancelled ends alone.
func TestStatementsBehindAPooler(t *testing.T) {
	t.Parallel()
	direct, pooled, _ := behind(t)
	limit(t, direct, "10min", "10min")
	db := open(t, store.Config{URL: pooled, Conns: 16, StatementTimeout: 10 * time.Minute, LockTimeout: 10 * time.Minute})
	exec(t, t.Context(), db, "DROP INDEX items_folded")
	var all sync.WaitGroup
	for i := range 16 {
		all.Go(func() {
			for j := range 50 {
				name := fmt.Sprintf("%d-%d", i, j)
				err := db.InTx(t.Context(), func(ctx context.Context) error {
					if _, err := db.ExecContext(ctx, insert, name); err != nil {
						return err
					}
					if err := db.Lock(ctx, "names"); err != nil {
						return err
					}
					_, err := db.ExecContext(ctx, "UPDATE items SET size = $1 WHERE name = $2", j, name)
					return err
				})
				if err != nil {
					t.Errorf("%s: %v", name, err)
					return
				}
				if j%10 == 0 {
					ctx, cancel := context.WithTimeout(t.Context(), 10*time.Millisecond)
					if _, err := db.ExecContext(ctx, "SELECT pg_sleep(5)"); err == nil {
						t.Error("a statement outlived its context")
					}
					cancel()
				}
			}
		})
	}
	all.Wait()
	var n, sum int
	scan(t, t.Context(), db, "SELECT count(*) FROM items", &n)
	scan(t, t.Context(), db, "SELECT sum(size) FROM items", &sum)
	if n != 800 || sum != 16*49*50/2 {
		t.Errorf("%d rows with the sum %d", n, sum)
	}
}

// A pooler keeps the server's statements when their plans are out of date.
func TestPlansBehindAPooler(t *testing.T) {
	t.Parallel()
	direct, pooled, _ := behind(t)
	limit(t, direct, "8s", "3s")
	one, two := open(t, store.Config{URL: pooled, Conns: 4}), open(t, store.Config{URL: pooled, Conns: 4})
	exec(t, t.Context(), one, "INSERT INTO items (name, size) VALUES ('a', 7)")
	var size string
	for i, kind := range []string{"integer", "text", "bigint", "smallint"} {
		for range 8 {
			for _, db := range []*store.DB{one, two} {
				scan(t, t.Context(), db, "SELECT size FROM items", &size)
				err := db.InTx(t.Context(), func(ctx context.Context) error {
					scan(t, ctx, db, "SELECT size FROM items", &size)
					return nil
				})
				if err != nil {
					t.Errorf("after change %d: %v", i, err)
				}
			}
		}
		exec(t, t.Context(), one, "ALTER TABLE items DROP CONSTRAINT IF EXISTS small")
		exec(t, t.Context(), one, "DROP INDEX IF EXISTS items_folded")
		exec(t, t.Context(), one, fmt.Sprintf("ALTER TABLE items ALTER size TYPE %s USING size::%s", kind, kind))
	}
}

// Statements that need a session go to the server itself, and to no other database.
func TestSessionsPastAPooler(t *testing.T) {
	t.Parallel()
	direct, pooled, _ := behind(t)
	limit(t, direct, "1s", "300ms")
	db := open(t, store.Config{URL: pooled, DirectURL: direct})
	conn, err := db.Session(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	if _, err := conn.ExecContext(t.Context(), "SELECT pg_advisory_lock(1), pg_sleep(1.1)"); err != nil {
		t.Errorf("a session has the limits of a request: %v", err)
	}
	var held bool
	if err := conn.QueryRowContext(t.Context(), "SELECT pg_advisory_unlock(1)").Scan(&held); err != nil || !held {
		t.Errorf("the session lost its lock: %v", err)
	}
	other := open(t, store.Config{URL: pooled, DirectURL: pgserver.WithDatabase(direct, "postgres")})
	if _, err := other.Session(t.Context()); err == nil || !strings.Contains(err.Error(), "another database") {
		t.Errorf("a session in another database: %v", err)
	}
	through := open(t, store.Config{URL: pooled, DirectURL: pooled})
	if _, err := through.Session(t.Context()); err == nil || !strings.Contains(err.Error(), "ENTWINE_DATABASE_DIRECT_URL: it leads to a pooler in transaction mode") {
		t.Errorf("a session by the pooler: %v", err)
	}
	lent := storetest.Pooler(t, direct, "pool_mode=session")
	own := open(t, store.Config{URL: pooled, DirectURL: lent.URL(nameOf(t, direct))})
	if conn, err := own.Session(t.Context()); err != nil {
		t.Errorf("a session by a pooler of sessions: %v", err)
	} else if err := conn.Close(); err != nil {
		t.Error(err)
	}
	// Both may be the server's own address: there is no pooler then.
	alone := open(t, store.Config{URL: direct, DirectURL: direct})
	session, err := alone.Session(t.Context())
	if err != nil {
		t.Fatalf("without a pooler: %v", err)
	}
	_ = session.Close()
}
