package jobs

import (
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"math"
	"time"

	"github.com/entwine-go/entwine/kit/store/statement"
)

// flush is how often progress is written down.
const flush = 500 * time.Millisecond

// heartbeat renews the claims and writes their progress, until ctx ends. The
// cancellation of a job wakes it.
func (r *Runner) heartbeat(ctx context.Context, woken <-chan struct{}) {
	defer close(r.still)
	tick := time.NewTicker(flush)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
			r.beat(ctx, r.due(false))
		case <-woken:
			r.beat(ctx, r.due(true))
		}
	}
}

// beat renews the claims, writes down what progress they have made, and ends
// the handlers of those that are lost.
func (r *Runner) beat(ctx context.Context, claims []*Claim) {
	if len(claims) == 0 {
		return
	}
	ctx, cancel := context.WithTimeout(ctx, lease/3)
	defer cancel()
	now := r.clock()
	kept, err := r.renew(ctx, claims)
	if err != nil {
		r.log.WarnContext(ctx, "claims could not be renewed", "claims", len(claims), "err", err)
		r.expire()
		return
	}
	for _, c := range claims {
		if kept[c.ID] {
			c.renewed.Store(int64(now))
		} else if !c.completed.Load() {
			c.cancel(errLost)
		}
	}
}

// due returns the claims whose lease is to be renewed or whose progress is to
// be written, or all of them.
func (r *Runner) due(all bool) (claims []*Claim) {
	now := r.clock()
	r.mu.Lock()
	defer r.mu.Unlock()
	for c := range r.claims {
		late := now-time.Duration(c.renewed.Load()) >= beat
		if !c.completed.Load() && (all || late || math.Float64frombits(c.progress.Load()) != c.written) {
			claims = append(claims, c)
		}
	}
	return claims
}

var renewText = statement.Of(`
	UPDATE jobs SET lease_until = later($2), ring_at = later($2), progress = COALESCE(held.progress, jobs.progress),
		updated_at = CASE WHEN held.progress IS NULL THEN updated_at ELSE now() END
	FROM list($1) AS held(id bigint, fence bigint, progress float8)
	WHERE jobs.id = held.id AND jobs.fence = held.fence AND jobs.status = 'running'
	RETURNING jobs.id`)

// renew extends the leases in one statement and returns which claims hold.
func (r *Runner) renew(ctx context.Context, claims []*Claim) (map[int64]bool, error) {
	type held struct {
		ID       int64    `json:"id"`
		Fence    int64    `json:"fence"`
		Progress *float64 `json:"progress"`
	}
	list := make([]held, len(claims))
	for i, c := range claims {
		list[i] = held{ID: c.ID, Fence: c.fence}
		if p := math.Float64frombits(c.progress.Load()); p != c.written {
			list[i].Progress = &p
		}
	}
	body, err := json.Marshal(list)
	if err != nil {
		return nil, err
	}
	kept := make(map[int64]bool)
	err = renewText.Query(ctx, r.db, func(rows *sql.Rows) error {
		var id int64
		err := rows.Scan(&id)
		kept[id] = true
		return err
	}, string(body), lease.Seconds())
	if err != nil {
		return nil, fmt.Errorf("renew: %w", err)
	}
	for i, c := range claims {
		if list[i].Progress != nil {
			c.written = *list[i].Progress
		}
	}
	return kept, nil
}

// expire ends the handlers whose lease has run out while the database could
// not be asked: others may have claimed their jobs.
func (r *Runner) expire() {
	now := r.clock()
	r.mu.Lock()
	defer r.mu.Unlock()
	for c := range r.claims {
		if now-time.Duration(c.renewed.Load()) >= lease {
			c.cancel(errLost)
		}
	}
}

// clock counts from the runner's start and knows no jumps.
func (r *Runner) clock() time.Duration { return time.Since(r.started) }
