package events_test

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/entwine-go/entwine/kit/events"
)

// history is what happened when, on a clock that only counts.
type history struct {
	*kit
	clock atomic.Int64
	mu    sync.Mutex
	wrote map[int64]span // by the note's id: from before its transaction until after it
}

// span is from one moment to another.
type span struct{ from, to int64 }

// write writes notes in one transaction.
func (h *history) write(notes int) {
	h.Helper()
	var ids []int64
	from := h.clock.Add(1)
	err := h.db.InTx(h.ctx, func(ctx context.Context) error {
		ids = ids[:0]
		for range notes {
			ids = append(ids, h.publish(ctx))
		}
		return nil
	})
	if err != nil {
		h.Error(err)
		return
	}
	to := h.clock.Add(1)
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, id := range ids {
		h.wrote[id] = span{from, to}
	}
}

// follower is a subscriber and what it has seen.
type follower struct {
	joined span // from before Subscribe until after it
	seen   []int64
	stayed bool // until the end
	done   chan struct{}
}

// follow notes what a subscriber sees, until a remark ends the story.
func (h *history) follow(t *events.Tailer) *follower {
	h.Helper()
	f := &follower{done: make(chan struct{})}
	f.joined.from = h.clock.Add(1)
	s, err := t.Subscribe(h.ctx, events.Filter{Topics: []string{"note.written", "remark.made"}})
	if err != nil {
		h.Fatal(err)
	}
	f.joined.to = h.clock.Add(1)
	go func() {
		defer close(f.done)
		defer s.Close()
		for {
			e, err := s.Next(h.ctx)
			if err != nil {
				return
			}
			if f.stayed = e.Topic == "remark.made"; f.stayed {
				return
			}
			f.seen = append(f.seen, e.EntityID)
		}
	}()
	return f
}

// check compares what a follower has seen with the whole order.
func (h *history) check(name string, f *follower, whole []int64) {
	h.Helper()
	place := make(map[int64]int)
	for i, id := range whole {
		place[id] = i
	}
	end := -1
	for _, id := range f.seen {
		if place[id] <= end {
			h.Errorf("%s saw event %d out of order or twice", name, id)
		}
		end = place[id]
		if h.wrote[id].to < f.joined.from {
			h.Errorf("%s saw event %d, which was committed before it subscribed", name, id)
		}
	}
	if f.stayed {
		end = len(whole) - 1
	}
	for _, id := range whole[:end+1] {
		if h.wrote[id].from > f.joined.to && !slices.Contains(f.seen, id) {
			h.Errorf("%s has missed event %d", name, id)
		}
	}
}

// Sixteen writers with transactions of different lengths, subscribers that
// come while they write, processes that end: everyone sees one order, without
// a gap from the moment they were accepted.
func TestEverySubscriberSeesOneOrderWithoutGaps(t *testing.T) {
	each(t, func(k *kit) {
		const writers, transactions = 16, 20
		h := &history{kit: k, wrote: make(map[int64]span)}
		first := h.follow(k.tailer)
		all := []*follower{first}
		var writing sync.WaitGroup
		for range writers {
			writing.Go(func() {
				for i := range transactions {
					h.write(i%3 + 1)
				}
			})
		}
		other := k.tail()
		for range 4 {
			restarted := k.tail()
			all = append(all, h.follow(restarted), h.follow(k.tailer), h.follow(other))
			restarted.Close()
		}
		writing.Wait()
		k.remark(1)
		for _, f := range all {
			<-f.done
		}
		whole := first.seen
		if want := len(h.wrote); len(whole) != want {
			k.Errorf("the first subscriber saw %d events, want %d", len(whole), want)
		}
		for i, f := range all {
			h.check(fmt.Sprintf("subscriber %d", i), f, whole)
		}
	})
}
