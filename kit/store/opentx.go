package store

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"

	"github.com/entwine-go/entwine/kit/viewer"
)

// openTx are the transactions of their own that Ent's client has begun, so that what
// is done with their context can join them.
type openTx struct {
	number atomic.Int64
	mu     sync.Mutex
	all    map[*clientTx]struct{}
}

// add registers a transaction until forget is called.
func (o *openTx) add(c *clientTx) (forget func()) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.all == nil {
		o.all = map[*clientTx]struct{}{}
	}
	o.all[c] = struct{}{}
	o.number.Add(1)
	return func() {
		o.mu.Lock()
		defer o.mu.Unlock()
		delete(o.all, c)
		o.number.Add(-1)
	}
}

var errSeveral = errors.New("several transactions of Ent's client are open in this context: hand over ent.NewTxContext(ctx, tx), which says which one is meant")

// Joining returns a context whose calls join the transaction that the caller of the
// context has begun by Client.Tx of Ent's client: ctx itself where there is none, or
// where ctx has one already (by [DB.InTx], or ent.NewTxContext). Where several are
// open it is an error.
//
// Those are the caller's that were begun with the context, with one that it was made
// of, or with one that was made of it: as far as both are of one request, job or
// command, each of which has a viewer of its own.
func (db *DB) Joining(ctx context.Context) (context.Context, error) {
	if db.open.number.Load() == 0 || db.current(ctx) != nil {
		return ctx, nil
	}
	db.open.mu.Lock()
	defer db.open.mu.Unlock()
	var found *clientTx
	for c := range db.open.all {
		switch {
		case !related(c.ctx, ctx):
		case found != nil:
			return nil, errSeveral
		default:
			found = c
		}
	}
	if found == nil {
		return ctx, nil
	}
	return found.Within(ctx), nil
}

// related reports whether one of the contexts was made of the other, or both of one
// that can be cancelled where neither has a viewer.
func related(a, b context.Context) bool {
	of, in := viewer.Holder(a), viewer.Holder(b)
	if of == nil && in == nil {
		return a.Done() != nil && a.Done() == b.Done()
	}
	return of != nil && within(b, of) || in != nil && within(a, in)
}

// within reports whether the context was made of the one that holds a viewer.
func within(ctx context.Context, of *viewer.Context) bool {
	for holder := viewer.Holder(ctx); holder != nil; holder = viewer.Holder(holder.Context) {
		if holder == of {
			return true
		}
	}
	return false
}
