package social_test

import (
	"context"
	"fmt"
	"log/slog"
	"sync"
	"testing"
	"time"

	"github.com/entwine-go/entwine/ent"
	"github.com/entwine-go/entwine/ent/job"
	"github.com/entwine-go/entwine/ent/orm"
	"github.com/entwine-go/entwine/ent/typedid"
	"github.com/entwine-go/entwine/ent/user"
	"github.com/entwine-go/entwine/internal/rows"
	"github.com/entwine-go/entwine/kit/entity"
	"github.com/entwine-go/entwine/kit/gid"
	"github.com/entwine-go/entwine/kit/jobs"
	"github.com/entwine-go/entwine/kit/policy"
	"github.com/entwine-go/entwine/kit/problem"
	"github.com/entwine-go/entwine/kit/pubsub"
	"github.com/entwine-go/entwine/kit/store"
	"github.com/entwine-go/entwine/kit/viewer"
	"github.com/entwine-go/entwine/kit/write"
	"github.com/entwine-go/entwine/migrate/migratetest"
)

// network is a few users who follow each other, and like each other's posts.
type network struct {
	*testing.T
	db     *store.DB
	client *ent.Client
	system context.Context
	users  []typedid.UserID
	posts  []typedid.PostID
}

func newNetwork(t *testing.T, db *store.DB, users int) *network {
	n := &network{T: t, db: db, client: orm.Client(db), system: viewer.With(t.Context(), viewer.System())}
	for i := range users {
		u := n.client.User.Create().SetName(fmt.Sprintf("User %d", i)).SetEmail(fmt.Sprintf("user%d@example.com", i)).SaveX(n.system)
		n.users = append(n.users, u.ID)
		p := n.client.Post.Create().SetTitle("A post").SetContent("A text").SetPublished(true).SetAuthorID(u.ID).SaveX(n.system)
		n.posts = append(n.posts, p.ID)
	}
	return n
}

// circle has users mark each other and posts, as the APIs do.
type circle struct{ *write.Engine }

func (c circle) follow(ctx context.Context, id typedid.UserID) error {
	return c.mark(ctx, rows.User, int64(id))
}

func (c circle) unfollow(ctx context.Context, id typedid.UserID) error {
	return c.Unmark(ctx, write.Call{Entity: rows.User, ID: gid.Int(int64(id))}, rows.User.Marks[0])
}

func (c circle) like(ctx context.Context, id typedid.PostID) error {
	return c.mark(ctx, rows.Post, int64(id))
}

func (c circle) unlike(ctx context.Context, id typedid.PostID) error {
	return c.Unmark(ctx, write.Call{Entity: rows.Post, ID: gid.Int(int64(id))}, rows.Post.Marks[0])
}

func (c circle) mark(ctx context.Context, of *write.Entity, id int64) error {
	_, err := c.marked(ctx, of, id)
	return err
}

func (c circle) marked(ctx context.Context, of *write.Entity, id int64) (write.Marked, error) {
	in := write.Input{API: &write.API{Field: func(f *entity.Field) string { return f.Name }}}
	return c.Mark(ctx, write.Call{Entity: of, ID: gid.Int(id), Input: in}, of.Marks[0])
}

// as is the context of the i-th user.
func (n *network) as(i int) context.Context {
	return viewer.With(n.Context(), &viewer.Viewer{UserID: int64(n.users[i]), Role: "user"})
}

// hide deletes the i-th user softly, or brings them back, and has that counted.
func (n *network) hide(i int, hide bool) {
	n.shift(i, hide)
	n.settle()
}

// settle does the jobs that count what has been deleted and restored.
func (n *network) settle() { n.work(n.system) }

// work does them until the context ends.
func (n *network) work(ctx context.Context) {
	runner := jobs.NewRunner(n.db, new(pubsub.Memory), slog.New(slog.DiscardHandler), jobs.NewRecount(n.db))
	defer runner.Stop(n.system)
	for _, id := range n.client.Job.Query().Where(job.Kind("recount"), job.FinishedAtIsNil()).IDsX(n.system) {
		if err := runner.Run(ctx, int64(id)); err != nil && ctx.Err() == nil {
			n.Error(err)
		}
	}
}

// shift is hide, with what follows left to the job.
func (n *network) shift(i int, hide bool) {
	err := n.db.InTx(n.system, func(ctx context.Context) (err error) {
		if hide {
			_, err = n.client.User.Hide(ctx, n.users[i], store.Time(time.Now()))
		} else {
			_, err = n.client.User.Restore(ctx, n.users[i])
		}
		return err
	})
	if err != nil {
		n.Errorf("hide user %d: %v: %v", i, hide, err)
	}
}

