package jobs_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/entwine-go/entwine/kit/jobs"
)

// paced is a kind that says how it is tried again.
type paced struct{}

func (paced) Kind() string { return "paced" }
func (paced) Retries() jobs.Retries {
	return jobs.Retries{First: 2 * time.Hour, Factor: 3, Longest: 5 * time.Hour, Attempts: 3}
}

// stubborn is one that is tried for three days.
type stubborn struct{}

func (stubborn) Kind() string { return "stubborn" }
func (stubborn) Retries() jobs.Retries {
	return jobs.Retries{First: time.Minute, Span: 3 * 24 * time.Hour}
}

// failing is a runner of both whose handlers fail.
func (k *kit) failing() *jobs.Runner {
	k.Helper()
	broken := errors.New("the other side is away")
	r := jobs.NewRunner(k.db, k.bus, discard,
		jobs.Handle(jobs.HandlerFunc[paced](func(context.Context, *jobs.Job[paced]) error { return broken })),
		jobs.Handle(jobs.HandlerFunc[stubborn](func(context.Context, *jobs.Job[stubborn]) error { return broken })))
	k.Cleanup(func() { r.Stop(context.Background()) })
	return r
}

// A kind says how often its jobs are started and after which waits, however they were
// enqueued: by Go code, or by the database with the usual number of attempts.
func TestAKindSaysHowItIsTriedAgain(t *testing.T) {
	each(t, func(k *kit) {
		r := k.failing()
		enqueued := k.enqueue(paced{}, jobs.Options{})
		if j := k.job(enqueued); j.MaxAttempts != 3 {
			k.Errorf("it may be started %d times, want 3", j.MaxAttempts)
		}
		announced := k.enqueue(add{}, jobs.Options{})
		k.exec(fmt.Sprintf("UPDATE jobs SET kind = 'paced' WHERE id = %d", announced)) // as a trigger writes it
		for _, id := range []int64{enqueued, announced} {
			for attempt, wait := range []time.Duration{2 * time.Hour, 5 * time.Hour} {
				k.run(r, id)
				j := k.wantStatus(id, "retrying")
				if waits := j.RunAt.Sub(*j.StartedAt); j.MaxAttempts != 3 || waits < wait/2 || waits > 2*wait {
					k.Errorf("after attempt %d of %d it waits %v, want about %v", attempt+1, j.MaxAttempts, waits, wait)
				}
				for range 8 {
					k.age("run_at")
				}
			}
			k.run(r, id)
			if j := k.wantStatus(id, "failed"); j.Attempts != 3 {
				k.Errorf("it failed for good after %d attempts, want 3", j.Attempts)
			}
		}
		if _, err := k.client.Enqueue(k.ctx, paced{}, jobs.Options{Attempts: 7}); err == nil || !strings.Contains(err.Error(), "the kind declares Retries") {
			k.Errorf("Enqueue with attempts of its own: %v", err)
		}
	})
}

// Attempts over a span are as many as its waits leave room for: here 1, 2, 4, … 32
// minutes and then an hour each.
func TestAJobIsTriedForAsLongAsItsKindSays(t *testing.T) {
	each(t, func(k *kit) {
		r, id := k.failing(), k.enqueue(stubborn{}, jobs.Options{})
		k.run(r, id)
		if j := k.wantStatus(id, "retrying"); j.MaxAttempts != 77 {
			k.Errorf("it may be started %d times, want 77", j.MaxAttempts)
		}
	})
}

// impossible is a kind with the retries of a test.
type impossible struct{ said jobs.Retries }

func (impossible) Kind() string            { return "impossible" }
func (i impossible) Retries() jobs.Retries { return i.said }

func TestImpossibleRetriesAreRefused(t *testing.T) {
	t.Parallel()
	client := &jobs.Client{}
	for want, said := range map[string]jobs.Retries{
		"times and attempts above 0 are allowed":   {First: -1},
		"Factor 0.5: 1 or more is allowed":         {Factor: 0.5},
		"one of the two is allowed":                {Attempts: 3, Span: time.Hour},
		"Attempts 1001: at most 1000 are allowed":  {Attempts: 1001},
		"First 2h0m0s is longer than Longest 1h0m": {First: 2 * time.Hour, Longest: time.Hour},
		"more than 1000 attempts fit into it":      {Factor: 1, Span: time.Hour},
	} {
		func() {
			defer func() {
				if got := fmt.Sprint(recover()); !strings.Contains(got, want) || !strings.Contains(got, `the kind "impossible"`) {
					t.Errorf("%+v: %s, want %q", said, got, want)
				}
			}()
			_, _ = client.Enqueue(t.Context(), impossible{said}, jobs.Options{})
		}()
	}
}
