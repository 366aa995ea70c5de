package jobs_test

import (
	"testing"

	"github.com/entwine-go/entwine/kit/jobs"
)

func TestOperatorsSeeJobs(t *testing.T) {
	each(t, func(k *kit) {
		first := k.enqueue(add{Note: "a"}, jobs.Options{})
		second := k.enqueue(rare{}, jobs.Options{})
		k.run(k.runner(k.adding), first)
		all, err := k.client.List(k.ctx, "", "", 10)
		if err != nil || len(all) != 2 || all[0].ID != second || all[1].Status != "succeeded" || all[1].FinishedAt == nil || all[0].FinishedAt != nil {
			k.Errorf("List: %+v, %v", all, err)
		}
		for _, c := range []struct {
			status, kind string
			limit, want  int
		}{{"queued", "", 10, 1}, {"", "add", 10, 1}, {"queued", "add", 10, 0}, {"", "", 1, 1}} {
			if got, err := k.client.List(k.ctx, c.status, c.kind, c.limit); err != nil || len(got) != c.want {
				k.Errorf("List(%+v): %d, %v", c, len(got), err)
			}
		}
		r, err := k.client.Find(k.ctx, second)
		if err != nil || r.Kind != "rare" || r.Args != "{}" || r.Queue != "bulk" || r.MaxAttempts != 1 || r.CreatedAt.IsZero() {
			k.Errorf("Find: %+v, %v", r, err)
		}
		if r, err := k.client.Find(k.ctx, 999); r != nil || err != nil {
			k.Errorf("Find of none: %+v, %v", r, err)
		}
	})
}