// wrong says which counts are not what the rows of those who are there add up to.
func (n *network) wrong() string {
	rows, err := n.db.QueryContext(n.system, `
		SELECT 'followers of user', "id", "followers_count", (SELECT count(*) FROM "follows" f JOIN "users" u ON u."id" = f."follower_id" WHERE f."followee_id" = t."id" AND u."deleted_at" IS NULL) FROM "users" t
		UNION ALL SELECT 'following of user', "id", "following_count", (SELECT count(*) FROM "follows" f JOIN "users" u ON u."id" = f."followee_id" WHERE f."follower_id" = t."id" AND u."deleted_at" IS NULL) FROM "users" t
		UNION ALL SELECT 'likes of post', "id", "likes_count", (SELECT count(*) FROM "likes" l JOIN "users" u ON u."id" = l."user_id" WHERE l."post_id" = t."id" AND u."deleted_at" IS NULL) FROM "posts" t`)
	if err != nil {
		n.Fatal(err)
	}
	defer rows.Close()
	wrong := ""
	for rows.Next() {
		var what string
		var id, count, counted int64
		if err := rows.Scan(&what, &id, &count, &counted); err != nil {
			n.Fatal(err)
		}
		if count != counted {
			wrong += fmt.Sprintf("%s %d: %d, want %d; ", what, id, count, counted)
		}
	}
	return wrong
}

func (n *network) counts() (followers, following, likes int64) {
	u := n.client.User.GetX(policy.IncludeDeleted(n.system), n.users[0])
	return u.FollowersCount, u.FollowingCount, n.client.Post.GetX(policy.IncludeDeleted(n.system), n.posts[0]).LikesCount
}

// A user who is deleted is in no count, as in no list, and is again once restored.
func TestCountsAreOfThoseWhoAreThere(t *testing.T) {
	t.Parallel()
	migratetest.Each(t, func(t *testing.T, db *store.DB) {
		n, circle := newNetwork(t, db, 4), circle{rows.Engine(db)}
		must := func(err error) {
			t.Helper()
			if err != nil {
				t.Fatal(err)
			}
		}
		for i := 1; i < 4; i++ {
			must(circle.follow(n.as(i), n.users[0]))
			must(circle.follow(n.as(0), n.users[i]))
			must(circle.like(n.as(i), n.posts[0]))
		}
		for _, step := range []struct {
			name string
			do   func()
			want int64
		}{
			{"nobody is deleted", func() {}, 3},
			{"one is deleted", func() { n.hide(1, true) }, 2},
			{"two are", func() { n.hide(2, true) }, 1},
			{"one is restored", func() { n.hide(1, false) }, 2},
			{"one who was deleted is removed", func() { n.client.User.DeleteOneID(n.users[2]).ExecX(n.system) }, 2},
			{"one who was there is removed", func() { n.client.User.DeleteOneID(n.users[3]).ExecX(n.system) }, 1},
			{"who is counted is deleted", func() { n.hide(0, true) }, 1},
			{"and restored", func() { n.hide(0, false) }, 1},
		} {
			step.do()
			followers, following, likes := n.counts()
			if wrong := n.wrong(); followers != step.want || following != step.want || likes != step.want || wrong != "" {
				t.Errorf("%s: %d followers, %d following, %d likes, want %d of each; %s", step.name, followers, following, likes, step.want, wrong)
			}
		}
		shown := 0
		for range n.client.Like.Query().AllX(n.as(0)) {
			shown++
		}
		if shown != 1 {
			t.Errorf("%d likes are shown, want 1", shown)
		}
	})
}

// One statement that removes those who follow each other leaves the counts of
// others right.
func TestCountsOfManyRemovedAtOnce(t *testing.T) {
	t.Parallel()
	migratetest.Each(t, func(t *testing.T, db *store.DB) {
		n, circle := newNetwork(t, db, 4), circle{rows.Engine(db)}
		for i := range 4 {
			for j := range 4 {
				if err := circle.like(n.as(i), n.posts[j]); err != nil {
					t.Fatal(err)
				}
				if err := circle.follow(n.as(i), n.users[j]); i != j && err != nil {
					t.Fatal(err)
				}
			}
		}
		n.hide(3, true)
		removed := n.client.User.Delete().Where(user.IDIn(n.users[1:]...)).ExecX(policy.IncludeDeleted(n.system))
		if followers, following, likes := n.counts(); removed != 3 || followers != 0 || following != 0 || likes != 1 || n.wrong() != "" {
			t.Errorf("%d removed: %d followers, %d following, %d likes, want 3: 0, 0, 1; %s", removed, followers, following, likes, n.wrong())
		}
	})
}

