package jobs_test

import (
	"context"
	"errors"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/entwine-go/entwine/kit/jobs"
	"github.com/entwine-go/entwine/kit/problem"
	"github.com/entwine-go/entwine/kit/viewer"
)

func TestAJobIsDoneOnceHoweverOftenItIsRung(t *testing.T) {
	each(t, func(k *kit) {
		id := k.enqueue(add{}, jobs.Options{})
		var started atomic.Int32
		r := k.runner(func(ctx context.Context, j *jobs.Job[add]) error {
			started.Add(1)
			if v := viewer.From(ctx); !v.System {
				k.Errorf("it acts for %+v, want the system", v)
			}
			return k.adding(ctx, j)
		})
		var all sync.WaitGroup
		for range 8 {
			all.Go(func() { k.run(r, id) })
		}
		all.Wait()
		if n := started.Load(); n != 1 {
			k.Errorf("started %d times", n)
		}
		k.wantEffects(1)
		j := k.wantStatus(id, "succeeded")
		if j.Attempts != 1 || j.Progress != 1 || j.FinishedAt == nil || j.StartedAt == nil || j.Error != nil {
			k.Errorf("the row is %v", j)
		}
	})
}

func TestAHandlerThatReturnsNilHasSucceeded(t *testing.T) {
	each(t, func(k *kit) {
		id := k.enqueue(add{}, jobs.Options{})
		k.run(k.runner(func(context.Context, *jobs.Job[add]) error { return nil }), id)
		k.wantStatus(id, "succeeded")
	})
}

func TestAFailedJobIsTriedAgainUntilItsAttemptsAreUsed(t *testing.T) {
	each(t, func(k *kit) {
		id := k.enqueue(add{}, jobs.Options{Attempts: 2})
		r := k.runner(func(ctx context.Context, j *jobs.Job[add]) error {
			return j.Complete(ctx, func(ctx context.Context) error {
				return errors.Join(k.effect(ctx, j.ID), problem.New(problem.BadGateway, "the printer is on fire"))
			})
		})
		k.run(r, id)
		j := k.wantStatus(id, "retrying")
		if j.Error == nil || *j.Error != "the printer is on fire" || j.Attempts != 1 {
			k.Errorf("after the first attempt the row is %v", j)
		}
		k.run(r, id) // too early
		k.sweep(0)
		k.age("run_at")
		k.age("ring_at")
		k.sweep(1)
		k.run(r, id)
		if j := k.wantStatus(id, "failed"); j.Attempts != 2 || j.FinishedAt == nil {
			k.Errorf("after the last attempt the row is %v", j)
		}
		k.wantEffects(0)
	})
}

func TestWhatFailsForGoodIsNotTriedAgain(t *testing.T) {
	each(t, func(k *kit) {
		id := k.enqueue(add{}, jobs.Options{})
		k.run(k.runner(func(context.Context, *jobs.Job[add]) error {
			return jobs.Permanent(errors.New("secret: there is no such printer"))
		}), id)
		if j := k.wantStatus(id, "failed"); j.Error == nil || *j.Error != "internal error" {
			k.Errorf("the client reads %q, want no internals", *j.Error)
		}
	})
}

func TestAPanicIsAFailure(t *testing.T) {
	each(t, func(k *kit) {
		id := k.enqueue(add{}, jobs.Options{})
		k.run(k.runner(func(context.Context, *jobs.Job[add]) error { panic("at the disco") }), id)
		k.wantStatus(id, "retrying")
	})
}

func TestAKindWithoutAHandlerIsLeftForWorkersThatHaveOne(t *testing.T) {
	each(t, func(k *kit) {
		id := k.enqueue(rare{}, jobs.Options{Attempts: 2})
		r := jobs.NewRunner(k.db, k.bus, discard, jobs.Handle(jobs.HandlerFunc[add](k.adding)))
		defer r.Stop(k.ctx)
		k.run(r, id)
		if j := k.wantStatus(id, "retrying"); j.Error == nil || !strings.Contains(*j.Error, `no handler of jobs of the kind "rare"`) {
			k.Errorf("its error is %v, want one that names the kind", j.Error)
		}
	})
}

func TestWhoHasLostTheLeaseChangesNothing(t *testing.T) {
	each(t, func(k *kit) {
		id := k.enqueue(add{}, jobs.Options{})
		// The first worker stands still past its lease, as after a SIGSTOP.
		at, goOn := make(chan struct{}), make(chan struct{})
		frozen := k.runner(func(ctx context.Context, j *jobs.Job[add]) error {
			close(at)
			<-goOn
			err := k.adding(context.WithoutCancel(ctx), j)
			if problem.KindOf(err) != problem.Conflict {
				k.Errorf("Complete: %v, want a conflict", err)
			}
			return err
		})
		var first sync.WaitGroup
		first.Go(func() { k.run(frozen, id) })
		<-at
		k.age("lease_until")
		k.age("ring_at")
		k.sweep(1)
		k.run(k.runner(k.adding), id)
		j := k.wantStatus(id, "succeeded")
		close(goOn)
		first.Wait()
		k.wantEffects(1)
		if after := k.wantStatus(id, "succeeded"); after.Fence != j.Fence || after.Attempts != 2 {
			k.Errorf("the first worker has changed the row to %v", after)
		}
	})
}

