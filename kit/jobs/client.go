package jobs

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"time"

	"github.com/entwine-go/entwine/kit/files"
	"github.com/entwine-go/entwine/kit/policy"
	"github.com/entwine-go/entwine/kit/pubsub"
	"github.com/entwine-go/entwine/kit/store"
	"github.com/entwine-go/entwine/kit/store/statement"
	"github.com/entwine-go/entwine/kit/viewer"
)

// Client accepts jobs, cancels them and hands out what they made.
type Client struct {
	DB   *store.DB    // where the jobs are
	Bell *Bell        // wakes workers for new jobs
	Bus  pubsub.Bus   // wakes the workers of cancelled jobs
	Log  *slog.Logger // required
	// Rules say who may cancel and retry which job. Without any, only the system may.
	Rules policy.Rules
	// Files has the results that are files. Nil: all are in the database.
	Files *files.Keeper
	// Traceparent names the trace that a context is part of, in W3C's form:
	// the job goes on with it. Nil: there are no traces.
	Traceparent func(ctx context.Context) string
	// Accepted, if it is not nil, is called for each job that has been enqueued, whose
	// transaction may yet be rolled back.
	Accepted func(ctx context.Context, kind string, id int64)
}

// insertText leaves rung_at and epoch empty where Redis is away or the job
// is for later: the sweeper rings for it in time.
var insertText = statement.Of(`
	INSERT INTO jobs (kind, status, progress, attempts, max_attempts, args, subject, queue, unique_key, tick,
		fence, generation, run_at, rung_at, ring_at, epoch, user_id, key_id, traceparent, created_at, updated_at)
	VALUES ($1, 'queued', 0, 0, $2, $3::jsonb, $14, $4, $5, $6,
		0, 0, COALESCE($7::timestamptz, now()),
		CASE WHEN $8::text IS NOT NULL THEN now() END,
		CASE WHEN $8 IS NOT NULL THEN later($9) ELSE COALESCE($7, now()) END,
		$8, $10, $11, $12, $13, $13)
	ON CONFLICT DO NOTHING
	RETURNING id`)

var sameText = statement.Of(`
	SELECT id FROM jobs
	WHERE kind = $1 AND unique_key = $2 AND finished_at IS NULL
	UNION ALL
	SELECT id FROM jobs WHERE kind = $1 AND tick = $3
	LIMIT 1`)

// Enqueue accepts the job in the context's transaction, on behalf of the
// context's viewer ([As] says as whom it is done), and returns its id; asynq hears of it once the
// transaction has committed. The transaction is that of [store.DB.InTx], or the one
// that the caller has begun by Client.Tx of Ent's client ([store.DB.Joining]).
// Where the options make the job one that there is already, its id is returned and
// nothing else happens.
func (c *Client) Enqueue(ctx context.Context, args Args, o Options) (id int64, err error) {
	retries, declared := retriesOf(args)
	if ctx, err = c.DB.Joining(ctx); err != nil {
		return 0, fmt.Errorf("enqueue %s: %w", args.Kind(), err)
	}
	if kind, ok := args.(interface{ Options() Options }); ok {
		o = o.over(kind.Options())
	}
	if declared && o.Attempts != 0 {
		return 0, fmt.Errorf("enqueue %s: Attempts %d: the kind declares Retries, which say how often each of its jobs is started", args.Kind(), o.Attempts)
	}
	o = o.over(Options{Queue: Default, Attempts: retries.Attempts})
	body, err := json.Marshal(args)
	if err == nil {
		body, err = withShown(args, body)
	}
	if err == nil {
		body, err = signed(viewer.From(ctx), asOf(args), body)
	}
	if err != nil {
		return 0, fmt.Errorf("enqueue %s: %w", args.Kind(), err)
	}
	// The other job may end between the two statements. Then there is room.
	for range 3 {
		id, found, err := c.insert(ctx, args.Kind(), string(body), o)
		if err != nil {
			return 0, fmt.Errorf("enqueue %s: %w", args.Kind(), err)
		}
		if found {
			return id, nil
		}
		if found, err = sameText.Row(ctx, c.DB, []any{&id}, args.Kind(), unique(viewer.From(ctx), o.Unique), moment(o.Tick)); err != nil {
			return 0, fmt.Errorf("find the %s that is there already: %w", args.Kind(), err)
		}
		if found {
			return id, nil
		}
	}
	return 0, fmt.Errorf("enqueue %s: the job like it keeps coming and going", args.Kind())
}

func (c *Client) insert(ctx context.Context, kind, args string, o Options) (id int64, inserted bool, err error) {
	epoch := c.Bell.Epoch()
	if !o.At.IsZero() {
		epoch = ""
	}
	v := viewer.From(ctx)
	inserted, err = insertText.Row(ctx, c.DB, []any{&id}, kind, o.Attempts, args, string(o.Queue), unique(v, o.Unique), moment(o.Tick),
		moment(o.At), text(epoch), patience.Seconds(), number(v.UserID), number(v.KeyID), text(c.traceparent(ctx)), store.Time(time.Now()), text(o.Subject))
	if inserted && c.Accepted != nil {
		c.Accepted(ctx, kind, id)
	}
	if inserted && epoch != "" {
		store.AfterCommit(ctx, func(ctx context.Context) { c.ring(ctx, due{id: id, queue: o.Queue}) })
	}
	return id, inserted, err
}

func (c *Client) traceparent(ctx context.Context) string {
	if c.Traceparent == nil {
		return ""
	}
	return c.Traceparent(ctx)
}

var unheardText = statement.Of(`UPDATE jobs SET ring_at = now(), epoch = NULL WHERE id = $1 AND generation = $2 AND status IN ('queued', 'retrying')`)

// ring enqueues the task in asynq, and wakes the sweeper where Redis does not answer.
func (c *Client) ring(ctx context.Context, d due) {
	err := c.Bell.ring(ctx, d)
	if err == nil {
		return
	}
	c.Log.WarnContext(ctx, "job could not be rung: the sweeper will", "job_id", d.id, "err", err)
	ctx, cancel := context.WithTimeout(ctx, time.Second)
	defer cancel()
	if _, err := unheardText.Exec(ctx, c.DB, d.id, d.generation); err != nil {
		c.Log.WarnContext(ctx, "job is rung later than it could be", "job_id", d.id, "err", err)
	}
}

// text, number and moment make the zero value NULL.
func text(s string) any {
	if s == "" {
		return nil
	}
	return s
}

func number(n int64) any {
	if n == 0 {
		return nil
	}
	return n
}

func moment(t time.Time) any {
	if t.IsZero() {
		return nil
	}
	return t
}
