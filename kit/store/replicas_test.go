package store_test

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"log/slog"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/entwine-go/entwine/kit/kittest/storetest"
	"github.com/entwine-go/entwine/kit/pgserver"
	"github.com/entwine-go/entwine/kit/store"
)

// replicated is a primary with standbys that follow it, and the database over them.
type replicated struct {
	*testing.T
	db       *store.DB
	primary  *pgserver.Server
	replicas []*pgserver.Server
}

// replicate starts a primary with so many standbys, each of which has the settings.
func replicate(t *testing.T, standbys int, settings ...string) *replicated {
	t.Helper()
	r := &replicated{T: t}
	r.primary, r.replicas = storetest.Replicated(t, standbys, settings...)
	config := store.Config{URL: r.primary.URL("postgres")}
	for _, s := range r.replicas {
		config.Replicas = append(config.Replicas, s.URL("postgres"))
	}
	db, err := store.Open(t.Context(), config)
	if err != nil {
		t.Fatal(err)
	}
	r.db = db
	if err := items.Up(t.Context(), r.db); err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(t.Context())
	var watch sync.WaitGroup
	watch.Go(func() { r.db.Watch(ctx, slog.New(slog.DiscardHandler), nil) })
	t.Cleanup(func() {
		stop()
		watch.Wait()
		if err := r.db.Close(); err != nil {
			t.Error(err)
		}
	})
	r.until("all replicas are used", func() bool { return r.db.ReplicasReady(t.Context()) == nil })
	return r
}

// until waits for something that is looked at a few hundred times a second.
func (r *replicated) until(what string, holds func() bool) {
	r.Helper()
	look := time.NewTicker(3 * time.Millisecond)
	defer look.Stop()
	late := time.After(20 * time.Second)
	for !holds() {
		select {
		case <-look.C:
		case <-late:
			r.Fatalf("it takes too long until %s: %+v, %v", what, r.db.Replicas(), r.db.Misses())
		}
	}
}

// on runs a statement on a server, and returns what it answers.
func (r *replicated) on(s *pgserver.Server, text string) (answer string) {
	r.Helper()
	db, err := sql.Open("postgres", s.URL("postgres"))
	if err == nil {
		defer db.Close()
		var said sql.NullString
		err = db.QueryRowContext(r.Context(), text).Scan(&said)
		answer = said.String
	}
	if err != nil {
		r.Fatalf("%s: %v", text, err)
	}
	return answer
}

// reads is how many statements all replicas have answered.
func (r *replicated) reads() (n int64) {
	for _, s := range r.db.Replicas() {
		n += s.Reads
	}
	return n
}

// visitor is a caller who keeps what they have seen.
type visitor struct {
	db   *store.DB
	id   int64
	seen store.Seen
}

// asks is a request of the caller.
func (v *visitor) asks(ctx context.Context, reads bool, answer func(ctx context.Context) error) error {
	h := v.db.NewHorizon(v.seen, true)
	ctx = store.WithHorizon(store.WithCaller(ctx, store.Caller{UserID: v.id}), h)
	if reads {
		store.OnlyReads(ctx)
	}
	err := answer(ctx)
	v.seen, _ = h.Settle()
	return err
}

// adds makes an item.
func (v *visitor) adds(ctx context.Context, name string) error {
	return v.asks(ctx, false, func(ctx context.Context) error {
		_, err := v.db.ExecContext(ctx, "INSERT INTO items (name) VALUES ($1)", name)
		return err
	})
}

// finds reports how many items with the name there are.
func (v *visitor) finds(ctx context.Context, name string) (n int64, err error) {
	err = v.asks(ctx, true, func(ctx context.Context) error {
		return v.db.Reads().EachSent(ctx, "SELECT id FROM items WHERE name = $1", []any{name}, func([]driver.Value) error {
			n++
			return nil
		})
	})
	return n, err
}

func newVisitor(db *store.DB, id int64) *visitor {
	return &visitor{db: db, id: id, seen: store.Seen{At: store.AtAny}}
}