func TestAWorkerIsToldThatItsJobWasCancelled(t *testing.T) {
	each(t, func(k *kit) {
		id := k.enqueue(add{}, jobs.Options{})
		at := make(chan struct{})
		r := k.runner(func(ctx context.Context, j *jobs.Job[add]) error {
			close(at)
			<-ctx.Done()
			return ctx.Err()
		})
		var running sync.WaitGroup
		running.Go(func() { k.run(r, id) })
		<-at
		if err := k.client.Cancel(k.ctx, id); err != nil {
			k.Errorf("Cancel: %v", err)
		}
		running.Wait()
		if j := k.wantStatus(id, "cancelled"); j.Error != nil {
			k.Errorf("the worker has changed the row to %v", j)
		}
		k.sweep(0)
	})
}

func TestProgressIsWrittenWhileTheJobRuns(t *testing.T) {
	each(t, func(k *kit) {
		id := k.enqueue(add{}, jobs.Options{})
		r := k.runner(func(ctx context.Context, j *jobs.Job[add]) error {
			j.Progress(0.25)
			for k.job(id).Progress != 0.25 {
				if ctx.Err() != nil {
					return ctx.Err()
				}
			}
			return nil
		})
		k.run(r, id)
		k.wantStatus(id, "succeeded")
	})
}

func TestWorkInterruptedByAShutdownIsReleased(t *testing.T) {
	each(t, func(k *kit) {
		id := k.enqueue(add{}, jobs.Options{})
		at := make(chan struct{})
		r := k.runner(func(ctx context.Context, j *jobs.Job[add]) error {
			close(at)
			<-ctx.Done()
			return ctx.Err()
		})
		var running sync.WaitGroup
		running.Go(func() { k.run(r, id) })
		<-at
		now, cancel := context.WithCancel(k.ctx)
		cancel()
		r.Stop(now)
		running.Wait()
		if j := k.wantStatus(id, "queued"); j.Attempts != 0 || j.Error != nil {
			k.Errorf("the row is %v, want it as if it had not been started", j)
		}
		k.run(r, id)
		k.wantStatus(id, "queued") // a runner that has stopped takes nothing
		k.sweep(1)
		k.run(k.runner(k.adding), id)
		k.wantEffects(1)
	})
}

func TestAShutdownWaitsForWhatIsRunning(t *testing.T) {
	each(t, func(k *kit) {
		id := k.enqueue(add{}, jobs.Options{})
		at, goOn := make(chan struct{}), make(chan struct{})
		r := k.runner(func(ctx context.Context, j *jobs.Job[add]) error {
			close(at)
			<-goOn
			return k.adding(ctx, j)
		})
		var running sync.WaitGroup
		running.Go(func() { k.run(r, id) })
		<-at
		running.Go(func() { r.Stop(k.ctx) })
		close(goOn)
		running.Wait()
		k.wantStatus(id, "succeeded")
	})
}

func TestAResultIsSeenWhenTheJobIsDone(t *testing.T) {
	each(t, func(k *kit) {
		id := k.enqueue(add{}, jobs.Options{})
		line := strings.Repeat("long ", 20_000) + "\n"
		attempt := 0
		r := k.runner(func(ctx context.Context, j *jobs.Job[add]) error {
			out, err := j.Output(ctx, "text/plain", "lines.txt")
			if err != nil {
				return err
			}
			for range 10 {
				if _, err := out.WriteString(line); err != nil {
					return err
				}
			}
			if _, err := k.client.Result(ctx, id); problem.KindOf(err) != problem.Conflict {
				k.Errorf("Result while it runs: %v, want a conflict", err)
			}
			if attempt++; attempt == 1 {
				return errors.New("after all that work")
			}
			return out.Complete(ctx, nil)
		})
		k.run(r, id)
		k.age("run_at")
		k.run(r, id)
		k.wantStatus(id, "succeeded")
		result, err := k.client.Result(k.ctx, id)
		if err != nil {
			k.Fatalf("Result: %v", err)
		}
		var got strings.Builder
		if err := result.Copy(k.ctx, &got); err != nil {
			k.Fatalf("Copy: %v", err)
		}
		if want := strings.Repeat(line, 10); got.String() != want || result.Size != int64(len(want)) {
			k.Errorf("%d bytes of %d, want %d", got.Len(), result.Size, len(want))
		}
		if result.MediaType != "text/plain" || result.Name != "lines.txt" {
			k.Errorf("result %+v", result)
		}
		k.age("result_until")
		for range 7 * 24 {
			k.age("result_until")
		}
		if _, err := k.client.Result(k.ctx, id); problem.KindOf(err) != problem.NotFound {
			k.Errorf("Result after its time: %v, want not found", err)
		}
	})
}
