package store_test

import (
	"context"
	"database/sql/driver"
	"encoding/binary"
	"errors"
	"io"
	"net"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/entwine-go/entwine/kit/kittest/storetest"
	"github.com/entwine-go/entwine/kit/pgserver"
	"github.com/entwine-go/entwine/kit/problem"
	"github.com/entwine-go/entwine/kit/store"
)

// server is a PostgreSQL that a test may kill, and a database on it whose
// pool is full of connections.
func server(t *testing.T) (*pgserver.Server, *store.DB) {
	t.Helper()
	s := storetest.PostgresServer(t)
	db := open(t, store.Config{URL: s.URL("postgres"), Conns: 4, StatementTimeout: time.Second})
	if err := items.Up(t.Context(), db); err != nil {
		t.Fatal(err)
	}
	fill(t, db)
	return s, db
}

// fill opens all connections of the pool and leaves them idle.
func fill(t *testing.T, db *store.DB) {
	t.Helper()
	var inside, done sync.WaitGroup
	inside.Add(4)
	for range 4 {
		done.Go(func() {
			err := db.InTx(t.Context(), func(ctx context.Context) error {
				inside.Done()
				inside.Wait()
				return nil
			})
			if err != nil {
				t.Error(err)
			}
		})
	}
	done.Wait()
}

func TestARestartOfTheServerIsNotNoticed(t *testing.T) {
	t.Parallel()
	s, db := server(t)
	for _, stop := range []func(){s.Stop, s.Kill} {
		fill(t, db)
		stop()
		if err := s.Restart(t.Context()); err != nil {
			t.Fatal(err)
		}
		exec(t, t.Context(), db, "DELETE FROM items")
		err := db.InTx(t.Context(), func(ctx context.Context) error {
			exec(t, ctx, db, insert, "a")
			return nil
		})
		if err != nil {
			t.Errorf("InTx after a restart: %v", err)
		}
	}
}

func TestAConnectionThatBreaks(t *testing.T) {
	t.Parallel()
	db := items.Postgres(t)
	const suicide = "DO $$ BEGIN PERFORM pg_terminate_backend(pg_backend_pid()); END $$"

	// A statement alone may have taken effect: it is not run again.
	var log store.Log
	_, err := db.ExecContext(store.WithStatementLog(t.Context(), &log), suicide)
	if problem.KindOf(store.Problem(err)) != problem.Unavailable || len(log.Statements()) != 1 {
		t.Errorf("%v after %d runs, want Unavailable after 1", err, len(log.Statements()))
	}

	// A transaction has not, and runs again.
	runs := 0
	err = db.InTx(t.Context(), func(ctx context.Context) error {
		if _, err := db.ExecContext(ctx, insert, "a"); err != nil {
			return err
		}
		if runs++; runs == 1 {
			_, err := db.ExecContext(ctx, suicide)
			return err
		}
		return nil
	})
	if got := names(t, db); err != nil || runs != 2 || len(got) != 1 {
		t.Errorf("%v after %d runs, rows %v, want nil after 2, [a]", err, runs, got)
	}
}

// A statement that PostgreSQL commits by itself may have taken effect, too: it is
// not run again, also where its answer had begun.
func TestAStatementAloneWhoseAnswerIsLost(t *testing.T) {
	t.Parallel()
	s := storetest.PostgresServer(t)
	direct := open(t, store.Config{URL: s.URL("postgres")})
	if err := items.Up(t.Context(), direct); err != nil {
		t.Fatal(err)
	}
	const returning = "WITH made AS (INSERT INTO items (name) SELECT $1 || count(*) FROM items RETURNING name) SELECT name FROM made"
	cut := new(atomic.Bool)
	db := open(t, store.Config{URL: strings.Replace(s.URL("postgres"), strconv.Itoa(s.Port), cutter(t, s.Port, cut), 1), Conns: 1})
	run := func(ctx context.Context) error {
		return db.Each(ctx, returning, []any{"a"}, func([]driver.Value) error { return nil })
	}
	for range 3 { // so that it is prepared
		if err := db.Alone(t.Context(), run); err != nil {
			t.Fatal(err)
		}
	}
	cut.Store(true)
	err := db.Alone(t.Context(), run)
	if p := problem.As(err); p == nil || p.Kind != problem.Unavailable || !strings.Contains(p.Message, "may or may not have taken effect") {
		t.Errorf("%v, want that it is unknown", err)
	}
	if got := names(t, direct); len(got) != 4 {
		t.Errorf("the rows are %q, want four", got)
	}
}

