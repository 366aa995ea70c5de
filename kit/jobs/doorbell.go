package jobs

import (
	"context"
	"errors"
	"math/rand/v2"
	"sync"
	"sync/atomic"
	"time"

	"github.com/redis/go-redis/v9"

	"github.com/entwine-go/entwine/kit/pubsub"
)

// rung is the topic of wake-ups for the workers of a queue.
func rung(q Queue) string { return "jobs.rung." + string(q) }

// doorbell has asynq hear of tasks in a Redis that processes share, instead of
// asking for them a hundred times a second: once a poll has found nothing, the next
// waits until the bus says that a task was put there. A wake-up that is lost delays a
// job until the sweeper rings for it again, or until the next poll.
type doorbell struct {
	queues sync.Map // the name of a list of pending tasks -> *listener
}

var _ redis.Hook = (*doorbell)(nil)

// unheard is about how long a poll waits without a wake-up.
const unheard = 10 * time.Second

// listener is one queue, as a server listens to it.
type listener struct {
	woken <-chan struct{} // receives when there may be tasks
	over  <-chan struct{} // closed when no goroutine waits any more
	empty atomic.Bool     // the last poll found nothing
}

// listen has polls of the queue wait for the bus, until stop.
func (d *doorbell) listen(q Queue, bus pubsub.Bus) (stop func()) {
	woken, deaf := bus.Listen(rung(q))
	over := make(chan struct{})
	list, l := "asynq:{"+string(q)+"}:pending", &listener{woken: woken, over: over}
	d.queues.Store(list, l)
	return sync.OnceFunc(func() {
		d.queues.CompareAndDelete(list, l)
		close(over)
		deaf()
	})
}

// DialHook implements redis.Hook.
func (*doorbell) DialHook(next redis.DialHook) redis.DialHook { return next }

// ProcessPipelineHook implements redis.Hook.
func (*doorbell) ProcessPipelineHook(next redis.ProcessPipelineHook) redis.ProcessPipelineHook {
	return next
}

// ProcessHook implements redis.Hook.
func (d *doorbell) ProcessHook(next redis.ProcessHook) redis.ProcessHook {
	return func(ctx context.Context, cmd redis.Cmder) error {
		known, ok := d.queues.Load(takesFrom(cmd))
		if !ok {
			return next(ctx, cmd)
		}
		l := known.(*listener)
		l.wait(ctx)
		err := next(ctx, cmd)
		if errors.Is(err, redis.Nil) {
			l.empty.Store(true)
		}
		return err
	}
}

// wait waits for a wake-up, if the last poll found nothing.
func (l *listener) wait(ctx context.Context) {
	if !l.empty.Swap(false) {
		return
	}
	timer := time.NewTimer(unheard/2 + rand.N(unheard))
	defer timer.Stop()
	select {
	case <-l.woken:
	case <-l.over:
	case <-timer.C:
	case <-ctx.Done():
	}
}