// pairs has callers write and read what they have written, and fails where one does not.
func (r *replicated) pairs(name string, callers, each int) {
	r.Helper()
	var all sync.WaitGroup
	var stale atomic.Int64
	for c := range callers {
		all.Go(func() {
			v := newVisitor(r.db, int64(c+1))
			for i := range each {
				item := fmt.Sprintf("%s %d %d", name, c, i)
				if err := v.adds(r.Context(), item); err != nil {
					r.Errorf("write: %v", err)
					return
				}
				n, err := v.finds(r.Context(), item)
				if err != nil {
					r.Errorf("read: %v", err)
					return
				}
				if n != 1 {
					stale.Add(1)
				}
			}
		})
	}
	all.Wait()
	if n := stale.Load(); n > 0 {
		r.Errorf("%d of %d reads did not show what their callers had written", n, callers*each)
	}
}

func TestReplicasShowWhatTheirCallersHaveWritten(t *testing.T) {
	t.Parallel()
	r := replicate(t, 2)
	r.pairs("both", 8, 100)
	if n := r.reads(); n == 0 {
		t.Errorf("the replicas have answered no read: %v", r.db.Misses())
	}
	r.on(r.replicas[0], "SELECT pg_wal_replay_pause()::text")
	r.until("the replica pauses", func() bool { return r.on(r.replicas[0], "SELECT pg_get_wal_replay_pause_state()") == "paused" })
	before := r.db.Replicas()
	r.pairs("one", 8, 100)
	after := r.db.Replicas()
	if n := after[0].Reads - before[0].Reads; n != 0 {
		t.Errorf("the replica that pauses has answered %d reads of what it does not have", n)
	}
	r.until("one is too old", func() bool { return r.db.Replicas()[0].Why != "" })
	n, err := newVisitor(r.db, 99).finds(t.Context(), "one 0 0")
	if n != 1 || err != nil {
		t.Errorf("a caller who has seen nothing finds %d items of more than two seconds ago (%v)", n, err)
	}
	r.on(r.replicas[0], "SELECT pg_wal_replay_resume()::text")
	r.until("it is used again", func() bool { return r.db.Replicas()[0].Why == "" })
}

// The position that a caller gets for a write is greater than all that other processes have
// given them before, also while no replica is used and while the primary is down.
func TestAWriteIsTheGreatestThatItsCallerHasSeen(t *testing.T) {
	t.Parallel()
	r := replicate(t, 1)
	r.on(r.replicas[0], "SELECT pg_wal_replay_pause()::text")
	r.pairs("ahead", 1, 1)
	r.until("it is too old", func() bool { return r.db.Replicas()[0].Why != "" })
	v := newVisitor(r.db, 1)
	for i := range 20 {
		before, err := strconv.ParseUint(r.on(r.primary, "SELECT (pg_current_wal_insert_lsn() - '0/0')::text"), 10, 64)
		if err != nil {
			t.Fatal(err)
		}
		if err := v.adds(t.Context(), fmt.Sprint(i)); err != nil {
			t.Fatal(err)
		}
		if v.seen.LSN <= before {
			t.Fatalf("write %d: the caller has seen the log up to %d, and before that it was at %d", i, v.seen.LSN, before)
		}
	}
	was := v.seen
	err := v.asks(t.Context(), false, func(ctx context.Context) error {
		_, err := r.db.ExecContext(ctx, "INSERT INTO items (name) VALUES ('last')")
		r.primary.Kill()
		return err
	})
	if err != nil || v.seen.At != store.AtPrimary || v.seen.LSN <= was.LSN || v.seen.Timeline != was.Timeline {
		t.Errorf("with the last write of the primary (%v) they have seen %+v, after %+v", err, v.seen, was)
	}
}

