package store_test

import (
	"context"
	"database/sql/driver"
	"errors"
	"fmt"
	"slices"
	"testing"

	"github.com/entwine-go/entwine/kit/store"
)

// reads are the two ways in which rows come: those of EachSent are lib/pq's the
// first time that a connection runs a statement, and its own from then on.
var reads = map[string]func(*store.DB, context.Context, string, []any, func([]driver.Value) error) error{
	"each": (*store.DB).Each,
	"sent": (*store.DB).EachSent,
}

// readBy returns the names up to one, and whatever each of them makes of it.
func readBy(how string, ctx context.Context, db *store.DB, last string, row func(name string) error) (all []string, err error) {
	err = reads[how](db, ctx, "SELECT name FROM items WHERE name <= $1 ORDER BY name", []any{last}, func(values []driver.Value) error {
		name := textOf(values[0])
		all = append(all, name)
		return row(name)
	})
	return all, err
}

func textOf(value driver.Value) string {
	if sent, ok := value.(*store.Sent); ok {
		return string(sent.Bytes)
	}
	return fmt.Sprintf("%s", value)
}

func keep(string) error { return nil }

func TestEachRow(t *testing.T) {
	t.Parallel()
	for how := range reads {
		t.Run(how, func(t *testing.T) {
			t.Parallel()
			items.Each(t, func(t *testing.T, db *store.DB) { eachRow(t, db, how) })
		})
	}
}

func eachRow(t *testing.T, db *store.DB, how string) {
	for _, name := range []string{"a", "b", "c"} {
		if err := create(t.Context(), db, name); err != nil {
			t.Fatal(err)
		}
	}
	both := func(name string, test func(ctx context.Context) error) {
		t.Helper()
		if err := test(t.Context()); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if err := db.InTx(t.Context(), test); err != nil {
			t.Errorf("%s in a transaction: %v", name, err)
		}
	}
	wants := func(ctx context.Context, last string, want ...string) error {
		got, err := readBy(how, ctx, db, last, keep)
		if err == nil && !slices.Equal(got, want) {
			err = fmt.Errorf("%v up to %q, want %v", got, last, want)
		}
		return err
	}
	both("all", func(ctx context.Context) error { return wants(ctx, "b", "a", "b") })
	both("none", func(ctx context.Context) error { return wants(ctx, "") })
	both("what the transaction wrote", func(ctx context.Context) error {
		if err := create(ctx, db, "0"); err != nil {
			return err
		}
		_, err := db.ExecContext(ctx, "DELETE FROM items WHERE name = 'a'")
		return errors.Join(err, wants(ctx, "a", "0"), create(ctx, db, "a"), deleted(ctx, db, "0"))
	})
	if err := db.InTx(t.Context(), func(ctx context.Context) error {
		_, err := readBy(how, ctx, db, "c", func(string) error { return errStop })
		if !errors.Is(err, errStop) {
			t.Errorf("a row's error came out as %v", err)
		}
		return nil
	}); err == nil {
		t.Error("a transaction with a read that failed was committed")
	}
	ctx, cancel := context.WithCancel(t.Context())
	if got, err := readBy(how, ctx, db, "c", func(string) error { cancel(); return nil }); !errors.Is(err, context.Canceled) || len(got) != 1 {
		t.Errorf("%v, %v after the first row's context ended", got, err)
	}
	for _, in := range []func(context.Context, func(context.Context) error) error{db.InTx, func(ctx context.Context, fn func(context.Context) error) error { return fn(ctx) }} {
		func() {
			defer func() {
				if recover() == nil {
					t.Error("a row's panic was swallowed")
				}
			}()
			_ = in(t.Context(), func(ctx context.Context) error {
				_, err := readBy(how, ctx, db, "c", func(string) error { panic("row") })
				return err
			})
		}()
	}
	both("after all that", func(ctx context.Context) error { return wants(ctx, "c", "a", "b", "c") })
}

// A context that outlives its transaction must not reach who has the
// connection by then.
func TestEachAfterTheTransaction(t *testing.T) {
	t.Parallel()
	items.Each(t, func(t *testing.T, db *store.DB) {
		var late context.Context
		if err := db.InTx(t.Context(), func(ctx context.Context) error { late = ctx; return nil }); err != nil { //nolint:fatcontext // it outlives its transaction
			t.Fatal(err)
		}
		for how := range reads {
			if _, err := readBy(how, late, db, "c", keep); err == nil {
				t.Error("a read in a transaction that was over succeeded")
			}
		}
	})
}

func deleted(ctx context.Context, db *store.DB, name string) error {
	_, err := db.ExecContext(ctx, "DELETE FROM items WHERE name = $1", name)
	return err
}
