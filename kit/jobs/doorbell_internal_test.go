package jobs

import (
	"context"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/redis/go-redis/v9"

	"github.com/entwine-go/entwine/kit/pubsub"
)

// asked is asynq as it polls a queue, and how often it has.
type asked struct {
	polls   atomic.Int64
	process redis.ProcessHook
}

// begin polls until stop.
func (a *asked) begin(ctx context.Context) (stop func()) {
	ctx, cancel := context.WithCancel(ctx)
	var polling sync.WaitGroup
	polling.Go(func() { a.poll(ctx) })
	return func() {
		cancel()
		polling.Wait()
	}
}

func (a *asked) poll(ctx context.Context) {
	for ctx.Err() == nil {
		list := "asynq:{default}:"
		_ = a.process(ctx, redis.NewCmd(ctx, "evalsha", "…", 4, list+"pending", list+"paused", list+"active", list+"lease"))
		time.Sleep(10 * time.Millisecond)
	}
}

// In a bubble time passes while all wait, so that the figures are exact.
func TestAnIdleQueueIsPolledWhenItIsRung(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		bell, bus := new(doorbell), new(pubsub.Memory)
		stop := bell.listen(Default, bus)
		a := new(asked)
		a.process = bell.ProcessHook(func(context.Context, redis.Cmder) error { a.polls.Add(1); return redis.Nil })
		defer a.begin(t.Context())()
		time.Sleep(time.Minute)
		synctest.Wait()
		if a.polls.Load() > 13 {
			t.Errorf("a queue without tasks was polled %d times in a minute", a.polls.Load())
		}
		for range 3 {
			before := a.polls.Load()
			bus.Wake(rung(Urgent))
			synctest.Wait()
			if a.polls.Load() != before {
				t.Error("the ring of another queue was answered")
			}
			bus.Wake(rung(Default))
			synctest.Wait()
			if a.polls.Load() != before+1 {
				t.Errorf("a ring was followed by %d polls, want 1 at once", a.polls.Load()-before)
			}
			time.Sleep(20 * time.Millisecond) // as long as asynq waits
			synctest.Wait()
		}
		before := a.polls.Load()
		stop()
		time.Sleep(time.Second)
		if a.polls.Load() < before+50 {
			t.Errorf("%d polls in a second after the end, want those of asynq", a.polls.Load()-before)
		}
	})
}

// A poll that finds a task is followed by another at once: there may be more.
func TestAQueueWithTasksIsPolledOn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		bell := new(doorbell)
		defer bell.listen(Default, new(pubsub.Memory))()
		a := new(asked)
		a.process = bell.ProcessHook(func(context.Context, redis.Cmder) error { a.polls.Add(1); return nil })
		defer a.begin(t.Context())()
		time.Sleep(time.Second)
		if a.polls.Load() < 90 {
			t.Errorf("a queue with tasks was polled %d times in a second", a.polls.Load())
		}
	})
}
