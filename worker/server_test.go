package worker_test

import (
	"context"
	"encoding/json"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/entwine-go/entwine/ent/orm"
	"github.com/entwine-go/entwine/kit/jobs"
)

// note is a kind of job that reports its run to the test.
type note struct{ N int }

func (note) Kind() string { return "note" }

// notes are the jobs that ran.
type notes struct {
	mu   sync.Mutex
	seen map[int64]int
	all  chan struct{} // receives after each
}

func newNotes() *notes { return &notes{seen: make(map[int64]int), all: make(chan struct{}, 10_000)} }

func (n *notes) Work(_ context.Context, j *jobs.Job[note]) error {
	n.mu.Lock()
	n.seen[j.ID]++
	n.mu.Unlock()
	n.all <- struct{}{}
	return nil
}

func TestJobsOfEveryQueueAreDone(t *testing.T) {
	each(t, func(k *kit) {
		done := newNotes()
		stop := k.start(nil, jobs.Handle(done))
		const count = 90
		for i := range count {
			queue := []jobs.Queue{jobs.Urgent, jobs.Default, jobs.Bulk}[i%3]
			if _, err := k.client.Enqueue(k.ctx, note{N: i}, jobs.Options{Queue: queue}); err != nil {
				k.Fatal(err)
			}
		}
		for range count {
			<-done.all
		}
		stop(k.ctx)
		if n := k.count("jobs", "status = 'succeeded' AND attempts = 1"); n != count || len(done.seen) != count {
			k.Errorf("%d jobs are done, %d ran, want %d", n, len(done.seen), count)
		}
	})
}

func TestWorkGoesOnWhereAnotherWorkerHasStopped(t *testing.T) {
	each(t, func(k *kit) {
		running := make(chan struct{}, 1)
		stop := k.start(nil, jobs.Handle(jobs.HandlerFunc[note](func(ctx context.Context, _ *jobs.Job[note]) error {
			running <- struct{}{}
			<-ctx.Done()
			return ctx.Err()
		})))
		id, err := k.client.Enqueue(k.ctx, note{}, jobs.Options{})
		if err != nil {
			k.Fatal(err)
		}
		<-running
		now, cancel := context.WithCancel(k.ctx)
		cancel()
		stop(now)
		if _, err := k.sweeper.Pass(k.ctx); err != nil {
			k.Fatal(err)
		}
		done := newNotes()
		stop = k.start(nil, jobs.Handle(done))
		<-done.all
		stop(k.ctx)
		if j := k.job(id); j.Status != "succeeded" || j.Attempts != 1 {
			k.Errorf("the row is %v", j)
		}
	})
}

func TestEachTickHasOneJob(t *testing.T) {
	each(t, func(k *kit) {
		done := newNotes()
		schedule := []jobs.Entry{{Spec: "* * * * *", Args: func(time.Time) jobs.Args { return note{} }}}
		stop1 := k.start(schedule, jobs.Handle(done))
		stop2 := k.start(schedule, jobs.Handle(done))
		<-done.all
		stop1(k.ctx)
		stop2(k.ctx)
		if n := k.count("jobs", "tick IN (SELECT tick FROM jobs GROUP BY tick HAVING COUNT(*) > 1)"); n != 0 {
			k.Errorf("%d jobs share a tick", n)
		}
		if n := k.count("jobs", "tick IS NOT NULL AND key_id IS NULL AND user_id IS NULL"); n == 0 {
			k.Error("the last tick has no job")
		}
	})
}

// An entry that says when there is something to do has a job only then, and one for each
// tick.
func TestAnEntryHasAJobOnlyWhenItIsDue(t *testing.T) {
	both(t, func(k *kit) {
		var asked atomic.Int64
		done := newNotes()
		schedule := []jobs.Entry{{
			Every: 20 * time.Millisecond,
			Due:   func(context.Context) (bool, error) { return asked.Add(1) > 3, nil },
			Args:  func(time.Time) jobs.Args { return note{N: int(asked.Load())} },
		}}
		stop1 := k.start(schedule, jobs.Handle(done))
		stop2 := k.start(schedule, jobs.Handle(done))
		for range 3 {
			<-done.all
		}
		stop1(k.ctx)
		stop2(k.ctx)
		if n := k.count("jobs", "tick IN (SELECT tick FROM jobs GROUP BY tick HAVING COUNT(*) > 1)"); n != 0 {
			k.Errorf("%d jobs share a tick", n)
		}
		for _, j := range orm.Client(k.db).Job.Query().AllX(k.ctx) {
			var n note
			if err := json.Unmarshal(j.Args, &n); err != nil || n.N <= 3 {
				k.Errorf("a job was made when nothing was due: %s, %v", j.Args, err)
			}
		}
	})
}