// cutter listens on a port, which it returns, and passes connections on to
// another. While cut is set, it breaks the next one after the first row of an
// answer, and unsets it.
func cutter(t *testing.T, to int, cut *atomic.Bool) string {
	t.Helper()
	l, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = l.Close() })
	pass := func(client net.Conn) {
		defer client.Close()
		server, err := (&net.Dialer{}).DialContext(t.Context(), "tcp", "127.0.0.1:"+strconv.Itoa(to))
		if err != nil {
			return
		}
		defer server.Close()
		go func() { _, _ = io.Copy(server, client) }()
		buffer := make([]byte, 64<<10)
		for {
			n, err := server.Read(buffer)
			if err != nil {
				return
			}
			if cut.CompareAndSwap(true, false) {
				_, _ = client.Write(buffer[:firstRow(buffer[:n])])
				return
			}
			if _, err := client.Write(buffer[:n]); err != nil {
				return
			}
		}
	}
	go func() {
		for {
			client, err := l.Accept()
			if err != nil {
				return
			}
			go pass(client)
		}
	}()
	_, port, _ := net.SplitHostPort(l.Addr().String())
	return port
}

// firstRow returns where the first DataRow of an answer ends.
func firstRow(answer []byte) (end int) {
	for row := false; !row; {
		row = answer[end] == 'D'
		end += 1 + int(binary.BigEndian.Uint32(answer[end+1:]))
	}
	return end
}

// A transaction that a deadlock has rolled back runs again.
func TestAloneRunsAgainAfterADeadlock(t *testing.T) {
	t.Parallel()
	db := items.Postgres(t)
	runs := 0
	err := db.Alone(t.Context(), func(ctx context.Context) error {
		if runs++; runs == 1 {
			_, err := db.ExecContext(ctx, "DO $$ BEGIN RAISE EXCEPTION 'undone' USING ERRCODE = '40P01'; END $$")
			return err
		}
		return nil
	})
	if err != nil || runs != 2 {
		t.Errorf("%v after %d runs, want nil after 2", err, runs)
	}
}

func TestACommitWhoseAnswerIsLost(t *testing.T) {
	t.Parallel()
	s, db := server(t)
	runs := 0
	err := db.InTx(t.Context(), func(ctx context.Context) error {
		runs++
		exec(t, ctx, db, insert, "a")
		s.Kill()
		return nil
	})
	if problem.KindOf(err) != problem.Unavailable || runs != 1 {
		t.Errorf("InTx: %v after %d runs, want Unavailable after 1", err, runs)
	}
	if err := s.Restart(t.Context()); err != nil {
		t.Fatal(err)
	}
}

func TestAServerThatHangsIsGivenUp(t *testing.T) {
	t.Parallel()
	s, db := server(t)
	if err := s.Pause(); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	if _, err := db.ExecContext(ctx, insert, "a"); err == nil {
		t.Error("a paused server answered")
	}
	if err := db.InTx(t.Context(), func(context.Context) error { return nil }); problem.KindOf(store.Problem(err)) != problem.Unavailable {
		t.Errorf("InTx on a paused server: %v, want Unavailable", err)
	}
	if err := s.Resume(); err != nil {
		t.Fatal(err)
	}
	exec(t, t.Context(), db, insert, "b")
}

