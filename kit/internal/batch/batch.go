// Package batch does at once what several callers want at a time.
//
// It is for work that costs as much for many as for one, such as a COMMIT
// that waits for a disk. There is no delay to fill a batch: a caller that finds
// none running begins at once, and those that come meanwhile are the next one.
package batch

import "sync"

// Batch gathers the calls of Do. [New] makes one.
type Batch[T any] struct {
	do   func([]T)
	most int

	mu      sync.Mutex
	busy    bool
	waiting []*call[T]
}

// call is one caller of Do.
type call[T any] struct {
	item T
	turn chan bool // receives true if it is this caller's turn to do the work, false once it is done
}

// New returns a batch that calls do with at most so many items, one call at a
// time. do must not panic.
func New[T any](most int, do func([]T)) *Batch[T] { return &Batch[T]{do: do, most: most} }

// Do returns once do has been called with the item, by this caller or by
// another. Items are in the order in which they came.
func (b *Batch[T]) Do(item T) {
	if me := b.join(item); me != nil && !<-me.turn {
		return
	}
	calls := b.take()
	items := make([]T, len(calls))
	for i, c := range calls {
		items[i] = c.item
	}
	b.do(items)
	b.pass()
	for _, c := range calls[1:] { // the first is this one
		c.turn <- false
	}
}

// join lines up. It returns nil if it is the caller's turn already.
func (b *Batch[T]) join(item T) *call[T] {
	b.mu.Lock()
	defer b.mu.Unlock()
	me := &call[T]{item: item, turn: make(chan bool, 1)}
	b.waiting = append(b.waiting, me)
	if !b.busy {
		b.busy = true
		return nil
	}
	return me
}

// take returns those whose items go now.
func (b *Batch[T]) take() []*call[T] {
	b.mu.Lock()
	defer b.mu.Unlock()
	n := min(b.most, len(b.waiting))
	calls := b.waiting[:n:n]
	b.waiting = b.waiting[n:]
	return calls
}

// pass gives the turn to the next who waits.
func (b *Batch[T]) pass() {
	b.mu.Lock()
	defer b.mu.Unlock()
	if len(b.waiting) == 0 {
		b.busy, b.waiting = false, nil
		return
	}
	b.waiting[0].turn <- true
}

// Waiting returns how many callers wait for their turn.
func (b *Batch[T]) Waiting() int {
	b.mu.Lock()
	defer b.mu.Unlock()
	return len(b.waiting)
}
