package jobs_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/entwine-go/entwine/kit/jobs"
	"github.com/entwine-go/entwine/kit/store/statement"
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

// The results of the last attempts are kept in the row, also once the job is queued again:
// at most 20 of them.
func TestAJobKeepsWhatBecameOfItsAttempts(t *testing.T) {
	each(t, func(k *kit) {
		r, id := k.failing(), k.enqueue(stubborn{}, jobs.Options{})
		failures := func() (all []struct {
			Attempt      int
			Began, Ended time.Time
			Error        string
		}) {
			var text []byte
			if _, err := failuresText.Row(k.ctx, k.db, []any{&text}, id); err != nil {
				k.Fatal(err)
			}
			if text != nil {
				if err := json.Unmarshal(text, &all); err != nil {
					k.Fatal(err)
				}
			}
			return all
		}
		if all := failures(); all != nil {
			k.Errorf("before the first attempt: %v", all)
		}
		for range 22 {
			k.run(r, id)
			k.exec(fmt.Sprintf("UPDATE jobs SET run_at = created_at WHERE id = %d", id))
		}
		all := failures()
		if len(all) != 20 || all[0].Attempt != 3 || all[19].Attempt != 22 {
			k.Fatalf("after 22 attempts: %v", all)
		}
		j := k.job(id)
		if last := all[19]; last.Error != jobs.InternalError || !last.Began.Equal(*j.StartedAt) || last.Ended.Before(last.Began) || last.Ended.After(last.Began.Add(time.Minute)) {
			k.Errorf("the last attempt: %+v, started %v", last, j.StartedAt)
		}
	})
}

var failuresText = statement.Of(`SELECT failures FROM jobs WHERE id = $1`)

// An operator sees how many jobs wait in each queue and state, and how many have ended in
// which minute.
func TestAnOperatorSeesHowJobsComeAndGo(t *testing.T) {
	each(t, func(k *kit) {
		r, id := k.failing(), k.enqueue(stubborn{}, jobs.Options{Queue: jobs.Urgent})
		k.run(r, id)
		for range 3 {
			k.enqueue(paced{}, jobs.Options{})
		}
		for _, minutes := range []int{1, 1, 5, 80} {
			ended := k.enqueue(paced{}, jobs.Options{})
			k.exec(fmt.Sprintf("UPDATE jobs SET status = 'failed', finished_at = run_at WHERE id = %d", ended))
			if _, err := agoText.Exec(k.ctx, k.db, ended, float64(-60*minutes-20)); err != nil {
				k.Fatal(err)
			}
		}
		f, err := k.client.Flow(k.ctx)
		if err != nil {
			k.Fatal(err)
		}
		waiting := map[string]int64{}
		for _, n := range f.Queues {
			waiting[string(n.Queue)+" "+n.Status] = n.Jobs
		}
		if want := map[string]int64{"urgent retrying": 1, "default queued": 3}; !f.All || !maps.Equal(waiting, want) {
			k.Errorf("there wait %v, all: %v, want %v", waiting, f.All, want)
		}
		if want := []jobs.Ended{{Minute: 1, Status: "failed", Jobs: 2}, {Minute: 5, Status: "failed", Jobs: 1}}; !slices.Equal(f.Ended, want) {
			k.Errorf("there have ended %v, want %v", f.Ended, want)
		}
	})
}

var agoText = statement.Of(`UPDATE jobs SET finished_at = later($2) WHERE id = $1`)

// A schedule says when its jobs were made last, and when the next is.
func TestAScheduleSaysWhen(t *testing.T) {
	t.Parallel()
	e := jobs.Entry{Spec: "5 0 * * *", Args: func(time.Time) jobs.Args { return paced{} }}
	n := e.At(time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC))
	if n.Kind != "paced" || n.Last == nil || n.Last.Format(time.DateTime) != "2026-01-02 00:05:00" || n.Next.Format(time.DateTime) != "2026-01-03 00:05:00" {
		t.Errorf("the schedule: %+v", n)
	}
	e = jobs.Entry{Every: 15 * time.Second, Args: e.Args}
	n = e.At(time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC))
	if n.Spec != "every 15s" || n.Last == nil || n.Last.Format(time.TimeOnly) != "03:04:00" || n.Next.Format(time.TimeOnly) != "03:04:15" {
		t.Errorf("the schedule of every 15 seconds: %+v", n)
	}
}
