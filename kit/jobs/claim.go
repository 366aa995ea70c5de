package jobs

import (
	"context"
	"database/sql"
	"fmt"
	"math"
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	"github.com/entwine-go/entwine/kit/files"
	"github.com/entwine-go/entwine/kit/store"
	"github.com/entwine-go/entwine/kit/store/statement"
)

// Claim is the right to do a job, for as long as it is renewed. Its fence is the
// number of the claim: writes under an older one have no effect.
type Claim struct {
	// ID is the job's id.
	ID int64
	// Attempt counts the job's starts, from 1.
	Attempt int
	// Last is set for the final attempt: if it fails, the job fails for good.
	Last bool
	// CreatedAt is when the job was asked for.
	CreatedAt time.Time

	db     *store.DB
	files  *files.Keeper
	drafts []*files.Draft // what results are written to
	kind   string
	args   []byte
	fence  int64
	cancel context.CancelCauseFunc
	parent sql.NullString // the trace of the request that enqueued it
	user   sql.NullInt64  // who has enqueued it
	key    sql.NullInt64  // which API key has
	waited float64        // for how many seconds it was due

	started  time.Time // when the attempt began, by the database
	claimed  time.Time // the same moment by this process
	failures []byte    // the attempts that failed before, as JSON

	progress atomic.Uint64 // bits of a float64, what is done so far
	written  float64       // the progress in the row; the heartbeat's own
	renewed  atomic.Int64  // when the lease was last extended, in nanoseconds of the runner's clock

	completing sync.Mutex
	completed  atomic.Bool // by the handler or by the runner
}

// Key is the idempotency key for what the job does in other systems: the same in each
// attempt, and no other job's.
func (c *Claim) Key() string { return Key(c.ID) }

// Key is the [Claim.Key] of the job with the id.
func Key(id int64) string { return "job-" + strconv.FormatInt(id, 10) }

// Progress says how much of the job is done, from 0 to 1. It makes no statement: the
// next heartbeat stores it.
func (c *Claim) Progress(done float64) {
	if done >= 0 && done <= 1 {
		c.progress.Store(math.Float64bits(done))
	}
}

// Complete runs effects and marks the job as succeeded, both in one
// transaction: either all of it happens, or, where the job is no longer this
// worker's, nothing. A handler that returns nil without it has succeeded
// with no effects in the database.
func (c *Claim) Complete(ctx context.Context, effects func(ctx context.Context) error) error {
	return c.complete(ctx, effects, result{})
}

// CompleteTogether is [Claim.Complete] for effects of a statement or two that lock no row
// for which others wait: jobs of the process that complete at a time share a commit.
func (c *Claim) CompleteTogether(ctx context.Context, effects func(ctx context.Context) error) error {
	return c.complete(ctx, effects, result{shared: true})
}

var completeText = statement.Of(`
	UPDATE jobs SET status = 'succeeded', progress = 1, error = NULL, lease_until = NULL, finished_at = now(), updated_at = now(),
		result_url = CASE WHEN $3::text IS NOT NULL THEN '/api/v1/jobs/' || id || '/result' END,
		result_type = $3::text, result_name = $4, result_size = $5, result_until = CASE WHEN $3::text IS NOT NULL THEN later($6) END
	WHERE id = $1 AND fence = $2 AND status = 'running'`)

func (c *Claim) complete(ctx context.Context, effects func(ctx context.Context) error, r result) error {
	c.completing.Lock()
	defer c.completing.Unlock()
	if c.completed.Load() {
		return fmt.Errorf("complete job %d: it is complete already", c.ID)
	}
	succeed := func(ctx context.Context) error {
		return c.fenced(ctx, completeText, text(r.mediaType), text(r.name), r.bytes(), resultKept.Seconds())
	}
	if err := c.together(ctx, r.shared, effects, succeed); err != nil {
		return fmt.Errorf("complete job %d: %w", c.ID, err)
	}
	c.completed.Store(true)
	return nil
}

// crowd names the jobs that complete at a time and share a commit.
const crowd = "jobs that complete"

// together runs both in one transaction.
func (c *Claim) together(ctx context.Context, shared bool, effects, succeed func(ctx context.Context) error) error {
	if effects == nil {
		return c.db.Together(ctx, crowd, c.ID, succeed)
	}
	both := func(ctx context.Context) error {
		if err := effects(ctx); err != nil {
			return err
		}
		return succeed(ctx)
	}
	if shared {
		return c.db.TogetherInTx(ctx, crowd, c.ID, both)
	}
	return c.db.InGroup(ctx, both)
}

// fenced runs a statement that begins with the claim's id and fence, and
// requires that the claim still holds.
func (c *Claim) fenced(ctx context.Context, s statement.Statement, args ...any) error {
	n, err := s.Exec(ctx, c.db, append([]any{c.ID, c.fence}, args...)...)
	if err != nil {
		return err
	}
	if n != 1 {
		return errLost
	}
	return nil
}

var failText = statement.Of(`
	UPDATE jobs SET status = CASE WHEN $3::boolean OR attempts >= max_attempts THEN 'failed' ELSE 'retrying' END,
		finished_at = CASE WHEN $3 OR attempts >= max_attempts THEN now() END,
		error = $4, failures = $6::jsonb, lease_until = NULL, run_at = later($5), ring_at = later($5), epoch = NULL, generation = generation + 1, updated_at = now()
	WHERE id = $1 AND fence = $2 AND status = 'running'`)

// fail gives the job back to be tried again after a while, or for good.
func (c *Claim) fail(ctx context.Context, message string, forGood bool, after time.Duration) error {
	return c.fenced(ctx, failText, forGood, message, after.Seconds(), c.failed(message))
}

var releaseText = statement.Of(`
	UPDATE jobs SET status = CASE WHEN attempts > 1 THEN 'retrying' ELSE 'queued' END, attempts = attempts - 1, progress = 0,
		fence = fence + 1, generation = generation + 1, lease_until = NULL, ring_at = now(), epoch = NULL, updated_at = now()
	WHERE id = $1 AND fence = $2 AND status = 'running'`)

// release gives the job back as if it had not been started.
func (c *Claim) release(ctx context.Context) error { return c.fenced(ctx, releaseText) }
