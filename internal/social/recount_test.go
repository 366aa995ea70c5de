package social_test

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/entwine-go/entwine/ent"
	"github.com/entwine-go/entwine/ent/job"
	"github.com/entwine-go/entwine/ent/typedid"
	"github.com/entwine-go/entwine/internal/entity"
	"github.com/entwine-go/entwine/internal/rows"
	kitentity "github.com/entwine-go/entwine/kit/entity"
	"github.com/entwine-go/entwine/kit/kittest/storetest"
	"github.com/entwine-go/entwine/kit/policy"
	"github.com/entwine-go/entwine/kit/read"
	"github.com/entwine-go/entwine/kit/store"
	"github.com/entwine-go/entwine/kit/store/statement"
	"github.com/entwine-go/entwine/migrate/migratetest"
)

// many is more than one step of a recount takes.
const many = 1200

// popular is a network whose first user likes as many posts, follows and is followed by
// as many users.
func popular(t *testing.T, db *store.DB) *network {
	n := newNetwork(t, db, 3)
	c, first := n.client, n.users[0]
	var users []*ent.UserCreate
	for i := range many {
		users = append(users, c.User.Create().SetName(fmt.Sprintf("Fan %d", i)).SetEmail(fmt.Sprintf("fan%d@example.com", i)))
	}
	var posts []*ent.PostCreate
	var follows []*ent.FollowCreate
	for _, u := range c.User.CreateBulk(users...).SaveX(n.system) {
		posts = append(posts, c.Post.Create().SetTitle("T").SetContent("c").SetPublished(true).SetAuthorID(u.ID))
		follows = append(follows, c.Follow.Create().SetFollowerID(first).SetFolloweeID(u.ID), c.Follow.Create().SetFollowerID(u.ID).SetFolloweeID(first))
	}
	var likes []*ent.LikeCreate
	for _, p := range c.Post.CreateBulk(posts...).SaveX(n.system) {
		likes = append(likes, c.Like.Create().SetPostID(p.ID).SetUserID(first))
	}
	for some := range slices.Chunk(follows, 400) { // well within the time of a statement
		c.Follow.CreateBulk(some...).ExecX(n.system)
	}
	for some := range slices.Chunk(likes, 400) {
		c.Like.CreateBulk(some...).ExecX(n.system)
	}
	return n
}

// written is how many posts, other than its author's own, still count the first user's like,
// followed how many users count them as a follower, and following as somebody whom they follow.
func (n *network) written() (all [3]int64) {
	n.Helper()
	for i, text := range []string{
		`SELECT COUNT(*) FROM posts WHERE likes_count = 1`,
		`SELECT COUNT(*) FROM users WHERE followers_count = 1`,
		`SELECT COUNT(*) FROM users WHERE following_count = 1`,
	} {
		all[i] = storetest.Ask[int64](n.T, n.db, text)[0]
	}
	return all
}

var stepText = statement.Of(`UPDATE recounts SET steps = steps + 1 WHERE keepers = 'users' AND keeper = $1`)

// step is one transaction of the job. It reports whether there was something to count.
func (n *network) step() bool {
	n.Helper()
	rows, err := stepText.Exec(n.system, n.db, int64(n.users[0]))
	if err != nil {
		n.Fatal(err)
	}
	return rows > 0
}

// shown adds up what readers see of a count.
func (n *network) shown(e *kitentity.Entity, f *kitentity.Field, where read.Filter) (total int64) {
	n.Helper()
	s := read.Select(e)
	s.Field("n", f)
	r := &read.Reader{DB: n.db, Dialect: n.db.Dialect}
	text, _, err := r.Page(n.system, nil, s, read.Query{Where: where, Sort: []kitentity.Term{{Field: e.ID()}}, Page: read.Page{Limit: 2 * many}})
	if err != nil {
		n.Fatal(err)
	}
	var all []struct{ N int64 }
	if err := json.Unmarshal(text, &all); err != nil {
		n.Fatal(err)
	}
	for _, one := range all {
		total += one.N
	}
	return total
}

// exact complains of counts that readers see: where the first user is there, their likes
// are counted and, on both sides, whom they follow and who follows them.
func (n *network) exact(when string, there bool) {
	n.Helper()
	for _, f := range []struct {
		e     *kitentity.Entity
		field *kitentity.Field
		want  int64
	}{
		{entity.Post, entity.PostFields.LikesCount, many},
		{entity.User, entity.UserFields.FollowersCount, 2 * many},
		{entity.User, entity.UserFields.FollowingCount, 2 * many},
	} {
		if !there {
			f.want = 0
		}
		if got := n.shown(f.e, f.field, nil); got != f.want {
			n.Errorf("%s: readers see %s of %d in all, want %d", when, f.field.Name, got, f.want)
		}
		if got := n.shown(f.e, f.field, read.Compare(f.field, read.GT, int64(0))); got != f.want {
			n.Errorf("%s: a filter by %s finds %d, want %d", when, f.field.Name, got, f.want)
		}
	}
}

