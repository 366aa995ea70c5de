package events

import (
	"context"
	"sync"
)

// How much may wait for a subscriber before it is ended.
const (
	mostEvents = 256
	mostBytes  = 1 << 20
)

// Subscription receives the events that its filter selects. The caller
// of [Tailer.Subscribe] closes it.
type Subscription struct {
	filter Filter
	tailer *Tailer

	mu      sync.Mutex
	waiting []Event
	bytes   int
	since   *snapshot // what was committed when it was accepted; nil before
	ended   error
	more    chan struct{} // receives when there is something new to look at
}

func newSubscription(f Filter, t *Tailer) *Subscription {
	return &Subscription{filter: f, tailer: t, more: make(chan struct{}, 1)}
}

// Next waits for the next event and returns it. Once the subscription has ended it
// returns why: [ErrSlow], [ErrBehind], [ErrReplaced] or [ErrClosed]; events that were not taken by
// then are dropped. When ctx ends it returns ctx's error, and the subscription goes on.
func (s *Subscription) Next(ctx context.Context) (Event, error) {
	e, _, err := s.NextOr(ctx, nil)
	return e, err
}

// NextOr is [Subscription.Next], and returns false where woken receives before there is an event.
func (s *Subscription) NextOr(ctx context.Context, woken <-chan struct{}) (e Event, ok bool, err error) {
	for {
		if e, ok, err = s.take(); ok || err != nil {
			return e, ok, err
		}
		select {
		case <-ctx.Done():
			return Event{}, false, ctx.Err()
		case <-woken:
			return Event{}, false, nil
		case <-s.more:
		}
	}
}

// Close ends the subscription. It may be called more than once.
func (s *Subscription) Close() {
	s.end(ErrClosed)
	s.tailer.leave(s)
}

// take returns the first event that was not committed when the subscription
// was accepted.
func (s *Subscription) take() (e Event, ok bool, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for len(s.waiting) > 0 && s.ended == nil {
		e := s.waiting[0]
		crowded := s.crowded()
		s.waiting[0] = Event{}
		s.waiting = s.waiting[1:]
		s.bytes -= e.size()
		if crowded && !s.crowded() {
			s.tailer.hasRoom()
		}
		if !s.since.had(e.place) {
			return e, true, nil
		}
	}
	if len(s.waiting) == 0 {
		s.waiting = nil // begins at the front of its memory again
	}
	return Event{}, false, s.ended
}

// accept says what was committed when the subscription was accepted.
func (s *Subscription) accept(since snapshot) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.since = &since
}

// crowded reports whether so much waits that a batch more might be too much.
func (s *Subscription) crowded() bool {
	return len(s.waiting) > mostEvents/2 || s.bytes > mostBytes/2
}

// put hands the event over, and reports whether it was taken without
// crowding. A subscriber that leaves too many waiting is ended: it never
// holds up the others for long.
func (s *Subscription) put(e Event) (room bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.ended != nil || s.since != nil && s.since.had(e.place) {
		return true
	}
	if s.bytes += e.size(); len(s.waiting) >= mostEvents || s.bytes > mostBytes {
		s.stop(ErrSlow)
		return true
	}
	s.waiting = append(s.waiting, e)
	s.signal()
	return !s.crowded()
}

func (s *Subscription) end(why error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.ended == nil {
		s.stop(why)
	}
}

func (s *Subscription) stop(why error) {
	s.ended, s.waiting, s.bytes = why, nil, 0
	s.signal()
}

func (s *Subscription) signal() {
	select {
	case s.more <- struct{}{}:
	default:
	}
}
