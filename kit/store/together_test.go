package store_test

import (
	"context"
	"errors"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/entwine-go/entwine/kit/store"
)

// commits counts transactions. It implements store.Observer.
type commits struct {
	mu  sync.Mutex
	all int
}

func (c *commits) Statement(_ context.Context, kind, _ string, _ time.Time, _ string) func(int64) {
	if kind == "commit" {
		c.mu.Lock()
		defer c.mu.Unlock()
		c.all++
	}
	return nil
}

// The callers that wait for a row while another writes it share transactions, and each takes
// effect or not by itself.
func TestTogetherSharesACommit(t *testing.T) {
	t.Parallel()
	together := map[string]func(*store.DB, context.Context, string, int64, func(context.Context) error) error{
		"statements": (*store.DB).Together, "transactions": (*store.DB).TogetherInTx,
		"one statement": func(db *store.DB, ctx context.Context, row string, by int64, fn func(context.Context) error) error {
			return store.Joined(ctx, db, row, by, fn, inTurn)
		},
	}
	for name, url := range map[string]func(testing.TB) string{"sqlite": items.SQLiteURL, "postgres": items.PostgresURL} {
		for of, together := range together {
			t.Run(name+", "+of, func(t *testing.T) {
				t.Parallel()
				sharesACommit(t, url, together)
			})
		}
	}
}

func sharesACommit(t *testing.T, url func(testing.TB) string, together func(*store.DB, context.Context, string, int64, func(context.Context) error) error) {
	t.Helper()
	seen := new(commits)
	db, err := store.Open(t.Context(), store.Config{URL: url(t), Observer: seen})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = db.Close() })
	exec(t, t.Context(), db, insert, "hot")
	all := []string{"a", "b", "error", "c", "hot", "panic", "d", "gone", "e"}
	var mu sync.Mutex
	result := map[string]error{}
	join := func(name string, by int64, fn func(context.Context) error) {
		err := func() (err error) {
			defer func() {
				if recover() != nil {
					err = errPanic
				}
			}()
			return together(db, t.Context(), "items hot", by, fn)
		}()
		mu.Lock()
		defer mu.Unlock()
		result[name] = err
	}
	begun, lined := make(chan struct{}), make(chan struct{})
	var done sync.WaitGroup
	done.Go(func() {
		join("first", 0, func(context.Context) error {
			close(begun)
			<-lined
			return nil
		})
	})
	<-begun
	for i, name := range all {
		done.Go(func() {
			join(name, int64(len(all)-i), func(ctx context.Context) error {
				switch name {
				case "error":
					return errStop
				case "panic":
					panic("at the disco")
				case "gone":
					gone, cancel := context.WithCancel(ctx)
					cancel()
					ctx = gone
				}
				_, err := db.ExecContext(ctx, insert, name)
				return err
			})
		})
	}
	store.Lined(db, "items hot", len(all))
	seen.mu.Lock()
	before := seen.all
	seen.mu.Unlock()
	close(lined)
	done.Wait()
	if n := seen.all - before; n > 2 {
		t.Errorf("%d callers had %d commits, want what two need at most", len(all), n)
	}
	kept := names(t, db)
	slices.Sort(kept)
	if want := []string{"a", "b", "c", "d", "e", "hot"}; !slices.Equal(kept, want) {
		t.Errorf("kept %q, want %q: %v", kept, want, result)
	}
	if !errors.Is(result["error"], errStop) || !store.IsUnique(result["hot"]) || !errors.Is(result["panic"], errPanic) || !errors.Is(result["gone"], context.Canceled) || result["a"] != nil {
		t.Errorf("the errors are %v", result)
	}
	if n := store.Crowds(db); n != 0 {
		t.Errorf("%d crowds are kept", n)
	}
}

// inTurn calls all of them, up to the first that fails.
func inTurn(ctx context.Context, all []func(context.Context) error) error {
	for _, fn := range all {
		if err := fn(ctx); err != nil {
			return err
		}
	}
	return nil
}

// The wishes of callers who wait for a row are carried out by one call, in the order of by. One that has
// left meanwhile is not among them.
func TestJoinedDoesForAllWhoWait(t *testing.T) {
	t.Parallel()
	db, err := store.Open(t.Context(), store.Config{URL: items.PostgresURL(t)})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = db.Close() })
	var calls [][]string
	begun, lined := make(chan struct{}), make(chan struct{})
	do := func(ctx context.Context, all []string) error {
		calls = append(calls, all)
		if all[0] == "first" {
			close(begun)
			<-lined
		}
		for _, name := range all {
			if _, err := db.ExecContext(ctx, insert, name); err != nil {
				return err
			}
		}
		return nil
	}
	var done sync.WaitGroup
	join := func(ctx context.Context, by int64, name string, want error) {
		done.Go(func() {
			if err := store.Joined(ctx, db, "items hot", by, name, do); !errors.Is(err, want) {
				t.Errorf("%s: %v, want %v", name, err, want)
			}
		})
	}
	join(t.Context(), 0, "first", nil)
	<-begun
	left, leave := context.WithCancel(t.Context())
	join(t.Context(), 2, "b", nil)
	join(t.Context(), 3, "c", nil)
	join(t.Context(), 1, "a", nil)
	join(left, 4, "left", context.Canceled)
	store.Lined(db, "items hot", 4)
	leave()
	close(lined)
	done.Wait()
	if len(calls) != 2 || !slices.Equal(calls[1], []string{"a", "b", "c"}) {
		t.Errorf("the calls are for %q", calls)
	}
	kept := names(t, db)
	slices.Sort(kept)
	if want := []string{"a", "b", "c", "first"}; !slices.Equal(kept, want) {
		t.Errorf("kept %q, want %q", kept, want)
	}
}
