package store

import (
	"context"
	"sync"

	"github.com/entwine-go/entwine/kit/internal/carry"
	"github.com/entwine-go/entwine/kit/problem"
)

// Seen is how much a caller has seen of a database that has replicas: all that the
// primary had committed up to a place in its log.
type Seen struct {
	// Timeline is that of the log: each promotion of a standby begins another, and
	// places of two are not compared.
	Timeline uint32
	// LSN is the place.
	LSN uint64
	// At is where the caller has read last: [AtPrimary], [AtAny] or the number of a
	// replica, which may have replayed more than LSN.
	At uint64
}

// The values of [Seen.At] that are no replica's number.
const (
	AtPrimary = 0 // the caller may have seen more of the primary than LSN says
	AtAny     = 1 // LSN says all
)

// Horizon is the last write that the caller of a request has seen, with the server that
// the request reads from. Its methods may be called at once. A nil *Horizon is that of
// a database without replicas.
type Horizon struct {
	replicas *replicas
	keeps    bool // the caller is one who says next time what they have seen

	mu      sync.Mutex
	seen    Seen
	reads   bool     // the request only reads: replicas may answer
	on      *replica // which answers this request
	primary bool     // the request has written, or has read from the primary
	written bool     // it has written
	why     Miss     // it reads from the primary
}

// NewHorizon returns the horizon of a request whose caller has seen so much; nil where
// the database has no replicas. A caller who does not keep what [Horizon.Settle] returns
// reads what is at most two seconds old.
func (db *DB) NewHorizon(seen Seen, keeps bool) *Horizon {
	if db.replicas == nil {
		return nil
	}
	return &Horizon{replicas: db.replicas, seen: seen, keeps: keeps}
}

// WithHorizon returns a context whose statements are those of the request.
func WithHorizon(ctx context.Context, h *Horizon) context.Context { return carry.With(ctx, h) }

// OnlyReads lets replicas answer the reads ([DB.Reads]) of the context's request, until
// it writes.
func OnlyReads(ctx context.Context) {
	if h := carry.From[*Horizon](ctx); h != nil {
		h.mu.Lock()
		h.reads = true
		h.mu.Unlock()
	}
}

// wrote has all that follows in the request be read from the primary.
func (h *Horizon) wrote() {
	if h == nil {
		return
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	h.primary, h.written, h.on, h.why = true, true, nil, MissBehind
}

// Written reports whether the request has written.
func (h *Horizon) Written() bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.written
}

// leave has the request read from the primary from now on, as its replica has failed.
func (h *Horizon) leave() {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.primary, h.on, h.why = true, nil, MissFailed
}

// Settle returns what the caller has seen once the request has read and written, and
// whether they have to be given it. The primary is asked for the end of its log where the
// request has used it: one statement for all requests that ask at a time.
func (h *Horizon) Settle() (seen Seen, changed bool) {
	if h == nil {
		return Seen{}, false
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	was := h.seen
	switch {
	case h.primary:
		h.seen = h.replicas.end(was)
		h.keeps = h.keeps || h.written
	case h.on != nil && h.keeps:
		h.seen.At = h.on.number()
		if now := h.replicas.history.Load(); h.seen.Timeline == 0 && now != nil {
			h.seen.Timeline = now.timeline
		}
	}
	return h.seen, h.keeps && h.seen != was
}

// server returns the replica that answers a read of the context, nil for the primary.
func (r *replicas) server(ctx context.Context, text string) (*replica, *Horizon) {
	h := carry.From[*Horizon](ctx)
	if h == nil {
		return nil, nil
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.on == nil && !h.primary && h.reads && reads(text) {
		h.on, h.why = r.choose(ctx, h.seen)
	}
	switch {
	case h.on != nil && reads(text):
		return h.on, h
	case h.reads:
		r.missed[h.why].Add(1)
	}
	h.primary, h.on = true, nil
	return nil, h
}

// deserves reports whether a statement that has failed on a replica is worth the
// primary's time: not one that took too long or that fails there as well, and not one
// whose caller is gone or has their share of the connections.
func deserves(ctx context.Context, err error) bool {
	return ctx.Err() == nil && !timedOut(err) && !IsUncomputable(err) && problem.As(err) == nil
}
