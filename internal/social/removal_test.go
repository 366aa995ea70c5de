package social_test

import (
	"context"
	"sync"
	"testing"
	"time"

	"github.com/entwine-go/entwine/ent/job"
	"github.com/entwine-go/entwine/internal/rows"
	"github.com/entwine-go/entwine/kit/gid"
	"github.com/entwine-go/entwine/kit/kittest/storetest"
	"github.com/entwine-go/entwine/kit/problem"
	"github.com/entwine-go/entwine/kit/store"
	"github.com/entwine-go/entwine/kit/viewer"
	"github.com/entwine-go/entwine/kit/write"
	"github.com/entwine-go/entwine/migrate/migratetest"
)

// transactions counts the statements and the rows that each transaction writes. It implements
// store.Observer.
type transactions struct {
	mu               sync.Mutex
	watching, open   bool
	statements, rows []int64
	// killAt ends the process, as it were, in the transaction of that number.
	killAt int
	kill   context.CancelFunc
}

func (o *transactions) Statement(_ context.Context, kind, _ string, _ time.Time, _ string) func(int64) {
	o.mu.Lock()
	defer o.mu.Unlock()
	switch {
	case !o.watching:
		return nil
	case kind == "begin":
		o.open, o.statements, o.rows = true, append(o.statements, 0), append(o.rows, 0)
		return nil
	case kind == "commit" || kind == "rollback":
		o.open = false
	}
	if !o.open {
		return nil
	}
	o.statements[len(o.statements)-1]++
	if kind != "delete" && kind != "update" {
		return nil
	}
	if len(o.rows) == o.killAt {
		o.kill()
	}
	return func(n int64) {
		o.mu.Lock()
		defer o.mu.Unlock()
		o.rows[len(o.rows)-1] += n
	}
}

func (o *transactions) watch(killAt int, kill context.CancelFunc) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.watching, o.open, o.statements, o.rows, o.killAt, o.kill = true, false, nil, nil, killAt, kill
}

// most are the most statements and rows of one transaction.
func (o *transactions) most() (statements, rows int64) {
	o.mu.Lock()
	defer o.mu.Unlock()
	for i := range o.rows {
		statements, rows = max(statements, o.statements[i]), max(rows, o.rows[i])
	}
	return statements, rows
}

// The removal of a user with much is one small transaction, and a job of many: readers see
// the right counts before it, after it was killed in the midst, and at its end.
func TestARemovalIsDoneInSteps(t *testing.T) {
	t.Parallel()
	schema := migratetest.Schema(t)
	for name, url := range map[string]func(testing.TB) string{"sqlite": schema.SQLiteURL, "postgres": schema.PostgresURL} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			seen := new(transactions)
			db, err := store.Open(t.Context(), store.Config{URL: url(t), Observer: seen})
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { _ = db.Close() })
			n := popular(t, db)
			n.client.Order.Create().SetUserID(n.users[0]).SetTotal(1).SetCurrency("USD").ExecX(n.system)
			n.exact("there", true)
			admin := viewer.With(t.Context(), &viewer.Viewer{UserID: 1 << 40, Role: viewer.Admin})
			remove := func() error {
				return rows.Engine(db).Delete(admin, write.Call{Entity: rows.User, ID: gid.Int(int64(n.users[0]))}, true)
			}
			seen.watch(0, nil)
			err = remove()
			if statements, written := seen.most(); err != nil || written > 1 || statements > 4 {
				t.Errorf("%v: the removal is %d statements, and writes %d rows itself", err, statements, written)
			}
			n.exact("before the job", false)
			if err := remove(); problem.KindOf(err) != problem.NotFound {
				t.Errorf("to remove the user again: %v, want not found", err)
			}
			if _, err := rows.Engine(db).Restore(admin, write.Call{Entity: rows.User, ID: gid.Int(int64(n.users[0]))}); problem.KindOf(err) != problem.NotFound {
				t.Errorf("to restore the user: %v, want not found", err)
			}
			for killAt := 3; n.left() > 0; killAt += 3 {
				if killAt > 60 {
					t.Fatal("the job does not end")
				}
				before := storetest.Count(t, db, "follows") + storetest.Count(t, db, "likes")
				ctx, kill := context.WithCancel(n.system)
				seen.watch(killAt, kill)
				n.work(ctx)
				kill()
				if statements, written := seen.most(); statements > 8 || written > 500 {
					t.Errorf("a transaction of the job has %d statements, and writes %d rows", statements, written)
				}
				n.exact("in the midst", false)
				if now := storetest.Count(t, db, "follows") + storetest.Count(t, db, "likes"); now > before {
					t.Errorf("there are %d follows and likes, and were %d", now, before)
				}
			}
			if wrong := n.wrong(); wrong != "" || n.written() != [3]int64{} {
				t.Errorf("counts of the user are left: %v; %s", n.written(), wrong)
			}
			for from, want := range map[string]int{"users WHERE id = $1": 0, "follows WHERE follower_id = $1 OR followee_id = $1": 0, "likes WHERE user_id = $1": 0, "recounts WHERE keeper = $1": 0, "posts WHERE author_id = $1": 0} {
				if got := storetest.Count(t, db, from, int64(n.users[0])); got != want {
					t.Errorf("%d are left of %s", got, from)
				}
			}
			if storetest.Count(t, db, "orders WHERE user_id IS NULL") != 1 {
				t.Error("the order of the user is gone, or still theirs")
			}
			if n.client.Job.Query().Where(job.Kind("recount"), job.StatusEQ(job.StatusSucceeded)).CountX(n.system) != 1 {
				t.Error("the job has not succeeded")
			}
		})
	}
}
