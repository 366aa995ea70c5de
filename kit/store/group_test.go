package store_test

import (
	"context"
	"errors"
	"slices"
	"sync"
	"testing"

	"github.com/entwine-go/entwine/kit/store"
)

// crowd calls InGroup for each name at a time while the writer is taken, so
// that all of them wait for it together.
func crowd(t *testing.T, db *store.DB, names []string, fn func(ctx context.Context, name string) error) map[string]error {
	t.Helper()
	var mu sync.Mutex
	result := make(map[string]error)
	var all, lined sync.WaitGroup
	err := db.InTx(t.Context(), func(context.Context) error {
		for _, name := range names {
			lined.Add(1)
			all.Go(func() {
				lined.Done()
				err := func() (err error) {
					defer func() {
						if p := recover(); p != nil {
							err = errPanic
						}
					}()
					return db.InGroup(t.Context(), func(ctx context.Context) error { return fn(ctx, name) })
				}()
				mu.Lock()
				defer mu.Unlock()
				result[name] = err
			})
		}
		lined.Wait()
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	all.Wait()
	return result
}

var errPanic = errors.New("panic")

func TestInGroupEachTakesEffectOrNotByItself(t *testing.T) {
	t.Parallel()
	items.Each(t, func(t *testing.T, db *store.DB) {
		all := []string{"a", "b", "error", "c", "statement", "passed over", "panic", "d", "gone", "e", "f", "g", "h"}
		var mu sync.Mutex
		followed := 0
		result := crowd(t, db, all, func(ctx context.Context, name string) error {
			store.AfterCommit(ctx, func(context.Context) { mu.Lock(); followed++; mu.Unlock() })
			if _, err := db.ExecContext(ctx, insert, name); err != nil {
				return err
			}
			switch name {
			case "error":
				return errStop
			case "statement":
				_, err := db.ExecContext(ctx, "INSERT INTO items (name, size) VALUES ('big', 1000)")
				return err
			case "passed over":
				_, _ = db.ExecContext(ctx, "INSERT INTO items (name, size) VALUES ('big', 1000)")
			case "panic":
				panic("at the disco")
			case "gone":
				ctx, cancel := context.WithCancel(ctx)
				cancel()
				_, err := db.ExecContext(ctx, "UPDATE items SET size = 1")
				return err
			}
			return nil
		})
		kept := names(t, db)
		slices.Sort(kept)
		if want := []string{"a", "b", "c", "d", "e", "f", "g", "h"}; !slices.Equal(kept, want) || followed != len(want) {
			t.Errorf("kept %q and followed %d times, want %q", kept, followed, want)
		}
		for name, err := range result {
			if failed := len(name) > 1; (err != nil) != failed {
				t.Errorf("%s: %v", name, err)
			}
		}
		if !errors.Is(result["error"], errStop) || !errors.Is(result["panic"], errPanic) || !errors.Is(result["gone"], context.Canceled) {
			t.Errorf("the errors are %v", result)
		}
	})
}

// SQLite undoes all of a transaction some of whose statements fail. The
// others must not lose what they did.
func TestInGroupSurvivesOneThatBreaksTheTransaction(t *testing.T) {
	t.Parallel()
	db := items.SQLite(t)
	result := crowd(t, db, []string{"a", "b", "undo", "c", "d"}, func(ctx context.Context, name string) error {
		exec(t, ctx, db, insert, name)
		if name == "undo" {
			if _, err := db.ExecContext(ctx, "ROLLBACK"); err != nil {
				return err
			}
			return errStop
		}
		return nil
	})
	kept := names(t, db)
	slices.Sort(kept)
	if !slices.Equal(kept, []string{"a", "b", "c", "d"}) || result["undo"] == nil || result["a"] != nil || result["d"] != nil {
		t.Errorf("kept %q, errors %v", kept, result)
	}
}

func TestInGroupJoinsATransaction(t *testing.T) {
	t.Parallel()
	items.Each(t, func(t *testing.T, db *store.DB) {
		err := db.InTx(t.Context(), func(ctx context.Context) error {
			err := db.InGroup(ctx, func(ctx context.Context) error {
				exec(t, ctx, db, insert, "a")
				return nil
			})
			return errors.Join(err, errStop)
		})
		if kept := names(t, db); len(kept) != 0 || !errors.Is(err, errStop) {
			t.Errorf("kept %q (%v), want what InTx undid", kept, err)
		}
	})
}

// In a transaction Alone undoes its own statement, and the transaction goes on.
func TestAloneUndoesItsStatementOnly(t *testing.T) {
	t.Parallel()
	items.Each(t, func(t *testing.T, db *store.DB) {
		err := db.InTx(t.Context(), func(ctx context.Context) error {
			err := db.Alone(ctx, func(ctx context.Context) error {
				_, err := db.ExecContext(ctx, "INSERT INTO nowhere VALUES (1)")
				return err
			})
			if err == nil {
				t.Error("a statement that fails returned no error")
			}
			return db.Alone(ctx, func(ctx context.Context) error {
				exec(t, ctx, db, insert, "a")
				return nil
			})
		})
		if kept := names(t, db); !slices.Equal(kept, []string{"a"}) || err != nil {
			t.Errorf("kept %q, %v", kept, err)
		}
	})
}
