package jobs_test

import (
	"context"
	"slices"
	"testing"
	"time"

	"github.com/entwine-go/entwine/kit/jobs"
)

// Subscribers get every state, and progress as often as it is stored, however often
// a handler reports it.
func TestEveryStepOfAJobIsAnEvent(t *testing.T) {
	each(t, func(k *kit) {
		id := k.enqueue(add{}, jobs.Options{})
		k.run(k.runner(func(ctx context.Context, j *jobs.Job[add]) error {
			for i := range 10_000 {
				j.Progress(float64(i) / 20_000)
			}
			for k.job(id).Progress != 9_999.0/20_000 { // until the heartbeat has written it
				if err := ctx.Err(); err != nil {
					return err
				}
				time.Sleep(time.Millisecond)
			}
			return nil
		}), id)
		rows, err := k.db.QueryContext(k.ctx, "SELECT payload FROM events WHERE topic = 'job.progress' ORDER BY id")
		if err != nil {
			t.Fatal(err)
		}
		defer rows.Close()
		var all []string
		for rows.Next() {
			var payload string
			if err := rows.Scan(&payload); err != nil {
				t.Fatal(err)
			}
			all = append(all, payload)
		}
		if len(all) < 4 || len(all) > 6 { // queued, running, progress once or, between two beats, twice, succeeded
			t.Errorf("%d events: %v", len(all), all)
		}
		if steps := slices.Compact(all); len(steps) != 3 {
			t.Errorf("the states are %v, want queued, running, succeeded", steps)
		}
	})
}
