package migration

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"time"

	"github.com/lib/pq"
)

// Notice is a message of a running migration.
type Notice struct {
	// File is the migration, Statement what of it is at work.
	File, Statement string
	// Waits is for how long locks have been waited for, 0 where none is.
	// Holders are those who hold them.
	Waits   time.Duration
	Holders []Holder
	// Rows is how many rows a backfill has passed, Of about how many there are.
	Rows, Of int64
}

// Holder is a connection that holds, or is before others in waiting for, a lock
// that a migration needs.
type Holder struct {
	PID int
	// Application is its name, State as in "idle in transaction", Query what it
	// does or did last, Since how long its transaction has been open.
	Application, State, Query string
	Since                     time.Duration
}

func (h Holder) String() string {
	return fmt.Sprintf("process %d (%s, %s, its transaction open for %s): %s",
		h.PID, cmp.Or(h.Application, "unnamed"), h.State, h.Since.Round(100*time.Millisecond), strings.Join(strings.Fields(h.Query), " "))
}

// ErrLocked says that the locks that a migration needs were not to be had.
var ErrLocked = errors.New("the migration waits for a lock that others hold")

const (
	// lockTimeout is below PostgreSQL's deadlock_timeout of a second, so that of
	// two who wait for each other the migration gives way.
	lockTimeout = 500 * time.Millisecond
	lockWait    = 10 * time.Minute
	// longestPause is between two attempts, batchPause between two of a batch,
	// whose rows are busy and not its table.
	longestPause = 5 * time.Second
	batchPause   = 100 * time.Millisecond
	// noticed is how often it is said that something is waited for, or how far it is.
	noticed = 2 * time.Second
)

func (r Runner) lockTimeout() time.Duration { return cmp.Or(r.LockTimeout, lockTimeout) }

func (r Runner) say(n Notice) {
	if r.Notice != nil {
		r.Notice(n)
	}
}

// impeded reports whether a statement failed for want of a lock: lock_timeout
// has passed, or it was the victim of a deadlock.
func impeded(err error) bool {
	p, ok := errors.AsType[*pq.Error](err)
	return ok && (p.Code == "55P03" || p.Code == "40P01")
}

// patiently makes an attempt to do what takes strong locks. One that waits too
// long for them is undone, so that those who queue behind it go on, and made
// again after a pause that grows to the longest.
func (t *target) patiently(ctx context.Context, statement string, longest time.Duration, attempt func(context.Context) error) error {
	if !of(t.db.Dialect).live() {
		return attempt(ctx)
	}
	began, pause := time.Now(), min(50*time.Millisecond, longest/8)
	for {
		w := t.watch(ctx, statement)
		err := attempt(ctx)
		holders := w.stop()
		if !impeded(err) {
			return err
		}
		waits := time.Since(began)
		if waits > cmp.Or(t.LockWait, lockWait) {
			return fmt.Errorf("%w, for %s%s: %w", ErrLocked, waits.Round(time.Second), said(holders), err)
		}
		t.say(Notice{File: t.file, Statement: statement, Waits: waits, Holders: holders})
		if err := sleep(ctx, pause); err != nil {
			return err
		}
		pause = min(pause*2, longest)
	}
}

func said(holders []Holder) string {
	var text strings.Builder
	for _, h := range holders {
		text.WriteString("; " + h.String())
	}
	return text.String()
}

// watch looks, while a statement runs, who holds it up.
type watch struct {
	done   chan struct{}
	cancel context.CancelFunc
	gone   sync.WaitGroup
	last   []Holder
}

// watch says, every now and then, whom the connection waits for.
func (t *target) watch(ctx context.Context, statement string) *watch {
	w := &watch{done: make(chan struct{})}
	began := time.Now()
	ctx, cancel := context.WithCancel(ctx)
	w.gone.Go(func() {
		said, pause := began, 20*time.Millisecond
		for {
			select {
			case <-w.done:
				return
			case <-time.After(pause):
			}
			pause = 100 * time.Millisecond
			found, err := t.holders(ctx)
			if err != nil || len(found) == 0 { // the statement goes on without being watched
				continue
			}
			w.last = found
			if now := time.Now(); now.Sub(said) > noticed {
				said = now
				t.say(Notice{File: t.file, Statement: statement, Waits: now.Sub(began), Holders: found})
			}
		}
	})
	w.cancel = cancel
	return w
}

func (w *watch) stop() []Holder {
	close(w.done)
	w.cancel() // a look that takes long is not waited for
	w.gone.Wait()
	return w.last
}

// holders are the connections that this one waits for.
func (t *target) holders(ctx context.Context) (all []Holder, err error) {
	return t.activity(ctx, "pid = ANY (pg_blocking_pids($1))", t.pid)
}

// activity are the connections that a condition on pg_stat_activity finds.
func (t *target) activity(ctx context.Context, which string, args ...any) (all []Holder, err error) {
	rows, err := t.db.QueryContext(ctx, `SELECT pid, coalesce(application_name, ''), coalesce(state, ''), coalesce(left(query, 200), ''),
	coalesce(extract(epoch FROM clock_timestamp() - xact_start), 0)::float8
FROM pg_stat_activity WHERE `+which, args...)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	for rows.Next() {
		var h Holder
		var seconds float64
		if err := rows.Scan(&h.PID, &h.Application, &h.State, &h.Query, &seconds); err != nil {
			return nil, err
		}
		h.Since = time.Duration(seconds * float64(time.Second))
		all = append(all, h)
	}
	return all, rows.Err()
}

func sleep(ctx context.Context, d time.Duration) error {
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-time.After(d):
		return nil
	}
}
