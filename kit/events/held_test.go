package events_test

import (
	"context"
	"database/sql"
	"strconv"
	"testing"

	"github.com/entwine-go/entwine/kit/events"
	"github.com/entwine-go/entwine/kit/internal/notes"
	"github.com/entwine-go/entwine/kit/kittest/storetest"
	"github.com/entwine-go/entwine/kit/store"
)

// hold opens a transaction that has written, and returns what commits it.
func (k *kit) hold(db *store.DB, write func(ctx context.Context, db *store.DB) error) (commit func()) {
	k.Helper()
	began, end, ended := make(chan struct{}), make(chan struct{}), make(chan error, 1)
	go func() {
		ended <- db.InTx(k.ctx, func(ctx context.Context) error {
			if err := write(ctx, db); err != nil {
				return err
			}
			close(began)
			<-end
			return nil
		})
	}()
	select {
	case <-began:
	case err := <-ended:
		k.Fatal(err)
	}
	return func() {
		close(end)
		if err := <-ended; err != nil {
			k.Error(err)
		}
	}
}

// elsewhere is a write in another database of the cluster.
func elsewhere(k *kit) (*store.DB, func(context.Context, *store.DB) error) {
	return notes.Schema(k.T).Postgres(k.T), writeUser
}

// writeUser writes what announces nothing.
func writeUser(ctx context.Context, db *store.DB) error {
	_, err := notes.User(ctx, db, "Grace")
	return err
}

// Transactions that take long hold back no events but their own.
func TestNoTransactionHoldsBackTheEventsOfOthers(t *testing.T) {
	t.Parallel()
	storetest.NeedPostgres(t)
	for name, holds := range map[string]func(k *kit) (commit func()){
		"in another database of the cluster": func(k *kit) func() { return k.hold(elsewhere(k)) },
		"in this one, without events":        func(k *kit) func() { return k.hold(k.db, writeUser) },
		"in this one, with events": func(k *kit) func() {
			return k.hold(k.db, func(ctx context.Context, _ *store.DB) error {
				k.publish(ctx)
				return nil
			})
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			k := newKit(t, notes.Schema(t).Postgres(t))
			first := k.publish(k.ctx)
			commit := holds(k)
			s := k.subscribe(written)
			for range 3 {
				k.want(s, "note.written", k.publish(k.ctx))
			}
			restarted := k.tail()
			other, err := restarted.Subscribe(k.ctx, written)
			if err != nil {
				t.Fatal(err)
			}
			id := k.publish(k.ctx)
			k.want(s, "note.written", id)
			k.want(other, "note.written", id)
			if err := k.tailer.Late(k.ctx); err != nil {
				t.Errorf("Late: %v", err)
			}
			commit()
			if name == "in this one, with events" {
				k.want(s, "note.written", first+1)
				k.want(other, "note.written", first+1)
			}
			id = k.publish(k.ctx)
			k.want(s, "note.written", id)
			k.want(other, "note.written", id)
		})
	}
}

// A transaction that was prepared belongs to no connection, and its events come when
// it is committed.
func TestEventsOfAPreparedTransactionComeWithItsCommit(t *testing.T) {
	t.Parallel()
	server := storetest.PostgresServer(t)
	k := onServer(t, server)
	exec := func(conn *sql.Conn, text string) {
		t.Helper()
		if _, err := conn.ExecContext(t.Context(), text); err != nil {
			t.Fatalf("%s: %v", text, err)
		}
	}
	pool, err := sql.Open("postgres", server.URL("postgres"))
	if err != nil {
		t.Fatal(err)
	}
	defer pool.Close()
	pool.SetMaxIdleConns(0) // the server is restarted
	conn, err := pool.Conn(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	exec(conn, "ALTER SYSTEM SET max_prepared_transactions = 4")
	if err := conn.Close(); err != nil {
		t.Fatal(err)
	}
	server.Stop()
	if err := server.Restart(t.Context()); err != nil {
		t.Fatal(err)
	}
	if conn, err = pool.Conn(t.Context()); err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	s := k.subscribe(written)
	exec(conn, "BEGIN")
	var prepared int64
	if err := conn.QueryRowContext(t.Context(), "INSERT INTO notes (created_at, updated_at, title, text, user_id) VALUES (now(), now(), '', '', 1) RETURNING id").Scan(&prepared); err != nil {
		t.Fatal(err)
	}
	exec(conn, "PREPARE TRANSACTION 'held'")
	k.want(s, "note.written", k.publish(k.ctx))
	exec(conn, "COMMIT PREPARED 'held'")
	k.bus.Wake("events")
	k.want(s, "note.written", prepared)
	k.want(s, "note.written", k.publish(k.ctx))
}

// One look may find more events than one statement reads: the events of a transaction that
// was running at the last look, and of some that have begun since.
func TestMoreThanAPageIsReadWithoutGaps(t *testing.T) {
	each(t, func(k *kit) {
		many := func(n int) func(ctx context.Context, db *store.DB) error {
			return func(ctx context.Context, db *store.DB) error {
				_, err := db.ExecContext(ctx, `INSERT INTO notes (created_at, updated_at, title, text, user_id)
					WITH RECURSIVE counted(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM counted WHERE i < `+strconv.Itoa(n)+`) SELECT created_at, created_at, 'On Engines', '', users.id FROM counted, users WHERE users.id = 1`)
				return err
			}
		}
		heard := make(map[int64]*events.Subscription)
		for id := int64(1); id < 4602; id += 50 {
			heard[id] = k.subscribe(events.Filter{Topics: []string{"note.written", "remark.made"}, Key: row(id)})
		}
		sizes := []int{1500, 1, 1000, 2100}
		if k.db.Postgres() {
			commit := k.hold(k.db, many(1500))
			s := k.subscribe(written)
			k.want(s, "note.written", k.publish(k.ctx)) // the look has seen the long one run
			s.Close()
			commit()
			sizes = sizes[2:]
		}
		for _, n := range sizes {
			if err := k.db.InTx(k.ctx, func(ctx context.Context) error { return many(n)(ctx, k.db) }); err != nil {
				k.Fatal(err)
			}
		}
		for id, s := range heard {
			k.want(s, "note.written", id)
			k.want(s, "remark.made", k.remark(id))
		}
	})
}