// A request's time is all that a server that hangs is given: also where a
// transaction begins, is undone or ends, which its context does not cut off.
// Nothing else ends a wait here.
func TestAServerThatHangsTakesNoMoreThanARequestHas(t *testing.T) { //nolint:tparallel // the subtests share a server
	t.Parallel()
	s := storetest.PostgresServer(t)
	if err := items.Up(t.Context(), open(t, store.Config{URL: s.URL("postgres")})); err != nil {
		t.Fatal(err)
	}
	hangs := func(ctx context.Context) error {
		if err := s.Pause(); err != nil {
			t.Error(err)
		}
		return ctx.Err()
	}
	for name, fn := range map[string]func(db *store.DB, ctx context.Context) error{
		"a statement": func(db *store.DB, ctx context.Context) error {
			return errors.Join(hangs(ctx), execute(ctx, db))
		},
		"a prepared statement": func(db *store.DB, ctx context.Context) error {
			empty := func() error {
				_, err := db.ExecContext(ctx, "DELETE FROM items")
				return err
			}
			return errors.Join(empty(), empty(), hangs(ctx), empty())
		},
		"BEGIN": func(db *store.DB, ctx context.Context) error {
			return errors.Join(hangs(ctx), db.InTx(ctx, func(context.Context) error { return nil }))
		},
		"a statement and ROLLBACK": func(db *store.DB, ctx context.Context) error {
			return db.InTx(ctx, func(ctx context.Context) error { return errors.Join(hangs(ctx), execute(ctx, db)) })
		},
		"ROLLBACK": func(db *store.DB, ctx context.Context) error {
			return db.InTx(ctx, func(ctx context.Context) error {
				return errors.Join(hangs(ctx), problem.New(problem.Unavailable, "no"))
			})
		},
		"a savepoint and its end": func(db *store.DB, ctx context.Context) error {
			return db.InTx(ctx, func(ctx context.Context) error {
				return db.InTx(ctx, func(ctx context.Context) error {
					return errors.Join(hangs(ctx), problem.New(problem.Unavailable, "no"))
				})
			})
		},
		"COMMIT": func(db *store.DB, ctx context.Context) error {
			return db.InTx(ctx, hangs)
		},
		"what is written down afterwards": func(db *store.DB, ctx context.Context) error {
			late, cancel := store.Afterwards(ctx)
			defer cancel()
			return errors.Join(hangs(ctx), execute(late, db))
		},
	} {
		t.Run(name, func(t *testing.T) { // one after the other: they share the server
			db := open(t, store.Config{URL: s.URL("postgres"), Conns: 1, StatementTimeout: -1})
			ctx, cancel := context.WithTimeout(t.Context(), 200*time.Millisecond)
			defer cancel()
			err := fn(db, ctx)
			if err := s.Resume(); err != nil {
				t.Fatal(err)
			}
			if problem.KindOf(store.Problem(err)) != problem.Unavailable {
				t.Errorf("%v, want Unavailable", err)
			}
			exec(t, t.Context(), db, "DELETE FROM items")
		})
	}
	t.Run("a connection", func(t *testing.T) {
		db := open(t, store.Config{URL: s.URL("postgres"), Conns: 2, StatementTimeout: -1})
		held, err := db.Session(t.Context()) // so that another is needed
		if err != nil {
			t.Fatal(err)
		}
		defer held.Close()
		ctx, cancel := context.WithTimeout(t.Context(), 200*time.Millisecond)
		defer cancel()
		if err := errors.Join(hangs(ctx), execute(ctx, db)); problem.KindOf(store.Problem(err)) != problem.Unavailable {
			t.Errorf("%v, want Unavailable", err)
		}
		if err := s.Resume(); err != nil {
			t.Fatal(err)
		}
	})
}

func execute(ctx context.Context, db *store.DB) error {
	_, err := db.ExecContext(ctx, insert, "a")
	return err
}

func TestACancelledStatementLeavesItsConnectionUsable(t *testing.T) {
	t.Parallel()
	slow := map[bool]string{
		true:  "SELECT pg_sleep(60)",
		false: "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n",
	}
	items.Each(t, func(t *testing.T, db *store.DB) {
		ctx, cancel := context.WithTimeout(t.Context(), 20*time.Millisecond)
		defer cancel()
		if rows, err := db.QueryContext(ctx, slow[db.Postgres()]); err == nil {
			rows.Next()
			if rows.Err() == nil {
				t.Error("the statement outlived its context")
			}
			_ = rows.Close()
		}
		for range 20 {
			exec(t, t.Context(), db, "DELETE FROM items")
		}
	})
}

func TestSessionHasNoTimeouts(t *testing.T) {
	t.Parallel()
	db := open(t, store.Config{URL: items.PostgresURL(t), Conns: 1, StatementTimeout: time.Second})
	_, err := db.ExecContext(t.Context(), "SELECT pg_sleep(60)")
	if p := problem.As(store.Problem(err)); p == nil || p.Kind != problem.Unavailable || !strings.Contains(p.Message, "took too long") {
		t.Errorf("a slow statement: %v, want Unavailable because it took too long", err)
	}
	s, err := db.Session(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.ExecContext(t.Context(), "SELECT pg_sleep(1.2)"); err != nil {
		t.Errorf("a slow statement in a session: %v", err)
	}
	if err := s.Close(); err != nil {
		t.Error(err)
	}
	var timeout string
	scan(t, t.Context(), db, "SHOW statement_timeout", &timeout)
	if timeout != "1s" {
		t.Errorf("statement_timeout %s after the session, want 1s", timeout)
	}
}