// A row that a caller has read stays visible to them on every server.
func TestReplicasDoNotGoBack(t *testing.T) {
	t.Parallel()
	r := replicate(t, 2)
	r.on(r.replicas[1], "SELECT pg_wal_replay_pause()::text")
	r.until("the replica pauses", func() bool { return r.on(r.replicas[1], "SELECT pg_get_wal_replay_pause_state()") == "paused" })
	writer := newVisitor(r.db, 1)
	if err := writer.adds(t.Context(), "new"); err != nil {
		t.Fatal(err)
	}
	for id := range int64(40) { // of whom each replica has some
		v := newVisitor(r.db, id+2)
		shown := int64(0)
		for i := range 10 {
			if i == 5 && id%2 == 0 { // reads from the primary what its replica may lack
				err := v.asks(t.Context(), false, func(ctx context.Context) error {
					return r.db.Reads().Each(ctx, "SELECT 1", nil, func([]driver.Value) error { return nil })
				})
				if err != nil {
					t.Fatal(err)
				}
				shown = 1
			}
			n, err := v.finds(t.Context(), "new")
			if err != nil {
				t.Fatal(err)
			}
			if n < shown {
				t.Fatalf("caller %d sees %d items, and has seen %d", id, n, shown)
			}
			shown = n
		}
	}
}

