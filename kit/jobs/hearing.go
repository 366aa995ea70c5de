package jobs

import (
	"context"
	"strings"
	"sync"
	"time"

	"github.com/alicebob/miniredis/v2"
	"github.com/redis/go-redis/v9"
)

// hearing has asynq hear of tasks in an embedded Redis, instead of asking for
// them many times a second: a poll of an empty queue blocks until a task is
// pushed. Polling was most of the CPU time of an idle process, and delayed a
// task until the next poll.
type hearing struct {
	redis  *miniredis.Miniredis
	queues sync.Map // the name of a list of pending tasks -> chan struct{}
}

var _ redis.Hook = (*hearing)(nil)

// listening is how long asynq waits at a time: as long as it may take to stop.
const listening = 100 * time.Millisecond

// DialHook implements redis.Hook.
func (*hearing) DialHook(next redis.DialHook) redis.DialHook { return next }

// ProcessPipelineHook implements redis.Hook.
func (*hearing) ProcessPipelineHook(next redis.ProcessPipelineHook) redis.ProcessPipelineHook {
	return next
}

// ProcessHook implements redis.Hook.
func (h *hearing) ProcessHook(next redis.ProcessHook) redis.ProcessHook {
	return func(ctx context.Context, cmd redis.Cmder) error {
		if list := takesFrom(cmd); list != "" && !h.redis.Exists(list) && !h.wait(ctx, list) {
			cmd.SetErr(redis.Nil)
			return redis.Nil
		}
		err := next(ctx, cmd)
		if list := putsInto(cmd); list != "" {
			h.ring(list)
		}
		return err
	}
}

// wait returns when something was put into the list, and reports false where
// nothing was for a while.
func (h *hearing) wait(ctx context.Context, list string) bool {
	timer := time.NewTimer(listening)
	defer timer.Stop()
	select {
	case <-h.queue(list):
		return true
	case <-timer.C:
	case <-ctx.Done():
	}
	return false
}

// ring wakes who waits for the list, or who will next.
func (h *hearing) ring(list string) {
	select {
	case h.queue(list) <- struct{}{}:
	default:
	}
}

func (h *hearing) queue(list string) chan struct{} {
	c, ok := h.queues.Load(list)
	if !ok {
		c, _ = h.queues.LoadOrStore(list, make(chan struct{}, 1))
	}
	return c.(chan struct{})
}

// takesFrom returns the list that a command takes a task from, if it does. asynq's
// script for that is the only one whose keys are a queue's pending tasks and,
// next, whether it is paused; the one that puts a task there has the task's
// own key before them.
func takesFrom(cmd redis.Cmder) string {
	if key(cmd, 1, ":paused") == "" {
		return ""
	}
	return key(cmd, 0, ":pending")
}

// putsInto returns the list that a command puts a task into, if it does.
func putsInto(cmd redis.Cmder) string { return key(cmd, 1, ":pending") }

// key returns a key of a script that has such an end.
func key(cmd redis.Cmder, n int, suffix string) string {
	args := cmd.Args()
	if name := cmd.Name(); name != "evalsha" && name != "eval" || len(args) <= 3+n {
		return ""
	}
	text, _ := args[3+n].(string)
	if !strings.HasSuffix(text, suffix) {
		return ""
	}
	return text
}
