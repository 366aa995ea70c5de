package jobs

import (
	"context"
	"fmt"
	"sync"
	"time"

	"github.com/entwine-go/entwine/kit/pubsub"
)

// ringTime bounds telling asynq: the request that asked for the job waits.
const ringTime = 250 * time.Millisecond

// Bell enqueues a task in asynq for a job that is due. Lost tasks are the sweeper's
// concern.
type Bell struct {
	// Bus wakes the workers of other processes, which poll Redis a hundred times a
	// second without. It is set before the first ring, and may be nil.
	Bus pubsub.Bus

	tasks tasks

	mu    sync.Mutex
	epoch string // of the Redis that answered last, empty while it doesn't
}

// tasks are where jobs are rung for: asynq's. It is an interface because a
// package that asks for a job would otherwise compile the methods of every
// type that asynq and its Redis are made of.
type tasks interface {
	// enqueue adds a task for the job, unless there is one with its name.
	enqueue(ctx context.Context, d due) error
	// epoch asks Redis for its name, which it keeps as long as the tasks.
	epoch(ctx context.Context) (string, error)
	// forget forgets what is known of a Redis that was another.
	forget()
	// latency is how long the oldest task of the queue has been waiting.
	latency(q Queue) (time.Duration, error)
}

// NewBell returns a bell over the transport, which stays the caller's.
func NewBell(t *Transport) *Bell { return &Bell{tasks: newTasks(t)} }

// due names a job and how often it was rung.
type due struct {
	id, generation int64
	queue          Queue
}

// ring enqueues a task for a job. A task with the same name that exists already
// is as good as a new one.
func (b *Bell) ring(ctx context.Context, d due) error {
	ctx, cancel := context.WithTimeout(ctx, ringTime)
	defer cancel()
	err := b.tasks.enqueue(ctx, d)
	if err == nil {
		if b.Bus != nil {
			b.Bus.Wake(rung(d.queue))
		}
		return nil
	}
	b.know("") // so that others don't wait for it too
	return fmt.Errorf("ring for job %d: %w", d.id, err)
}

// Epoch returns the name of the Redis that answered last, empty while it is
// away. It makes no round trip.
func (b *Bell) Epoch() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.epoch
}

// Check asks Redis for its epoch: a name that is stored in Redis itself, so that a
// Redis which has lost its data has another one. The error says that Redis did not
// answer.
func (b *Bell) Check(ctx context.Context) (epoch string, err error) {
	ctx, cancel := context.WithTimeout(ctx, ringTime)
	defer cancel()
	epoch, err = b.tasks.epoch(ctx)
	b.know(epoch)
	return epoch, err
}

// know remembers the epoch.
func (b *Bell) know(epoch string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if epoch != "" && epoch != b.epoch {
		b.tasks.forget()
	}
	b.epoch = epoch
}
