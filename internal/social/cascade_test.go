package social_test

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/entwine-go/entwine/ent"
	"github.com/entwine-go/entwine/ent/comment"
	"github.com/entwine-go/entwine/ent/job"
	"github.com/entwine-go/entwine/ent/post"
	"github.com/entwine-go/entwine/kit/kittest/storetest"
	"github.com/entwine-go/entwine/kit/policy"
	"github.com/entwine-go/entwine/kit/store"
	"github.com/entwine-go/entwine/migrate/migratetest"
)

// prolific is a network whose first user wrote many comments and as many posts; one of
// each was deleted before.
func prolific(t *testing.T, db *store.DB) *network {
	n := newNetwork(t, db, 2)
	c, first := n.client, n.users[0]
	var posts []*ent.PostCreate
	var comments []*ent.CommentCreate
	for i := range many {
		posts = append(posts, c.Post.Create().SetTitle(fmt.Sprintf("Post %d", i)).SetContent("c").SetPublished(true).SetAuthorID(first))
		comments = append(comments, c.Comment.Create().SetText("t").SetPostID(n.posts[1]).SetAuthorID(first))
	}
	for _, err := range []error{
		c.Post.CreateBulk(posts...).Exec(n.system), c.Comment.CreateBulk(comments...).Exec(n.system),
		c.Comment.Create().SetText("before").SetPostID(n.posts[1]).SetAuthorID(first).SetDeletedAt(store.Time(time.Now())).Exec(n.system),
	} {
		if err != nil {
			t.Fatal(err)
		}
	}
	storetest.Do(t, db, `UPDATE posts SET deleted_at = created_at WHERE id = $1`, int64(n.posts[0]))
	return n
}

// hidden is how many posts and comments of the first user are deleted with them.
func (n *network) hidden() [2]int {
	n.Helper()
	with := int64(n.users[0])
	return [2]int{
		storetest.Count(n.T, n.db, `posts WHERE deleted_with = $1 AND deleted_at IS NOT NULL`, with),
		storetest.Count(n.T, n.db, `comments WHERE deleted_with = $1 AND deleted_at IS NOT NULL`, with),
	}
}

// readable is how many posts and comments of the first user another reads.
func (n *network) readable() [2]int {
	n.Helper()
	return [2]int{
		n.client.Post.Query().Where(post.AuthorID(n.users[0])).CountX(n.as(1)),
		n.client.Comment.Query().Where(comment.AuthorID(n.users[0])).CountX(n.as(1)),
	}
}

// left is how many jobs have something left to do.
func (n *network) left() int {
	return n.client.Job.Query().Where(job.Kind("recount"), job.FinishedAtIsNil()).CountX(n.system)
}

// batch is the first that is taken along: 500 rows of each table, of which one post was
// deleted before.
var none, batch, all = [2]int{}, [2]int{499, 500}, [2]int{many, many}

// A deletion takes a bounded number of rows along, and so does each step of the job; who
// reads sees none of them from the first moment on.
func TestADeletionTakesRowsAlongInSteps(t *testing.T) {
	t.Parallel()
	migratetest.Each(t, func(t *testing.T, db *store.DB) {
		n := prolific(t, db)
		if got := n.readable(); got != all {
			t.Fatalf("%v posts and comments are read, want %v", got, all)
		}
		n.shift(0, true)
		before := n.hidden()
		if before != batch || n.left() != 1 {
			t.Errorf("the deletion takes %v along, and leaves %d jobs: want %v, and one job", before, n.left(), batch)
		}
		steps := 0
		for ; n.step(); steps++ {
			if got := n.readable(); got != none {
				t.Errorf("after step %d %v are read, want none", steps, got)
			}
			now := n.hidden()
			for i := range now {
				if taken := now[i] - before[i]; taken < 0 || taken > 500 {
					t.Errorf("step %d takes %d rows along, want at most 500", steps, taken)
				}
			}
			before = now
		}
		if got := n.readable(); before != all || got != none || steps > 4 {
			t.Errorf("after %d steps %v are deleted, and %v read", steps, before, got)
		}
		n.shift(0, false)
		if got := n.readable(); got != batch {
			t.Errorf("a restoration brings %v back, want %v", got, batch)
		}
		n.settle()
		if got, deleted := n.readable(), n.hidden(); got != all || deleted != none || n.left() != 0 {
			t.Errorf("restored: %v are read, %v deleted, %d jobs left", got, deleted, n.left())
		}
		if still := n.client.Comment.Query().Where(comment.DeletedAtNotNil()).CountX(policy.IncludeDeleted(n.system)); still != 1 {
			t.Errorf("%d comments are deleted, want the one that was before", still)
		}
	})
}

