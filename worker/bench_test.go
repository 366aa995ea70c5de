package worker_test

import (
	"context"
	"fmt"
	"syscall"
	"testing"
	"time"

	"github.com/entwine-go/entwine/kit/jobs"
	"github.com/entwine-go/entwine/kit/store"
	"github.com/entwine-go/entwine/kit/store/statement"
)

// countText is the effect of a small job: one row.
var countText = statement.Of(`INSERT INTO effects (job_id) VALUES ($1)`)

// BenchmarkJobs has b.N small jobs done that wait already, each with an
// effect of one row. -benchtime 10000x has as many wait. cpu-µs/job is what
// this process works for each: with the embedded Redis all that there is,
// otherwise without what Redis and PostgreSQL do.
func BenchmarkJobs(b *testing.B) {
	databases := tracing(b)
	for _, c := range []struct {
		name      string
		db        func(testing.TB) *store.DB
		transport func(testing.TB) *jobs.Transport
	}{
		{"sqlite, embedded", databases.SQLite, func(testing.TB) *jobs.Transport { return jobs.Embed() }},
		{"sqlite, redis", databases.SQLite, dial},
		{"postgres, redis", databases.Postgres, dial},
	} {
		b.Run(c.name, func(b *testing.B) { drain(newKit(b, c.db(b), c.transport(b)), b) })
	}
}

func drain(k *kit, b *testing.B) {
	k.wait(b.N)
	done := make(chan struct{}, b.N)
	b.ResetTimer()
	ctx, still := context.WithCancel(k.ctx)
	go k.sweeper.Run(ctx)
	defer still()
	before, began := spent(), time.Now()
	stop := k.start(nil, jobs.Handle(jobs.HandlerFunc[trace](func(ctx context.Context, j *jobs.Job[trace]) error {
		defer func() { done <- struct{}{} }()
		return j.Complete(ctx, func(ctx context.Context) error {
			_, err := countText.Exec(ctx, k.db, j.ID)
			return err
		})
	})))
	for range b.N {
		<-done
	}
	b.ReportMetric(float64(b.N)/time.Since(began).Seconds(), "jobs/s")
	b.ReportMetric(float64((spent()-before).Microseconds())/float64(b.N), "cpu-µs/job")
	b.StopTimer()
	stop(k.ctx)
	if n := k.count("jobs", "status = 'succeeded' AND attempts = 1"); n != b.N || k.count("effects", "TRUE") != b.N {
		b.Errorf("%d of %d jobs are done", n, b.N)
	}
}

// wait has so many jobs wait, all of them rung.
func (k *kit) wait(jobsWaiting int) {
	k.Helper()
	for made := 0; made < jobsWaiting; {
		err := k.db.InTx(k.ctx, func(ctx context.Context) error {
			for range min(500, jobsWaiting-made) {
				if _, err := k.client.Enqueue(ctx, trace{}, jobs.Options{}); err != nil {
					return fmt.Errorf("job %d: %w", made, err)
				}
				made++
			}
			return nil
		})
		if err != nil {
			k.Fatal(err)
		}
	}
}

// spent is the processor time that this process has used.
func spent() time.Duration {
	var u syscall.Rusage
	_ = syscall.Getrusage(syscall.RUSAGE_SELF, &u)
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
