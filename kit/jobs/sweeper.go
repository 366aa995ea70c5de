package jobs

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"time"

	"github.com/entwine-go/entwine/kit/store"
	"github.com/entwine-go/entwine/kit/store/statement"
)

// Sweeper rings for jobs that are due and were not heard: those that
// were not rung, whose task was lost with Redis or with a worker, or whose
// lease ran out. One runs in every process.
type Sweeper struct {
	DB   *store.DB    // where the jobs are
	Bell *Bell        // wakes workers for those that are late
	Log  *slog.Logger // required
	// Runner does the jobs itself while Redis is away or refuses writes. Nil: they
	// wait.
	Runner *Runner

	failing bool // the last pass failed
	direct  *direct
}

// swept is how many jobs one pass takes of each sort.
const swept = 500

// Run sweeps until ctx ends, each 0.3 to 0.7 s, and waits for the jobs that it
// has begun: [Runner.Stop] ends them.
func (s *Sweeper) Run(ctx context.Context) {
	s.direct = new(direct)
	defer s.direct.running.Wait()
	for {
		n, err := s.Pass(ctx)
		if ctx.Err() != nil {
			return
		}
		s.report(ctx, err)
		pause := 300*time.Millisecond + rand.N(400*time.Millisecond)
		if n >= swept {
			pause = 0 // there is more
		}
		select {
		case <-ctx.Done():
			return
		case <-time.After(pause):
		}
	}
}

// report logs when passes begin to fail, and when they no longer do.
func (s *Sweeper) report(ctx context.Context, err error) {
	if err != nil && !s.failing {
		s.Log.WarnContext(ctx, "the sweeper can't ring for jobs", "done_here", s.Runner != nil, "err", err)
	}
	if err == nil && s.failing {
		s.Log.InfoContext(ctx, "the sweeper works again")
	}
	s.failing = err != nil
}

// Pass looks once, and returns how many jobs it rang for. Where Redis does not
// answer, this process does what is due, and Pass returns the error.
func (s *Sweeper) Pass(ctx context.Context) (int, error) {
	epoch, err := s.Bell.Check(ctx)
	if err != nil {
		err = fmt.Errorf("ask redis for its epoch: %w", err)
		if s.Runner != nil {
			err = errors.Join(err, s.doDirectly(ctx))
		}
		return 0, err
	}
	late, err := s.find(ctx, epoch)
	if err != nil || len(late) == 0 {
		return 0, err
	}
	if err := s.giveUp(ctx, late); err != nil {
		return 0, err
	}
	wait, still, err := s.sort(late)
	if err != nil {
		return 0, err
	}
	if err := s.postpone(ctx, still); err != nil {
		return 0, err
	}
	rung, err := s.take(ctx, wait, epoch)
	if err != nil {
		return 0, err
	}
	return len(rung), s.ring(ctx, rung)
}

// lateJob is a job that may have to be rung.
type lateJob struct {
	ID         int64   `json:"id"`
	Generation int64   `json:"generation"`
	Wait       float64 `json:"wait"` // how many seconds until the sweeper looks at it again

	queue Queue
	spent bool            // its last attempt never came to an end
	age   sql.NullFloat64 // for how long this Redis has known of it, in seconds
}

// findText asks for two ranges of the epoch because an index has no "other
// than". A job that was never enqueued has none. A claim leaves the columns of the indexes as they are, so
// that PostgreSQL writes no entry of an index for it: what holds a lease is passed over.
var findText = func() statement.Statement {
	const late = `(SELECT id, generation, queue, status = 'running' AND attempts >= max_attempts,
		CASE WHEN epoch = $1 AND status <> 'running' THEN since(rung_at) END
		FROM jobs WHERE finished_at IS NULL AND NOT (status = 'running' AND lease_until > now()) AND `
	return statement.Of(`SELECT * FROM ` + late + ` ring_at <= now() ORDER BY ring_at LIMIT $2) AS a
		UNION ALL SELECT * FROM ` + late + ` epoch < $1 LIMIT $2) AS b
		UNION ALL SELECT * FROM ` + late + ` epoch > $1 LIMIT $2) AS c`)
}()

func (s *Sweeper) find(ctx context.Context, epoch string) (late []lateJob, err error) {
	err = findText.Query(ctx, s.DB, func(rows *sql.Rows) error {
		var j lateJob
		err := rows.Scan(&j.ID, &j.Generation, &j.queue, &j.spent, &j.age)
		late = append(late, j)
		return err
	}, epoch, swept)
	if err != nil {
		return nil, fmt.Errorf("find late jobs: %w", err)
	}
	return late, nil
}

