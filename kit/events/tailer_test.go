package events_test

import (
	"context"
	"errors"
	"sync"
	"testing"

	"github.com/entwine-go/entwine/kit/events"
	"github.com/entwine-go/entwine/kit/gid"
)

func TestASubscriptionGetsWhatIsCommittedAfterIt(t *testing.T) {
	each(t, func(k *kit) {
		k.publish(k.ctx) // before
		s := k.subscribe(written)
		undone := errors.New("undone")
		err := k.db.InTx(k.ctx, func(ctx context.Context) error {
			k.publish(ctx)
			return undone
		})
		if !errors.Is(err, undone) {
			k.Fatal(err)
		}
		first, second := k.publish(k.ctx), k.publish(k.ctx)
		e := k.want(s, "note.written", first)
		if e.Entity != "Note" || e.Key != gid.Int(first) || e.At.IsZero() {
			k.Errorf("event %+v", e)
		}
		k.want(s, "note.written", second)
		s.Close()
		k.publish(k.ctx) // after
		if _, err := s.Next(k.ctx); !errors.Is(err, events.ErrClosed) {
			k.Errorf("Next after Close: %v", err)
		}
	})
}

func TestEventsComeFromEveryDoor(t *testing.T) {
	each(t, func(k *kit) {
		note := k.publish(k.ctx)
		remarks := k.subscribe(events.Filter{Topics: []string{"remark.made", "remark.removed"}, Key: row(note)})
		everything := k.subscribe(written)

		c := k.remark(1)
		k.want(remarks, "remark.made", c)

		k.want(everything, "note.written", k.publish(k.ctx))

		if _, err := k.db.ExecContext(k.ctx, "DELETE FROM users"); err != nil { // and what belongs to them
			k.Fatal(err)
		}
		k.want(remarks, "remark.removed", c)
	})
}

func TestAKeySelects(t *testing.T) {
	each(t, func(k *kit) {
		k.publish(k.ctx)
		second := k.publish(k.ctx)
		s := k.subscribe(events.Filter{Topics: []string{"remark.made"}, Key: row(second)})
		k.remark(1)
		c := k.remark(2)
		k.want(s, "remark.made", c)
	})
}

// On PostgreSQL a transaction that began first may commit last, and its events come
// then. SQLite lets only one write at a time, so there the second waits for the first.
func TestWhatCommitsOutOfOrderIsNotLost(t *testing.T) {
	each(t, func(k *kit) {
		if !k.db.Postgres() {
			k.Skip("SQLite has one writer")
		}
		s := k.subscribe(written)
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
		late := k.subscribe(written) // accepted while the first is running
		second := k.publish(k.ctx)
		later := k.subscribe(written) // accepted after the second
		for _, s := range []*events.Subscription{s, late} {
			k.want(s, "note.written", second)
		}
		close(commit)
		slow.Wait()
		for _, s := range []*events.Subscription{s, late, later} {
			k.want(s, "note.written", id)
		}
		third := k.publish(k.ctx)
		for _, s := range []*events.Subscription{s, late, later} {
			k.want(s, "note.written", third)
		}
	})
}

func TestASlowSubscriberIsEndedAndHoldsUpNobody(t *testing.T) {
	each(t, func(k *kit) {
		slow, swift := k.subscribe(written), k.subscribe(written)
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
				k.want(swift, "note.written", id)
			}
		}
		if _, err := slow.Next(k.ctx); !errors.Is(err, events.ErrSlow) {
			k.Errorf("Next of the slow one: %v, want %v", err, events.ErrSlow)
		}
	})
}

func TestClosingEndsEverySubscription(t *testing.T) {
	each(t, func(k *kit) {
		s := k.subscribe(written)
		k.tailer.Close()
		if _, err := s.Next(k.ctx); !errors.Is(err, events.ErrClosed) {
			k.Errorf("Next: %v", err)
		}
		if _, err := k.tailer.Subscribe(k.ctx, written); !errors.Is(err, events.ErrClosed) {
			k.Errorf("Subscribe: %v", err)
		}
	})
}

func TestATailerThatNobodyNeedsStartsAgain(t *testing.T) {
	each(t, func(k *kit) {
		for range 3 {
			s := k.subscribe(written)
			k.want(s, "note.written", k.publish(k.ctx))
			s.Close()
			k.publish(k.ctx) // no subscriber hears it
		}
	})
}
