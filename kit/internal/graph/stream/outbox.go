package stream

import (
	"context"
	"sync"
)

// outbox holds what waits to be written to a client. A sender waits for room
// first, so that a client that reads slowly slows its own operations down, whose
// events then wait where package events counts them.
type outbox struct {
	write func(text []byte) error // one at a time

	mu      sync.Mutex
	waiting [][]byte
	bytes   int
	writing bool
	closed  bool
	room    chan struct{} // closed when there is room again; nil while no sender waits
	idle    sync.WaitGroup
}

// hasRoom waits until there is room, or ctx ends.
func (o *outbox) hasRoom(ctx context.Context) error {
	for {
		room := o.full()
		if room == nil {
			return ctx.Err()
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-room:
		}
	}
}

// full returns a channel to wait for where there is no room, else nil.
func (o *outbox) full() <-chan struct{} {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.closed || len(o.waiting) < maxUnread && o.bytes < maxUnreadSize {
		return nil
	}
	if o.room == nil {
		o.room = make(chan struct{})
	}
	return o.room
}

// put adds a message. Messages after the close are dropped.
func (o *outbox) put(text []byte) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.closed {
		return
	}
	o.waiting = append(o.waiting, text)
	o.bytes += len(text)
	if !o.writing {
		o.writing = true
		o.idle.Go(o.empty)
	}
}

// empty writes until nothing waits.
func (o *outbox) empty() {
	for {
		text, ok := o.first()
		if !ok {
			return
		}
		if o.write(text) != nil {
			o.close()
		}
	}
}

func (o *outbox) first() (text []byte, ok bool) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if len(o.waiting) == 0 {
		o.writing, o.waiting = false, nil
		return nil, false
	}
	text = o.waiting[0]
	o.waiting[0] = nil
	o.waiting = o.waiting[1:]
	o.bytes -= len(text)
	o.makeRoom()
	return text, true
}

// close drops what waits. A message that is being written still is.
func (o *outbox) close() {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.closed, o.waiting, o.bytes = true, nil, 0
	o.makeRoom()
}

func (o *outbox) makeRoom() {
	if o.room != nil {
		close(o.room)
		o.room = nil
	}
}
