// Package live keeps lists current: a follower gets the rows of a list's query,
// and from then on the changes, each time that the query's result changes.
//
// The promise: after each [Update] a follower has the result of the list's own query
// for its caller at one moment. The moments follow one another, and a commit is in an
// update soon after. Filter, order and policy are those of the list, because the
// list's own query is run.
//
// A list is read again when a table is written that its statements name, unless the
// written row is in the list neither before nor after ([matcher]). Writes arrive through
// package events: the database announces each in the table of events, in its transaction
// (expose.Resource.Live). A list whose statements name a table that announces nothing, or
// the time, is read again every [Lists.Poll].
//
// Followers with the same query and the same caller share a list, so that its readings
// do not depend on their number. All writes that come while it is read, or within
// [Lists.Pace], cause one reading. Nothing is queued for a follower: it keeps the
// window that it got last, and an update is the difference between that and the window
// of now. A slow follower skips the states in between.
//
// A position ([Update.Position]) says which rows a follower has and what each was.
// With it a follower goes on after any time, in any process: it is given the difference.
//
// The APIs define the query ([Source]) and the form of an update.
package live

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"sync/atomic"
	"time"

	"github.com/entwine-go/entwine/kit/entity"
	"github.com/entwine-go/entwine/kit/events"
	"github.com/entwine-go/entwine/kit/read"
	"github.com/entwine-go/entwine/kit/store"
	"github.com/entwine-go/entwine/kit/viewer"
)

// Lists are the lists of a process that are followed. While there are none it does
// nothing. The zero value with DB, Reader and Events is ready; Close ends it.
type Lists struct {
	DB *store.DB
	// Reader reads the rows, from DB.
	Reader *read.Reader
	Events *events.Tailer
	// Callers proves callers again. Nil: no caller is proven again.
	Callers Callers
	// Woken returns a channel that receives when a caller may have become another, or
	// none, and what ends that. Nil: that is noticed with Proof.
	Woken func(v *viewer.Viewer) (woken <-chan struct{}, stop func())
	Log   *slog.Logger
	// Key signs positions. All processes have the same. Nil: each has a key of its own, and
	// knows no position of another.
	Key []byte
	// Time bounds a reading: 10 s where it is 0.
	Time time.Duration
	// Pace is the least time between two readings of a list: 20 ms where it is 0.
	Pace time.Duration
	// Poll is how often a list is read again that may change unheard: 1 s where it is 0.
	Poll time.Duration
	// Proof is how often callers are proven again where nothing happens: 1 s where it is 0.
	// All are at the same time, so that one statement can prove many.
	Proof time.Duration
	// Term is how long writes are still announced to a process that has died: 1 min where
	// it is 0, else seconds.
	Term time.Duration

	mu     sync.Mutex
	lists  map[string]*list
	ears   *ears // nil while no list is followed
	closed bool
	turns  chan struct{}
	own    []byte // where there is no Key
	ownKey sync.Once
	proof  chan struct{} // closed when callers are to be proven again
	// readings counts them, and compared how often a list was compared with a write.
	readings, compared atomic.Int64
	// running are the goroutines of lists, and of ears.
	running sync.WaitGroup
}

// Callers returns a caller who was proven before as they are now, or an error where
// that no longer holds.
type Callers interface {
	Still(ctx context.Context, was *viewer.Viewer) (*viewer.Viewer, error)
}

// Source is the query of a list for its caller.
type Source struct {
	// Key identifies the query: followers with one key and one caller share a list.
	Key string
	// Form identifies the lists that positions are good for, by entity, filter and order.
	Form string
	// Entity and Where are the entity and the filter of the rows. By them a write can
	// be found not to concern the list. Nil: every write of a table concerns it.
	Entity *entity.Entity
	Where  read.Filter
	// Read reads the window by the reader. The context has the caller.
	Read func(ctx context.Context, r *read.Reader) (read.Window, error)
	// Counted is set where it reads how many rows there are, too.
	Counted bool
	// Beside are the rows of a list that no table has. Nil: the rows are those that
	// are read.
	Beside *Beside
	// Shape is how an API writes the updates. All who share a list share that of the
	// first: see [Follower.Shape].
	Shape any
}

