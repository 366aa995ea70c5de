package jobs_test

import (
	"context"
	"errors"
	"slices"
	"strconv"
	"testing"
	"time"

	"github.com/entwine-go/entwine/kit/jobs"
)

func TestAJobIsRungOnceItIsCommitted(t *testing.T) {
	each(t, func(k *kit) {
		var id int64
		err := k.db.InTx(k.ctx, func(ctx context.Context) (err error) {
			id, err = k.client.Enqueue(ctx, add{Note: "mine"}, jobs.Options{})
			if got := k.pending(jobs.Default); got != nil {
				k.Errorf("before COMMIT asynq was told of %v", got)
			}
			return err
		})
		if err != nil {
			k.Fatalf("Enqueue: %v", err)
		}
		if got := k.pending(jobs.Default); !slices.Equal(got, []string{strconv.FormatInt(id, 10)}) {
			k.Errorf("asynq was told of %v, want the id %d", got, id)
		}
		j := k.wantStatus(id, "queued")
		if got := j.Args; got != `{"note":"mine"}` && got != `{"note": "mine"}` {
			k.Errorf("args %s", got)
		}
		k.sweep(0)
	})
}

func TestAJobThatIsRolledBackNeverWas(t *testing.T) {
	each(t, func(k *kit) {
		changed := errors.New("changed my mind")
		err := k.db.InTx(k.ctx, func(ctx context.Context) error {
			_, err := k.client.Enqueue(ctx, add{}, jobs.Options{})
			return errors.Join(err, changed)
		})
		if !errors.Is(err, changed) {
			k.Fatal(err)
		}
		if got := k.pending(jobs.Default); got != nil {
			k.Errorf("asynq was told of %v", got)
		}
		k.sweep(0)
	})
}

func TestKindsHaveOptionsOfTheirOwn(t *testing.T) {
	each(t, func(k *kit) {
		j := k.job(k.enqueue(rare{}, jobs.Options{}))
		if j.Queue != string(jobs.Bulk) || j.MaxAttempts != 1 {
			k.Errorf("queue %s, %d attempts, want the kind's: bulk, 1", j.Queue, j.MaxAttempts)
		}
		j = k.job(k.enqueue(rare{}, jobs.Options{Queue: jobs.Urgent, Attempts: 3}))
		if j.Queue != string(jobs.Urgent) || j.MaxAttempts != 3 {
			k.Errorf("queue %s, %d attempts, want the call's: urgent, 3", j.Queue, j.MaxAttempts)
		}
	})
}

func TestAJobSaysWhatItIsAbout(t *testing.T) {
	each(t, func(k *kit) {
		id := k.enqueue(add{}, jobs.Options{Subject: jobs.About("Note", int64(7))})
		rows, err := k.db.QueryContext(k.ctx, "SELECT subject FROM jobs WHERE id = $1", id)
		if err != nil {
			t.Fatal(err)
		}
		defer rows.Close()
		var subject string
		if !rows.Next() || rows.Scan(&subject) != nil || subject != "Note:7" {
			k.Errorf("it is about %q", subject)
		}
	})
}

func TestNoTwoUnfinishedJobsAreTheSame(t *testing.T) {
	each(t, func(k *kit) {
		first := k.enqueue(add{}, jobs.Options{Unique: "the one"})
		if second := k.enqueue(add{}, jobs.Options{Unique: "the one"}); second != first {
			k.Errorf("job %d was made beside %d", second, first)
		}
		if other := k.enqueue(rare{}, jobs.Options{Unique: "the one"}); other == first {
			k.Error("a job of another kind stands for it")
		}
		k.run(k.runner(k.adding), first)
		if third := k.enqueue(add{}, jobs.Options{Unique: "the one"}); third == first {
			k.Errorf("job %d is done and stands for a new one", first)
		}
	})
}

func TestATickIsDoneOnce(t *testing.T) {
	each(t, func(k *kit) {
		noon := time.Date(2026, 7, 1, 12, 0, 0, 0, time.UTC)
		first := k.enqueue(add{}, jobs.Options{Tick: noon})
		k.run(k.runner(k.adding), first)
		if second := k.enqueue(add{}, jobs.Options{Tick: noon}); second != first {
			k.Errorf("the tick has two jobs, %d and %d", first, second)
		}
		if next := k.enqueue(add{}, jobs.Options{Tick: noon.Add(time.Hour)}); next == first {
			k.Error("the next tick has no job")
		}
	})
}

func TestAJobForLaterIsNotDueBefore(t *testing.T) {
	each(t, func(k *kit) {
		id := k.enqueue(add{}, jobs.Options{At: time.Now().Add(time.Hour)})
		r := k.runner(k.adding)
		k.run(r, id)
		k.wantStatus(id, "queued")
		k.sweep(0)
		k.age("run_at")
		k.age("ring_at")
		k.sweep(1)
		k.run(r, id)
		k.wantStatus(id, "succeeded")
	})
}
