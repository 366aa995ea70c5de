package jobs

import (
	"context"
	"fmt"

	"github.com/entwine-go/entwine/kit/problem"
	"github.com/entwine-go/entwine/kit/store"
	"github.com/entwine-go/entwine/kit/store/statement"
	"github.com/entwine-go/entwine/kit/viewer"
	"github.com/entwine-go/entwine/kit/write"
)

// cancelled is the topic on which workers learn that claims may have been cancelled.
const cancelled = "jobs.cancelled"

var cancelText = statement.Of(`
	UPDATE jobs SET status = 'cancelled', finished_at = now(), lease_until = NULL, fence = fence + 1, updated_at = now()
	WHERE id = $1 AND status IN ('queued', 'retrying', 'running')`)

// Cancel ends a job that is queued, retrying or running. A worker that runs it loses
// its claim, and what it has not completed takes no effect. The error is
// [write.ErrMoved] where there is no such job, or it has ended, or the rules do not
// admit it for the viewer.
func (c *Client) Cancel(ctx context.Context, id int64) error {
	n, err := c.change(ctx, "cancel", cancelText, id)
	if err != nil {
		return fmt.Errorf("cancel job %d: %w", id, err)
	}
	if n == 0 {
		return write.ErrMoved
	}
	store.AfterCommit(ctx, func(context.Context) { c.Bus.Wake(cancelled) })
	return nil
}

var retryText = statement.Of(`
	UPDATE jobs SET status = 'queued', attempts = 0, progress = 0, run_at = now(), ring_at = now(),
		finished_at = NULL, error = NULL, epoch = NULL, generation = generation + 1, updated_at = now()
	WHERE id = $1 AND status IN ('failed', 'cancelled')`)

// Retry queues a failed or cancelled job again, with all its attempts. The error is
// [write.ErrMoved] where no such job exists, it is in another state, or the rules do
// not admit it for the viewer. It is a problem.Error of the kind Conflict where
// another unfinished job has the same Unique.
func (c *Client) Retry(ctx context.Context, id int64) error {
	return c.DB.InTx(ctx, func(ctx context.Context) error {
		n, err := c.change(ctx, "retry", retryText, id)
		if store.IsUnique(err) {
			return problem.Wrap(err, problem.Conflict, "another job does the same work already")
		}
		if err != nil {
			return fmt.Errorf("retry job %d: %w", id, err)
		}
		if n == 0 {
			return write.ErrMoved
		}
		return c.ringAgain(ctx, id)
	})
}

// change runs an update of the job as the verb: it touches the row only where
// the viewer of the context may.
func (c *Client) change(ctx context.Context, verb string, text statement.Statement, id int64) (int64, error) {
	rule, err := c.Rules.Touchable(viewer.From(ctx), verb)
	if err != nil {
		return 0, err
	}
	text, args := text.Where(rule, "jobs", 1)
	return text.Exec(ctx, c.DB, append([]any{id}, args...)...)
}

var againText = statement.Of(`SELECT generation, queue FROM jobs WHERE id = $1`)

func (c *Client) ringAgain(ctx context.Context, id int64) error {
	d := due{id: id}
	if _, err := againText.Row(ctx, c.DB, []any{&d.generation, &d.queue}, id); err != nil {
		return fmt.Errorf("read job %d: %w", id, err)
	}
	store.AfterCommit(ctx, func(ctx context.Context) { c.ring(ctx, d) })
	return nil
}
