package events

import (
	"context"
	"fmt"
	"log/slog"
	"maps"
	"sync"
	"time"

	"github.com/entwine-go/entwine/kit/pubsub"
	"github.com/entwine-go/entwine/kit/store"
)

// Tailer reads events and hands them to the subscriptions of this process.
// While there are none it does nothing. [NewTailer] makes one, Close ends it.
type Tailer struct {
	db  *store.DB
	log *slog.Logger

	mu            sync.Mutex
	subscriptions *audience
	placed        chan struct{} // closed once the tailer knows where it reads from
	closed        bool
	figures       Figures

	joined chan struct{} // receives when there is a first subscription
	room   chan struct{} // receives when a subscription is no longer crowded
	gone   <-chan struct{}
	stop   context.CancelFunc
	done   sync.WaitGroup
}

const (
	// pace is the least time between two looks: a thousand commits a second
	// need no thousand looks.
	pace = 5 * time.Millisecond
	// look is how often the tailer looks without being woken.
	look = time.Second
	// soon is how soon it looks again after it has ended the subscriptions.
	soon = 5 * time.Millisecond
	// most is how many events are handed out at once: a subscriber that takes them
	// as they come has room for them.
	most = mostEvents / 2
	// mercy is how long a crowded subscriber is waited for before it gets
	// more. One that stands still is ended by the second batch.
	mercy = 100 * time.Millisecond
	// blind is how long the tailer may be unable to read: much less than
	// events are kept.
	blind = 10 * time.Minute
)

// NewTailer returns a tailer over the database that the bus wakes. The caller
// wakes the bus after each commit: see store.DB.OnWrite.
func NewTailer(db *store.DB, bus pubsub.Bus, log *slog.Logger) *Tailer {
	ctx, stop := context.WithCancel(context.Background())
	t := &Tailer{
		db: db, log: log, subscriptions: newAudience(), placed: make(chan struct{}),
		joined: make(chan struct{}, 1), room: make(chan struct{}, 1), gone: ctx.Done(), stop: stop,
	}
	t.done.Go(func() {
		woken, deaf := bus.Listen(Topic)
		defer deaf()
		for t.someone(ctx) {
			t.tail(ctx, woken)
		}
	})
	return t
}

// Close ends the tailer, and its subscriptions with [ErrClosed].
func (t *Tailer) Close() {
	t.mu.Lock()
	t.closed = true
	t.mu.Unlock()
	t.endAll(ErrClosed)
	t.stop()
	t.done.Wait()
}

// Subscribe returns a subscription to the events that are committed after Subscribe
// returns; some that were committed while it ran may be among them. The caller closes
// it. The error is [ErrClosed] where the tailer is closed, ctx's where that ends first,
// or the database's.
func (t *Tailer) Subscribe(ctx context.Context, f Filter) (*Subscription, error) {
	s := newSubscription(f, t)
	placed, err := t.join(s)
	if err != nil {
		return nil, err
	}
	// The tailer must know where it reads from before the snapshot is taken,
	// or what commits in between would be before its place and not in the
	// snapshot.
	select {
	case <-ctx.Done():
		s.Close()
		return nil, ctx.Err()
	case <-t.gone:
		return nil, ErrClosed
	case <-placed:
	}
	since, err := t.snapshot(ctx)
	if err != nil {
		s.Close()
		return nil, fmt.Errorf("subscribe to %v: %w", f.Topics, err)
	}
	s.accept(since)
	return s, nil
}

func (t *Tailer) join(s *Subscription) (placed <-chan struct{}, err error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.closed {
		return nil, ErrClosed
	}
	t.subscriptions.add(s)
	if len(t.subscriptions.all) == 1 {
		select {
		case t.joined <- struct{}{}:
		default:
		}
	}
	return t.placed, nil
}

func (t *Tailer) leave(s *Subscription) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.subscriptions.remove(s)
}

// someone waits until there is a subscription, and reports whether there is.
func (t *Tailer) someone(ctx context.Context) bool {
	for {
		t.mu.Lock()
		n := len(t.subscriptions.all)
		t.mu.Unlock()
		if n > 0 {
			return true
		}
		select {
		case <-ctx.Done():
			return false
		case <-t.joined:
		}
	}
}

// rest reports whether there are no subscriptions. The tailer then forgets
// its place.
func (t *Tailer) rest() bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	if len(t.subscriptions.all) > 0 {
		return false
	}
	t.placed, t.figures.seen = make(chan struct{}), time.Time{}
	return true
}

// tail reads events while there are subscriptions.
func (t *Tailer) tail(ctx context.Context, woken <-chan struct{}) {
	r := reader{Tailer: t, seen: time.Now()}
	t.note(func(f *Figures) { f.seen = r.seen })
	for ctx.Err() == nil {
		began := time.Now()
		if began.Sub(r.seen) > blind {
			t.endAll(ErrBehind)
		}
		err := r.pass(ctx)
		if err == nil {
			r.seen = began
		}
		t.note(func(f *Figures) { f.seen = r.seen })
		r.report(ctx, err)
		if t.rest() {
			return
		}
		pause(ctx, pace, nil)
		pause(ctx, r.wait, woken)
	}
}

// pause waits for a time, or until it is woken.
func pause(ctx context.Context, d time.Duration, woken <-chan struct{}) {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-ctx.Done():
	case <-woken:
	case <-timer.C:
	}
}

// found lets those in who wait for the tailer to know its place.
func (t *Tailer) found() {
	t.mu.Lock()
	defer t.mu.Unlock()
	close(t.placed)
}

// deliver hands the events to the subscriptions that select them, and waits a
// moment for those whose buffer is nearly full.
func (t *Tailer) deliver(ctx context.Context, batch []Event) {
	t.note(func(f *Figures) {
		f.Read += len(batch)
		f.Delay = max(0, time.Since(batch[0].At))
	})
	crowded := t.put(batch)
	for until := time.Now().Add(mercy); len(crowded) > 0 && time.Now().Before(until) && ctx.Err() == nil; crowded = still(crowded) {
		pause(ctx, time.Until(until), t.room)
	}
}

// put hands the events over, and returns the subscriptions that are crowded by them.
func (t *Tailer) put(batch []Event) map[*Subscription]struct{} {
	t.mu.Lock()
	defer t.mu.Unlock()
	crowded := make(map[*Subscription]struct{})
	for i := range batch {
		t.subscriptions.of(&batch[i], func(s *Subscription) {
			if !s.put(batch[i]) {
				crowded[s] = struct{}{}
			}
		})
	}
	return crowded
}

// still returns those that still are crowded.
func still(crowded map[*Subscription]struct{}) map[*Subscription]struct{} {
	maps.DeleteFunc(crowded, func(s *Subscription, _ struct{}) bool {
		s.mu.Lock()
		defer s.mu.Unlock()
		return !s.crowded()
	})
	return crowded
}

// hasRoom is called by a subscription that has room again.
func (t *Tailer) hasRoom() {
	select {
	case t.room <- struct{}{}:
	default:
	}
}

func (t *Tailer) endAll(why error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.drop(why)
}

// endReplaced ends all subscriptions, and returns how many. Those that come wait until
// the tailer knows its place anew.
func (t *Tailer) endReplaced() (n int) {
	t.mu.Lock()
	defer t.mu.Unlock()
	n = len(t.subscriptions.all)
	t.figures.Replaced += n
	t.drop(ErrReplaced)
	t.placed = make(chan struct{})
	return n
}

// drop ends the subscriptions, under the lock.
func (t *Tailer) drop(why error) {
	for s := range t.subscriptions.clear() {
		s.end(why)
	}
}