// sort separates the jobs to ring for from those whose task may still be waiting
// in a queue that is behind. Ringing for them again would only make it longer.
func (s *Sweeper) sort(late []lateJob) (ring, still []lateJob, err error) {
	behind := make(map[Queue]float64)
	for _, j := range late {
		if j.spent {
			continue
		}
		lag, known := behind[j.queue]
		if j.age.Valid && !known {
			d, err := s.Bell.tasks.latency(j.queue)
			if err != nil {
				return nil, nil, err
			}
			lag = d.Seconds()
			behind[j.queue] = lag
		}
		j.Wait = patience.Seconds() + 2*lag
		if j.age.Valid && j.age.Float64 < lag+1 {
			still = append(still, j)
		} else {
			ring = append(ring, j)
		}
	}
	return ring, still, nil
}

var giveUpText = statement.Of(`
	UPDATE jobs SET status = 'failed', error = 'its worker was lost', lease_until = NULL, finished_at = now(), updated_at = now()
	WHERE finished_at IS NULL AND ring_at <= now() AND status = 'running' AND lease_until <= now() AND attempts >= max_attempts`)

// giveUp fails the jobs that have lost the worker of their last attempt.
func (s *Sweeper) giveUp(ctx context.Context, late []lateJob) error {
	for _, j := range late {
		if !j.spent {
			continue
		}
		n, err := giveUpText.Exec(ctx, s.DB)
		if err != nil {
			return fmt.Errorf("give jobs up: %w", err)
		}
		s.Log.ErrorContext(ctx, "jobs have failed: their workers were lost", "jobs", n)
		return nil
	}
	return nil
}

var postponeText = statement.Of(`
	UPDATE jobs SET ring_at = later(l.wait) FROM list($1) AS l(id bigint, generation bigint, wait float8)
	WHERE jobs.id = l.id AND jobs.generation = l.generation AND finished_at IS NULL AND ring_at <= now()`)

func (s *Sweeper) postpone(ctx context.Context, still []lateJob) error {
	if len(still) == 0 {
		return nil
	}
	list, err := json.Marshal(still)
	if err == nil {
		_, err = postponeText.Exec(ctx, s.DB, string(list))
	}
	if err != nil {
		return fmt.Errorf("postpone jobs: %w", err)
	}
	return nil
}

// takeText gives each job another generation, and so another name in asynq:
// one whose task has died there could not be rung by its old name.
var takeText = statement.Of(`
	WITH mine AS (
		SELECT jobs.id AS job_id, l.wait FROM jobs JOIN list($1) AS l(id bigint, generation bigint, wait float8) ON jobs.id = l.id
		WHERE jobs.generation = l.generation AND finished_at IS NULL AND (ring_at <= now() OR epoch <> $2)
		FOR UPDATE SKIP LOCKED)
	UPDATE jobs SET generation = generation + 1, rung_at = now(), ring_at = later(mine.wait), epoch = $2
	FROM mine WHERE jobs.id = mine.job_id
	RETURNING jobs.id, generation, queue`)

// take marks the jobs as rung before they are, so that no two sweepers ring
// for the same.
func (s *Sweeper) take(ctx context.Context, wait []lateJob, epoch string) (mine []due, err error) {
	if len(wait) == 0 {
		return nil, nil
	}
	list, err := json.Marshal(wait)
	if err != nil {
		return nil, err
	}
	err = takeText.Query(ctx, s.DB, func(rows *sql.Rows) error {
		var d due
		err := rows.Scan(&d.id, &d.generation, &d.queue)
		mine = append(mine, d)
		return err
	}, string(list), epoch)
	if err != nil {
		return nil, fmt.Errorf("take late jobs: %w", err)
	}
	return mine, nil
}

// ring rings for the jobs. Where Redis goes away meanwhile, the rest is due
// again at once.
func (s *Sweeper) ring(ctx context.Context, rung []due) error {
	for i, d := range rung {
		err := s.Bell.ring(ctx, d)
		if err == nil {
			continue
		}
		for _, d := range rung[i:] {
			if _, err := unheardText.Exec(ctx, s.DB, d.id, d.generation); err != nil {
				return fmt.Errorf("mark job %d as not rung: %w", d.id, err)
			}
		}
		return err
	}
	return nil
}
