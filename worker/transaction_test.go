package worker_test

import (
	"context"
	"database/sql"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/entwine-go/entwine/ent"
	"github.com/entwine-go/entwine/ent/orm"
	"github.com/entwine-go/entwine/ent/user"
	"github.com/entwine-go/entwine/kit/jobs"
)

// written are the names of the categories, and of the jobs as "job name".
func (k *kit) written() []string {
	k.Helper()
	rows, err := k.db.QueryContext(k.ctx, "SELECT name FROM categories UNION ALL SELECT 'job ' || kind FROM jobs")
	if err != nil {
		k.Fatal(err)
	}
	defer rows.Close()
	var all []string
	for rows.Next() {
		var name string
		if err := rows.Scan(&name); err != nil {
			k.Fatal(err)
		}
		all = append(all, name)
	}
	if err := rows.Err(); err != nil {
		k.Fatal(err)
	}
	slices.Sort(all)
	return all
}

func (k *kit) holds(what string, want ...string) {
	k.Helper()
	if got := k.written(); !slices.Equal(got, want) {
		k.Errorf("%s: there are %q, want %q", what, got, want)
	}
	for _, table := range []string{"jobs", "categories"} {
		if _, err := k.db.ExecContext(k.ctx, "DELETE FROM "+table); err != nil {
			k.Fatal(err)
		}
	}
}

func (k *kit) try(err error) {
	k.Helper()
	if err != nil {
		k.Error(err)
	}
}

// A transaction of Ent's client that nothing encloses is one of its own, which jobs
// join that are enqueued with its context.
func TestJobsJoinATransactionOfEntsClient(t *testing.T) {
	each(t, func(k *kit) {
		client := orm.Client(k.db)
		begin := func() *ent.Tx {
			tx, err := client.Tx(k.ctx)
			if err != nil {
				k.Fatal(err)
			}
			k.try(tx.Category.Create().SetName("a").Exec(k.ctx))
			_, err = k.client.Enqueue(k.ctx, note{}, jobs.Options{})
			k.try(err)
			return tx
		}
		var done []string
		tx := begin()
		tx.OnRollback(func(next ent.Rollbacker) ent.Rollbacker {
			return ent.RollbackFunc(func(ctx context.Context, tx *ent.Tx) error {
				err := next.Rollback(ctx, tx)
				done = append(done, "rolled back")
				return err
			})
		})
		k.try(tx.Rollback())
		k.holds("after a rollback")
		tx = begin()
		k.try(tx.Commit())
		k.holds("after a commit", "a", "job note")
		if err := tx.Commit(); !errors.Is(err, sql.ErrTxDone) {
			k.Errorf("a second Commit: %v, want %v", err, sql.ErrTxDone)
		}
		if !slices.Equal(done, []string{"rolled back"}) {
			k.Errorf("hooks ran as %q", done)
		}
		// Hooks of the schema have what they need there, too.
		tx = begin()
		admin, err := tx.User.Create().SetName("Ada").SetEmail("ada@example.org").SetRole(user.RoleAdmin).Save(k.ctx)
		k.try(err)
		err = tx.User.UpdateOneID(admin.ID).SetRole(user.RoleUser).Exec(k.ctx)
		if err == nil || !strings.Contains(err.Error(), "the last active admin") {
			k.Errorf("the last admin left: %v", err)
		}
		k.try(tx.User.UpdateOneID(admin.ID).SetName("Ada L").Exec(k.ctx))
		k.try(tx.Rollback())
		k.holds("after another rollback")

		// Where several are open the context has to say which.
		if k.db.Dialect.SingleWriter() {
			return
		}
		one, other := begin(), begin2(k, client)
		if _, err := k.client.Enqueue(k.ctx, note{}, jobs.Options{}); err == nil || !strings.Contains(err.Error(), "ent.NewTxContext(ctx, tx)") {
			k.Errorf("two transactions are open: %v", err)
		}
		_, err = k.client.Enqueue(ent.NewTxContext(k.ctx, other), note{}, jobs.Options{})
		k.try(err)
		k.try(one.Rollback())
		k.try(other.Commit())
		k.holds("after one of two", "b", "job note")
	})
}

