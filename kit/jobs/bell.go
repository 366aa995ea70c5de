package jobs

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"strconv"
	"sync"
	"time"

	"github.com/hibiken/asynq"
)

// TaskType is the type of the asynq tasks that carry a job's id.
const TaskType = "job"

const (
	// epochKey holds the name that this Redis has until it forgets everything.
	epochKey = "entwine:jobs:epoch"
	// ringTime bounds telling asynq: the request that asked for the job waits.
	ringTime = 250 * time.Millisecond
	// taskTime is how long asynq waits for a handler. The lease decides, not asynq.
	taskTime = 7 * 24 * time.Hour
)

// Bell tells asynq that a job is due. Whether it is heard is the sweeper's
// concern.
type Bell struct {
	transport *Transport
	inspector *asynq.Inspector

	mu     sync.Mutex
	client *asynq.Client
	epoch  string // of the Redis that answered last, empty while it doesn't
}

// NewBell returns a bell over the transport, which stays the caller's.
func NewBell(t *Transport) *Bell {
	return &Bell{
		transport: t,
		inspector: asynq.NewInspectorFromRedisClient(t.UniversalClient),
		client:    asynq.NewClientFromRedisClient(t.UniversalClient),
	}
}

// due names a job and how often it was rung.
type due struct {
	id, generation int64
	queue          Queue
}

// ring tells asynq of a job. A task with the same name that is there already
// is as good as a new one.
func (b *Bell) ring(ctx context.Context, d due) error {
	ctx, cancel := context.WithTimeout(ctx, ringTime)
	defer cancel()
	id := strconv.FormatInt(d.id, 10)
	task := asynq.NewTask(TaskType, []byte(id))
	_, err := b.asynq().EnqueueContext(ctx, task, asynq.Queue(string(d.queue)), asynq.MaxRetry(0),
		asynq.TaskID(id+":"+strconv.FormatInt(d.generation, 10)), asynq.Timeout(taskTime))
	if err == nil || errors.Is(err, asynq.ErrTaskIDConflict) {
		return nil
	}
	b.know("") // so that others don't wait for it too
	return fmt.Errorf("ring for job %d: %w", d.id, err)
}

// Epoch returns the name of the Redis that answered last, empty while it is
// away. It asks nobody.
func (b *Bell) Epoch() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.epoch
}

// Check asks Redis for its epoch: a name that it keeps for as long as it
// keeps what it was told. A Redis that was flushed, or that came back with
// nothing, has another.
func (b *Bell) Check(ctx context.Context) (epoch string, err error) {
	ctx, cancel := context.WithTimeout(ctx, ringTime)
	defer cancel()
	pipe := b.transport.Pipeline()
	pipe.SetNX(ctx, epochKey, rand.Text(), 0)
	get := pipe.Get(ctx, epochKey)
	if _, err = pipe.Exec(ctx); err == nil {
		epoch = get.Val()
	}
	b.know(epoch)
	return epoch, err
}

// know remembers the epoch. asynq's client remembers the queues that it has
// registered, which another Redis knows nothing of: it gets another client.
func (b *Bell) know(epoch string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if epoch != "" && epoch != b.epoch {
		b.client = asynq.NewClientFromRedisClient(b.transport.UniversalClient)
	}
	b.epoch = epoch
}

func (b *Bell) asynq() *asynq.Client {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.client
}

// behind returns how long the oldest task of the queue has been waiting.
func (b *Bell) behind(q Queue) (time.Duration, error) {
	info, err := b.inspector.GetQueueInfo(string(q))
	if errors.Is(err, asynq.ErrQueueNotFound) {
		return 0, nil
	}
	if err != nil {
		return 0, fmt.Errorf("inspect queue %s: %w", q, err)
	}
	return info.Latency, nil
}
