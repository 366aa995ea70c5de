package worker

import (
	"context"
	"log/slog"
	"time"

	"github.com/robfig/cron/v3"

	"github.com/entwine-go/entwine/kit/jobs"
	"github.com/entwine-go/entwine/kit/viewer"
)

// Entry is something that happens by itself.
type Entry struct {
	// Spec says when, in UTC: minute, hour, day, month, weekday.
	Spec string
	// Args make the job of a tick.
	Args func(tick time.Time) jobs.Args
}

// Schedule is what happens by itself in every installation.
func Schedule() []Entry {
	return []Entry{
		{"* * * * *", func(time.Time) jobs.Args { return expireOrders{} }},
		{"* * * * *", func(time.Time) jobs.Args { return settlePayments{} }},
		{"17 * * * *", func(time.Time) jobs.Args { return purge{} }},
		{"5 0 * * *", yesterday},
	}
}

// late is how old a tick may be that nobody has made a job of: the newest one
// is caught up on, for example after a night without power.
const late = 24 * time.Hour

// scheduler makes a job of each tick. Every process has one; that a tick has
// one job is a rule of the database.
type scheduler struct {
	client  *jobs.Client
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
	last, next := around(e.Spec, now)
	if last.IsZero() || last.Equal(s.made[i]) {
		return next
	}
	args := e.Args(last)
	if _, err := s.client.Enqueue(ctx, args, jobs.Options{Tick: last}); err != nil {
		s.log.WarnContext(ctx, "scheduled job could not be made yet", "kind", args.Kind(), "err", err)
		return now.Add(5 * time.Second)
	}
	s.made[i] = last
	return next
}

// around returns the last tick up to now, zero if that is too long ago, and
// the next one.
func around(spec string, now time.Time) (last, next time.Time) {
	schedule, err := cron.ParseStandard(spec)
	if err != nil {
		panic("worker: " + err.Error())
	}
	for span := time.Hour; ; span *= 24 {
		for t := schedule.Next(now.Add(-span)); !t.After(now); t = schedule.Next(t) {
			last = t
		}
		if !last.IsZero() || span >= late {
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
