package store_test

import (
	"context"
	"database/sql/driver"
	"errors"
	"runtime"
	"strings"
	"testing"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/entwine-go/entwine/kit/problem"
	"github.com/entwine-go/entwine/kit/store"
)

// eachShared runs the test on both databases, with half of 8 connections for
// each caller.
func eachShared(t *testing.T, wait time.Duration, test func(t *testing.T, db *store.DB)) {
	for name, url := range map[string]func(testing.TB) string{"sqlite": items.SQLiteURL, "postgres": items.PostgresURL} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			db, err := store.Open(t.Context(), store.Config{URL: url(t), Conns: 8, Share: 50, ShareWait: wait})
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { _ = db.Close() })
			test(t, db)
		})
	}
}

const hostile, stranger = 1, 2

// as is the context of a user's requests.
func as(t *testing.T, id int64) context.Context {
	return store.WithCaller(t.Context(), store.Caller{UserID: id})
}

// hold has so many reads of a caller each keep a connection until the function
// is called that hold returns, or say on refused that they got none.
func hold(t *testing.T, db *store.DB, caller int64, n int) (held <-chan struct{}, refused <-chan error, release func()) {
	began, failed, end := make(chan struct{}, n), make(chan error, n), make(chan struct{})
	var all errgroup.Group
	ctx := as(t, caller)
	for range n {
		all.Go(func() error {
			err := db.Each(ctx, "SELECT 1", nil, func([]driver.Value) error {
				began <- struct{}{}
				<-end
				return nil
			})
			if err != nil {
				failed <- err
			}
			return nil
		})
	}
	return began, failed, func() { close(end); _ = all.Wait() }
}

func TestACallerHasAShare(t *testing.T) {
	t.Parallel()
	eachShared(t, time.Hour, func(t *testing.T, db *store.DB) {
		began, refused, release := hold(t, db, hostile, 16)
		for range 4 {
			<-began
		}
		for db.Waiting() < 12 {
			runtime.Gosched() // until they have asked
		}
		if n := len(began); n > 0 {
			t.Errorf("%d reads of a caller run beside 4", n)
		}
		other := as(t, stranger)
		if got, err := readBy("sent", other, db, "", keep); err != nil || len(got) > 0 {
			t.Errorf("another caller reads %v, %v", got, err)
		}
		if err := create(other, db, "a"); err != nil {
			t.Errorf("another caller writes: %v", err)
		}
		if got := names(t, db); len(got) != 1 { // no user's, as background work is
			t.Errorf("%v are there, want one", got)
		}
		release()
		if len(began) != 12 || len(refused) > 0 || db.Waiting() != 0 {
			t.Errorf("%d of 12 that waited have read, %d were refused, %d wait still", len(began), len(refused), db.Waiting())
		}
	})
}

func TestWhoWaitsTooLongForTheirShareIsTold(t *testing.T) {
	t.Parallel()
	eachShared(t, time.Millisecond, func(t *testing.T, db *store.DB) {
		_, refused, release := hold(t, db, hostile, 8)
		for range 3 {
			<-refused
		}
		err := <-refused
		if p := problem.As(err); p == nil || p.Kind != problem.Unavailable || p.RetryAfter != time.Second || !strings.Contains(p.Message, "4 of its connections are yours") || problem.Fault(err) {
			t.Errorf("a fifth is told %v", err)
		}
		gone, leave := context.WithCancel(as(t, hostile))
		leave()
		if _, err := readBy("sent", gone, db, "", keep); err == nil {
			t.Error("who has left reads")
		}
		release()
		for range 5 { // one turn serves several waits
			if _, err := readBy("sent", as(t, hostile), db, "", keep); err != nil {
				t.Errorf("after that: %v", err)
			}
		}
	})
}

// All statements of a transaction run on its connection: it waits for no other.
func TestATransactionIsOneOfAShare(t *testing.T) {
	t.Parallel()
	eachShared(t, time.Hour, func(t *testing.T, db *store.DB) {
		ctx := as(t, hostile)
		var all errgroup.Group
		for range 20 {
			all.Go(func() error {
				return db.InTx(ctx, func(ctx context.Context) error {
					for range 3 {
						scan(t, ctx, db, "SELECT 1", new(int))
						if _, err := readBy("sent", ctx, db, "", keep); err != nil {
							return err
						}
					}
					return db.InTx(ctx, func(ctx context.Context) error { exec(t, ctx, db, "DELETE FROM parts"); return nil })
				})
			})
		}
		if err := all.Wait(); err != nil {
			t.Error(err)
		}
		for range 20 { // what fails, is cut short or closed early gives back as well
			if _, err := db.QueryContext(ctx, "SELECT nonsense"); err == nil {
				t.Error("nonsense is read")
			}
			gone, leave := context.WithCancel(ctx)
			rows, err := db.QueryContext(gone, "SELECT 1 UNION ALL SELECT 2")
			if err != nil {
				t.Fatal(err)
			}
			rows.Next()
			leave()
			if err := rows.Close(); err != nil {
				t.Error(err)
			}
			if err := rows.Err(); err != nil && !errors.Is(err, context.Canceled) {
				t.Error(err)
			}
		}
		scan(t, ctx, db, "SELECT 1", new(int))
	})
}
