package jobs_test

import (
	"context"
	"strconv"
	"testing"
	"time"

	"github.com/hibiken/asynq"

	"github.com/entwine-go/entwine/kit/jobs"
	"github.com/entwine-go/entwine/kit/kittest/storetest"
	"github.com/entwine-go/entwine/kit/store"
)

func TestWhatRedisForgetsIsRungAgain(t *testing.T) {
	each(t, func(k *kit) {
		for range 20 {
			k.enqueue(add{}, jobs.Options{})
		}
		k.sweep(0)
		if err := k.transport.Client.FlushAll(k.ctx).Err(); err != nil {
			k.Fatal(err)
		}
		k.sweep(20)
		if got := k.pending(jobs.Default); len(got) != 20 {
			k.Errorf("%d tasks, want 20", len(got))
		}
		k.sweep(0)
	})
}

// Redis may lose its tasks and queues after it was named anew, before a process that knows the
// name has registered a queue with it: asynq then says of the queue that there is none.
func TestAQueueThatRedisDoesNotKnowIsRung(t *testing.T) {
	each(t, func(k *kit) {
		k.enqueue(add{}, jobs.Options{})
		if err := k.transport.Client.Del(k.ctx, "asynq:queues", "asynq:{default}:pending").Err(); err != nil {
			k.Fatal(err)
		}
		k.age("ring_at")
		k.age("rung_at")
		k.sweep(1)
		if got := k.pending(jobs.Default); len(got) != 1 {
			k.Errorf("tasks %v, want one", got)
		}
	})
}

func TestWhatNobodyRangForIsRung(t *testing.T) {
	each(t, func(k *kit) {
		id := k.enqueue(add{}, jobs.Options{})
		k.exec("UPDATE jobs SET rung_at = NULL, epoch = NULL, ring_at = run_at")
		k.sweep(1)
		if j := k.job(id); j.Generation != 1 || j.RungAt == nil || j.Epoch == nil {
			k.Errorf("the row is %v", j)
		}
		k.sweep(0)
	})
}

func TestABellThatStillWaitsIsNotRungAgain(t *testing.T) {
	each(t, func(k *kit) {
		k.enqueue(add{}, jobs.Options{})
		k.age("ring_at") // its time is up, but its task is in the queue
		k.sweep(0)
		if got := k.pending(jobs.Default); len(got) != 1 {
			k.Errorf("tasks %v, want one", got)
		}
		k.age("ring_at")
		k.age("rung_at") // the task in the queue is younger than that
		k.sweep(1)
	})
}

// A worker that dies between taking a task and claiming its job leaves a task
// that has the job's name and never runs.
func TestADeadTaskIsRungPast(t *testing.T) {
	each(t, func(k *kit) {
		id := k.enqueue(add{}, jobs.Options{})
		inspector := asynq.NewInspectorFromRedisClient(k.transport.Client)
		if err := inspector.ArchiveTask(string(jobs.Default), strconv.FormatInt(id, 10)+":0"); err != nil {
			k.Fatal(err)
		}
		k.age("ring_at")
		k.age("rung_at")
		k.sweep(1)
		if got := k.pending(jobs.Default); len(got) != 1 {
			k.Errorf("tasks %v, want one", got)
		}
	})
}

func TestAJobThatKillsItsWorkersFails(t *testing.T) {
	each(t, func(k *kit) {
		id := k.enqueue(add{}, jobs.Options{Attempts: 2})
		for range 2 {
			k.exec("UPDATE jobs SET status = 'running', attempts = attempts + 1, fence = fence + 1, epoch = NULL, lease_until = ring_at")
			k.age("lease_until")
			k.age("ring_at")
			if k.job(id).Attempts < 2 {
				k.sweep(1)
			}
		}
		k.sweep(0)
		j := k.wantStatus(id, "failed")
		if j.Error == nil || *j.Error != "its worker was lost" || j.FinishedAt == nil {
			k.Errorf("the row is %v", j)
		}
	})
}

func TestTwoSweepersRingOnce(t *testing.T) {
	each(t, func(k *kit) {
		for range 50 {
			k.enqueue(add{}, jobs.Options{})
		}
		k.exec("UPDATE jobs SET rung_at = NULL, epoch = NULL, ring_at = run_at")
		rung := make(chan int)
		for range 4 {
			go func() {
				other := *k.sweeper
				n, err := other.Pass(k.ctx)
				if err != nil {
					k.Errorf("Pass: %v", err)
				}
				rung <- n
			}()
		}
		if total := <-rung + <-rung + <-rung + <-rung; total != 50 {
			k.Errorf("four sweepers rang %d times for 50 jobs", total)
		}
	})
}

func TestJobsAreAcceptedWhileRedisIsAway(t *testing.T) {
	t.Parallel()
	tables(t).Each(t, func(t *testing.T, db *store.DB) {
		server := storetest.Redis(t)
		transport, err := jobs.Dial(server.URL)
		if err != nil {
			t.Fatal(err)
		}
		k := newKit(t, db, transport)
		server.Stop()
		first := k.enqueue(add{}, jobs.Options{}) // believes that Redis is there
		second := k.enqueue(add{}, jobs.Options{})
		if _, err := k.sweeper.Pass(k.ctx); err == nil {
			t.Error("the sweeper has rung without Redis")
		}
		if err := server.Start(t.Context()); err != nil {
			t.Fatal(err)
		}
		k.sweep(2)
		r := k.runner(k.adding)
		k.run(r, first)
		k.run(r, second)
		k.wantEffects(2)
	})
}

// refusing are the ways in which a Redis that answers does not take a bell.
var refusing = map[string][2][]any{
	"full":                {{"CONFIG", "SET", "maxmemory", "1"}, {"CONFIG", "SET", "maxmemory", "0"}},
	"a read-only replica": {{"REPLICAOF", "127.0.0.1", "1"}, {"REPLICAOF", "NO", "ONE"}},
}

func TestWhatRedisRefusesIsDoneHere(t *testing.T) {
	t.Parallel()
	for name, how := range refusing {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			tables(t).Each(t, func(t *testing.T, db *store.DB) {
				redis := storetest.Redis(t)
				transport, err := jobs.Dial(redis.URL)
				if err != nil {
					t.Fatal(err)
				}
				k := newKit(t, db, transport)
				done := make(chan int64)
				k.sweeper.Runner = k.runner(func(ctx context.Context, j *jobs.Job[add]) error {
					err := k.adding(ctx, j)
					done <- j.ID
					return err
				})
				refuse := func(args []any) {
					if err := transport.Client.Do(k.ctx, args...).Err(); err != nil {
						t.Fatal(err)
					}
				}
				refuse(how[0])
				defer refuse(how[1])
				want := map[int64]bool{k.enqueue(add{}, jobs.Options{}): true, k.enqueue(rare{}, jobs.Options{}): true}
				later := k.enqueue(add{}, jobs.Options{At: time.Now().Add(time.Hour)})
				for range 2 { // the second pass finds nothing that is not begun
					if n, err := k.sweeper.Pass(k.ctx); err == nil || n != 0 {
						t.Errorf("the sweeper rang for %d jobs, %v", n, err)
					}
				}
				for len(want) > 0 {
					id := <-done
					if !want[id] {
						t.Errorf("job %d was done, want one of %v", id, want)
					}
					delete(want, id)
				}
				if j := k.job(later); j.Attempts != 0 {
					t.Errorf("what is for later was begun: %v", j)
				}
			})
		})
	}
}
