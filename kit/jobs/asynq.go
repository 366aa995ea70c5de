package jobs

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"slices"
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
	// taskTime is how long asynq waits for a handler. The lease decides, not asynq.
	taskTime = 7 * 24 * time.Hour
)

// asynqTasks are asynq's tasks in a Redis.
type asynqTasks struct {
	transport *Transport
	inspector *asynq.Inspector

	mu     sync.Mutex
	client *asynq.Client
}

func newTasks(t *Transport) tasks {
	return &asynqTasks{
		transport: t,
		inspector: asynq.NewInspectorFromRedisClient(t.Client),
		client:    asynq.NewClientFromRedisClient(t.Client),
	}
}

func (a *asynqTasks) enqueue(ctx context.Context, d due) error {
	a.mu.Lock()
	client := a.client
	a.mu.Unlock()
	id := strconv.FormatInt(d.id, 10)
	task := asynq.NewTask(TaskType, []byte(id))
	_, err := client.EnqueueContext(ctx, task, asynq.Queue(string(d.queue)), asynq.MaxRetry(0),
		asynq.TaskID(id+":"+strconv.FormatInt(d.generation, 10)), asynq.Timeout(taskTime))
	if errors.Is(err, asynq.ErrTaskIDConflict) {
		return nil
	}
	return err
}

func (a *asynqTasks) epoch(ctx context.Context) (epoch string, err error) {
	pipe := a.transport.Client.Pipeline()
	pipe.SetNX(ctx, epochKey, rand.Text(), 0)
	get := pipe.Get(ctx, epochKey)
	if _, err = pipe.Exec(ctx); err == nil {
		epoch = get.Val()
	}
	return epoch, err
}

// forget gets another client: asynq's remembers the queues that it has
// registered, which another Redis knows nothing of.
func (a *asynqTasks) forget() {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.client = asynq.NewClientFromRedisClient(a.transport.Client)
}

func (a *asynqTasks) latency(q Queue) (time.Duration, error) {
	known, err := a.inspector.Queues()
	if err == nil && !slices.Contains(known, string(q)) {
		a.forget() // Redis has lost the queue, which is registered again with the next task
		return 0, nil
	}
	if err != nil {
		return 0, fmt.Errorf("list queues: %w", err)
	}
	info, err := a.inspector.GetQueueInfo(string(q))
	if err != nil {
		return 0, fmt.Errorf("inspect queue %s: %w", q, err)
	}
	return info.Latency, nil
}
