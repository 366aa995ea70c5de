package events_test

import (
	"context"
	"errors"
	"sync"
	"testing"

	"github.com/entwine-go/entwine/ent/user"
	"github.com/entwine-go/entwine/kit/events"
)

func TestASubscriptionGetsWhatIsCommittedAfterIt(t *testing.T) {
	each(t, func(k *kit) {
		k.publish(k.ctx) // before
		s := k.subscribe(posts)
		undone := errors.New("undone")
		err := k.db.InTx(k.ctx, func(ctx context.Context) error {
			k.publish(ctx)
			return undone
		})
		if !errors.Is(err, undone) {
			k.Fatal(err)
		}
		first, second := k.publish(k.ctx), k.publish(k.ctx)
		e := k.want(s, "post.published", first)
		if e.Entity != "Post" || e.Key != first || e.At.IsZero() {
			k.Errorf("event %+v", e)
		}
		k.want(s, "post.published", second)
		s.Close()
		k.publish(k.ctx) // after
		if _, err := s.Next(k.ctx); !errors.Is(err, events.ErrClosed) {
			k.Errorf("Next after Close: %v", err)
		}
	})
}

func TestEventsComeFromEveryDoor(t *testing.T) {
	each(t, func(k *kit) {
		post := k.publish(k.ctx)
		comments := k.subscribe(events.Filter{Topics: []string{"comment.created", "comment.deleted"}, Key: &post})
		everything := k.subscribe(posts)

		c := k.client.Comment.Create().SetText("!").SetPostID(1).SetAuthorID(k.author.ID).SaveX(k.ctx)
		k.want(comments, "comment.created", int64(c.ID))

		if _, err := k.db.ExecContext(k.ctx, "UPDATE posts SET published = FALSE, published_at = NULL"); err != nil {
			k.Fatal(err)
		}
		if _, err := k.db.ExecContext(k.ctx, "UPDATE posts SET published = TRUE, published_at = created_at"); err != nil {
			k.Fatal(err)
		}
		k.want(everything, "post.published", post)

		k.client.User.Delete().Where(user.ID(k.author.ID)).ExecX(k.ctx) // and what belongs to the user
		k.want(comments, "comment.deleted", int64(c.ID))
	})
}

func TestAKeySelects(t *testing.T) {
	each(t, func(k *kit) {
		k.publish(k.ctx)
		second := k.publish(k.ctx)
		s := k.subscribe(events.Filter{Topics: []string{"comment.created"}, Key: &second})
		k.client.Comment.Create().SetText("!").SetPostID(1).SetAuthorID(k.author.ID).ExecX(k.ctx)
		c := k.client.Comment.Create().SetText("!").SetPostID(2).SetAuthorID(k.author.ID).SaveX(k.ctx)
		k.want(s, "comment.created", int64(c.ID))
	})
}

// On PostgreSQL a transaction that began first may commit last. SQLite lets
// only one write at a time, so there the second waits for the first.
func TestWhatCommitsOutOfOrderIsNotLost(t *testing.T) {
	each(t, func(k *kit) {
		if !k.db.Postgres() {
			k.Skip("SQLite has one writer")
		}
		s := k.subscribe(posts)
		first, commit := make(chan int64), make(chan struct{})
		var slow sync.WaitGroup
		slow.Go(func() {
			err := k.db.InTx(k.ctx, func(ctx context.Context) error {
				first <- k.publish(ctx)
				<-commit
				return nil
			})
			if err != nil {
				k.Error(err)
			}
		})
		id := <-first
		late := k.subscribe(posts) // accepted while the first is running
		second := k.publish(k.ctx)
		later := k.subscribe(posts) // accepted after the second
		close(commit)
		slow.Wait()
		for _, s := range []*events.Subscription{s, late} {
			k.want(s, "post.published", id)
			k.want(s, "post.published", second)
		}
		k.want(later, "post.published", id)
		third := k.publish(k.ctx)
		for _, s := range []*events.Subscription{s, late, later} {
			k.want(s, "post.published", third)
		}
	})
}

func TestASlowSubscriberIsEndedAndHoldsUpNobody(t *testing.T) {
	each(t, func(k *kit) {
		slow, swift := k.subscribe(posts), k.subscribe(posts)
		for range 3 {
			var ids []int64
			err := k.db.InTx(k.ctx, func(ctx context.Context) error {
				for range 100 {
					ids = append(ids, k.publish(ctx))
				}
				return nil
			})
			if err != nil {
				k.Fatal(err)
			}
			for _, id := range ids {
				k.want(swift, "post.published", id)
			}
		}
		if _, err := slow.Next(k.ctx); !errors.Is(err, events.ErrSlow) {
			k.Errorf("Next of the slow one: %v, want %v", err, events.ErrSlow)
		}
	})
}

func TestClosingEndsEverySubscription(t *testing.T) {
	each(t, func(k *kit) {
		s := k.subscribe(posts)
		k.tailer.Close()
		if _, err := s.Next(k.ctx); !errors.Is(err, events.ErrClosed) {
			k.Errorf("Next: %v", err)
		}
		if _, err := k.tailer.Subscribe(k.ctx, posts); !errors.Is(err, events.ErrClosed) {
			k.Errorf("Subscribe: %v", err)
		}
	})
}

func TestATailerThatNobodyNeedsStartsAgain(t *testing.T) {
	each(t, func(k *kit) {
		for range 3 {
			s := k.subscribe(posts)
			k.want(s, "post.published", k.publish(k.ctx))
			s.Close()
			k.publish(k.ctx) // nobody hears it
		}
	})
}
