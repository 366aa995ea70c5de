package store_test

import (
	"bytes"
	"context"
	"database/sql/driver"
	"encoding/binary"
	"io"
	"net"
	"net/url"
	"strings"
	"sync"
	"testing"

	"github.com/entwine-go/entwine/kit/internal/fastpath"
	"github.com/entwine-go/entwine/kit/store"
)

// A statement that runs ends when its context does, and what its connection runs
// next does not: whether its cancelling is the store's, or lib/pq's, as where
// the connection might be encrypted.
func TestAStatementEndsWithItsContext(t *testing.T) {
	t.Parallel()
	plain := items.PostgresURL(t)
	if !strings.Contains(plain, "sslmode=disable") {
		t.Fatalf("%s may be encrypted", plain)
	}
	const slow = "SELECT pg_sleep($1::float8)::text, pg_backend_pid()"
	for name, url := range map[string]string{"disable": plain, "prefer": strings.Replace(plain, "sslmode=disable", "sslmode=prefer", 1)} {
		db, other := open(t, store.Config{URL: url, Conns: 1}), open(t, store.Config{URL: plain, Conns: 1})
		query := func(ctx context.Context, seconds int) (pid string, taken int, err error) {
			rows, taken, err := sent(ctx, db, slow, seconds)
			return strings.Join(rows, ""), taken, err
		}
		first, _, err := query(t.Context(), 0)
		if err != nil {
			t.Fatal(err)
		}
		kept := 0
		for how, run := range map[string]func(context.Context) error{
			"query": func(ctx context.Context) error {
				rows, err := db.QueryContext(ctx, slow, 60)
				if err != nil {
					return err
				}
				defer rows.Close()
				rows.Next()
				return rows.Err()
			},
			"exec": func(ctx context.Context) error { _, err := db.ExecContext(ctx, slow, 60); return err },
			"each": func(ctx context.Context) error {
				return db.Each(ctx, slow, []any{60}, func([]driver.Value) error { return nil })
			},
			"sent": func(ctx context.Context) error { _, _, err := query(ctx, 60); return err },
		} {
			ctx, cancel := context.WithCancel(t.Context())
			done := make(chan error, 1)
			go func() { done <- run(ctx) }()
			sleeping(t, other)
			cancel()
			if err := <-done; err == nil {
				t.Errorf("%s, %s: it ended without an error", name, how)
			}
			again, _, err := query(t.Context(), 0)
			if err != nil {
				t.Errorf("%s, %s: the next statement: %v", name, how, err)
			}
			if again == first {
				kept++
			}
			first = again
		}
		if kept == 0 { // a server that is too busy to cancel ends a connection, and not each
			t.Errorf("%s: no connection serves after a cancelled statement", name)
		}
		if _, taken, _ := query(t.Context(), 0); taken > 0 != (name == "disable" && !fastpath.Off()) {
			t.Errorf("%s: %d values were taken as they were sent", name, taken)
		}
	}
}

// A request to cancel that reaches the server late, when the statement has ended, ends no other
// one.
func TestALateCancelEndsNoOtherStatement(t *testing.T) {
	t.Parallel()
	plain := items.PostgresURL(t)
	at, err := url.Parse(plain)
	if err != nil {
		t.Fatal(err)
	}
	late := &lateCancels{server: at.Host, come: make(chan struct{}), let: make(chan struct{}), passed: make(chan struct{})}
	at.Host = late.listen(t)
	db, other := open(t, store.Config{URL: at.String(), Conns: 1}), open(t, store.Config{URL: plain, Conns: 1})
	sleeps := func(ctx context.Context, seconds float64) chan error {
		done := make(chan error, 1)
		go func() {
			_, err := db.ExecContext(ctx, "SELECT pg_sleep($1::float8)", seconds)
			done <- err
		}()
		return done
	}
	ctx, cancel := context.WithCancel(t.Context())
	first := sleeps(ctx, 3)
	sleeping(t, other)
	cancel()
	select {
	case <-late.come:
	case <-t.Context().Done():
	}
	if err := <-first; err == nil {
		t.Error("the statement ended without an error")
	}
	second := sleeps(t.Context(), 4)
	sleeping(t, other)
	close(late.let)
	<-late.passed
	if err := <-second; err != nil {
		t.Errorf("the next statement: %v", err)
	}
}

// A connection whose statement can't be cancelled, because the server takes no request, is ended:
// the statement's answer is not that of another one.
func TestAConnectionEndsWhereNothingIsCancelled(t *testing.T) {
	t.Parallel()
	plain := items.PostgresURL(t)
	at, err := url.Parse(plain)
	if err != nil {
		t.Fatal(err)
	}
	refuses := &lateCancels{server: at.Host, refuses: true}
	at.Host = refuses.listen(t)
	db, other := open(t, store.Config{URL: at.String(), Conns: 1}), open(t, store.Config{URL: plain, Conns: 1})
	ctx, cancel := context.WithCancel(t.Context())
	first := make(chan error, 1)
	go func() {
		first <- db.Each(ctx, "SELECT 'first' FROM pg_sleep(2)", nil, func([]driver.Value) error { return nil })
	}()
	sleeping(t, other)
	cancel()
	if err := <-first; err == nil {
		t.Error("the statement ended without an error")
	}
	rows, _, err := sent(t.Context(), db, "SELECT 'second'")
	if err != nil || strings.Join(rows, "") != "second" {
		t.Errorf("the next statement: %q, %v", rows, err)
	}
}

// sleeping waits for a statement that sleeps.
func sleeping(t *testing.T, db *store.DB) {
	t.Helper()
	for running := int64(0); running == 0; {
		if err := db.Each(t.Context(), "SELECT count(*) FROM pg_stat_activity WHERE wait_event = 'PgSleep' AND datname = current_database()", nil, func(values []driver.Value) error {
			running = values[0].(int64)
			return nil
		}); err != nil {
			t.Fatal(err)
		}
	}
}

// lateCancels passes connections on to a server. A request to cancel comes to it, and passes once
// it is let.
type lateCancels struct {
	server            string
	refuses           bool // resets the connection of such a request
	come, let, passed chan struct{}
	once              sync.Once
}

func (l *lateCancels) listen(t *testing.T) string {
	listener, err := new(net.ListenConfig).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = listener.Close() })
	go func() {
		for {
			c, err := listener.Accept()
			if err != nil {
				return
			}
			go l.pass(c)
		}
	}()
	return listener.Addr().String()
}

func (l *lateCancels) pass(c net.Conn) {
	defer func() { _ = c.Close() }()
	head := make([]byte, 8)
	if _, err := io.ReadFull(c, head); err != nil {
		return
	}
	cancels := binary.BigEndian.Uint32(head[4:]) == 80877102
	if cancels && l.refuses {
		_ = c.(*net.TCPConn).SetLinger(0)
		return
	}
	if cancels {
		l.once.Do(func() { close(l.come) })
		<-l.let
		defer close(l.passed)
	}
	server, err := new(net.Dialer).Dial("tcp", l.server)
	if err != nil {
		return
	}
	defer func() { _ = server.Close() }()
	go func() {
		_, _ = io.Copy(server, io.MultiReader(bytes.NewReader(head), c))
		if cancels {
			_ = server.(*net.TCPConn).CloseWrite()
		}
	}()
	_, _ = io.Copy(c, server)
}
