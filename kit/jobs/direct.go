package jobs

import (
	"context"
	"database/sql"
	"fmt"
	"sync"

	"github.com/entwine-go/entwine/kit/store/statement"
)

// direct runs jobs in this process without a task. The claim decides who does a
// job, as it does for those that are rung, so that it does not matter how many
// processes find the same.
type direct struct {
	mu      sync.Mutex
	busy    map[Queue]int
	running sync.WaitGroup
}

// directly is how many jobs of a queue a process does at once without being
// rung for.
var directly = map[Queue]int{Urgent: 10, Default: 10, Bulk: 2}

var dueText = statement.Of(`
	SELECT id, status = 'running' AND attempts >= max_attempts FROM jobs
	WHERE finished_at IS NULL AND queue = $1
		AND (status IN ('queued', 'retrying') AND run_at <= now() OR status = 'running' AND lease_until <= now())
	ORDER BY run_at, id LIMIT $2`)

// doDirectly begins jobs that are due, as many as there is room for, and does
// not wait for them.
func (s *Sweeper) doDirectly(ctx context.Context) error {
	if s.direct == nil {
		s.direct = new(direct)
	}
	for queue, most := range directly {
		late, err := s.due(ctx, queue, most-s.direct.doing(queue))
		if err != nil {
			return err
		}
		if err := s.giveUp(ctx, late); err != nil {
			return err
		}
		for _, j := range late {
			if !j.spent {
				s.begin(ctx, queue, j.ID)
			}
		}
	}
	return nil
}

// due finds at most so many jobs of a queue without a live claim.
func (s *Sweeper) due(ctx context.Context, queue Queue, most int) (late []lateJob, err error) {
	if most <= 0 {
		return nil, nil
	}
	err = dueText.Query(ctx, s.DB, func(rows *sql.Rows) error {
		var j lateJob
		err := rows.Scan(&j.ID, &j.spent)
		late = append(late, j)
		return err
	}, string(queue), most)
	if err != nil {
		return nil, fmt.Errorf("find jobs that are due: %w", err)
	}
	return late, nil
}

func (s *Sweeper) begin(ctx context.Context, queue Queue, id int64) {
	s.direct.count(queue, 1)
	s.direct.running.Go(func() {
		defer s.direct.count(queue, -1)
		if err := s.Runner.Run(ctx, id); err != nil && ctx.Err() == nil {
			s.Log.WarnContext(ctx, "job could not be started: it will be found again", "job_id", id, "err", err)
		}
	})
}

func (d *direct) doing(queue Queue) int {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.busy[queue]
}

func (d *direct) count(queue Queue, n int) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.busy == nil {
		d.busy = make(map[Queue]int)
	}
	d.busy[queue] += n
}