// Plan returns the source for the caller of the context. It is asked again where the
// caller has other rights than before.
type Plan func(ctx context.Context) (Source, error)

// readers is how many lists are read at a time: readings are background work, for
// which requests do not wait.
const readers = 4

// ErrClosed ends every follower when the process does.
var ErrClosed = events.ErrClosed

// Open returns a follower of the list. Since is the position that it goes on from,
// empty for none. Commits from before the call of Open are in its first update, or in
// the rows that it has at the position. The caller closes it.
func (l *Lists) Open(ctx context.Context, plan Plan, since string) (*Follower, error) {
	f := &Follower{lists: l, plan: plan, viewer: viewer.From(ctx), deaf: func() {}}
	if l.Woken != nil && l.Callers != nil {
		f.woken, f.deaf = l.Woken(f.viewer)
	}
	source, err := plan(ctx)
	if err != nil {
		f.Close()
		return nil, err
	}
	f.at = place{l.key(), source.Form, identity(f.viewer)}
	f.held, f.resumed = f.at.parse(since)
	if err := f.join(ctx, source); err != nil {
		f.Close()
		return nil, err
	}
	return f, nil
}

// Close ends all followers with [ErrClosed].
func (l *Lists) Close() {
	l.mu.Lock()
	l.closed = true
	var all []*list
	for _, one := range l.lists {
		all = append(all, one)
	}
	if l.ears != nil {
		l.ears.stop()
	}
	l.mu.Unlock()
	for _, one := range all {
		one.end(ErrClosed)
		one.stop()
	}
	l.running.Wait()
}

// enter adds a follower to the list of the source, and begins that where there is none.
func (l *Lists) enter(key string, source Source, v *viewer.Viewer) (*list, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.closed {
		return nil, ErrClosed
	}
	if l.lists == nil {
		l.lists, l.turns, l.proof = make(map[string]*list), make(chan struct{}, readers), make(chan struct{})
	}
	if l.ears == nil {
		l.ears = newEars(l)
		ctx := l.ears.ctx
		l.running.Go(func() { l.doubt(ctx) })
	}
	one := l.lists[key]
	if one == nil {
		one = newList(l, l.ears, key, source, v)
		l.lists[key] = one
	}
	one.followers++
	return one, nil
}

// leave takes a follower away. A list without followers is read no more.
func (l *Lists) leave(one *list) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if one.followers--; one.followers > 0 {
		return
	}
	delete(l.lists, one.key)
	one.stop()
	one.ears.forget(one)
	if len(l.lists) == 0 {
		l.ears.stop()
		l.ears = nil
	}
}

// doubt has callers proven again from time to time, until ctx ends.
func (l *Lists) doubt(ctx context.Context) {
	every := time.NewTicker(or(l.Proof, time.Second))
	defer every.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-every.C:
		}
		l.mu.Lock()
		close(l.proof)
		l.proof = make(chan struct{})
		l.mu.Unlock()
	}
}

// doubted is closed when callers are to be proven again.
func (l *Lists) doubted() <-chan struct{} {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.proof
}

// key signs positions.
func (l *Lists) key() []byte {
	if l.Key != nil {
		return l.Key
	}
	l.ownKey.Do(func() {
		l.own = make([]byte, 32)
		_, _ = rand.Read(l.own) // never fails
	})
	return l.own
}

// Followed is how many lists are followed.
func (l *Lists) Followed() int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return len(l.lists)
}

// Readings is how often lists were read.
func (l *Lists) Readings() int { return int(l.readings.Load()) }

// Compared is how often a list was compared with the write of a row.
func (l *Lists) Compared() int { return int(l.compared.Load()) }

func (l *Lists) warn(ctx context.Context, message string, err error) {
	if l.Log != nil && !errors.Is(err, context.Canceled) {
		l.Log.WarnContext(ctx, message, "err", err)
	}
}

// or is the time, or another where it is 0.
func or(d, otherwise time.Duration) time.Duration {
	if d == 0 {
		return otherwise
	}
	return d
}

// shared is the key of lists that the viewer can share: all of a viewer that rules may
// ask for is in it.
func shared(key string, v *viewer.Viewer) string { return fmt.Sprintf("%s\x00%s", v.Rights(), key) }