// A write is followed by reads from the primary in the same request, also one that was
// said to read.
func TestARequestThatWritesReadsThePrimary(t *testing.T) {
	t.Parallel()
	r := replicate(t, 1)
	r.on(r.replicas[0], "SELECT pg_wal_replay_pause()::text")
	r.until("the replica pauses", func() bool { return r.on(r.replicas[0], "SELECT pg_get_wal_replay_pause_state()") == "paused" })
	count := func(ctx context.Context) (n int64) {
		err := r.db.Reads().Each(ctx, "SELECT count(*) FROM items", nil, func(values []driver.Value) error {
			n = values[0].(int64)
			return nil
		})
		if err != nil {
			t.Error(err)
		}
		return n
	}
	v := newVisitor(r.db, 1)
	err := v.asks(t.Context(), true, func(ctx context.Context) error {
		if n := count(ctx); n != 0 {
			t.Errorf("%d items before", n)
		}
		if err := r.db.InTx(ctx, func(ctx context.Context) error {
			_, err := r.db.ExecContext(ctx, "INSERT INTO items (name) VALUES ('a')")
			if n := count(ctx); n != 1 {
				t.Errorf("%d items in the transaction, want 1", n)
			}
			return err
		}); err != nil {
			return err
		}
		if n := count(ctx); n != 1 {
			t.Errorf("%d items after the transaction, want 1", n)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if n, err := v.finds(t.Context(), "a"); n != 1 || err != nil {
		t.Errorf("the next request finds %d items (%v), want 1", n, err)
	}
}

// A replica that ends, or stops and says nothing, fails no request.
func TestAReplicaThatFailsFailsNoRequest(t *testing.T) {
	t.Parallel()
	r := replicate(t, 2)
	const callers = 8
	var all sync.WaitGroup
	var answered atomic.Int64
	done := make(chan struct{})
	for c := range callers {
		all.Go(func() {
			v := newVisitor(r.db, int64(c+1))
			for {
				select {
				case <-done:
					return
				default:
				}
				if err := v.asks(t.Context(), true, func(ctx context.Context) error {
					return read(ctx, r.db, 2000)
				}); err != nil {
					t.Errorf("a request has failed: %v", err)
					return
				}
				answered.Add(1)
			}
		})
	}
	more := func() {
		now := answered.Load()
		r.until("all callers go on", func() bool { return answered.Load() > now+4*callers || t.Failed() })
	}
	more()
	r.replicas[0].Kill()
	more()
	r.until("one is gone", func() bool { return r.db.Replicas()[0].Why != "" })
	if err := r.replicas[1].Pause(); err != nil {
		t.Fatal(err)
	}
	r.until("none is used", func() bool { return r.db.Replicas()[1].Why != "" })
	more()
	if err := r.replicas[1].Resume(); err != nil {
		t.Fatal(err)
	}
	if err := r.replicas[0].Restart(t.Context()); err != nil {
		t.Error(err)
	}
	r.until("both are used again", func() bool { return r.db.ReplicasReady(t.Context()) == nil })
	more()
	close(done)
	all.Wait()
}

// read reads so many rows, again where the replica that has sent some has failed.
func read(ctx context.Context, db *store.DB, rows int64) error {
	for {
		n := int64(0)
		err := db.Reads().EachSent(ctx, "SELECT generate_series(1, $1::bigint), repeat('x', 100)", []any{rows}, func([]driver.Value) error {
			n++
			return nil
		})
		switch {
		case errors.Is(err, store.ErrMoved):
		case err != nil:
			return err
		case n != rows:
			return fmt.Errorf("%d rows, want %d", n, rows)
		default:
			return nil
		}
	}
}

// A read that stands in the way of what a replica replays is ended there, also after it
// has sent rows.
func TestAConflictOnAReplicaIsThePrimarysToAnswer(t *testing.T) {
	t.Parallel()
	r := replicate(t, 1, "max_standby_streaming_delay=0")
	v := newVisitor(r.db, 1)
	if err := v.adds(t.Context(), "a"); err != nil {
		t.Fatal(err)
	}
	r.until("the replica shows it", func() bool {
		before := r.reads()
		n, err := v.finds(t.Context(), "a")
		return err == nil && n == 1 && r.reads() > before
	})
	const rows = 1000
	// The replica sends half of the rows, and then waits to be ended.
	text := fmt.Sprintf("SELECT name, repeat('x', 100), CASE WHEN g > %d AND pg_is_in_recovery() THEN pg_sleep(60) END FROM items, generate_series(1, %d) AS g", rows/2, rows)
	lock := sync.OnceFunc(func() {
		if _, err := r.db.ExecContext(t.Context(), "DO $$ BEGIN LOCK TABLE items IN ACCESS EXCLUSIVE MODE; PERFORM pg_current_xact_id(); END $$"); err != nil {
			t.Error(err)
		}
	})
	n := 0
	err := v.asks(t.Context(), true, func(ctx context.Context) error {
		err := r.db.Reads().EachSent(ctx, text, nil, func([]driver.Value) error {
			lock()
			n++
			return nil
		})
		if !errors.Is(err, store.ErrMoved) || n == 0 || n >= rows {
			t.Errorf("the read ends with %v after %d rows", err, n)
		}
		n = 0
		return r.db.Reads().EachSent(ctx, text, nil, func([]driver.Value) error { n++; return nil })
	})
	if err != nil || n != rows {
		t.Errorf("%d rows when it is run again (%v), want %d", n, err, rows)
	}
	if misses := r.db.Misses(); misses[store.MissFailed] == 0 {
		t.Errorf("no read is counted as failed: %v", misses)
	}
}

// A replica that is not of the primary's history shows nothing.
func TestAReplicaFollowsThePrimary(t *testing.T) {
	t.Parallel()
	r := replicate(t, 1)
	if err := r.replicas[0].Promote(t.Context()); err != nil {
		t.Fatal(err)
	}
	r.until("it is not used", func() bool { return r.db.Replicas()[0].Primary })
	if err := r.db.ReplicasReady(t.Context()); err != nil {
		t.Errorf("a server that is no standby is reported: %v", err)
	}
	other := replicate(t, 1)
	for _, c := range []store.Config{
		{URL: r.primary.URL("postgres"), Replicas: []string{other.replicas[0].URL("postgres")}},
		{URL: other.primary.URL("postgres"), Replicas: []string{other.replicas[0].URL("template1")}}, // of its own primary, with another name
	} {
		db, err := store.Open(t.Context(), c)
		if err != nil {
			t.Fatal(err)
		}
		ctx, stop := context.WithCancel(t.Context())
		var watch sync.WaitGroup
		watch.Go(func() { db.Watch(ctx, slog.New(slog.DiscardHandler), nil) })
		t.Cleanup(func() { stop(); watch.Wait(); _ = db.Close() })
		r.until("another database is refused", func() bool { return strings.Contains(db.Replicas()[0].Why, "another database") })
		if v := newVisitor(db, 1); v.adds(t.Context(), "x") != nil {
			t.Error("no write")
		} else if n, err := v.finds(t.Context(), "x"); n != 1 || err != nil {
			t.Errorf("%d items, %v", n, err)
		}
	}
}