func begin2(k *kit, client *ent.Client) *ent.Tx {
	k.Helper()
	tx, err := client.BeginTx(k.ctx, &sql.TxOptions{Isolation: sql.LevelSerializable})
	if err != nil {
		k.Fatal(err)
	}
	k.try(tx.Category.Create().SetName("b").Exec(k.ctx))
	return tx
}

// A transaction of Ent's client in one of the request is a savepoint: Rollback undoes
// what was done since, and what OnCommit does after the commit waits for the
// request's.
func TestATransactionOfEntsClientInTheRequestsIsASavepoint(t *testing.T) {
	each(t, func(k *kit) {
		client := orm.Client(k.db)
		var told []string
		hook := func(next ent.Committer) ent.Committer {
			return ent.CommitFunc(func(ctx context.Context, tx *ent.Tx) error {
				k.try(tx.Category.Create().SetName("before").Exec(ctx))
				err := next.Commit(ctx, tx)
				n, counted := client.Category.Query().Count(ctx)
				if err == nil && (counted != nil || n != 4) {
					k.Errorf("%d categories are committed (%v), want 4", n, counted)
				}
				if err == nil {
					told = append(told, "committed")
				} else {
					told = append(told, "undone")
				}
				return err
			})
		}
		stop := errors.New("stop")
		request := func(end error, left bool) error {
			return k.db.InTx(k.ctx, func(ctx context.Context) error {
				k.try(client.Category.Create().SetName("outer").Exec(ctx))
				tx, err := client.Tx(ctx)
				k.try(err)
				k.try(tx.Category.Create().SetName("gone").Exec(ctx))
				_, err = k.client.Enqueue(ctx, note{}, jobs.Options{})
				k.try(err)
				k.try(tx.Rollback())
				if left {
					_, err = client.Tx(ctx)
					return err
				}
				tx, err = client.BeginTx(ctx, nil)
				k.try(err)
				tx.OnCommit(hook)
				k.try(tx.Category.Create().SetName("inner").Exec(ctx))
				inner, err := client.Tx(ctx)
				k.try(err)
				k.try(inner.Category.Create().SetName("innermost").Exec(ctx))
				k.try(inner.Commit())
				k.try(tx.Commit())
				told = append(told, "returned")
				return end
			})
		}
		k.try(request(nil, false))
		if want := []string{"returned", "committed"}; !slices.Equal(told, want) {
			k.Errorf("the hook and the request ended as %q, want %q", told, want)
		}
		k.holds("after the request", "before", "inner", "innermost", "outer")
		told = nil
		if err := request(stop, false); !errors.Is(err, stop) {
			k.Errorf("the request ended with %v", err)
		}
		if want := []string{"returned", "undone"}; !slices.Equal(told, want) {
			k.Errorf("the hook and the request ended as %q, want %q", told, want)
		}
		k.holds("after the request was undone")
		if err := request(nil, true); err == nil || !strings.Contains(err.Error(), "neither committed nor rolled back") {
			k.Errorf("a transaction is left open: %v", err)
		}
		k.holds("after one was left open")
	})
}

// An option that can't apply to a transaction that has begun is refused, with those that
// can.
func TestOptionsOfTransactionsOfEntsClient(t *testing.T) {
	each(t, func(k *kit) {
		client := orm.Client(k.db)
		tx, err := client.BeginTx(k.ctx, &sql.TxOptions{ReadOnly: true})
		k.try(err)
		if err := tx.Category.Create().SetName("a").Exec(k.ctx); err == nil {
			k.Error("a transaction that only reads wrote")
		}
		k.try(tx.Rollback())
		k.try(k.db.InTx(k.ctx, func(ctx context.Context) error {
			if _, err := client.BeginTx(ctx, &sql.TxOptions{Isolation: sql.LevelSerializable}); err == nil || !strings.Contains(err.Error(), "isolation is set") {
				k.Errorf("another isolation inside: %v", err)
			}
			tx, err := client.BeginTx(ctx, nil)
			k.try(err)
			k.try(k.db.InTx(ctx, func(context.Context) error {
				if err := tx.Commit(); err == nil || !strings.Contains(err.Error(), "InTx that has begun after it") {
					k.Errorf("Commit in an inner InTx: %v", err)
				}
				return nil
			}))
			return tx.Commit()
		}))
	})
}
