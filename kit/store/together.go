package store

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"sync"

	"github.com/entwine-go/entwine/kit/internal/batch"
)

// crowds are the groups of callers that write one row, by the names of the rows. A
// group is there while somebody is in it.
type crowds struct {
	mu     sync.Mutex
	byName map[string]*crowd
}

type crowd struct {
	*batch.Batch[*member]
	callers int
}

// Together is [DB.Alone] for statements that lock a row which many write at a time. The
// row stays locked until a commit is on the disk, so that callers who commit by
// themselves would write it as often a second as the disk takes commits. Those of this process
// that wait for the row share a transaction instead, each in a savepoint; one that
// finds none at work begins at once. row names the row, and the callers of a
// transaction go in the order of by: where they lock a second row it is its id, so that two
// crowds lock the same rows in the same order.
func (db *DB) Together(ctx context.Context, row string, by int64, fn func(ctx context.Context) error) error {
	if db.Dialect.SingleWriter() || db.current(ctx) != nil {
		return db.Alone(ctx, fn)
	}
	return db.inCrowd(row, &member{ctx: WithCaller(ctx, uncounted), by: by, fn: fn})
}

// TogetherInTx is [DB.InTx] for transactions that lock a row which many write at a time, as
// [DB.Together] is for statements. Rows that fn locks beside it are locked by no
// other caller of the same row, or in the order of by.
func (db *DB) TogetherInTx(ctx context.Context, row string, by int64, fn func(ctx context.Context) error) error {
	if db.Dialect.SingleWriter() || db.current(ctx) != nil {
		return db.InGroup(ctx, fn)
	}
	return db.inCrowd(row, &member{ctx: WithCaller(ctx, uncounted), by: by, fn: fn, several: true})
}

// Joined is [DB.Together] for a statement that does for many callers what it does for one: do is
// called with what all those want that wait for the row, in a transaction, or with what one wants.
// Where it fails for many, it is called for each half of them. row names
// the row and the statement: callers of one name have the same do.
func Joined[T any](ctx context.Context, db *DB, row string, by int64, one T, do func(ctx context.Context, all []T) error) error {
	alone := func(ctx context.Context) error { return do(ctx, []T{one}) }
	if db.Dialect.SingleWriter() || db.current(ctx) != nil {
		return db.Alone(ctx, alone)
	}
	m := &member{ctx: WithCaller(ctx, uncounted), by: by, fn: alone, wants: one}
	m.joined = func(ctx context.Context, members []*member) error {
		all := make([]T, len(members))
		for i, m := range members {
			all[i] = m.wants.(T)
		}
		return do(ctx, all)
	}
	return db.inCrowd(row, m)
}

func (db *DB) inCrowd(row string, m *member) error {
	c := db.crowds.join(db, row)
	defer db.crowds.leave(row)
	c.Do(m)
	if m.panic != nil {
		panic(m.panic)
	}
	return m.err
}

func (c *crowds) join(db *DB, row string) *crowd {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.byName == nil {
		c.byName = map[string]*crowd{}
	}
	one := c.byName[row]
	if one == nil {
		one = &crowd{Batch: batch.New(grouped, db.commitCrowd)}
		c.byName[row] = one
	}
	one.callers++
	return one
}

func (c *crowds) leave(row string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	one := c.byName[row]
	if one.callers--; one.callers == 0 {
		delete(c.byName, row)
	}
}

// commitCrowd is commitGroup for members that have a few statements each. They seldom fail: a
// savepoint for each, which is two more statements, is only set once one has.
func (db *DB) commitCrowd(members []*member) {
	if len(members) == 1 {
		members[0].single(db)
		return
	}
	slices.SortStableFunc(members, func(a, b *member) int { return cmp.Compare(a.by, b.by) })
	if members[0].joined != nil {
		db.join(slices.DeleteFunc(members, func(m *member) bool {
			m.err = m.ctx.Err()
			return m.err != nil
		}))
		return
	}
	whole := false
	err := db.InTx(context.WithoutCancel(members[0].ctx), func(ctx context.Context) error {
		whole = false
		for _, m := range members {
			m.err = m.ctx.Err()
			if m.err == nil {
				m.try(func() error { return m.fn(context.WithValue(m.ctx, txKey{}, db.current(ctx))) })
			}
			if m.err != nil {
				return m.err
			}
		}
		whole = true
		return nil
	})
	switch {
	case err == nil:
	case whole: // it is COMMIT that failed
		for _, m := range members {
			m.err = err
		}
	default:
		db.commitGroup(members)
	}
}

// join has the first member do what all want. None is cancelled midway, which the others
// would be with it. Where that fails, as when one of them can't have it, each half
// does it by itself: down to the statement of one member, which holds nothing that others of
// this row wait for while it waits for the row.
func (db *DB) join(members []*member) {
	if len(members) < 2 {
		for _, m := range members {
			m.single(db)
		}
		return
	}
	first := members[0]
	first.try(func() error {
		ctx := context.WithoutCancel(first.ctx)
		t, err := db.attempt(ctx, func(ctx context.Context) error { return first.joined(ctx, members) })
		if err == nil {
			t.conclude(ctx)
		}
		return err
	})
	switch {
	case first.err == nil:
	case errors.Is(first.err, errUnknown):
		for _, m := range members {
			m.err = first.err
		}
	default:
		db.join(members[:len(members)/2])
		db.join(members[len(members)/2:])
	}
}

// single runs the member, without a transaction of its own if it has one statement.
func (m *member) single(db *DB) {
	if m.several {
		m.alone(db)
		return
	}
	m.try(func() error { return db.Alone(m.ctx, m.fn) })
}