// A restoration in the midst of a deletion ends it, and brings back what it has taken; a
// deletion in the midst of a restoration does the same.
func TestARestorationInTheMidst(t *testing.T) {
	t.Parallel()
	migratetest.Each(t, func(t *testing.T, db *store.DB) {
		n := prolific(t, db)
		n.shift(0, true)
		n.step()
		n.shift(0, false)
		if n.left() != 1 {
			t.Errorf("%d jobs, want that of the deletion", n.left())
		}
		n.step()
		n.shift(0, true)
		if got := n.readable(); got != none {
			t.Errorf("deleted in the midst of a restoration: %v are read", got)
		}
		n.settle()
		if got := n.hidden(); got != all {
			t.Errorf("%v are deleted, want %v", got, all)
		}
		n.shift(0, false)
		n.shift(0, true)
		n.shift(0, false)
		n.settle()
		if got, deleted := n.readable(), n.hidden(); got != all || deleted != none {
			t.Errorf("restored: %v are read, and %v deleted", got, deleted)
		}
	})
}

// A worker that is killed leaves what it has committed: another goes on from there, also
// where the row at which it stood was removed meanwhile.
func TestAnotherWorkerGoesOn(t *testing.T) {
	t.Parallel()
	migratetest.Each(t, func(t *testing.T, db *store.DB) {
		n, killed := prolific(t, db), errors.New("killed")
		n.shift(0, true)
		n.step()
		done := n.hidden()
		err := db.InTx(n.system, func(ctx context.Context) error {
			if _, err := stepText.Exec(ctx, db, int64(n.users[0])); err != nil {
				return err
			}
			return killed
		})
		if !errors.Is(err, killed) {
			t.Fatal(err)
		}
		if got := n.hidden(); got != done {
			t.Errorf("%v are deleted, want %v", got, done)
		}
		for _, place := range storetest.Ask[int64](t, db, `SELECT place FROM recounts WHERE relation = 'with_comments'`) {
			storetest.Do(t, db, `DELETE FROM comments WHERE id = $1`, place)
		}
		n.settle()
		if got := n.hidden(); got != [2]int{many, many - 1} || n.left() != 0 {
			t.Errorf("%v are deleted, and %d jobs left", got, n.left())
		}
	})
}

// The rows of a user with few of them are deleted at once, without a job of their own.
func TestFewRowsAreDeletedAtOnce(t *testing.T) {
	t.Parallel()
	migratetest.Each(t, func(t *testing.T, db *store.DB) {
		n := newNetwork(t, db, 2)
		n.client.Comment.Create().SetText("t").SetPostID(n.posts[1]).SetAuthorID(n.users[0]).ExecX(n.system)
		n.shift(0, true)
		if got, left := n.hidden(), storetest.Count(t, db, `recounts WHERE relation LIKE 'with%'`); got != [2]int{1, 1} || left != 0 {
			t.Errorf("%v are deleted, and %d tables left to do", got, left)
		}
		said := n.client.Comment.Query().Where(comment.AuthorID(n.users[0])).OnlyIDX(policy.IncludeDeleted(n.system))
		if _, err := n.client.Comment.Restore(n.system, said); err != nil {
			t.Fatal(err)
		}
		if got := n.readable(); got != [2]int{0, 1} {
			t.Errorf("one comment is restored alone, and %v are read", got)
		}
		n.shift(0, false)
		if got := n.readable(); got != [2]int{1, 1} {
			t.Errorf("%v are read", got)
		}
	})
}