// Users who follow and like while they and others are deleted and restored.
func TestCountsInACrowd(t *testing.T) {
	t.Parallel()
	migratetest.Each(t, func(t *testing.T, db *store.DB) {
		const users, rounds = 8, 12
		n, circle := newNetwork(t, db, users), circle{rows.Engine(db)}
		var wg sync.WaitGroup
		for i := range users {
			wg.Go(func() {
				for r := range rounds {
					other := (i + 1 + r%(users-1)) % users
					post, user := n.posts[other%3], n.users[other]
					n.decided(circle.like(n.as(i), post), circle.follow(n.as(i), user))
					if r%3 == 2 {
						n.decided(circle.unlike(n.as(i), post), circle.unfollow(n.as(i), user))
					}
				}
			})
		}
		for i := range 2 {
			wg.Go(func() {
				for r := range rounds {
					n.hide(i, r%2 == 0)
				}
			})
		}
		wg.Wait()
		n.settle()
		if wrong := n.wrong(); wrong != "" {
			t.Error(wrong)
		}
		n.hide(0, true)
		if wrong := n.wrong(); wrong != "" {
			t.Error("after a deletion:", wrong)
		}
	})
}

// Of many who like one post at a time some have liked it before: each hears whether their own
// like is new, and each takes their own back, if there is one.
func TestACrowdLikesOnePost(t *testing.T) {
	t.Parallel()
	migratetest.Each(t, func(t *testing.T, db *store.DB) {
		const users = 24
		n, circle := newNetwork(t, db, users), circle{rows.Engine(db)}
		all := func(do func(i int)) {
			var wg sync.WaitGroup
			for i := range users {
				wg.Go(func() { do(i) })
			}
			wg.Wait()
			if wrong := n.wrong(); wrong != "" {
				t.Error(wrong)
			}
		}
		liked := func() int64 { return n.client.Post.GetX(n.system, n.posts[0]).LikesCount }
		for i := 0; i < users; i += 3 {
			n.decided(circle.like(n.as(i), n.posts[0]))
		}
		all(func(i int) {
			marked, err := circle.marked(n.as(i), rows.Post, int64(n.posts[0]))
			if err != nil || marked.Row.Made != (i%3 != 0) {
				t.Errorf("user %d: new %v, %v", i, marked.Row.Made, err)
			}
		})
		if got := liked(); got != users {
			t.Errorf("%d likes, want %d", got, users)
		}
		for i := 0; i < users; i += 4 {
			n.decided(circle.unlike(n.as(i), n.posts[0]))
		}
		all(func(i int) {
			if err := circle.unlike(n.as(i), n.posts[0]); err != nil {
				t.Errorf("user %d: %v", i, err)
			}
		})
		if got := liked(); got != 0 {
			t.Errorf("%d likes are left", got)
		}
	})
}

// Users of two processes like one post and follow each other while others take likes and follows
// back: all are answered, and the counts are right.
func TestACrowdMarksAndUnmarks(t *testing.T) {
	t.Parallel()
	url := migratetest.Schema(t).PostgresURL(t)
	var dbs [2]*store.DB
	for i := range dbs {
		db, err := store.Open(t.Context(), store.Config{URL: url, Conns: 8})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = db.Close() })
		dbs[i] = db
	}
	const users = 16
	n := newNetwork(t, dbs[0], users)
	circles := []circle{{rows.Engine(dbs[0])}, {rows.Engine(dbs[1])}}
	var wg sync.WaitGroup
	for i := range users {
		wg.Go(func() {
			c := circles[i%2]
			for round := range 8 {
				to := n.users[round%4]
				if to == n.users[i] {
					to = n.users[(i+1)%users]
				}
				n.decided(c.like(n.as(i), n.posts[0]), c.follow(n.as(i), to))
				if (round+i)%4 != 3 {
					n.decided(c.unlike(n.as(i), n.posts[0]), c.unfollow(n.as(i), to))
				}
			}
		})
	}
	wg.Wait()
	if wrong := n.wrong(); wrong != "" {
		t.Error(wrong)
	}
}

// decided complains of errors that are no decided answers: a target that is
// deleted is absent.
func (n *network) decided(errs ...error) {
	for _, err := range errs {
		if p := problem.As(err); err != nil && (p == nil || p.Kind != problem.NotFound) {
			n.Error(err)
		}
	}
}