// A deletion writes none of the counts that it changes, and a job writes a bounded number
// at a time; a reader sees the right count meanwhile.
func TestADeletionIsCountedInSteps(t *testing.T) {
	t.Parallel()
	migratetest.Each(t, func(t *testing.T, db *store.DB) {
		n := popular(t, db)
		n.exact("nobody is deleted", true)
		n.shift(0, true)
		before := n.written()
		if before != [3]int64{many, many, many} {
			t.Errorf("the deletion leaves %v counts of the user, want %d of each", before, many)
		}
		n.exact("deleted", false)
		steps := 0
		for ; n.step(); steps++ {
			now := n.written()
			for i := range now {
				if taken := before[i] - now[i]; taken > 500 || taken < 0 {
					t.Errorf("step %d writes %d counts, want at most 500", steps, taken)
				}
			}
			before = now
			n.exact(fmt.Sprintf("deleted, after %d steps", steps+1), false)
		}
		if before != [3]int64{} || steps < 3 || n.wrong() != "" {
			t.Errorf("after %d steps there are %v counts of the user; %s", steps, before, n.wrong())
		}
		n.shift(0, false)
		n.exact("restored", true)
		for n.step() {
			n.exact("restored, after a step", true)
		}
		if wrong := n.wrong(); wrong != "" {
			t.Error(wrong)
		}
	})
}

// A restoration in the midst ends it: what was taken away comes back, and nothing else is
// taken. Those who are there like and follow meanwhile.
func TestARestorationTurnsTheCountingRound(t *testing.T) {
	t.Parallel()
	migratetest.Each(t, func(t *testing.T, db *store.DB) {
		n, circle := popular(t, db), circle{rows.Engine(db)}
		must := func(err error) {
			t.Helper()
			if err != nil {
				t.Fatal(err)
			}
		}
		first := n.as(0)
		n.shift(0, true)
		n.step()
		n.shift(0, false)
		left := n.client.Job.Query().Where(job.Kind("recount"), job.FinishedAtIsNil()).CountX(n.system)
		if left != 1 {
			t.Errorf("%d jobs, want that of the deletion", left)
		}
		n.exact("restored after a step", true)
		// Marks on both sides of where the counting is, by users of whom it is.
		low, high := n.posts[1], typedid.PostID(int64(n.posts[2])+many)
		must(circle.like(first, low))
		must(circle.unlike(first, high))
		must(circle.follow(n.as(1), n.users[0]))
		must(circle.follow(first, n.users[2]))
		must(circle.unlike(first, typedid.PostID(int64(n.posts[2])+1)))
		n.shift(0, true)
		n.step()
		n.shift(0, false)
		must(circle.unfollow(n.as(1), n.users[0]))
		must(circle.like(first, high))
		n.settle()
		if wrong := n.wrong(); wrong != "" {
			t.Error(wrong)
		}
		if left := storetest.Ask[int64](t, db, `SELECT COUNT(*) FROM recounts`)[0]; left != 0 {
			t.Errorf("%d relations are left to count", left)
		}
	})
}

// A user who is removed for good while their deletion is counted is subtracted from the
// remaining counts.
func TestARemovalInTheMidst(t *testing.T) {
	t.Parallel()
	migratetest.Each(t, func(t *testing.T, db *store.DB) {
		n := popular(t, db)
		n.shift(0, true)
		n.step()
		n.client.User.DeleteOneID(n.users[0]).ExecX(policy.IncludeDeleted(n.system))
		n.settle()
		if wrong := n.wrong(); wrong != "" || n.written() != [3]int64{} {
			t.Errorf("counts of the user are left: %v; %s", n.written(), wrong)
		}
	})
}

// A deletion that has not been committed keeps others from nothing: they like and follow what
// the user likes and follows.
func TestADeletionStopsNobody(t *testing.T) {
	t.Parallel()
	migratetest.Each(t, func(t *testing.T, db *store.DB) {
		if db.Dialect.Embedded() {
			t.Skip("there is one writer at a time")
		}
		n, circle := newNetwork(t, db, 4), circle{rows.Engine(db)}
		for _, err := range []error{circle.like(n.as(0), n.posts[1]), circle.follow(n.as(0), n.users[1]), circle.follow(n.as(2), n.users[0])} {
			if err != nil {
				t.Fatal(err)
			}
		}
		err := db.InTx(n.system, func(ctx context.Context) error {
			if _, err := n.client.User.Hide(ctx, n.users[0], store.Time(time.Now())); err != nil {
				return err
			}
			for _, err := range []error{
				circle.like(n.as(3), n.posts[1]), circle.unlike(n.as(3), n.posts[1]), circle.like(n.as(3), n.posts[1]),
				circle.follow(n.as(3), n.users[1]), circle.follow(n.as(2), n.users[3]),
			} {
				if err != nil {
					return err // of a lock that it waited for
				}
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		n.settle()
		if wrong := n.wrong(); wrong != "" {
			t.Error(wrong)
		}
	})
}
