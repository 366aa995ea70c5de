package jobs

import (
	"context"
	"fmt"
	"time"

	"github.com/entwine-go/entwine/ent/job"
	"github.com/entwine-go/entwine/ent/typedid"
	"github.com/entwine-go/entwine/kit/policy"
	"github.com/entwine-go/entwine/kit/problem"
	"github.com/entwine-go/entwine/kit/runtime/statement"
	"github.com/entwine-go/entwine/kit/runtime/store"
)

// cancelled is the topic that tells workers to look after their claims.
const cancelled = "jobs.cancelled"

// Cancel ends a job that has not ended yet. A worker that has it finds its
// claim gone, and what it has not completed has no effect. It changes nothing
// where the viewer may not: the problem tells why.
func (c *Client) Cancel(ctx context.Context, id int64) error {
	now := store.Time(time.Now())
	n, err := store.Client(c.DB).Job.Update().
		Where(job.ID(typedid.JobID(id)), job.StatusIn(job.StatusQueued, job.StatusRetrying, job.StatusRunning)).
		SetStatus(job.StatusCancelled).
		SetFinishedAt(now).
		ClearLeaseUntil().
		AddFence(1).
		Save(policy.As(ctx, policy.Cancel))
	if err != nil {
		return fmt.Errorf("cancel job %d: %w", id, err)
	}
	if n == 0 {
		return c.refused(ctx, id, "cancelled")
	}
	store.AfterCommit(ctx, func(context.Context) { c.Bus.Wake(cancelled) })
	return nil
}

// Retry queues a job again that has failed or was cancelled, as if it were new.
func (c *Client) Retry(ctx context.Context, id int64) error {
	now := store.Time(time.Now())
	return c.DB.InTx(ctx, func(ctx context.Context) error {
		n, err := store.Client(c.DB).Job.Update().
			Where(job.ID(typedid.JobID(id)), job.StatusIn(job.StatusFailed, job.StatusCancelled)).
			SetStatus(job.StatusQueued).
			SetAttempts(0).SetProgress(0).SetRunAt(now).SetRingAt(now).
			ClearFinishedAt().ClearError().ClearEpoch().
			AddGeneration(1).
			Save(policy.As(ctx, policy.Retry))
		if store.IsUnique(err) {
			return problem.Wrap(err, problem.Conflict, "another job does the same work already")
		}
		if err != nil {
			return fmt.Errorf("retry job %d: %w", id, err)
		}
		if n == 0 {
			return c.refused(ctx, id, "retried")
		}
		return c.ringAgain(ctx, id)
	})
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

// refused says why a job could not be changed: it is in another state, or
// it is none that the viewer can read.
func (c *Client) refused(ctx context.Context, id int64, done string) error {
	j, err := store.Client(c.DB).Job.Query().Where(job.ID(typedid.JobID(id))).Only(ctx)
	if err != nil {
		return store.Problem(fmt.Errorf("find job %d: %w", id, err))
	}
	return problem.New(problem.Conflict, "a job that is %s can't be %s", j.Status, done)
}
