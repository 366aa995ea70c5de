package events_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/entwine-go/entwine/kit/events"
	"github.com/entwine-go/entwine/kit/kittest/storetest"
)

// history has the time of each step, on a clock that only counts.
type history struct {
	*kit
	clock     atomic.Int64
	committed chan struct{} // has something when a short transaction was
	over      chan struct{} // closed when no short one will be

	mu    sync.Mutex
	wrote map[int64]span // by the note's id
}

// span is when a note was written: its transaction had not begun at from, had not
// written its last event at last, and was over at to.
type span struct{ from, last, to int64 }

var errUndone = errors.New("undone")

// write writes some notes in one transaction, of which some are undone with the
// savepoint or transaction that they are in. A long one lets others commit meanwhile.
func (h *history) write(r *rand.Rand, long bool) {
	h.Helper()
	var kept []int64
	s := span{from: h.clock.Add(1)}
	undone := r.IntN(8) == 0
	err := h.db.InTx(h.ctx, func(ctx context.Context) error {
		kept = nil
		for range 1 + r.IntN(3) {
			last := h.clock.Add(1)
			id := h.publish(ctx)
			kept, s.last = append(kept, id), last
			_ = h.db.InTx(ctx, func(ctx context.Context) error {
				h.publish(ctx)
				return errUndone
			})
			if r.IntN(2) == 0 {
				last := h.clock.Add(1)
				_ = h.db.InTx(ctx, func(ctx context.Context) error {
					kept, s.last = append(kept, h.publish(ctx)), last
					return nil
				})
			}
			if long {
				h.let(1 + r.IntN(4))
			}
		}
		if undone {
			return errUndone
		}
		return nil
	})
	if undone && errors.Is(err, errUndone) {
		return
	}
	if err != nil {
		h.Error(err)
		return
	}
	s.to = h.clock.Add(1)
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, id := range kept {
		h.wrote[id] = s
	}
}

// let waits until so many short transactions were committed.
func (h *history) let(others int) {
	for range others {
		select {
		case <-h.committed:
		case <-h.over:
		}
	}
}

// writers writes with sixteen, of which up to four have long transactions where the database
// has more than one writer, and returns when they are done.
func (h *history) writers(transactions int) {
	h.Helper()
	seed := rand.Uint64()
	h.Logf("the seed is %d", seed)
	var short, long sync.WaitGroup
	for i := range uint64(16) {
		r := rand.New(rand.NewPCG(seed, i))
		if i < uint64(storetest.Held(4)) && h.db.Postgres() {
			long.Go(func() {
				for range transactions / 4 {
					h.write(r, true)
				}
			})
			continue
		}
		short.Go(func() {
			for range transactions {
				h.write(r, false)
				select {
				case h.committed <- struct{}{}:
				default:
				}
			}
		})
	}
	short.Wait()
	close(h.over)
	long.Wait()
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
			f.seen = append(f.seen, e.EntityID.Int())
		}
	}()
	return f
}

// check compares what a follower has seen with what happened.
func (h *history) check(name string, f *follower) {
	h.Helper()
	saw := make(map[int64]bool)
	var latest int64 // when the latest last event of those seen was written
	for _, id := range f.seen {
		s, committed := h.wrote[id]
		switch {
		case !committed:
			h.Errorf("%s saw event %d, which was never committed", name, id)
		case saw[id]:
			h.Errorf("%s saw event %d twice", name, id)
		case s.to < latest:
			h.Errorf("%s saw event %d after one that was written when it was committed", name, id)
		case s.to < f.joined.from:
			h.Errorf("%s saw event %d, which was committed before it subscribed", name, id)
		}
		saw[id] = true
		latest = max(latest, s.last)
	}
	if f.stayed {
		latest = h.clock.Load()
	}
	for id, s := range h.wrote {
		if s.from > f.joined.to && s.to < latest && !saw[id] {
			h.Errorf("%s has missed event %d", name, id)
		}
	}
}

// Sixteen writers with short and long transactions, savepoints and rollbacks;
// subscribers that come while they write, and processes that end; a write in another
// database that takes longer than all. Every subscriber sees what was committed since
// it was accepted, without a gap, once and in the order of commits.
func TestEverySubscriberSeesTheOrderOfCommitsWithoutGaps(t *testing.T) {
	each(t, func(k *kit) {
		if k.db.Postgres() {
			defer k.hold(elsewhere(k))()
		}
		h := &history{kit: k, wrote: make(map[int64]span), committed: make(chan struct{}, 16), over: make(chan struct{})}
		first := h.follow(k.tailer)
		all := []*follower{first}
		var writing sync.WaitGroup
		writing.Go(func() { h.writers(20) })
		other := k.tail()
		for range 4 {
			restarted := k.tail()
			all = append(all, h.follow(restarted), h.follow(k.tailer), h.follow(other))
			restarted.Close()
		}
		writing.Wait()
		k.remark(k.publish(k.ctx))
		for _, f := range all {
			<-f.done
		}
		if !first.stayed {
			k.Error("the first subscriber did not stay")
		}
		last := first.seen[len(first.seen)-1]
		h.wrote[last] = span{h.clock.Add(1), h.clock.Add(1), h.clock.Add(1)}
		for i, f := range all {
			h.check(fmt.Sprintf("subscriber %d", i), f)
		}
	})
}
