package store

import (
	"context"
	"fmt"

	"github.com/entwine-go/entwine/kit/internal/batch"
)

// grouped is how many calls of InGroup share a COMMIT at most.
const grouped = 64

// member is a call of InGroup, Together or Joined.
type member struct {
	ctx     context.Context
	by      int64 // the place among others: see [DB.Together]
	fn      func(ctx context.Context) error
	several bool // statements that need a transaction
	// joined does what several members want, if they can: see [Joined].
	joined func(ctx context.Context, all []*member) error
	wants  any
	err    error
	panic  any
}

// InGroup is [DB.InTx] for small transactions that many goroutines have at a
// time. On SQLite, where each COMMIT waits for the disk and for the one
// before it, those that wait for the writer share one: each takes effect or
// not by itself, and all return once what they did is durable. PostgreSQL
// does the same by itself.
//
// fn must not wait for another call of InGroup.
func (db *DB) InGroup(ctx context.Context, fn func(ctx context.Context) error) error {
	if !db.Dialect.SingleWriter() || db.current(ctx) != nil {
		return db.InTx(ctx, fn)
	}
	// The connection serves all members of the group: it counts for no caller.
	m := &member{ctx: WithCaller(ctx, uncounted), fn: fn}
	db.group.Do(m)
	if m.panic != nil {
		panic(m.panic)
	}
	return m.err
}

// Alone runs fn, which has one statement. PostgreSQL commits it by itself, which
// saves two round trips; on SQLite those that wait for the writer share a COMMIT
// (see [DB.InGroup]). In a context that has a transaction a failure undoes fn
// alone. As [DB.InTx] does, it runs fn again after a deadlock, and its error is
// [problem.Unavailable] where it is unknown whether fn took effect.
func (db *DB) Alone(ctx context.Context, fn func(ctx context.Context) error) error {
	if db.Dialect.SingleWriter() || db.current(ctx) != nil {
		return db.InGroup(ctx, fn)
	}
	for attempt := 0; ; attempt++ {
		err := fn(ctx)
		switch {
		case err == nil:
			return nil
		case retryable(err):
			if attempt == retries || pause(ctx, attempt) != nil {
				return err
			}
		case unavailable(err) && !timedOut(err):
			return commitError(err)
		default:
			return err
		}
	}
}

func newGroup(db *DB) *batch.Batch[*member] { return batch.New(grouped, db.commitGroup) }

// commitGroup runs the members in one transaction. Where one of them breaks
// it, for example because SQLite undoes all of a transaction whose statement
// is interrupted, each runs alone.
func (db *DB) commitGroup(members []*member) {
	if len(members) == 1 {
		members[0].alone(db)
		return
	}
	whole := false
	err := db.InTx(context.WithoutCancel(members[0].ctx), func(ctx context.Context) error {
		t := db.current(ctx)
		for _, m := range members {
			if m.run(t); t.broken != nil {
				return t.broken
			}
		}
		whole = true
		return nil
	})
	for _, m := range members {
		switch {
		case err == nil:
		case whole: // it is COMMIT that failed
			m.err = err
		default:
			m.alone(db)
		}
	}
}

// run runs the member in a savepoint.
func (m *member) run(t *tx) {
	m.try(func() error {
		if err := m.ctx.Err(); err != nil {
			return err
		}
		return t.join(context.WithValue(m.ctx, txKey{}, t), m.fn)
	})
}

// alone runs the member in a transaction of its own.
func (m *member) alone(db *DB) { m.try(func() error { return db.InTx(m.ctx, m.fn) }) }

// try runs do for the member. A panic is its caller's.
func (m *member) try(do func() error) {
	m.err, m.panic = nil, nil
	defer func() {
		if m.panic = recover(); m.panic != nil {
			m.err = fmt.Errorf("panic: %v", m.panic)
		}
	}()
	m.err = do()
}
