package store_test

import (
	"context"
	"errors"
	"slices"
	"testing"

	"github.com/entwine-go/entwine/kit/store"
	"github.com/lib/pq"
)

const insert = "INSERT INTO items (name) VALUES ($1)"

var errStop = errors.New("stop")

func TestInTx(t *testing.T) {
	t.Parallel()
	items.Each(t, func(t *testing.T, db *store.DB) {
		for _, c := range []struct {
			name string
			run  func(ctx context.Context) error
			want []string
			err  error
		}{
			{"keeps what fn did", func(ctx context.Context) error {
				exec(t, ctx, db, insert, "a")
				exec(t, ctx, db, insert, "b")
				return nil
			}, []string{"a", "b"}, nil},
			{"undoes it on an error", func(ctx context.Context) error {
				exec(t, ctx, db, insert, "a")
				return errStop
			}, nil, errStop},
			{"undoes a savepoint alone", func(ctx context.Context) error {
				exec(t, ctx, db, insert, "a")
				err := db.InTx(ctx, func(ctx context.Context) error {
					exec(t, ctx, db, insert, "b")
					_, err := db.ExecContext(ctx, insert, "a")
					return err
				})
				if !store.IsUnique(err) {
					t.Errorf("savepoint: %v, want a unique violation", err)
				}
				exec(t, ctx, db, insert, "c")
				return db.InTx(ctx, func(ctx context.Context) error {
					exec(t, ctx, db, insert, "d")
					return nil
				})
			}, []string{"a", "c", "d"}, nil},
			{"sees its own writes", func(ctx context.Context) error {
				exec(t, ctx, db, insert, "a")
				var n int
				scan(t, ctx, db, "SELECT count(*) FROM items", &n)
				if n != 1 {
					t.Errorf("%d rows inside, want 1", n)
				}
				return errStop
			}, nil, errStop},
			{"fails with a statement whose error is passed over", func(ctx context.Context) error {
				exec(t, ctx, db, insert, "a")
				_, _ = db.ExecContext(ctx, "INSERT INTO nowhere VALUES (1)")
				if _, err := db.ExecContext(ctx, insert, "b"); err == nil {
					t.Error("a statement ran after one that failed")
				}
				return errStop
			}, nil, errStop},
		} {
			exec(t, t.Context(), db, "DELETE FROM items")
			if err := db.InTx(t.Context(), c.run); !errors.Is(err, c.err) {
				t.Errorf("InTx %s: %v, want %v", c.name, err, c.err)
			}
			if got := names(t, db); !slices.Equal(got, c.want) {
				t.Errorf("InTx %s: rows %v, want %v", c.name, got, c.want)
			}
		}
	})
}

func TestInTxFailsWithAStatementThatFailed(t *testing.T) {
	t.Parallel()
	items.Each(t, func(t *testing.T, db *store.DB) {
		twice := func(ctx context.Context) error {
			exec(t, ctx, db, insert, "a")
			_, _ = db.ExecContext(ctx, insert, "a")
			return nil
		}
		if err := db.InTx(t.Context(), twice); !store.IsUnique(err) || names(t, db) != nil {
			t.Errorf("InTx: %v, rows %v, want a unique violation and none", err, names(t, db))
		}
		err := db.InTx(t.Context(), func(ctx context.Context) error {
			if err := db.InTx(ctx, twice); !store.IsUnique(err) {
				t.Errorf("savepoint: %v, want a unique violation", err)
			}
			exec(t, ctx, db, insert, "b")
			return nil
		})
		if got := names(t, db); err != nil || !slices.Equal(got, []string{"b"}) {
			t.Errorf("InTx: %v, rows %v, want nil, [b]", err, got)
		}
	})
}

func TestInTxUndoesWhenTheCallerIsGone(t *testing.T) {
	t.Parallel()
	items.Each(t, func(t *testing.T, db *store.DB) {
		ctx, cancel := context.WithCancel(t.Context())
		err := db.InTx(ctx, func(ctx context.Context) error {
			exec(t, ctx, db, insert, "a")
			cancel()
			return nil
		})
		if !errors.Is(err, context.Canceled) || names(t, db) != nil {
			t.Errorf("InTx: %v, rows %v, want %v and none", err, names(t, db), context.Canceled)
		}
	})
}

func TestInTxUndoesAPanic(t *testing.T) {
	t.Parallel()
	items.Each(t, func(t *testing.T, db *store.DB) {
		func() {
			defer func() { _ = recover() }()
			_ = db.InTx(t.Context(), func(ctx context.Context) error {
				exec(t, ctx, db, insert, "a")
				panic("fn")
			})
		}()
		exec(t, t.Context(), db, insert, "b") // the writer is free again
		if got := names(t, db); !slices.Equal(got, []string{"b"}) {
			t.Errorf("rows %v, want [b]", got)
		}
	})
}

func TestInTxRetries(t *testing.T) {
	t.Parallel()
	conflict := error(&pq.Error{Code: "40001"})
	items.Each(t, func(t *testing.T, db *store.DB) {
		for _, c := range []struct {
			name     string
			failures int
			err      error
			runs     int
		}{
			{"a conflict until it is over", 2, conflict, 3},
			{"a conflict at most three times", 9, conflict, 4},
			{"nothing else", 9, errStop, 1},
		} {
			runs, after := 0, 0
			err := db.InTx(t.Context(), func(ctx context.Context) error {
				store.AfterCommit(ctx, func(context.Context) { after++ })
				if runs++; runs <= c.failures {
					return c.err
				}
				return nil
			})
			if runs != c.runs || (err == nil) != (c.failures < runs) || (err == nil) != (after == 1) {
				t.Errorf("InTx retries %s: %d runs, want %d; %d callbacks, error %v", c.name, runs, c.runs, after, err)
			}
		}
	})
}

func TestOnlyTheOutermostRetries(t *testing.T) {
	t.Parallel()
	items.Each(t, func(t *testing.T, db *store.DB) {
		inner, outer := 0, 0
		err := db.InTx(t.Context(), func(ctx context.Context) error {
			outer++
			return db.InTx(ctx, func(context.Context) error {
				if inner++; inner == 1 {
					return &pq.Error{Code: "40P01"}
				}
				return nil
			})
		})
		if err != nil || inner != 2 || outer != 2 {
			t.Errorf("%v after %d inner and %d outer runs, want nil, 2, 2", err, inner, outer)
		}
	})
}

func TestAfterCommit(t *testing.T) {
	t.Parallel()
	items.Each(t, func(t *testing.T, db *store.DB) {
		var ran []string
		note := func(ctx context.Context, what string) {
			store.AfterCommit(ctx, func(ctx context.Context) {
				if got := names(t, db); ctx.Err() != nil || !slices.Equal(got, []string{"a"}) {
					t.Errorf("callback %s sees %v, want [a]", what, got)
				}
				ran = append(ran, what)
			})
		}
		err := db.InTx(t.Context(), func(ctx context.Context) error {
			exec(t, ctx, db, insert, "a")
			note(ctx, "outer")
			_ = db.InTx(ctx, func(ctx context.Context) error { note(ctx, "undone"); return errStop })
			return db.InTx(ctx, func(ctx context.Context) error { note(ctx, "inner"); return nil })
		})
		note(t.Context(), "alone")
		if err != nil || !slices.Equal(ran, []string{"outer", "inner", "alone"}) {
			t.Errorf("ran %v (%v), want outer, inner, alone", ran, err)
		}
	})
}
