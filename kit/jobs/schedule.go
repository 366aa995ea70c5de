package jobs

import (
	"cmp"
	"context"
	"log/slog"
	"time"

	"github.com/robfig/cron/v3"

	"github.com/entwine-go/entwine/kit/viewer"
)

// Entry is a job that is enqueued at times, once for each time however many processes
// there are.
type Entry struct {
	// Spec says when, in UTC, in the five fields of cron: minute, hour, day, month,
	// weekday.
	Spec string
	// Every is how often, for an entry without Spec: at the multiples of it since the zero time.
	Every time.Duration
	// Due says whether there is anything to do at a time: there is no job for one
	// without. Nil: there is always.
	Due func(ctx context.Context) (bool, error)
	// Args returns the arguments of the job for the time tick.
	Args func(tick time.Time) Args
}

// Next is when jobs of an [Entry] are made.
type Next struct {
	Kind string `json:"kind"` // of the jobs
	// Spec says when, in the five fields of cron in UTC, or how often: "every 15s".
	Spec string `json:"spec"`
	// Last is the newest time up to now, null where the last day had none.
	Last *time.Time `json:"last"`
	Next time.Time  `json:"next"` // the first time after now
}

// At returns when jobs of the entry are made, as of now.
func (e Entry) At(now time.Time) Next {
	last, next := e.around(now.UTC())
	n := Next{Kind: e.Args(next).Kind(), Spec: cmp.Or(e.Spec, "every "+e.Every.String()), Next: next}
	if !last.IsZero() {
		n.Last = &last
	}
	return n
}

// missed is how old a tick without a job may be: the newest one is caught up
// on, for example after a night without power.
const missed = 24 * time.Hour

// scheduler enqueues a job for each tick. Every process has one; that a tick has
// one job is a rule of the database.
type scheduler struct {
	client  *Client
	log     *slog.Logger
	entries []Entry
	now     func() time.Time
	made    map[int]time.Time // the last tick of each entry that has its job
}

func (s *scheduler) run(ctx context.Context) {
	ctx = viewer.With(ctx, viewer.System())
	s.made = make(map[int]time.Time)
	for {
		next := s.now().Add(time.Minute)
		for i := range s.entries {
			next = earlier(next, s.tick(ctx, i))
		}
		select {
		case <-ctx.Done():
			return
		case <-time.After(max(next.Sub(s.now()), time.Second/10)):
		}
	}
}

// tick makes the job of the entry's last tick, unless there is one, and
// returns when the next tick is, or when to try again.
func (s *scheduler) tick(ctx context.Context, i int) (next time.Time) {
	e, now := s.entries[i], s.now().UTC()
	last, next := e.around(now)
	if last.IsZero() || last.Equal(s.made[i]) {
		return next
	}
	if err := s.make(ctx, e, last); err != nil {
		s.log.WarnContext(ctx, "scheduled job could not be made yet", "kind", e.Args(last).Kind(), "err", err)
		return now.Add(5 * time.Second)
	}
	s.made[i] = last
	return next
}

// make enqueues the entry's job of the tick, if there is anything to do.
func (s *scheduler) make(ctx context.Context, e Entry, tick time.Time) error {
	if e.Due != nil {
		if due, err := e.Due(ctx); err != nil || !due {
			return err
		}
	}
	_, err := s.client.Enqueue(ctx, e.Args(tick), Options{Tick: tick})
	return err
}

// around returns the entry's last tick up to now, zero if that is too long ago, and
// the next one.
func (e Entry) around(now time.Time) (last, next time.Time) {
	if e.Spec != "" {
		return around(e.Spec, now)
	}
	last = now.Truncate(e.Every)
	return last, last.Add(e.Every)
}

// around is [Entry.around] of a specification of cron.
func around(spec string, now time.Time) (last, next time.Time) {
	schedule, err := cron.ParseStandard(spec)
	if err != nil {
		panic("jobs: " + err.Error())
	}
	for span := time.Hour; ; span *= 24 {
		for t := schedule.Next(now.Add(-span)); !t.After(now); t = schedule.Next(t) {
			last = t
		}
		if !last.IsZero() || span >= missed {
			return last, schedule.Next(now)
		}
	}
}

func earlier(a, b time.Time) time.Time {
	if b.Before(a) {
		return b
	}
	return a
}
