package jobs

import (
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"time"

	"github.com/entwine-go/entwine/kit/store/statement"
)

// taken is how many jobs are claimed at once.
const taken = 64

// request asks for the claim of a job that was rung.
type request struct {
	ctx context.Context
	id  int64

	claim *Claim // nil if the job is not due or claimed elsewhere
	err   error
}

// claimText skips locked rows (SKIP LOCKED): the transaction that locks one
// claims or cancels it. If that is rolled back, the sweeper rings again.
var claimText = statement.Of(`
	WITH mine AS (
		SELECT jobs.id AS job_id FROM jobs JOIN list($1) AS l(id bigint) ON jobs.id = l.id
		WHERE attempts < max_attempts
			AND (status IN ('queued', 'retrying') AND run_at <= now() OR status = 'running' AND lease_until <= now())
		FOR UPDATE SKIP LOCKED)
	UPDATE jobs SET status = 'running', attempts = attempts + 1,
		max_attempts = COALESCE((SELECT k.attempts FROM list($3) AS k(kind text, attempts bigint) WHERE k.kind = jobs.kind), max_attempts), fence = fence + 1, progress = 0,
		lease_until = later($2), ring_at = CASE WHEN ring_at < later($2) THEN ring_at ELSE later($2) END, started_at = now(), updated_at = now()
	FROM mine WHERE jobs.id = mine.job_id
	RETURNING jobs.id, kind, args, attempts, attempts >= max_attempts, fence, created_at, traceparent, since(run_at), user_id, key_id, started_at, failures`)

// attemptsOf lists the attempts of kinds that declare them. A topic enqueues its jobs with
// the usual number, which the first claim corrects.
func attemptsOf(kinds map[string]Kind) string {
	type attempts struct {
		Kind     string `json:"kind"`
		Attempts int    `json:"attempts"`
	}
	all := []attempts{}
	for name, k := range kinds {
		if k.declared {
			all = append(all, attempts{name, k.retries.Attempts})
		}
	}
	body, err := json.Marshal(all)
	if err != nil {
		panic(err) // it is made of texts and numbers
	}
	return string(body)
}

// claim takes the job, if it is due and has no live claim. It counts the attempt
// now, so that a job that kills its worker is not started for ever. Jobs that
// are rung at the same time are claimed by one statement.
func (r *Runner) claim(ctx context.Context, id int64) (*Claim, error) {
	q := &request{ctx: ctx, id: id}
	r.take.Do(q)
	if q.err != nil {
		return nil, fmt.Errorf("claim job %d: %w", id, q.err)
	}
	return q.claim, nil
}

// takeAll claims what is asked for. A second request for the same job gets
// nothing.
func (r *Runner) takeAll(requests []*request) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(requests[0].ctx), lease/3)
	defer cancel()
	first := make(map[int64]*request, len(requests))
	list := make([]struct {
		ID int64 `json:"id"`
	}, 0, len(requests))
	for _, q := range requests {
		if first[q.id] == nil {
			first[q.id] = q
			list = append(list, struct {
				ID int64 `json:"id"`
			}{q.id})
		}
	}
	body, err := json.Marshal(list)
	if err == nil {
		now := r.clock()
		err = claimText.Query(ctx, r.db, func(rows *sql.Rows) error {
			c := &Claim{db: r.db, files: r.Files, claimed: time.Now()}
			c.renewed.Store(int64(now))
			if err := rows.Scan(&c.ID, &c.kind, &c.args, &c.Attempt, &c.Last, &c.fence, &c.CreatedAt, &c.parent, &c.waited, &c.user, &c.key, &c.started, &c.failures); err != nil {
				return err
			}
			first[c.ID].claim = c
			return nil
		}, string(body), lease.Seconds(), r.attempts)
	}
	for _, q := range requests {
		q.err = err
	}
}
