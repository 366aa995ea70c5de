package live

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"math"
	"time"

	"github.com/entwine-go/entwine/kit/store"
)

// lease has PostgreSQL's triggers announce writes, which they do while a process listens
// (kit/codegen/triggers). All processes have one, the sequence "live_lease": its value is the
// second until which it holds, by the database's clock, and the lease's era, in the lower
// 30 bits. Each raises it by [Lists.Term], and again after a third of that. Where it had run out
// its era becomes a random one, by which all processes see that writes may have been
// missed. doc/internals/live-lists.md shows that none is missed otherwise.
type lease struct {
	db   *store.DB
	term time.Duration
	era  int64
	// next is the first transaction that had not begun to write when the lease was taken,
	// left is how many before it have not ended.
	next, left int64
}

// eras is how many there are.
const eras = 1 << 30

var (
	raiseText = store.PerDialect(`
		SELECT setval('live_lease', GREATEST(until, now + $1) << 30 | CASE WHEN until > now THEN era ELSE fresh END)
		FROM (
			SELECT last >> 30 AS until, last & 1073741823 AS era, (random() * 1073741823)::bigint AS fresh, date_part('epoch', clock_timestamp())::bigint AS now
			FROM (SELECT COALESCE(pg_sequence_last_value('live_lease'), 0) AS last) AS value
		) AS lease`, "")
	writersText = store.PerDialect(`
		SELECT pg_snapshot_xmax(now)::text::bigint, (SELECT count(*) FROM pg_snapshot_xip(now) AS xid WHERE xid::text::bigint < $1
			AND ((xid::text::bigint & 4294967295) IN (SELECT backend_xid::text::bigint FROM pg_stat_get_activity(NULL) WHERE datid = own.oid)
				OR (xid::text::bigint & 4294967295) IN (SELECT transaction::text::bigint FROM pg_prepared_xacts WHERE database = own.datname)))
		FROM pg_current_snapshot() AS now, pg_database AS own WHERE own.datname = current_database()`, "")
)

// takeLease returns a lease that holds from now on: nil for SQLite, which announces all
// writes.
func takeLease(ctx context.Context, db *store.DB, term time.Duration) (*lease, error) {
	if raiseText.On(db.Dialect) == "" {
		return nil, nil
	}
	l := &lease{db: db, term: term}
	_, err := l.raise(ctx)
	return l, err
}

// raise makes the lease longer, and reports whether it had run out since it was raised
// last. Transactions that write then may not have announced what they wrote before.
func (l *lease) raise(ctx context.Context) (lapsed bool, err error) {
	var value int64
	if err := l.ask(ctx, raiseText, int64(l.term/time.Second), &value); err != nil {
		return false, fmt.Errorf("raise the lease of live lists: %w", err)
	}
	if l.next > 0 && value%eras == l.era {
		return false, nil
	}
	if err := l.ask(ctx, writersText, math.MaxInt64, &l.next, &l.left); err != nil {
		return true, fmt.Errorf("ask for transactions that write: %w", err) // with the next raise again
	}
	l.era = value % eras
	return true, nil
}

// ended reports whether one of those transactions has ended since it was last asked for.
func (l *lease) ended(ctx context.Context) (bool, error) {
	before, next := l.left, int64(0)
	err := l.ask(ctx, writersText, l.next, &next, &l.left)
	return l.left < before, err
}

// ask scans the row of a statement.
func (l *lease) ask(ctx context.Context, text store.Variants[string], arg int64, into ...any) error {
	rows, err := l.db.QueryContext(ctx, text.On(l.db.Dialect), arg)
	if err != nil {
		return err
	}
	defer rows.Close()
	if !rows.Next() {
		return errors.Join(sql.ErrNoRows, rows.Err())
	}
	return errors.Join(rows.Scan(into...), rows.Close())
}

// keep raises the lease until ctx ends. It has all lists read again where it ran out, and
// where a transaction ends that may not have announced what it wrote.
func (e *ears) keep(ctx context.Context, l *lease) {
	if l == nil {
		return
	}
	third := time.NewTicker(l.term / 3)
	defer third.Stop()
	wait := soonest
	for {
		var look <-chan time.Time
		if l.left > 0 {
			look = time.After(wait)
			wait = min(2*wait, or(e.Poll, time.Second))
		}
		ask := l.ended
		select {
		case <-ctx.Done():
			return
		case <-look:
		case <-third.C:
			ask, wait = l.raise, soonest
		}
		limited, cancel := context.WithTimeout(ctx, or(e.Time, 10*time.Second))
		missed, err := ask(limited)
		cancel()
		if err != nil && ctx.Err() == nil {
			e.warn(ctx, "live lists may be read late: the lease", err)
		}
		if missed {
			e.again()
		}
	}
}

// soonest is how soon it is asked whether such a transaction has ended.
const soonest = 10 * time.Millisecond
